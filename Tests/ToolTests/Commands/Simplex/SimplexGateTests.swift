import ChatDBKit
import Foundation
import TestKit
import Testing

/// Stores of SimpleX Chat in which chatdb writes nothing. Rule: docs/simplex.md, "Writing relays and servers".
@Suite("stores of SimpleX Chat that are not written")
struct SimplexGateTests {
    struct State: CustomTestStringConvertible {
        let name: String
        /// SQL for the chat database.
        var chat: [String] = []
        /// SQL for the agent database.
        var agent: [String] = []
        /// A file beside the databases, with some content.
        var file: String?
        var version = SimplexStore.newest
        let code: String
        let words: String

        var testDescription: String { name }
    }

    private static let oldest = SimplexStore.versions[0]
    static let states = [
        State(
            name: "a journal with content", file: "simplex_v1_chat.db-journal", code: "simplexJournal",
            words: "its journal has content"),
        State(
            name: "a journal of the agent", file: "simplex_v1_agent.db-journal", code: "simplexJournal",
            words: "simplex_v1_agent.db"),
        State(
            name: "a log with content", file: "simplex_v1_chat.db-wal", code: "simplexJournal",
            words: "its write-ahead log has content"),
        State(
            name: "WAL mode", chat: ["PRAGMA journal_mode = WAL"], code: "simplexJournal", words: "it is in WAL mode"),
        State(
            name: "an unknown migration", chat: ["INSERT INTO migrations VALUES ('20991231_future', '2099', NULL)"],
            code: "simplexVersion", words: "20991231_future"),
        State(
            name: "an unknown migration of the agent",
            agent: ["INSERT INTO migrations VALUES ('m20991231_future', '2099', NULL)"], code: "simplexVersion",
            words: "20991231_future"),
        State(
            name: "a missing migration", chat: ["DELETE FROM migrations WHERE name = '20251230_strict_tables'"],
            code: "simplexVersion", words: "20251230_strict_tables"),
        State(
            name: "a version before operators", chat: ["DELETE FROM migrations WHERE name >= '20241027'"],
            version: oldest, code: "simplexVersion", words: "older than the operators"),
        State(
            name: "another column", chat: ["ALTER TABLE chat_relays ADD COLUMN colour TEXT"], code: "simplexSchema",
            words: "colour"),
        State(
            name: "a trigger",
            chat: [
                "CREATE TRIGGER t AFTER UPDATE ON protocol_servers BEGIN DELETE FROM chat_relays; END"
            ], code: "simplexSchema", words: "it has the trigger t"),
        State(
            name: "another uniqueness", chat: ["CREATE UNIQUE INDEX u ON server_operators (trade_name)"],
            code: "simplexSchema", words: "unique by other columns"),
        State(
            name: "a partial index",
            chat: [
                "CREATE UNIQUE INDEX u ON protocol_servers (host) WHERE enabled = 5"
            ], code: "simplexSchema", words: "other rules"),
        State(
            name: "another table that refers to the relays",
            chat: [
                "CREATE TABLE x (chat_relay_id INTEGER REFERENCES chat_relays ON DELETE CASCADE)",
                "INSERT INTO x VALUES (6)",
            ], code: "simplexSchema", words: "the table x refers to it"),
        State(
            name: "another default",
            chat: [
                "ALTER TABLE chat_relays RENAME COLUMN short_descr TO old",
                "ALTER TABLE chat_relays ADD COLUMN short_descr TEXT DEFAULT 'x'",
                "ALTER TABLE chat_relays DROP COLUMN old",
            ], code: "simplexSchema", words: "the column short_descr has another form"),
        State(
            name: "another reference",
            chat: [
                """
                CREATE TABLE copy (server_operator_id INTEGER PRIMARY KEY, server_operator_tag TEXT,
                    trade_name TEXT NOT NULL, legal_name TEXT, server_domains TEXT, enabled INTEGER NOT NULL DEFAULT 1,
                    smp_role_storage INTEGER NOT NULL DEFAULT 1 REFERENCES users, smp_role_proxy INTEGER NOT NULL DEFAULT 1,
                    xftp_role_storage INTEGER NOT NULL DEFAULT 1, xftp_role_proxy INTEGER NOT NULL DEFAULT 1,
                    created_at TEXT NOT NULL DEFAULT (datetime('now')),
                    updated_at TEXT NOT NULL DEFAULT (datetime('now')), smp_role_names INTEGER NOT NULL DEFAULT 0)
                STRICT
                """,
                "INSERT INTO copy SELECT * FROM server_operators",
                "DROP TABLE server_operators", "ALTER TABLE copy RENAME TO server_operators",
            ], code: "simplexSchema", words: "it has other references"),
        State(
            name: "a value in another form",
            chat: ["UPDATE protocol_servers SET key_hash = 'text' WHERE smp_server_id = 2"], version: oldest,
            code: "simplexSchema", words: "the row 2 has another form in the column key_hash"),
        State(
            name: "a store with which the app does not start",
            chat: ["UPDATE protocol_servers SET key_hash = x'0102' WHERE smp_server_id = 2"], code: "simplexStart",
            words: "with the store as it is"),
    ]

    @Test("chatdb gives the reason, and changes no byte", arguments: states)
    func refused(_ state: State) throws {
        let phone = try SimplexPhone(state.version)
        for sql in state.chat { try phone.store.execute(sql) }
        for sql in state.agent { try phone.store.execute(sql, in: .agent) }
        if let file = state.file {
            try Data(repeating: 7, count: 600).write(to: URL(fileURLWithPath: phone.run.file(file)))
        }
        for command in [
            ["server", "add", SimplexPhone.server],
            ["server", "delete", "work.example.org", "-u", "work", "--dry-run"],
        ] {
            let refusal = try phone.refusal(command)
            #expect(refusal.code == state.code && refusal.text.contains(state.words), "\(refusal.text)")
            #expect(refusal.text.contains("Nothing was changed."), "\(refusal.text)")
        }
    }

    @Test("an app that only has one of the files open, and no lock, is noticed", arguments: DatabaseName.allCases)
    func open(_ database: DatabaseName) throws {
        let phone = try SimplexPhone()
        let shell = try HeldShell(phone.run, "simplex_v1_\(database.rawValue).db")
        try shell.run("SELECT count(*) FROM migrations;")
        let before = (try phone.bytes(.chat), try phone.bytes(.agent))
        let outcome = try phone(["relay", "disable", "mine", "--format", "json"])
        let error = try outcome.refusal()
        #expect(outcome.code == 75 && error["code"] == "inUse", "\(outcome.errors)")
        #expect(outcome.errors.contains("sqlite3 (\(shell.pid))"), "\(outcome.errors)")
        shell.crash()
        #expect(try phone.bytes(.chat) == before.0 && phone.bytes(.agent) == before.1)
        #expect(try phone(["relay", "disable", "mine"]).code == 0)
    }

    @Test("an app that is killed while chatdb waits for it leaves a journal: chatdb refuses, and changes no byte")
    func killed() throws {
        let phone = try SimplexPhone()
        let agent = try phone.bytes(.agent)
        let outcome = try phone.killingApp(during: ["relay", "disable", "mine", "--format", "json"])
        #expect(try outcome.refusal()["code"] == "simplexJournal", "\(outcome.errors)")
        // SQLite has not rolled the journal back, and there is no backup.
        let journal = phone.run.file("simplex_v1_chat.db-journal")
        #expect((try Data(contentsOf: URL(fileURLWithPath: journal))).count > 0)
        #expect(try phone.others() == ["simplex_v1_chat.db-journal"] && phone.bytes(.agent) == agent)
    }

    @Test("a database whose journal cannot be examined, and one that this process has open, must not be written")
    func unexamined() throws {
        let phone = try SimplexPhone()
        let (engine, path) = (SQLiteEngine(), phone.store.location.path(of: .chat))
        #expect(engine.obstacleToWriting(path) == nil)
        let connection = try engine.open(path, as: .existing)
        #expect(engine.obstacleToWriting(path) == "it cannot be examined while chatdb has it open")
        try connection.close()
        let journal = path + "-journal"
        try FileManager.default.createSymbolicLink(atPath: journal, withDestinationPath: "missing")
        #expect(engine.obstacleToWriting(path) == "its journal cannot be examined")
        try FileManager.default.removeItem(atPath: journal)
        try FileManager.default.createDirectory(atPath: journal, withIntermediateDirectories: false)
        #expect(engine.obstacleToWriting(path) == "its journal cannot be examined")
    }

    @Test("half a store is refused, and an encrypted one without its passphrase")
    func others() throws {
        let phone = try SimplexPhone()
        let agent = phone.store.location.path(of: .agent)
        try FileManager.default.moveItem(atPath: agent, toPath: phone.run.file("spare"))
        #expect(try phone.refusal(["relay", "disable", "mine"]).code == "incompleteStore")
        var random = SystemRandomNumberGenerator()
        let bytes = Data((0..<16_384).map { _ in UInt8.random(in: .min ... .max, using: &random) })
        for database in DatabaseName.allCases {
            try bytes.write(to: URL(fileURLWithPath: phone.store.location.path(of: database)))
        }
        #expect(try phone.refusal(["relay", "disable", "mine"]).code == "encrypted")
    }
}

/// An app that opens the files in the middle of a change.
@Suite(
    "a store of SimpleX Chat that an app opens in the middle", .timeLimit(.minutes(60)),
    .enabled(if: (try? FaultShimLibrary.find()) != nil, "needs Linux"))
struct SimplexMeanwhileTests {
    @Test("the change is refused, and the database has the same bytes", arguments: DatabaseName.allCases, [0, 1])
    func meanwhile(_ database: DatabaseName, _ place: Int) throws {
        func start(_ phone: SimplexPhone, _ plan: FaultPlan) throws -> FaultedProcess {
            try FaultRun(
                FaultCommand(try BuiltTool.find()) {
                    ["relay", "disable", "mine", "--format", "json", "-d", $0.path + "/simplex_v1"]
                }, in: URL(fileURLWithPath: phone.run.folder.path),
                scratch: URL(fileURLWithPath: try TemporaryFolder().file("run")), plan: plan
            ).start()
        }
        let counted = try SimplexPhone()
        let log = URL(fileURLWithPath: counted.run.folder.path + "-log")
        defer { try? FileManager.default.removeItem(at: log) }
        #expect(try start(counted, .log(to: log)).finish().termination == .exit(0))
        let operations = try OperationLog(contentsOf: log).operations
        // The last operation of the backup; and the first on the journal of the change.
        let found =
            place == 0
            ? operations.last { $0.path.hasPrefix("simplex_v1.backups/") }
            : operations.first { $0.path == "simplex_v1_chat.db-journal" }
        let operation = try #require(found)

        let phone = try SimplexPhone()
        let before = (try phone.bytes(.chat), try phone.bytes(.agent))
        let process = try start(phone, .stop(at: operation.number))
        #expect(process.waitUntilStopped())
        let shell = try HeldShell(phone.run, "simplex_v1_\(database.rawValue).db")
        try shell.run("SELECT count(*) FROM migrations;")
        process.resume()
        let outcome = try process.finish()
        #expect(outcome.termination == .exit(75), "\(outcome.errors)")
        #expect(outcome.errors.contains("inUse") && outcome.errors.contains("Nothing was changed."))
        shell.crash()
        #expect(try phone.bytes(.chat) == before.0 && phone.bytes(.agent) == before.1)
    }
}
