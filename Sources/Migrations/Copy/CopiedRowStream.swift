import ChatDBEngine
import Crypto

/// The rows of one table on their way to the copy: adds each of them to the sum.
struct CopiedRowStream {
    private let replacesBadText: Bool
    private let encoder: RowEncoder
    private let record = CopyBuffer()
    /// The sum of the rows that were passed on.
    private(set) var sum = RowSum()
    /// The number of texts in which bytes were replaced.
    private(set) var replacedTexts = 0

    init(_ columns: [CopiedColumn], replacesBadText: Bool = false) {
        self.replacesBadText = replacesBadText
        encoder = RowEncoder(columns, .record)
    }

    /// Adds a row to the sum.
    mutating func add(_ values: [CopiedValue]) throws(StoreError) {
        record.removeAll()
        try encoder.append(values, to: record)
        sum.add(record: record.bytes)
    }

    /// Adds a row to the sum and inserts it. Throws an `UnfitRow` for a value that its column on the server cannot
    /// hold.
    mutating func pass(_ values: [CopiedValue], to insert: ([CopiedValue]) throws -> Void) throws {
        guard replacesBadText else {
            try addFitting(values)
            return try insert(values)
        }
        try RepairedRow.with(values) { values, texts in
            replacedTexts += texts
            try addFitting(values)
            try insert(values)
        }
    }

    private mutating func addFitting(_ values: [CopiedValue]) throws(UnfitRow) {
        do throws(StoreError) {
            try add(values)
        } catch {
            throw UnfitRow(error: error)
        }
    }
}

/// A row with U+FFFD in the place of what a server does not store in a text.
enum RepairedRow {
    /// Calls `body` with the row and the number of texts that were repaired.
    static func with<T>(_ values: [CopiedValue], _ body: ([CopiedValue], _ texts: Int) throws -> T) rethrows -> T {
        var (repaired, texts): ([CopiedValue], [UnsafeMutableRawBufferPointer]) = (values, [])
        defer { texts.forEach { $0.deallocate() } }
        for index in values.indices {
            guard case .text(let bytes) = values[index], TextBytes.fault(in: bytes) != nil else { continue }
            let text = TextBytes.repaired(bytes)
            let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: text.count, alignment: 1)
            copy.copyBytes(from: text)
            texts.append(copy)
            repaired[index] = .text(UnsafeRawBufferPointer(copy))
        }
        return try body(repaired, texts.count)
    }
}

/// A row that the target cannot hold. The caller knows which row it is.
struct UnfitRow: Error {
    let error: StoreError
}

extension RowSum {
    /// Adds a row by its bytes.
    mutating func add(record: UnsafeRawBufferPointer) {
        var hash = SHA256()
        hash.update(bufferPointer: record)
        hash.finalize().withUnsafeBytes { add($0) }
    }
}
