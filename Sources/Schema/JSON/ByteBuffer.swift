/// Bytes that are written one after the other. A whole string or line end is one write: an export writes very many
/// short ones, and an array that grows byte by byte took as long as reading the rows (*measured*).
struct ByteBuffer {
    /// Longer than what was written, so that there is room.
    private var bytes: [UInt8] = []
    private(set) var count = 0

    /// What was written.
    var written: ArraySlice<UInt8> { bytes[..<count] }

    /// Forgets what was written and keeps the room.
    mutating func removeAll() { count = 0 }

    mutating func append(_ byte: UInt8) {
        makeRoom(for: 1)
        bytes[count] = byte
        count += 1
    }

    mutating func append(_ text: StaticString) {
        append(UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func append(contentsOf more: some Sequence<UInt8>) {
        for byte in more { append(byte) }
    }

    mutating func append(_ more: UnsafeRawBufferPointer) {
        write(more.count) { $0.copyMemory(from: more) }
    }

    /// Appends a text between two bytes.
    mutating func append(_ text: UnsafeRawBufferPointer, between byte: UInt8) {
        write(text.count + 2) { room in
            room[0] = byte
            UnsafeMutableRawBufferPointer(rebasing: room[1...]).copyMemory(from: text)
            room[text.count + 1] = byte
        }
    }

    /// Appends a line end and blanks.
    mutating func appendLineEnd(blanks: Int) {
        write(1 + blanks) { room in
            room.initializeMemory(as: UInt8.self, repeating: UInt8(ascii: " "))
            room[0] = UInt8(ascii: "\n")
        }
    }

    private mutating func write(_ more: Int, _ body: (UnsafeMutableRawBufferPointer) -> Void) {
        makeRoom(for: more)
        let place = count
        bytes.withUnsafeMutableBytes { body(UnsafeMutableRawBufferPointer(rebasing: $0[place..<(place + more)])) }
        count += more
    }

    private mutating func makeRoom(for more: Int) {
        guard bytes.count - count < more else { return }
        bytes += [UInt8](repeating: 0, count: max(more, bytes.count, 256))
    }
}
