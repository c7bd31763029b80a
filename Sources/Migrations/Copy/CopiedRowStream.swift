import ChatDBEngine
import Crypto

/// The rows of one table on their way to the copy: adds each of them to the sum.
struct CopiedRowStream {
    private let columns: [CopiedColumn]
    private let replacesBadText: Bool
    private var record: RecordBytes
    /// The sum of the rows that were passed on.
    private(set) var sum = RowSum()
    /// The number of texts in which bytes were replaced.
    private(set) var replacedTexts = 0

    init(_ columns: [CopiedColumn], replacesBadText: Bool = false) {
        self.columns = columns
        self.replacesBadText = replacesBadText
        record = RecordBytes(columns)
    }

    /// Adds a row to the sum.
    mutating func add(_ values: [CopiedValue]) throws(StoreError) {
        try record.set(values)
        sum.add(record.bytes)
    }

    /// Adds a row to the sum and inserts it. Throws an `UnfitRow` for a value that its column on the server cannot
    /// hold.
    mutating func pass(_ values: [CopiedValue], to insert: ([CopiedValue]) throws -> Void) throws {
        guard replacesBadText, let repaired = Self.repaired(values) else {
            try addFitting(values)
            return try insert(values)
        }
        defer { repaired.texts.forEach { $0.deallocate() } }
        replacedTexts += repaired.texts.count
        try addFitting(repaired.values)
        try insert(repaired.values)
    }

    private mutating func addFitting(_ values: [CopiedValue]) throws(UnfitRow) {
        do throws(StoreError) {
            try add(values)
        } catch {
            throw UnfitRow(error: error)
        }
    }

    /// The row with repaired texts, and the memory of these; nil for a row without a text to repair.
    private static func repaired(
        _ values: [CopiedValue]
    ) -> (values: [CopiedValue], texts: [UnsafeMutableRawBufferPointer])? {
        var (values, texts): ([CopiedValue], [UnsafeMutableRawBufferPointer]) = (values, [])
        for index in values.indices {
            guard case .text(let bytes) = values[index], TextBytes.fault(in: bytes) != nil else { continue }
            let text = TextBytes.repaired(bytes)
            let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: text.count, alignment: 1)
            copy.copyBytes(from: text)
            texts.append(copy)
            values[index] = .text(UnsafeRawBufferPointer(copy))
        }
        return texts.isEmpty ? nil : (values, texts)
    }
}

/// A row with a value that its column on the server cannot hold. The caller knows which row it is.
struct UnfitRow: Error {
    let error: StoreError
}

extension RowSum {
    /// Adds a row by its bytes.
    mutating func add(_ record: [UInt8]) {
        var hash = SHA256()
        record.withUnsafeBytes { hash.update(bufferPointer: $0) }
        hash.finalize().withUnsafeBytes { add($0) }
    }
}
