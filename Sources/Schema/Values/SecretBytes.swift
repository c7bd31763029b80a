/// Secret bytes: a key, a shared secret, a ratchet, the body of a message.
///
/// Neither a description nor a dump shows the bytes or their number, so that a record with a secret can be printed.
/// Code that needs them reads ``bytes``. Rule: docs/domain.md, "Agent database", Secrets.
public struct SecretBytes: Sendable, Hashable {
    /// The bytes, as stored.
    public let bytes: [UInt8]

    /// Wraps bytes as a secret.
    public init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Whether it has no bytes, as the hash before the first message.
    public var isEmpty: Bool { bytes.isEmpty }
}

extension SecretBytes: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// `(secret)`, for any bytes.
    public var description: String { "(secret)" }

    /// `(secret)`, for any bytes.
    public var debugDescription: String { description }

    /// No parts, so that dumping a record does not show its secrets.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
