import ChatDBKit
import Foundation
import Synchronization
import TestKit
import Testing

/// A store that was moved does not change any more, whoever has it open. Rule: docs/copying.md, "The store that was
/// copied".
@Suite(.enabled(if: PostgresServer.isSupported, "needs PostgreSQL"), .timeLimit(.minutes(60)))
struct MovedStoreTests {
    private static let insertion: Query = "INSERT INTO people (name) VALUES ('late')"

    /// A world whose store is on the server.
    private func onServer() throws -> CopyWorld {
        let world = try CopyWorld()
        try world.fill()
        _ = try world.toServer().run()
        return world
    }

    /// Copies the store to files, and calls `body` at each table. With `keepsBoth`, the store does not move.
    private func copy(_ world: CopyWorld, keepsBoth: Bool = false, _ body: @escaping @Sendable () -> Void) throws {
        let copy = try world.toFiles()
        var (target, options) = (copy.target, copy.options)
        options.keepsBoth = keepsBoth
        target.progress = { progress in
            if case .copying(_, .filling) = progress { body() }
        }
        _ = try StoreCopy(from: copy.source, to: target, options: options).run()
    }

    @Test("a program that opened a store on a server before the move cannot write it any more")
    func openedBefore() throws {
        let world = try onServer()
        let place = try world.place
        let store = try Store.openForWriting(place, with: world.context(of: place).engine)
        defer { try? store.close() }
        _ = try store.write { try $0.run("INSERT INTO people (name) VALUES ('before')") }
        let back = try world.toFiles().run()
        let error = #expect(throws: StoreError.self) { _ = try store.write { try $0.run(Self.insertion) } }
        #expect(error?.kind == .moved && error?.code == "storeMoved")
        #expect(error?.message.contains(back.to.prefix) == true)
        let both = #expect(throws: StoreError.self) {
            _ = try store.writeBoth(committing: .agentFirst) { chat, _ in try chat.run(Self.insertion) }
        }
        #expect(both?.kind == .moved)
        #expect(try store.read { try $0.count("SELECT count(*) FROM people WHERE name = 'late'") } == 0)
    }

    @Test("a moved store, in files and on a server, is not opened for writing")
    func openedAfter() throws {
        let world = try onServer()
        let files = world.files.location
        let inFiles = #expect(throws: StoreError.self) { _ = try Store.openForWriting(files, with: SQLiteEngine()) }
        #expect(inFiles?.kind == .moved)
        try Store.openForReading(files, with: SQLiteEngine()).close()
        let back = try world.toFiles().run()
        let place = try world.place
        let engine = try world.context(of: place).engine
        let onServer = #expect(throws: StoreError.self) { _ = try Store.openForWriting(place, with: engine) }
        #expect(onServer?.kind == .moved)
        try Store.openForWriting(back.to, with: SQLiteEngine()).close()
    }

    @Test("a writer that waits for the lock of the copy finds the mark, and writes nothing")
    func waitingWriter() throws {
        let world = try onServer()
        let (server, database, place) = (world.server, world.database, try world.place)
        let address = try #require(place.server)
        let store = try Store.openForWriting(place, with: PostgresEngine(address, lockTimeout: 600))
        defer { try? store.close() }
        let writer = Mutex<ThreadResult<Int>?>(nil)
        try copy(world) {
            let isFirst = writer.withLock { writer in
                if writer != nil { return false }
                writer = ThreadResult { try store.write { try $0.run(Self.insertion) } }
                return true
            }
            guard isFirst else { return }
            // Until the server says that the writer waits.
            for _ in 0..<2_000 {
                let waiting = try? server.psql(
                    """
                    SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted
                        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
                    """, database: database)
                if waiting?.hasPrefix("1") == true { break }
            }
        }
        let started = writer.withLock { $0 }
        let waiting = try #require(started)
        let error = #expect(throws: StoreError.self) { _ = try waiting.value() }
        #expect(error?.kind == .moved)
        #expect(try world.sql("SELECT count(*) FROM made_chat.people WHERE name = 'late'") == "0")
    }

    @Test(
        "while a store on a server moves, other programs can read its tables and not write them",
        arguments: [true, false])
    func locked(_ keepsBoth: Bool) throws {
        let world = try onServer()
        let (server, database) = (world.server, world.database)
        let written = Mutex(0)
        let refused = Mutex(0)
        try copy(world, keepsBoth: keepsBoth) {
            do {
                _ = try server.psql("SELECT count(*) FROM made_chat.people", database: database)
                _ = try server.psql(
                    "BEGIN; LOCK TABLE made_chat.people IN ROW EXCLUSIVE MODE NOWAIT; COMMIT", database: database)
                written.withLock { $0 += 1 }
            } catch {
                refused.withLock { $0 += 1 }
            }
        }
        let counts = (written.withLock { $0 }, refused.withLock { $0 })
        #expect(keepsBoth ? counts.1 == 0 && counts.0 > 0 : counts.0 == 0 && counts.1 > 0, "\(counts)")
    }

    @Test("a role that could not write the mark is refused before anything is copied")
    func rights() throws {
        let world = try onServer()
        let role = "clerk_\(world.database)"
        try world.sql(
            """
            CREATE ROLE \(role) LOGIN; GRANT CREATE ON DATABASE \(world.database) TO \(role);
            GRANT USAGE ON SCHEMA made_chat, made_agent TO \(role);
            GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA made_chat, made_agent TO \(role);
            """)
        let uri = world.server.uri(database: world.database).replacing("user=postgres", with: "user=\(role)")
        let place = StoreLocation(server: try ServerStore(uri + "&store=made"))
        let there = try StoreLocation(prefix: world.files.folder.file("back"))
        let copy = StoreCopy(from: try world.context(of: place), to: try world.context(of: there))
        let error = #expect(throws: MigrationError.self) { _ = try copy.run() }
        guard case .database(.agent, _, let cause) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(cause.kind == .accessDenied)
        #expect(cause.message.contains("is not the owner of the table made_agent.store"), "\(cause.message)")
        let files = try FileManager.default.contentsOfDirectory(atPath: world.files.folder.path)
        #expect(!files.contains { $0.hasPrefix("back") && $0.hasSuffix(".db") })
    }

    @Test("the time that a run waits for other writers is that of its context")
    func timeout() throws {
        let world = try onServer()
        let place = try world.place
        let connections = try world.context(of: place).engine.migrationConnections(waiting: 0.25)
        let connection = try connections.open(place.path(of: .chat), creating: false)
        defer { connection.close() }
        try connection.begin()
        let setting: String? = try connection.first("SELECT current_setting('lock_timeout') AS value")?.get("value")
        #expect(setting == "250ms")
    }
}

extension MovedStoreTests {
    @Test("when the new place is lost, a moved store is copied with keepsBoth, and the copy has no mark")
    func lostPlace() throws {
        let world = try onServer()
        try world.sql("DROP SCHEMA made_chat, made_agent CASCADE")
        let place = try world.place
        #expect(throws: MigrationError.moved(to: place.prefix)) { _ = try world.toServer().run() }
        #expect(try world.toServer { $0.keepsBoth = true }.check().rows == 6_016)
        let report = try world.toServer { $0.keepsBoth = true }.run()
        #expect(!report.hasMoved && report.rows == 6_016 && report.identity.generation == 2)
        let store = try Store.openForWriting(place, with: world.context(of: place).engine)
        defer { try? store.close() }
        #expect(try store.write { try $0.run(Self.insertion) } == 1)
    }

    @Test("a program that reads one of the files when the mark is committed does not keep the other one from it")
    func oneMark() throws {
        let world = try CopyWorld()
        // Only in a rollback journal mode does a commit wait for those who read.
        for database in DatabaseName.allCases {
            try world.files.execute("PRAGMA journal_mode = DELETE", in: database)
        }
        let copy = try world.toServer()
        let path = world.files.location.path(of: .agent)
        let reader = Mutex<ReadingShell?>(nil)
        var target = copy.target
        target.progress = { progress in
            guard case .copying(.chat, .verifying) = progress else { return }
            reader.withLock { reader in
                if reader == nil { reader = try? ReadingShell(path) }
            }
        }
        let report = try StoreCopy(from: copy.source, to: target, options: copy.options).run()
        let isReading = reader.withLock { reader in
            defer { reader = nil }
            return reader != nil
        }
        #expect(isReading && report.hasMoved)
        #expect(try world.marksInFiles() == 1)
        let place = try world.place.prefix
        #expect(throws: MigrationError.moved(to: place)) {
            _ = try StoreGate(world.context(of: world.files.location)).enter()
        }
    }

    /// SQLite's shell inside a transaction that reads, until the object is gone.
    // Unchecked: one thread at a time uses it.
    private final class ReadingShell: @unchecked Sendable {
        private let shell = Process()
        private let input = Pipe()

        init(_ path: String) throws {
            let output = Pipe()
            shell.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            shell.arguments = ["sqlite3", "-batch", path]
            shell.standardInput = input
            shell.standardOutput = output
            try shell.run()
            input.fileHandleForWriting.write(Data("BEGIN; SELECT count(*) FROM people;\n".utf8))
            // The shell has the lock when it answers.
            _ = output.fileHandleForReading.availableData
        }

        deinit {
            try? input.fileHandleForWriting.close()
            shell.waitUntilExit()
        }
    }
}
