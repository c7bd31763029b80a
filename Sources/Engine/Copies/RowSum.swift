/// The number of the rows of a table, and a sum over them that does not depend on their order: each row has a SHA-256,
/// which is four numbers of 64 bits, and each of these is added up without carry.
///
/// The bytes of a row are what `record_send(ROW(…))` of PostgreSQL returns: the number of columns, and for each column
/// the number of its type, the length, and the value in the binary format. So `psql` alone can compute the same sum.
/// Rule: docs/copying.md, "Verification".
package struct RowSum: Sendable, Hashable {
    /// The number of rows.
    package private(set) var rows: Int
    /// The four sums.
    package private(set) var words: [UInt64]

    /// The sum of a table, as a server computed it; without arguments, that of an empty table.
    package init(rows: Int = 0, words: [UInt64] = [0, 0, 0, 0]) {
        self.rows = rows
        self.words = words
    }

    /// Adds a row by the 32 bytes of its SHA-256.
    package mutating func add(_ digest: UnsafeRawBufferPointer) {
        rows += 1
        for index in words.indices where digest.count >= 8 * (index + 1) {
            let word = digest.loadUnaligned(fromByteOffset: 8 * index, as: UInt64.self)
            words[index] &+= UInt64(bigEndian: word)
        }
    }

    /// The four sums as 64 hexadecimal digits.
    package var text: String {
        words.map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 16 - digits.utf8.count) + digits
        }.joined()
    }
}
