import ChatDBKit
import Foundation
import TestKit
import Testing

/// Backup and restore of a pair whose migrations are not this build's. Rule: docs/backups.md.
@Suite struct OwnPairTests {
    @Test("chatdb restores it with the folder of its migrations, and without it reports another history")
    func restored() throws {
        let chatdb = try ToolRun()
        let folder = chatdb.file("own")
        for (database, table) in [("chat", "notes"), ("agent", "queues")] {
            try FileManager.default.createDirectory(atPath: "\(folder)/\(database)", withIntermediateDirectories: true)
            try MigrationFixture.write(
                ["20300101_\(table).up.sql": "-- Why: a test.\nCREATE TABLE \(table) (id INTEGER PRIMARY KEY) STRICT;"],
                to: "\(folder)/\(database)")
        }
        try chatdb.succeed("migrate", "run", "--migrations-dir", folder)
        let made = try chatdb.succeed("backup", "--format", "json").answer()
        let backup = try #require(made["backup"]?["path"]?.stringValue)
        #expect(made["restore"]?.stringValue?.hasSuffix(" --force") == true)
        try chatdb.sql("INSERT INTO notes VALUES (1)")

        let refused = try chatdb("restore", backup, "--yes")
        #expect(refused.code == 78)
        #expect(
            refused.errors.contains("has migrations that this build does not have: 20300101_notes, 20300101_queues"))
        #expect(refused.errors.contains("--migrations-dir"))
        let plan = try chatdb("restore", backup, "--dry-run")
        #expect(plan.code == 78 && !plan.output.contains("is older than this build"))

        let restored = try chatdb.succeed("restore", backup, "--yes", "--migrations-dir", folder)
        #expect(restored.output.contains(" --force --migrations-dir \(folder)\n"), "how to undo it")
        #expect(try chatdb.sql("SELECT count(*) FROM notes") == "0")
        #expect(try chatdb("migrate", "status", "--migrations-dir", folder, "--exit-code").code == 0)
    }
}
