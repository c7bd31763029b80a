import ChatDBKit
import Foundation
import TestKit
import Testing

/// Limits of a server that end a command: time, the disk, the version, and who may connect. Rule: docs/errors.md,
/// "Servers".
@Suite(.enabled(if: PostgresServer.isSupported, "needs PostgreSQL"), .timeLimit(.minutes(60)))
struct ServerLimitsTests {
    // MARK: Time

    @Test("a lock of another program's ends commands that read and that write, and later they work")
    func locks() throws {
        let chatdb = try ServerRun()
        try chatdb.succeed("migrate", "run")
        try chatdb.succeed("user", "add", "alice", "--seed", "1")
        let held = try HeldLock(of: "main_chat.users", at: chatdb.server.uri(database: chatdb.database))
        let commands = [["user", "list"], ["user", "add", "bob"], ["group", "list"]]
        let outcomes = try OwnThreads.results(commands.count) { try chatdb(commands[$0]) }
        for (command, outcome) in zip(commands, outcomes) {
            #expect(outcome.code == 75, "\(command): \(outcome.output)\(outcome.errors)")
            #expect(outcome.errors.contains("another connection holds a lock"), "\(command): \(outcome.errors)")
            #expect(
                outcome.errors.contains("hint: close the other program, or try again when it is done"),
                "\(command): \(outcome.errors)")
        }
        held.end()
        try chatdb.succeed("user", "add", "bob", "--seed", "2")
        #expect(try chatdb.sql("SELECT count(*) FROM main_chat.users") == "2")
    }

    @Test("a run says who has the lock of the store; no lock of a table or time limit is a fault of the migration")
    func runs() throws {
        let chatdb = try ServerRun()
        try chatdb.succeed("migrate", "run")
        let own = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../migrations/postgres").standardizedFileURL
        try FileManager.default.copyItem(atPath: own.path, toPath: chatdb.run.file("migrations"))
        try MigrationFixture.write(
            ["20991231_mood.up.sql": "-- Why: a test.\nALTER TABLE users ADD COLUMN mood TEXT;\n"],
            to: chatdb.run.file("migrations/chat"))
        let run = ["migrate", "run", "--yes", "--no-backup", "--lock-timeout", "1", "--migrations-dir", "migrations"]
        let uri = chatdb.server.uri(database: chatdb.database)
        let lock = "pg_advisory_xact_lock(hashtextextended('chatdb main_chat main_agent', 0))"
        let held = try HeldLock("DO $$ BEGIN PERFORM \(lock); END $$", at: uri)
        let locked = try chatdb(run)
        #expect(locked.code == 75, "\(locked)")
        #expect(locked.errors.contains("another program has the lock of the store: psql ("), "\(locked.errors)")
        #expect(locked.errors.contains("), by the server's numbers of processes\n"), "\(locked.errors)")
        held.end()
        let reader = try HeldLock("LOCK TABLE main_chat.users IN ACCESS SHARE MODE", at: uri)
        let failed = try chatdb(run)
        #expect(failed.errors.contains("20991231_mood of the chat database failed going up"), "\(failed)")
        #expect(failed.errors.contains("hint: close the other program and try again"), "\(failed.errors)")
        // The limit of the role ends the same statement while it waits.
        let role = "limited_" + chatdb.database
        try chatdb.sql("CREATE ROLE \(role) LOGIN SUPERUSER; ALTER ROLE \(role) SET statement_timeout = '3s'")
        let limited = try chatdb.run.on(
            chatdb.store.replacing("user=postgres", with: "user=\(role)"), run + ["--lock-timeout", "60"])
        #expect(limited.errors.contains("20991231_mood of the chat database failed going up"), "\(limited)")
        #expect(limited.errors.contains("hint: try again, or raise the limit: statement_timeout"), "\(limited.errors)")
        reader.end()
        #expect(try chatdb(run).code == 0)
    }

    @Test("a time limit of a role ends commands that read and that write, and changes nothing")
    func timeLimits() throws {
        let chatdb = try ServerRun()
        try chatdb.succeed("migrate", "run")
        try chatdb.succeed("user", "add", "alice", "--seed", "1")
        let role = "slow_" + chatdb.database
        try chatdb.sql("CREATE ROLE \(role) LOGIN SUPERUSER; ALTER ROLE \(role) SET statement_timeout = '500ms'")
        let store = chatdb.store.replacing("user=postgres", with: "user=\(role)")
        let held = try HeldLock(of: "main_chat.users", at: chatdb.server.uri(database: chatdb.database))
        for command in [["user", "list"], ["user", "add", "bob"], ["group", "list"]] {
            let outcome = try chatdb.run.on(store, command)
            #expect(outcome.code == 75, "\(command): \(outcome.output)\(outcome.errors)")
            #expect(outcome.errors.contains("longer than the server allows"), "\(command): \(outcome.errors)")
            #expect(outcome.errors.contains("or raise the limit: statement_timeout"), "\(command): \(outcome.errors)")
        }
        held.end()
        #expect(try chatdb.sql("SELECT count(*) FROM main_chat.users") == "1")
    }

    @Test("a server that accepts a connection and never answers ends a command after connect_timeout")
    func silent() throws {
        let fake = try FakePostgres(version: nil)
        let outcome = try ToolRun().on(fake.uri + "&connect_timeout=1&store=main", ["user", "list"])
        #expect(outcome.code == 69, "\(outcome.errors)")
        #expect(outcome.errors.contains("did not answer within 1 seconds"), "\(outcome.errors)")
        withExtendedLifetime(fake) {}
    }

    // MARK: Servers and roles

    @Test(
        "a server older than PostgreSQL 13 is refused by what reads and by what writes", arguments: ["12.5", "9.6.24"])
    func old(_ version: String) throws {
        let fake = try FakePostgres(version: version)
        for command in [["user", "list"], ["migrate", "run"], ["user", "add", "alice"]] {
            let outcome = try ToolRun().on(fake.uri + "&store=main", command)
            #expect(outcome.code == 69, "\(command): \(outcome.errors)")
            #expect(outcome.errors.contains("is too old: chatdb needs 13 or newer"), "\(command): \(outcome.errors)")
        }
        withExtendedLifetime(fake) {}
    }

    @Test("a wrong password, and none, are errors of their own that repeat no password")
    func passwords() throws {
        let server = try OwnServer()
        try server.psql("CREATE DATABASE chats; CREATE ROLE guarded LOGIN SUPERUSER PASSWORD 'right one'")
        try "local all postgres trust\nlocal all all md5\n"
            .write(toFile: "\(server.folder)/data/pg_hba.conf", atomically: false, encoding: .utf8)
        try server.stop(.fast)
        try server.start()
        let run = try ToolRun()
        let store = server.uri(database: "chats").replacing("user=postgres", with: "user=guarded") + "&store=main"
        // The file of passwords of the account that runs the tests is of no interest.
        func outcome(_ password: String?) throws -> ToolRun.Outcome {
            try run.on(
                store, ["migrate", "run"],
                environment: ["PGPASSFILE": "/nonexistent", "PGPASSWORD": password ?? ""])
        }
        let wrong = try outcome("secret word")
        #expect(wrong.code == 77, "\(wrong.errors)")
        #expect(wrong.errors.contains("28P01") && !wrong.errors.contains("secret"), "\(wrong.errors)")
        let none = try outcome(nil)
        #expect(none.code == 77, "\(none.errors)")
        #expect(none.errors.contains("the server asks for a password"), "\(none.errors)")
        #expect(try outcome("right one").code == 0)
    }

    @Test("a database that accepts no connections, and a role without the right to connect, have errors of their own")
    func closed() throws {
        let chatdb = try ServerRun()
        let closed = "closed_" + chatdb.database
        try chatdb.sql("CREATE DATABASE \(closed) ALLOW_CONNECTIONS FALSE")
        let refused = try chatdb.run.on(chatdb.server.uri(database: closed) + "&store=main", ["user", "list"])
        #expect(refused.code == 69, "\(refused.errors)")
        #expect(refused.errors.contains("accepts no connections"), "\(refused.errors)")
        let role = "full_" + chatdb.database
        try chatdb.sql("CREATE ROLE \(role) LOGIN CONNECTION LIMIT 0")
        let store = chatdb.store.replacing("user=postgres", with: "user=\(role)")
        let full = try chatdb.run.on(store, ["user", "list"])
        #expect(full.code == 69, "\(full.errors)")
        #expect(full.errors.contains("no free connection"), "\(full.errors)")
        try chatdb.sql("ALTER ROLE \(role) CONNECTION LIMIT -1")
        try chatdb.sql("REVOKE CONNECT ON DATABASE \(chatdb.database) FROM PUBLIC")
        let denied = try chatdb.run.on(store, ["user", "list"])
        #expect(denied.code == 77, "\(denied.errors)")
    }

    @Test("inspect and check have a note if the role is a superuser, and none for another role")
    func superuser() throws {
        let chatdb = try ServerRun()
        let role = "owner_" + chatdb.database
        try chatdb.sql("CREATE ROLE \(role) LOGIN; GRANT CREATE ON DATABASE \(chatdb.database) TO \(role)")
        let store = chatdb.store.replacing("user=postgres", with: "user=\(role)")
        try chatdb.run.succeed(on: store, "migrate", "run")
        let note =
            "the chat database: the role of the connection is a superuser, whose rights the server checks in neither "
            + "database"
        for command in ["inspect", "check"] {
            let answer = try chatdb.succeed(command, "--format", "json").answer()
            #expect(answer["notes"]?.texts == [note], "\(command)")
            let other = try chatdb.run.succeed(on: store, command, "--format", "json").answer()
            #expect(other["notes"] == [], "\(command)")
        }
    }

    // MARK: The disk

    @Test(
        "a full disk of the server ends what writes, changes nothing, and the same commands work when there is room",
        .enabled(if: OwnServer.diskObstacle == nil, "no file system can be mounted here"))
    func fullDisk() throws {
        let server = try OwnServer(megabytes: 160)
        try server.psql("CREATE DATABASE chats")
        let run = try ToolRun()
        let address = server.uri(database: "chats")
        let (store, other) = (address + "&store=main", address + "&store=other")
        try run.succeed(on: store, "migrate", "run")
        try run.succeed(on: store, "user", "add", "alice", "--seed", "1")
        // Files of the log that are free are used again: the log itself needs no room.
        try server.psql("CHECKPOINT")
        try server.fillDisk()
        // The pages of a table may have room for some more rows.
        var added = 1
        var refused = try run.on(store, ["user", "add", "user 1"])
        while refused.code == 0, added < 100 {
            added += 1
            refused = try run.on(store, ["user", "add", "user \(added)"])
        }
        for outcome in [refused, try run.on(other, ["migrate", "run"])] {
            #expect(outcome.code == 74, "\(outcome.output)\(outcome.errors)")
            #expect(outcome.errors.contains("the disk of the server is full"), "\(outcome.errors)")
            #expect(outcome.errors.contains("hint: free some space and try again"), "\(outcome.errors)")
        }
        #expect(try server.psql("SELECT count(*) FROM main_chat.users", database: "chats") == "\(added)")
        #expect(try server.psql("SELECT count(*) FROM main_agent.users", database: "chats") == "\(added)")
        let schemas = "SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'other%'"
        #expect(try server.psql(schemas, database: "chats") == "0")
        #expect(try run.succeed(on: store, "user", "list").output.contains("alice"))
        try server.freeDisk()
        try run.succeed(on: store, "user", "add", "later", "--seed", "2")
        try run.succeed(on: other, "migrate", "run")
        #expect(try run.succeed(on: store, "check").output.contains("The store is in order."))
    }
}

/// A lock of a table that a session of psql has, until it ends.
private final class HeldLock {
    private let process = Process()
    private let input = Pipe()

    convenience init(of table: String, at uri: String) throws {
        try self.init("LOCK TABLE \(table) IN ACCESS EXCLUSIVE MODE", at: uri)
    }

    /// - Parameter statement: the SQL that takes the lock.
    init(_ statement: String, at uri: String) throws {
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["psql", "--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--dbname", uri]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        let statements = "BEGIN; \(statement); SELECT 'locked';\n"
        try input.fileHandleForWriting.write(contentsOf: Data(statements.utf8))
        let text = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
        guard text.hasPrefix("locked") else { throw ToolRun.Failure(description: "psql has no lock: \(text)") }
    }

    deinit { end() }

    /// Ends the session, whose transaction is rolled back.
    func end() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
