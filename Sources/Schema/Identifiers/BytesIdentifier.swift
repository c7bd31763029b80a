/// An identifier the network side makes itself: bytes, not a number.
///
/// Ordered byte by byte. Described as text when all bytes are visible ASCII (SimpleX stores the base64url
/// text of such identifiers as bytes), otherwise in hexadecimal after `0x`.
public protocol BytesIdentifier: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The bytes as they are stored.
    var bytes: [UInt8] { get }
    /// The identifier with these bytes; whether there is such a row is not asked.
    init(bytes: [UInt8])
}

extension BytesIdentifier {
    /// The text when all bytes are visible ASCII, otherwise `0x` and the bytes in hexadecimal.
    public var description: String {
        if !bytes.isEmpty, bytes.allSatisfy({ (0x21...0x7E).contains($0) }) {
            return String(decoding: bytes, as: UTF8.self)
        }
        return bytes.reduce(into: "0x") { text, byte in
            text += (byte < 0x10 ? "0" : "") + String(byte, radix: 16)
        }
    }

    /// Byte by byte; a beginning sorts before what it begins.
    public static func < (left: Self, right: Self) -> Bool {
        left.bytes.lexicographicallyPrecedes(right.bytes)
    }
}
