import ChatDBKit
import Foundation
import TestKit
import Testing

/// What a store reports of the commits of other connections. Rule: docs/events.md.
@Suite(.timeLimit(.minutes(60))) struct OtherConnectionsTests {
    private struct Failed: Error { let program: String }

    private let folder: TemporaryFolder
    private let location: StoreLocation
    private let store: Store

    init() throws {
        folder = try TemporaryFolder()
        location = try StoreLocation(prefix: folder.file("s"))
        _ = try Migrator(engine: SQLiteEngine(), location: location, build: MigrationSource.build.load()).run()
        store = try Store.openForWriting(location, with: SQLiteEngine())
    }

    private func addUser(_ name: String, to store: Store) throws -> UserID {
        try store.writeBoth(committing: .agentFirst) { chat, agent in
            try UsersWriter(chat).create(name, agent: agent).id
        }
    }

    /// Runs a program to its end, on a thread of its own.
    private func run(_ program: URL, _ arguments: [String]) throws {
        try ThreadResult {
            let process = Process()
            process.executableURL = program
            process.arguments = arguments
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            if process.terminationStatus != 0 { throw Failed(program: program.lastPathComponent) }
        }.value()
    }

    private func sqlite3(_ name: DatabaseName, _ sql: String) throws {
        try run(
            URL(fileURLWithPath: "/usr/bin/env"),
            ["sqlite3", "-batch", "-bail", "-cmd", ".timeout 5000", location.path(of: name), sql])
    }

    @Test("of two stores on one file, the one that wrote reports details, and the other only that it changed")
    func twoStores() async throws {
        let other = try Store.openForWriting(location, with: SQLiteEngine())
        defer { try? other.close() }
        var own = try store.changes.makeAsyncIterator()
        var others = try other.changes.makeAsyncIterator()
        let alice = try addUser("alice", to: store)
        #expect(await own.next() == StoreChange(.profiles, of: alice, transactions: 1))
        #expect(await others.next() == StoreChange(.store, transactions: 1))
        // The writer does not report its own commit a second time.
        let bob = try addUser("bob", to: other)
        var next = await own.next()
        while let change = next, change.subject != .store {
            #expect(change.profile == alice)
            next = await own.next()
        }
        #expect(next == StoreChange(.store, transactions: 1))
        // The new profile is the active one, so the row of the other one has changed too.
        var theirs = await others.next()
        while let change = theirs, change.profile != bob { theirs = await others.next() }
        #expect(theirs?.subject == .profiles)
    }

    @Test("a change by another process is reported, also to a store that only reads")
    func otherProcess() async throws {
        let reader = try Store.openForReading(location, with: SQLiteEngine())
        defer { try? reader.close() }
        var changes = try store.changes.makeAsyncIterator()
        var seen = try reader.changes.makeAsyncIterator()
        try run(try BuiltTool.find(), ["user", "add", "alice", "--no-preset", "-d", location.prefix])
        #expect(await changes.next()?.subject == .store)
        #expect(await seen.next()?.subject == .store)
        let names = try await reader.read { try UsersRepo($0).all().map(\.name) }
        #expect(names == ["alice"])
    }

    @Test("a migration by another process is reported as such, in either database", arguments: DatabaseName.allCases)
    func migrated(_ name: DatabaseName) async throws {
        var changes = try store.changes.makeAsyncIterator()
        try sqlite3(
            name,
            """
            BEGIN IMMEDIATE; CREATE TABLE later (id INTEGER PRIMARY KEY) STRICT;
            INSERT INTO migrations (name, ts) VALUES ('29990101_later', '2999-01-01 00:00:00.000'); COMMIT;
            """)
        #expect(await changes.next() == StoreChange(.migrated, transactions: 1))
        // What the other process commits after that is an ordinary change.
        try sqlite3(.chat, "UPDATE users SET show_ntfs = 0; INSERT INTO app_settings VALUES (1, '{}', '', '');")
        #expect(await changes.next()?.subject == .store)
    }

    @Test("changes of the agent database have no subject: they are not reported")
    func agent() async throws {
        var changes = try store.changes.makeAsyncIterator()
        try sqlite3(.agent, "INSERT INTO users DEFAULT VALUES;")
        _ = try await store.write(.agent) { try $0.run("INSERT INTO users DEFAULT VALUES") }
        try sqlite3(.chat, "INSERT INTO app_settings (app_settings_id, app_settings) VALUES (1, '{}');")
        #expect(await changes.next() == StoreChange(.store, transactions: 1))
    }

    @Test("a store that was opened while no program had it open refuses: it shows no later changes")
    func unseen() throws {
        try store.close()
        let reader = try Store.openForReading(location, with: SQLiteEngine())
        defer { try? reader.close() }
        #expect {
            _ = try reader.changes
        } throws: { error in
            (error as? StoreError)?.message.contains("does not see later changes") == true
        }
    }

    @Test("observers may ask for any interval, and the shortest counts")
    func intervals() async throws {
        let slow = try store.observe(comparingEvery: .seconds(Int64.max)) { _ in }
        let (stream, continuation) = AsyncStream<StoreChange>.makeStream()
        let fast = try store.observe(comparingEvery: .zero) { continuation.yield($0) }
        var changes = stream.makeAsyncIterator()
        try sqlite3(.chat, "INSERT INTO app_settings (app_settings_id, app_settings) VALUES (1, '{}');")
        #expect(await changes.next()?.subject == .store)
        fast.cancel()
        slow.cancel()
    }
}
