/// The number of a row, typed by what the row is, so that the compiler keeps the numbers of two tables apart.
///
/// Every table with a number has a name for its identifiers, such as ``UserID``:
///
///     public typealias UserID = RowID<User>
///
///     let alice = UserID(1)
///     let relay: ChatRelayID = alice      // does not compile
///
/// An identifier says nothing about whether the row exists. It is described and encoded as the bare number, and ordered
/// by the number, which is the order of creation.
public struct RowID<Row>: RawRepresentable, Hashable, Sendable, Codable, Comparable, CustomStringConvertible {
    /// The number, as stored.
    public let rawValue: Int64

    /// The identifier with this number; does not look for the row.
    @inlinable
    public init(rawValue: Int64) {
        self.rawValue = rawValue
    }

    /// The identifier with this number; does not look for the row.
    @inlinable
    public init(_ number: Int64) {
        rawValue = number
    }

    /// The bare number.
    public var description: String { String(rawValue) }

    /// Whether both have the same number.
    @inlinable
    public static func == (left: RowID, right: RowID) -> Bool { left.rawValue == right.rawValue }

    /// Whether the number is smaller.
    @inlinable
    public static func < (left: RowID, right: RowID) -> Bool { left.rawValue < right.rawValue }

    /// Hashes the number.
    @inlinable
    public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

/// An identifier that the agent or a server made: bytes instead of a number, typed as ``RowID`` is.
///
/// SimpleX stores the base64url text of such identifiers as bytes, hence the two forms of ``description``.
public struct BytesID<Row>: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The bytes, as stored.
    public let bytes: [UInt8]

    /// The identifier with these bytes; does not look for the row.
    @inlinable
    public init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The text when all bytes are visible ASCII, otherwise `0x` and the bytes in hexadecimal.
    public var description: String {
        if !bytes.isEmpty, bytes.allSatisfy({ (0x21...0x7E).contains($0) }) {
            return String(decoding: bytes, as: UTF8.self)
        }
        return bytes.reduce(into: "0x") { text, byte in
            text += (byte < 0x10 ? "0" : "") + String(byte, radix: 16)
        }
    }

    /// Whether both have the same bytes.
    @inlinable
    public static func == (left: BytesID, right: BytesID) -> Bool { left.bytes == right.bytes }

    /// Byte by byte; a prefix sorts before the whole.
    @inlinable
    public static func < (left: BytesID, right: BytesID) -> Bool { left.bytes.lexicographicallyPrecedes(right.bytes) }

    /// Hashes the bytes.
    @inlinable
    public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}
