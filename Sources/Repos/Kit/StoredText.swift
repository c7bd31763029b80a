import ChatDBSchema

extension String {
    /// Whether two texts have the same bytes, which is how the database compares them. `==` treats canonically
    /// equivalent texts as equal.
    package func hasBytes(of other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}

/// Ids of the agent are bytes in its database, and in the chat database the text of these bytes.
/// Rule: docs/domain.md, "Between the two databases".
extension BytesID {
    /// The id whose bytes are those of a text.
    package init(text: String) {
        self.init(bytes: Array(text.utf8))
    }

    /// The text that the chat database stores; nil for bytes that are not UTF-8, which no agent makes.
    package var text: String? {
        let text = String(decoding: bytes, as: UTF8.self)
        return text.utf8.elementsEqual(bytes) ? text : nil
    }
}

extension Array {
    /// The list in parts that fit into one statement: an engine limits the number of values in a statement.
    package var inParts: [[Element]] {
        stride(from: 0, to: count, by: 500).map { Array(self[$0..<Swift.min($0 + 500, count)]) }
    }
}
