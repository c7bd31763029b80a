extension Array {
    /// The list in parts that fit into one statement: an engine limits how many values that can have.
    package var inParts: [[Element]] {
        stride(from: 0, to: count, by: 500).map { Array(self[$0..<Swift.min($0 + 500, count)]) }
    }
}
