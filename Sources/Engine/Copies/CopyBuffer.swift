/// Bytes that a copy makes, in memory that it uses again for the next ones.
///
/// An `[UInt8]` checks with each number that it gets whether it is shared and large enough, and a row of messages has
/// more than a hundred.
package final class CopyBuffer {
    // Unchecked: one copy uses it, and `body` of append does not.
    @exclusivity(unchecked) private var memory: UnsafeMutableRawBufferPointer
    /// The number of bytes.
    @exclusivity(unchecked) package private(set) var count = 0

    /// An empty buffer.
    package init() { memory = .allocate(byteCount: Self.kept, alignment: 8) }

    deinit { memory.deallocate() }

    /// The bytes. They are valid until the buffer changes.
    package var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<count]) }

    /// Removes the bytes, and gives back the memory of a long row.
    package func removeAll() {
        count = 0
        guard memory.count > Self.longest else { return }
        memory.deallocate()
        memory = .allocate(byteCount: Self.kept, alignment: 8)
    }

    /// Appends what `body` writes from the address that it gets. It writes at most `most` bytes, and returns the address
    /// after the last.
    package func append<Failure: Error>(
        atMost most: Int, _ body: (UnsafeMutableRawPointer) throws(Failure) -> UnsafeMutableRawPointer
    ) throws(Failure) {
        reserve(most)
        guard let start = memory.baseAddress else { return }
        count = try body(start + count) - start
    }

    /// Appends a number with the most significant byte first.
    package func append(_ number: Int32) { append(atMost: 4) { $0.put(number.bigEndian) } }

    /// Appends bytes.
    package func append(_ bytes: UnsafeRawBufferPointer) { append(atMost: bytes.count) { $0.put(bytes) } }

    private func reserve(_ more: Int) {
        guard memory.count - count < more else { return }
        let larger = UnsafeMutableRawBufferPointer.allocate(
            byteCount: max(count + more, 2 * memory.count), alignment: 8)
        larger.copyMemory(from: bytes)
        memory.deallocate()
        memory = larger
    }

    /// How many bytes an empty buffer has, and more than how many it gives back.
    private static let (kept, longest) = (64 << 10, 1 << 20)
}

extension UnsafeMutableRawPointer {
    /// Writes a number as it is in memory, and returns the address after it.
    @inlinable
    package func put(_ number: some FixedWidthInteger & BitwiseCopyable) -> UnsafeMutableRawPointer {
        storeBytes(of: number, as: type(of: number))
        return self + number.bitWidth / 8
    }

    /// Writes bytes, and returns the address after them.
    package func put(_ bytes: UnsafeRawBufferPointer) -> UnsafeMutableRawPointer {
        if let start = bytes.baseAddress { copyMemory(from: start, byteCount: bytes.count) }
        return self + bytes.count
    }
}
