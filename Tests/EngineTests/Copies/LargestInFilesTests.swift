import ChatDBKit
import Testing

/// How large a value and a row in a file can be: fewer bytes than PostgreSQL's limit, so a copy from files to a server
/// finds no value of 1 GiB. Rule: docs/copying.md, "What is refused".
@Suite struct LargestInFilesTests {
    /// SQLite's limit (`SQLITE_MAX_LENGTH`): for the bytes of a value, and for those of all values of a row together.
    private static let limit = 1_000_000_000

    private static let columns = [
        CopiedColumn(name: "id", form: .bigInteger), CopiedColumn(name: "words", form: .text),
        CopiedColumn(name: "image", form: .bytes),
    ]

    private let folder: DatabaseFolder
    private let connection: any MigrationConnection

    init() throws {
        folder = try DatabaseFolder()
        connection = try SQLiteEngine().openForMigration(folder.file("x.db"), creating: true)
        try connection.run("CREATE TABLE t(id INTEGER PRIMARY KEY, words TEXT, image BLOB) STRICT")
    }

    /// Inserts a row with a text and bytes of these sizes. They are in memory that nobody reads or writes, so the
    /// system provides none.
    private func insert(words: Int, image: Int) throws {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(words, image, 1), alignment: 8)
        defer { memory.deallocate() }
        let bytes = UnsafeRawBufferPointer(memory)
        let target = try #require(connection as? any TableTarget)
        try target.fill("t", Self.columns) { insert in
            try insert([
                .integer(1), .text(UnsafeRawBufferPointer(rebasing: bytes[..<words])),
                .bytes(UnsafeRawBufferPointer(rebasing: bytes[..<image])),
            ])
        }
    }

    @Test("a value of more than SQLite's limit is refused", arguments: [1_000_000_001, 1 << 30])
    func values(_ size: Int) throws {
        let words = try storeError(.beyondLimits) { try insert(words: size, image: 0) }
        #expect(words.message.contains("column words"))
        let image = try storeError(.beyondLimits) { try insert(words: 0, image: size) }
        #expect(image.message.contains("column image"))
        #expect(try connection.count("SELECT count(*) FROM t") == 0)
    }

    @Test("values that are together larger than SQLite's limit are refused: it is that of a row too")
    func rows() throws {
        try storeError(.beyondLimits) { try insert(words: Self.limit, image: 0) }
        try storeError(.beyondLimits) { try insert(words: Self.limit / 2, image: Self.limit / 2) }
        #expect(try connection.count("SELECT count(*) FROM t") == 0)
        try insert(words: 0, image: 0)
        #expect(try connection.count("SELECT count(*) FROM t") == 1)
    }

    @Test("the largest row of a file has less than 1 GiB in PostgreSQL's format")
    func format() {
        // SQLite's limit for columns. Each has at most 12 bytes more than in the file.
        let most = 2_000
        #expect(Self.limit + 4 + 12 * most < CopiedValue.tooLarge)
    }
}
