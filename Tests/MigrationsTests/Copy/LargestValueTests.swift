import ChatDBKit
import TestKit
import Testing

/// Values that are too large for PostgreSQL. Rule: docs/copying.md, "What is refused".
@Suite(.enabled(if: PostgresServer.isSupported, "needs PostgreSQL"), .timeLimit(.minutes(60)))
struct LargestValueTests {
    @Test(
        "a text and bytes of 1 GiB are refused by table, row and column, and the server has nothing",
        arguments: ["name", "image"])
    func refused(_ column: String) throws {
        let world = try CopyWorld()
        try world.fillLittle()
        let before = try world.dump(world.files.location)
        var engine = WrappedEngine()
        engine.snapshot = { snapshot in
            guard let source = snapshot as? any TableSource & SnapshotConnection else { return snapshot }
            return HugeValueSnapshot(source, column)
        }
        let files = StoreContext(
            engine: engine, location: world.files.location, build: try CopyWorld.build(for: .sqlite))
        let copy = StoreCopy(from: files, to: try world.context(of: world.place))
        #expect(try copy.check().rows == 10, "only the copy reads all columns")
        let error = #expect(throws: CopyError.self) { _ = try copy.run() }
        guard case .refused(.agent, let part, let cause) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(part == "id 2 of the table people")
        #expect(cause.kind == .beyondLimits)
        #expect(cause.message == "column \(column) has a value of 1 GiB or more")
        #expect(error?.code == "notCopyable")
        #expect(try world.isEmpty())
        #expect(try world.marksInFiles() == 0)
        #expect(try world.dump(world.files.location) == before)
        _ = try StoreGate(world.context(of: world.files.location)).enter()
        #expect(try world.toServer().run().rows == 10, "the store itself has no such value")
    }
}

/// A snapshot in which the person of number 2 has a text or bytes of 1 GiB, which no file can have. They are in memory
/// that nobody reads or writes, so the system provides none. The check of a copy, which reads all bytes of the texts,
/// gets the text that is stored.
private final class HugeValueSnapshot: SnapshotConnection, TableSource {
    private let source: any TableSource & SnapshotConnection
    private let column: String
    private let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: CopiedValue.tooLarge, alignment: 8)

    init(_ source: any TableSource & SnapshotConnection, _ column: String) {
        self.source = source
        self.column = column
    }

    deinit { memory.deallocate() }

    func forEachStoredRow(of table: String, columns: [String], _ body: ([CopiedValue]) throws -> Void) throws {
        // The check asks for texts alone.
        guard table == "people", columns.contains("image"), let key = columns.firstIndex(of: "id"),
            let place = columns.firstIndex(of: column)
        else { return try source.forEachStoredRow(of: table, columns: columns, body) }
        let bytes = UnsafeRawBufferPointer(memory)
        let huge: CopiedValue = column == "image" ? .bytes(bytes) : .text(bytes)
        try source.forEachStoredRow(of: table, columns: columns) { stored in
            var values = stored
            if case .integer(2) = values[key] { values[place] = huge }
            try body(values)
        }
    }

    // MARK: As the source has it

    var dialect: Dialect { source.dialect }
    var notes: [String] { source.notes }
    var interrupt: @Sendable () -> Void { source.interrupt }
    func rows(_ query: Query) throws(StoreError) -> [ResultRow] { try source.rows(query) }
    func forEach(_ query: Query, _ body: (ResultRow) throws -> Void) throws { try source.forEach(query, body) }
    func renew() throws(StoreError) -> Int64 { try source.renew() }
    func applicationMark() throws(StoreError) -> Int64? { try source.applicationMark() }
    func structure() throws(StoreError) -> DatabaseStructure { try source.structure() }
    func ordinaryTables() throws(StoreError) -> Set<String> { try source.ordinaryTables() }
    func rowCount(of table: String) throws(StoreError) -> Int { try source.rowCount(of: table) }
    func requireUnchanged() throws(StoreError) { try source.requireUnchanged() }
    func close() { source.close() }

    func copy(to path: String, progress: (Double) throws -> Void) throws {
        try source.copy(to: path, progress: progress)
    }

    func searchIndexes() throws(StoreError) -> Set<String> { try source.searchIndexes() }
    func forms(of table: String) throws(StoreError) -> [CopiedColumn]? { try source.forms(of: table) }
    func lastNumbers() throws(StoreError) -> [String: Int64] { try source.lastNumbers() }

    func emptyIndexes(of indexes: [String: IndexStructure]) throws(StoreError) -> Set<String> {
        try source.emptyIndexes(of: indexes)
    }

    func serverSum(of table: String, _ columns: [CopiedColumn]) throws(StoreError) -> RowSum? {
        try source.serverSum(of: table, columns)
    }

    func forEachMissingReference(_ body: (DanglingReference) throws -> Void) throws {
        try source.forEachMissingReference(body)
    }
}
