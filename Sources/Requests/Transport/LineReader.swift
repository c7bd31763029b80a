import ChatDBPOSIX

/// Cuts the bytes of a client into lines. A line that is longer than the limit is not kept.
struct LineReader {
    enum Line {
        case text([UInt8])
        /// Longer than the limit; its bytes are gone.
        case tooLong
    }

    private let limit: Int
    private var bytes: [UInt8] = []
    /// Where the first line begins.
    private var start = 0
    /// Up to where there is no newline.
    private var searched = 0
    /// Whether the first line is too long, and its beginning was thrown away.
    private var isSkipping = false

    init(limit: Int) { self.limit = limit }

    mutating func append(_ more: UnsafeRawBufferPointer) {
        if start == bytes.count {
            bytes.removeAll(keepingCapacity: bytes.capacity <= 1 << 20)
            (start, searched) = (0, 0)
        } else if start > 1 << 16 {
            bytes.removeFirst(start)
            searched -= start
            start = 0
        }
        bytes.append(contentsOf: more)
    }

    /// The next line without its newline; nil when no line is complete. Empty lines are left out.
    mutating func next() -> Line? {
        while true {
            guard let end = newline() else {
                searched = bytes.count
                if isSkipping || bytes.count - start > limit {
                    // The rest of the line comes later, and is not kept either.
                    isSkipping = true
                    bytes.removeAll()
                    (start, searched) = (0, 0)
                }
                return nil
            }
            let line = bytes[start..<end]
            (start, searched) = (end + 1, end + 1)
            if isSkipping || line.count > limit {
                isSkipping = false
                return .tooLong
            }
            if !Self.isBlank(line) { return .text(Array(line)) }
        }
    }

    /// The last line, if it has no newline at its end; otherwise nil.
    mutating func last() -> Line? {
        let rest = bytes[start...]
        start = bytes.count
        defer { isSkipping = false }
        if isSkipping { return .tooLong }
        return Self.isBlank(rest) ? nil : .text(Array(rest))
    }

    private func newline() -> Int? {
        bytes.withUnsafeBytes { buffer in
            guard searched < buffer.count, let base = buffer.baseAddress,
                let found = memchr(base + searched, CInt(UInt8(ascii: "\n")), buffer.count - searched)
            else { return nil }
            return UnsafeRawPointer(found) - base
        }
    }

    private static func isBlank(_ line: ArraySlice<UInt8>) -> Bool {
        line.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
    }
}
