/// Bytes that give power over an identity or open what is encrypted: a key, a shared secret, a ratchet, a body.
///
/// Neither a description nor a dump shows them or their number, so that a record that has some can be printed. Whoever
/// needs them asks for `bytes`. Rule: docs/domain.md, "Agent database", Secrets.
public struct SecretBytes: Sendable, Hashable {
    /// The bytes, as stored.
    public let bytes: [UInt8]

    /// A secret of these bytes.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Whether there are none, as for the hash of a message before the first.
    public var isEmpty: Bool { bytes.isEmpty }
}

extension SecretBytes: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Always the same.
    public var description: String { "(secret)" }

    /// Always the same.
    public var debugDescription: String { description }

    /// No parts, so that dumping a record does not show its secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
