import Foundation
import TestKit
import Testing

/// The backups of a store on a server, which `pg_dump` makes. Rule: docs/postgresql.md, "Backups".
@Suite(.enabled(if: PostgresServer.isSupported, "needs PostgreSQL"), .timeLimit(.minutes(60)))
struct ServerBackupTests {
    @Test("a deletion is preceded by a backup, and the command in its answer restores the store")
    func restore() throws {
        let chatdb = try ServerRun()
        try chatdb.succeed("migrate", "run")
        try chatdb.succeed("user", "add", "alice", "--seed", "1")
        try chatdb.succeed("user", "add", "work", "--seed", "2")
        let answer = try chatdb.succeed("user", "delete", "work", "--yes", "--format", "json").answer()
        #expect(try chatdb.sql("SELECT count(*) FROM main_chat.users") == "1")
        let command = try #require(answer["kept"]?["command"]?.stringValue)
        let restored = try chatdb.run.shell(command)
        #expect(restored.code == 0, "\(restored.errors)")
        #expect(try chatdb.sql("SELECT count(*) FROM main_chat.users") == "2")
        #expect(try chatdb.succeed("user", "list", "--format", "json").answer()["users"]?.arrayValue?.count == 2)
    }

    @Test("a backup for which the role lacks a right ends with accessDenied, and SELECT on the sequences is enough")
    func rightsForBackups() throws {
        let chatdb = try ServerRun()
        try chatdb.succeed("migrate", "run")
        try chatdb.succeed("user", "add", "alice", "--seed", "1")
        try chatdb.succeed("user", "add", "work", "--seed", "2")
        let role = "clerk_\(chatdb.database)"
        try chatdb.sql(
            """
            CREATE ROLE \(role) LOGIN; GRANT USAGE ON SCHEMA main_chat, main_agent TO \(role);
            GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA main_chat, main_agent TO \(role);
            GRANT USAGE ON ALL SEQUENCES IN SCHEMA main_chat, main_agent TO \(role);
            """)
        let store = chatdb.store.replacing("user=postgres", with: "user=\(role)")
        let deletion = ["user", "delete", "work", "--yes", "-d", store]
        let refused = try chatdb(deletion)
        #expect(refused.code == 77, "\(refused.errors)")
        #expect(refused.errors.contains("pg_dump failed: permission denied for sequence"), "\(refused.errors)")
        #expect(refused.errors.contains("docs/postgresql.md"), "\(refused.errors)")
        try chatdb.sql("GRANT SELECT ON ALL SEQUENCES IN SCHEMA main_chat, main_agent TO \(role)")
        let made = try chatdb(deletion)
        #expect(made.code == 0, "\(made.errors)")
        #expect(made.output.contains("/\(chatdb.database).main.backups/"), "\(made.output)")
    }

    @Test("a dump that is cut is found: the deletion changes nothing, and no backup is left")
    func cutDump() throws {
        let chatdb = try ServerRun()
        try chatdb.succeed("migrate", "run")
        try chatdb.succeed("user", "add", "alice", "--seed", "1")
        try chatdb.succeed("user", "add", "work", "--seed", "2")
        // In the place of pg_dump, a program whose file lacks the last bytes.
        let program = chatdb.run.file("bin/pg_dump")
        _ = try chatdb.run.shell("mkdir bin")
        let script = """
            #!/bin/sh
            PATH=${PATH#*:}
            pg_dump "$@" || exit
            for word; do case $word in --file=*) truncate --size=-2000 "${word#--file=}";; esac; done
            """
        try script.write(toFile: program, atomically: false, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        let outcome = try chatdb.run.on(
            chatdb.store, ["user", "delete", "work", "--yes", "--backup-dir", chatdb.run.file("kept")],
            environment: ["PATH": "\(chatdb.run.file("bin")):\(path)"])
        #expect(outcome.code == 74, "\(outcome.errors)")
        #expect(outcome.errors.contains("pg_restore failed"), "\(outcome.errors)")
        #expect(outcome.errors.contains("Nothing was changed."), "\(outcome.errors)")
        #expect(try chatdb.sql("SELECT count(*) FROM main_chat.users") == "2")
        #expect(try chatdb.run.shell("find kept -type f").output.isEmpty)
    }

    @Test("without pg_dump, a deletion changes nothing and says what to install")
    func missingProgram() throws {
        let chatdb = try ServerRun()
        try chatdb.succeed("migrate", "run")
        try chatdb.succeed("user", "add", "alice", "--seed", "1")
        try chatdb.succeed("user", "add", "work", "--seed", "2")
        let outcome = try chatdb.run.on(
            chatdb.store, ["user", "delete", "work", "--yes"], environment: ["PATH": chatdb.run.file("nothing")])
        #expect(outcome.code == 69, "\(outcome.errors)")
        #expect(outcome.errors.contains("pg_dump is not installed"), "\(outcome.errors)")
        #expect(outcome.errors.contains("hint: install PostgreSQL's client programs"), "\(outcome.errors)")
        #expect(outcome.errors.contains("Nothing was changed."), "\(outcome.errors)")
        #expect(try chatdb.sql("SELECT count(*) FROM main_chat.users") == "2")
    }
}
