import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBMigrations

/// Without `/proc`, SQLite's own locks show whether a program has the store open.
@Suite struct BlindEngineTests {
    private func migrator(_ store: SyntheticStore, _ count: Int) throws -> Migrator {
        var options = MigrationOptions()
        options.confirmation = .yesUpDown
        var context = StoreContext(
            engine: WrappedEngine(reportsHolders: false), location: store.location, build: try SplitStore.history(count)
        )
        context.lockTimeout = 0.2
        return Migrator(context, options: options)
    }

    @Test(
        "R09 R10: a store that another program has open is refused, and its bytes stay the same",
        arguments: [("WAL", "SELECT count(*) FROM t;"), ("DELETE", "BEGIN; SELECT count(*) FROM t;")])
    func inUse(_ mode: String, _ sql: String) throws {
        let store = try SyntheticStore()
        _ = try migrator(store, 1).run()
        try store.execute("PRAGMA journal_mode = \(mode)")
        let shell = try HeldStore(store.location.path(of: .chat), sql)
        defer { shell.end() }
        let before = try store.folder.bytes()
        let failure = #expect(throws: MigrationFailure.self) { _ = try migrator(store, 2).run() }
        #expect(failure?.error == .inUse(.chat, by: []) && failure?.state == .unchanged)
        #expect(try store.folder.bytes() == before)
        shell.end()
        _ = try migrator(store, 2).run()
        #expect(try store.applied().count == 2)
    }

    @Test("a store that no program has open is migrated, backed up and restored", arguments: ["WAL", "DELETE"])
    func free(_ mode: String) throws {
        let store = try SyntheticStore()
        _ = try migrator(store, 1).run()
        for database in DatabaseName.allCases { try store.execute("PRAGMA journal_mode = \(mode)", in: database) }
        try store.execute("INSERT INTO t VALUES (1, 'kept')")
        let backup = try #require(try migrator(store, 2).run().backup)
        let restorer = Restorer(try migrator(store, 2).context)
        _ = try restorer.run(restorer.plan(backup))
        #expect(try store.applied().count == 1)
        #expect(try store.rows("SELECT note FROM t") == ["kept"])
    }
}

/// SQLite's shell with a database open.
final class HeldStore {
    private let shell = Process()
    private let input = Pipe()

    var pid: Int32 { shell.processIdentifier }

    init(_ path: String, _ sql: String) throws {
        let output = Pipe()
        shell.executableURL = URL(fileURLWithPath: "/usr/bin/sqlite3")
        shell.arguments = [path]
        shell.standardInput = input
        shell.standardOutput = output
        try shell.run()
        try input.fileHandleForWriting.write(contentsOf: Data("\(sql)\n.print ready\n".utf8))
        var said = Data()
        while !String(decoding: said, as: UTF8.self).contains("ready") {
            said += output.fileHandleForReading.availableData
        }
    }

    /// Kills it, so that it leaves its files unchanged.
    func end() {
        guard shell.isRunning else { return }
        kill(shell.processIdentifier, SIGKILL)
        shell.waitUntilExit()
    }
}

extension TemporaryFolder {
    /// The bytes of the databases and their logs, by name. The shared memory beside them holds locks and no data.
    func bytes() throws -> [String: Data] {
        var bytes: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: path)
        where name.contains(".db") && !name.hasSuffix("-shm") {
            bytes[name] = FileManager.default.contents(atPath: file(name))
        }
        return bytes
    }
}
