/// Where the chunks of a file are and how to decrypt them. It has keys, so it does not show its text.
public struct FileDescription: Sendable, Hashable, CustomStringConvertible {
    /// Its number.
    public let id: FileDescriptionID
    /// The text so far; secret.
    public let text: String
    /// The number of the last part that has come, from 0.
    public let lastPart: Int
    /// Whether all parts have come.
    public let isComplete: Bool

    package init(id: FileDescriptionID, text: String, lastPart: Int, isComplete: Bool) {
        self.id = id
        self.text = text
        self.lastPart = lastPart
        self.isComplete = isComplete
    }

    /// The number, and how far it has come.
    public var description: String {
        "file description \(id), part \(lastPart)\(isComplete ? ", complete" : "")"
    }
}

/// What the copy of a file on this device is encrypted with. It does not show its bytes.
public struct LocalFileKey: Sendable, Hashable, CustomStringConvertible {
    /// The key.
    public let key: [UInt8]
    /// The nonce.
    public let nonce: [UInt8]

    /// A key and a nonce.
    public init(key: [UInt8], nonce: [UInt8]) {
        self.key = key
        self.nonce = nonce
    }

    /// That there is one.
    public var description: String { "a local file key" }
}
