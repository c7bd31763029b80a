extension String {
    /// Whether two texts are the same as the database compares them, byte by byte; `==` takes letters that are composed
    /// in another way for the same.
    package func hasBytes(of other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
