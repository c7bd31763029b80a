import ChatDBSchema

/// Ids of the agent are bytes in its database, and in the chat database the text of these bytes.
/// Rule: docs/domain.md, "Between the two databases".
extension BytesIdentifier {
    /// The id whose bytes are those of a text.
    package init(text: String) {
        self.init(bytes: Array(text.utf8))
    }

    /// The text the chat database keeps; nil for bytes that are no text, which no agent makes.
    package var text: String? {
        let text = String(decoding: bytes, as: UTF8.self)
        return text.utf8.elementsEqual(bytes) ? text : nil
    }
}
