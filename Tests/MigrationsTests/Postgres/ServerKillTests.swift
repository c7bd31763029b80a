import ChatDBKit
import Foundation
import Synchronization
import TestKit
import Testing

/// The server and the client die at every statement of a run: the store is as before, or as after.
@Suite(.enabled(if: PostgresServer.isSupported, "needs PostgreSQL"), .timeLimit(.minutes(60))) struct ServerKillTests {
    private static let second = (
        name: "20260102_second",
        up: """
        ALTER TABLE kept ADD COLUMN note TEXT;
        UPDATE kept SET note = 'noted';
        CREATE INDEX idx_kept_note ON kept (note);
        """, down: String?.none
    )

    @Test("the process of the server ends at each statement in turn: nothing is changed, and the next run completes it")
    func backend() throws {
        let store = try SyntheticServerStore()
        _ = try store.migrator(SyntheticServerStore.build()).run()
        let before = try store.contents()
        let build = try SyntheticServerStore.build(chat: [Self.second], agent: [Self.second])
        for statement in 0..<6 {
            var migrator = try store.migrator(build)
            let count = Atomic<Int>(0)
            let problem = Mutex<String?>(nil)
            migrator.context.progress = { progress in
                guard case .migrating(_, _, _, _, let within) = progress, within.steps == 0,
                    count.add(1, ordering: .relaxed).oldValue == statement
                else { return }
                do {
                    try store.sql(
                        """
                        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                        WHERE datname = '\(store.database)' AND application_name = 'chatdb'
                        """)
                } catch {
                    problem.withLock { $0 = "\(error)" }
                }
            }
            let failure = #expect(throws: MigrationFailure.self, "statement \(statement)") { try migrator.run() }
            #expect(failure?.state == .unchanged)
            #expect(failure?.error.info.kind == .unavailable, "statement \(statement): \(String(describing: failure))")
            #expect(problem.withLock(\.self) == nil)
            #expect(try store.contents() == before)
        }
        #expect(try store.migrator(build).run().applied(.chat) == ["20260102_second"])
        #expect(try store.sql("SELECT count(*) FROM made_agent.kept WHERE note = 'noted'") == "50")
    }

    @Test("the tool is killed while each statement in turn runs: nothing is changed", arguments: 0..<4)
    func client(_ place: Int) throws {
        let store = try SyntheticServerStore()
        let build = try SyntheticServerStore.build()
        _ = try store.migrator(build).run()
        let before = try store.contents()
        // The statement at this place waits for a lock that the test has.
        var statements = Self.second.up.split(separator: "\n").map(String.init)
        statements.insert("SELECT pg_advisory_xact_lock(42);", at: place)
        let folder = try TemporaryFolder()
        for database in ["chat", "agent"] {
            let path = folder.file(database)
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            let first = try #require(build[.chat]?.first)
            try first.up.text.write(toFile: "\(path)/\(first.name).up.sql", atomically: false, encoding: .utf8)
            let text = (database == "chat" ? statements.joined(separator: "\n") : Self.second.up)
            try text.write(toFile: "\(path)/\(Self.second.name).up.sql", atomically: false, encoding: .utf8)
        }
        let lock = try HeldAdvisoryLock(42, on: store)
        let tool = Process()
        tool.executableURL = try BuiltTool.find()
        tool.arguments = [
            "migrate", "run", "--yes", "--migrations-dir", folder.path, "--no-backup", "-d", store.location.prefix,
        ]
        tool.standardInput = FileHandle.nullDevice
        tool.standardOutput = FileHandle.nullDevice
        tool.standardError = FileHandle.nullDevice
        try tool.run()
        try lock.waitForAnother(while: tool)
        kill(tool.processIdentifier, SIGKILL)
        tool.waitUntilExit()
        try lock.release()
        #expect(try store.contents() == before)
        #expect(
            try store.migrator(SyntheticServerStore.build(chat: [Self.second], agent: [Self.second])).run()
                .applied(.agent) == ["20260102_second"])
    }

    @Test("a connection cut at the COMMIT is told as what it was", arguments: PostgresProxy.Moment.allCases)
    func commit(_ moment: PostgresProxy.Moment) throws {
        let store = try SyntheticServerStore()
        _ = try store.migrator(SyntheticServerStore.build()).run()
        let before = try store.contents()
        let build = try SyntheticServerStore.build(chat: [Self.second], agent: [Self.second])
        let proxy = try store.server.proxy(cutting: moment)
        let migrator = try store.migrator(build, at: store.location(through: proxy))
        switch moment {
        case .before:
            let failure = #expect(throws: MigrationFailure.self) { try migrator.run() }
            #expect(failure?.state == .unchanged, "\(String(describing: failure))")
            #expect(try store.contents() == before)
        case .after:
            #expect(try migrator.run().applied(.chat) == ["20260102_second"])
            #expect(try store.sql("SELECT generation FROM made_chat.store") == "2")
        }
    }
}

/// An advisory lock that a session of psql has.
private final class HeldAdvisoryLock {
    private let store: SyntheticServerStore
    private let number: Int
    private let process = Process()
    private let input = Pipe()

    init(_ number: Int, on store: SyntheticServerStore) throws {
        self.store = store
        self.number = number
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["psql", "--no-psqlrc", "--quiet", "--dbname", store.location.server?.uri ?? ""]
        process.standardInput = input
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        try input.fileHandleForWriting.write(contentsOf: Data("SELECT pg_advisory_lock(\(number));\n".utf8))
        while try held(granted: true) == 0 { sched_yield() }
    }

    private func held(granted: Bool) throws -> Int {
        let text = try store.sql(
            """
            SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND objid = \(number) AND classid = 0
                AND granted = \(granted) AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
            """)
        return Int(text) ?? 0
    }

    struct ToolEnded: Error {}

    /// Returns when another session waits for the lock. Throws if the process ends without that.
    func waitForAnother(while tool: Process) throws {
        while try held(granted: false) == 0 {
            guard tool.isRunning else { throw ToolEnded() }
        }
    }

    /// Ends the session.
    func release() throws {
        try input.fileHandleForWriting.close()
        process.waitUntilExit()
        while try held(granted: false) > 0 { sched_yield() }
    }
}
