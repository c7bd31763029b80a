/// The first block that an SMP server sends.
///
/// A block has 16,384 bytes: the length of its content (2 bytes, big-endian), the content, and padding. The content
/// begins with the lowest and the highest version (2 bytes each) and the session identifier (its length in 1 byte).
/// Further parts are ignored, as the protocol asks for.
enum SMPHello {
    /// The size of every block.
    static let blockSize = 16_384

    /// The versions that the server speaks.
    static func versions(in block: [UInt8]) throws(ServerTestFailure) -> ClosedRange<UInt16> {
        let content = block.dropFirst(2)
        guard let length = number(in: block, at: 0), (5...content.count).contains(Int(length)),
            let lowest = number(in: block, at: 2), let highest = number(in: block, at: 4),
            lowest >= 1, lowest <= highest, 5 + Int(block[6]) <= Int(length)
        else { throw ServerTestFailure(.handshake, .notSMP) }
        return lowest...highest
    }

    private static func number(in bytes: [UInt8], at place: Int) -> UInt16? {
        guard bytes.count > place + 6 else { return nil }
        return UInt16(bytes[place]) << 8 | UInt16(bytes[place + 1])
    }
}
