import ChatDBEngine
import ChatDBSchema
import Dispatch
import Synchronization

/// One database of a store on a server: a `StorageConnection` over the pair's connection.
final class PostgresStorageConnection: StorageConnection {
    private let pair: PostgresPair
    private let name: DatabaseName
    private let mayWrite: Bool
    /// What reads the databases through views; nil for a connection to the tables themselves.
    private let reading: PostgresReading?
    /// The notes of the views.
    let notes: [String]
    private let isClosed = Atomic<Bool>(false)
    /// Runs what asynchronous callers do: the thread may block.
    private let queue = DispatchQueue(label: "chatdb.postgres")

    init(_ pair: PostgresPair, _ name: DatabaseName, mayWrite: Bool) {
        (self.pair, self.name, self.mayWrite, reading, notes) = (pair, name, mayWrite, nil, [])
    }

    /// A connection that reads through views.
    init(_ pair: PostgresPair, _ name: DatabaseName, through reading: PostgresReading, notes: [String]) {
        (self.pair, self.name, mayWrite, self.reading, self.notes) = (pair, name, false, reading, notes)
    }

    var shared: (any SharedTransactions)? { reading ?? pair }

    func read<T>(_ body: (any ReadTransaction) throws -> T) throws -> T {
        try requireOpen()
        guard let reading else { return try readTables(body) }
        return try reading.readBoth { chat, agent in try body(name == .chat ? chat : agent) }
    }

    /// Reads the tables themselves.
    private func readTables<T>(_ body: (any ReadTransaction) throws -> T) throws -> T {
        try pair.read { chat, agent in try body(name == .chat ? chat : agent) }
    }

    func write<T>(_ body: (any WriteTransaction) throws -> T) throws -> T {
        try requireOpen()
        guard mayWrite else { throw StoreError(.readOnly, "the store is open for reading") }
        return try pair.write { chat, agent in try body(name == .chat ? chat : agent) }
    }

    func read<T: Sendable>(_ body: @escaping @Sendable (any ReadTransaction) throws -> T) async throws -> T {
        try await withoutBlocking { try self.read(body) }
    }

    func write<T: Sendable>(_ body: @escaping @Sendable (any WriteTransaction) throws -> T) async throws -> T {
        try await withoutBlocking { try self.write(body) }
    }

    private func withoutBlocking<T: Sendable>(_ body: @escaping @Sendable () throws -> T) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try body() }) }
        }
    }

    func requireOutsideTransaction() throws(StoreError) { try pair.requireOutside() }

    func recordCommits(
        in tables: Set<String>, _ receive: @escaping @Sendable (TableChanges) -> Void
    ) throws(StoreError) -> any CommitRecording {
        throw Self.noEvents
    }

    func sourceStamp() throws(StoreError) -> SourceStamp? { throw Self.noEvents }

    private static let noEvents = StoreError(
        .denied, "changes of a store on a server are not reported; ask for the rows again")

    // MARK: Facts

    private func facts<T>(_ body: (any ReadTransaction) throws -> T) throws(StoreError) -> T {
        try StoreError.mapped {
            try requireOpen()
            return try readTables(body)
        }
    }

    func structure() throws(StoreError) -> DatabaseStructure { try facts(PostgresStructure.read) }

    func applicationMark() throws(StoreError) -> Int64? { try facts(PostgresMark.read) }

    func integrityProblems() throws(StoreError) -> [String] { try facts(PostgresFacts.integrityProblems) }

    /// None: the server looks after its files, and what `integrityProblems` finds is no damage of rows.
    func damage() throws(StoreError) -> [DatabaseDamage] { [] }

    func damagedPages() throws(StoreError) -> DamagedPages { DamagedPages() }

    /// None: the server refuses to make such a key.
    func brokenReferences() throws(StoreError) -> [BrokenReference] { [] }

    func forEachDanglingReference(_ body: (DanglingReference) throws -> Void) throws {
        try requireOpen()
        try readTables {
            try PostgresFacts.forEachDanglingReference(everyConstraint: true, touching: nil, in: $0, body)
        }
    }

    /// Whether the rows of the index are those of the messages, with the words of their texts.
    func isSearchIndexSound(_ table: String) throws(StoreError) -> Bool {
        try facts { try PostgresFacts.isSearchIndexSound(table, in: $0) }
    }

    func rowCount(of table: String) throws(StoreError) -> Int {
        try facts { try PostgresFacts.rowCount(of: table, in: $0) }
    }

    func contentHash(of table: String, columns: [String]) throws(StoreError) -> ContentHash {
        try facts { try PostgresContentHash.of(table, columns: columns, in: $0) }
    }

    func tableNames() throws(StoreError) -> [String] { try facts(PostgresFacts.tableNames) }

    func viewNames() throws(StoreError) -> [String] { try facts(PostgresFacts.viewNames) }

    func space(everyPage: Bool) throws(StoreError) -> DatabaseSpace { try facts(PostgresFacts.space) }

    func copy(to path: String) throws(StoreError) {
        try requireOutsideTransaction()
        throw StoreError(.denied, "chatdb copies only files")
    }

    func interrupt() { pair.interrupt() }

    /// Further calls throw. The connection to the server stays, as long as the engine: its other connections use it.
    func close() throws(StoreError) {
        try pair.requireOutside()
        isClosed.store(true, ordering: .relaxed)
    }

    private func requireOpen() throws(StoreError) {
        if isClosed.load(ordering: .relaxed) { throw StoreError(.other, "the connection is closed") }
    }
}
