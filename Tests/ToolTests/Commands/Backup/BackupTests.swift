import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBTool

/// Rule: docs/backups.md.
@Suite("backup and restore") struct BackupCommandTests {
    private func backup(_ run: ToolRun, _ arguments: String...) throws -> String {
        let answer = try run(["backup", "--format", "json"] + arguments).answer()
        return try #require(answer["backup"]?["path"]?.stringValue)
    }

    @Test("backup reports what it wrote and the command to restore it, which the parser accepts")
    func reports() throws {
        let demo = try DemoStore.make()
        let shown = try demo.succeed("backup")
        #expect(shown.output.contains("/x.backups/x-") && shown.output.contains("chatdb restore "))
        let answer = try demo("backup", "--format", "json").answer()
        let path = try #require(answer["backup"]?["path"]?.stringValue)
        #expect(answer["restore"]?.stringValue == "chatdb restore \(path) -d \(demo.store)")
        #expect(answer["backup"]?["chat"]?["file"] == "x_chat.db")
        #expect(answer["backup"]?["chat"]?["rows"]?.integerValue ?? 0 > 0)
        for format in ["csv", "markdown"] {
            #expect(try demo.succeed("backup", "--format", format).output.contains("agent"))
        }
        #expect(try demo(["restore", path, "-d", demo.store, "--yes"]).code == 0)
    }

    @Test("restore of a folder with backups names the newest of them")
    func folderOfBackups() throws {
        let demo = try DemoStore.make()
        let newest = try ["b", "b"].map { try backup(demo, $0) }.max()
        let refused = try demo("restore", "b", "--yes")
        #expect(refused.code == 66, "\(refused.errors)")
        let command = "restore \(try #require(newest))"
        #expect(refused.errors.contains("the folder contains backups: chatdb \(command)"), "\(refused.errors)")
        #expect(try demo.shell("$CHATDB \(command) --yes").code == 0)
    }

    @Test(
        "no reading command makes, removes or changes anything beside a store, of SimpleX Chat too, with empty side files"
    )
    func besideNothing() throws {
        let simplex = try SimplexFolder()
        for database in DatabaseName.allCases {
            try simplex.store.execute("PRAGMA journal_mode = WAL", in: database)
        }
        let demo = try DemoStore.make()
        for (run, prefix) in [(simplex.run, simplex.store.location.prefix), (demo, demo.store)] {
            let target = try TemporaryFolder()
            for left in [[], ["-wal"], ["-wal", "-shm"]] {
                for database in DatabaseName.allCases {
                    for suffix in ["-wal", "-shm"] {
                        try? FileManager.default.removeItem(atPath: "\(prefix)_\(database).db\(suffix)")
                    }
                    for suffix in left {
                        try Data().write(to: URL(fileURLWithPath: "\(prefix)_\(database).db\(suffix)"))
                    }
                }
                for command in [
                    ["backup", target.path], ["inspect"], ["check"], ["user", "list"], ["relay", "list", "--all"],
                    ["server", "list"], ["group", "list"], ["operator", "list"],
                    ["query", "SELECT count(*) FROM users"],
                    ["bundle", "--preview"], ["migrate", "status"], ["migrate", "plan"], ["schema", "diff"],
                    ["preset", "export", "-u", "1"],
                ] {
                    let listing = "stat -c '%n %i %s %Y %y %a' . * .[!.]* 2>/dev/null"
                    let before = try run.shell(listing).output
                    let outcome = try run(command + ["-d", prefix])
                    #expect(outcome.code != 70, "\(command)")
                    if command[0] == "backup" { #expect(outcome.code == 0, "\(outcome.errors)") }
                    #expect(try run.shell(listing).output == before, "\(command) \(left)")
                }
            }
        }
    }

    @Test("restore --dry-run shows tables whose texts differ, and the question says so")
    func contents() throws {
        let demo = try DemoStore.make()
        let path = try backup(demo)
        #expect(try demo.succeed("restore", path, "--dry-run").output.contains("\nno differences\n"))
        try demo.sql("UPDATE group_profiles SET description = 'another text'")
        let shown = try demo.succeed("restore", path, "--dry-run").output
        #expect(shown.contains("group_profiles     1          1  loses changes of rows\n"), "\(shown)")
        #expect(shown.contains("note: chatdb compares the primary keys of a table and all of its rows together"))
        let plan = try demo.succeed("restore", path, "--dry-run", "--format", "json").answer()
        let difference = plan["differences"]?[0]
        #expect(plan["differences"]?.arrayValue?.count == 1 && difference?["table"] == "group_profiles")
        #expect(difference?["contentDiffers"] == true && difference?["newerInStore"] == false)
        let asked = try demo.onTerminal("restore", path, input: "n\n").output
        #expect(asked.replacing("\r\n", with: " ").contains("which differs in 1 table"), "\(asked)")
        try demo.sql("CREATE TABLE more(a)")
        let askedAgain = try demo.onTerminal("restore", path, input: "n\n").output
        #expect(askedAgain.replacing("\r\n", with: " ").contains("which differs in 2 tables"), "\(askedAgain)")
    }

    @Test(
        "the plan and the answer of a restore have the numbers of rows whose keys only one side has",
        arguments: [
            ("id INTEGER PRIMARY KEY", "1, 2", "2 3 loses 1 row, brings back 2 rows"),
            ("id INTEGER PRIMARY KEY", "1", "3 3 loses 1 row, brings back 1 row"),
            ("id TEXT, part INTEGER, PRIMARY KEY (part, id)", "1, 2", "2 3 loses 1 row, brings back 2 rows"),
            ("id INTEGER", "1, 2", "2 3 may lose rows or changes, brings back at least 1 row"),
            ("id INTEGER", "1", "3 3 loses rows or changes"),
        ])
    func hiddenLosses(_ columns: String, _ deleted: String, _ effect: String) throws {
        let demo = try DemoStore.make()
        let part = columns.contains("part") ? ", 7" : ""
        try demo.sql("CREATE TABLE notes(\(columns)); INSERT INTO notes VALUES (1\(part)), (2\(part)), (3\(part));")
        let path = try backup(demo)
        try demo.sql("DELETE FROM notes WHERE id IN (\(deleted)); INSERT INTO notes VALUES (50\(part));")
        let hasKeys = columns.contains("PRIMARY KEY")
        let plan = try demo.succeed("restore", path, "--dry-run", "--format", "json").answer()["differences"]?[0]
        #expect(plan?["rowsOnlyInStore"] == (hasKeys ? JSONValue.integer(1) : .null))
        #expect(plan?["rowsOnlyInBackup"] == (hasKeys ? JSONValue.integer(deleted == "1" ? 1 : 2) : .null))
        for arguments in [["--dry-run"], ["--yes"]] {
            let run = try demo(["restore", path] + arguments)
            #expect(run.code == 0, "\(run.errors)")
            let shown = run.output
            let words = shown.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(words.contains("chat notes \(effect)"), "\(shown)")
            #expect(words.contains("but not row by row"), "\(shown)")
        }
    }

    @Test("a row that only the backup has hides no lost row, and the question counts the rows with other keys")
    func keysOfBothSides() throws {
        let demo = try DemoStore.make()
        try demo.sql("CREATE TABLE notes(id INTEGER PRIMARY KEY, a); INSERT INTO notes VALUES (1, 1), (2, 2), (3, 3);")
        let path = try backup(demo)
        try demo.sql("DELETE FROM notes WHERE id = 2; UPDATE notes SET a = 0 WHERE id = 3;")
        let shown = try demo.succeed("restore", path, "--dry-run").output
        let words = shown.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(words.contains("chat notes 2 3 may lose changes, brings back 1 row"), "\(shown)")
        try demo.sql("INSERT INTO notes VALUES (9, 9);")
        let asked = try demo.onTerminal("restore", path, input: "n\n").output
        #expect(asked.replacing("\r\n", with: " ").contains("which has a row that is not in the backup"), "\(asked)")
    }

    @Test("restore names the columns that only the store or only the backup has, in every format")
    func columns() throws {
        let demo = try DemoStore.make()
        let first = try backup(demo)
        try demo.sql("ALTER TABLE users ADD COLUMN nickname TEXT; UPDATE users SET nickname = 'x'")
        let shown = try demo.succeed("restore", first, "--dry-run").output
        #expect(!shown.contains("no differences") && shown.contains("loses the column nickname\n"), "\(shown)")
        let plan = try demo.succeed("restore", first, "--dry-run", "--format", "json").answer()
        let difference = plan["differences"]?[0]
        #expect(plan["differences"]?.arrayValue?.count == 1 && difference?["table"] == "users")
        #expect(difference?["columnsOnlyInStore"] == ["nickname"] && difference?["columnsOnlyInBackup"] == [])
        #expect(difference?["contentDiffers"] == false)
        let csv = try demo.succeed("restore", first, "--dry-run", "--format", "csv").output
        #expect(csv.contains("columnsOnlyInStore") && csv.contains(",nickname,"), "\(csv)")
        let asked = try demo.onTerminal("restore", first, input: "n\n").output
        #expect(asked.replacing("\r\n", with: " ").contains("which differs in 1 table"), "\(asked)")
        let second = try backup(demo)
        try demo.sql("ALTER TABLE users DROP COLUMN nickname")
        #expect(try demo.succeed("restore", second, "--dry-run").output.contains("brings back the column nickname\n"))
        let other = try demo.succeed("restore", second, "--dry-run", "--format", "json").answer()["differences"]?[0]
        #expect(other?["columnsOnlyInStore"] == [] && other?["columnsOnlyInBackup"] == ["nickname"])
    }

    @Test("B03 B06: backup takes a folder and the number to keep; exit 73 and no files left where it cannot be created")
    func folders() throws {
        let demo = try DemoStore.make()
        let folder = demo.file("kept")
        for _ in 0..<3 {
            let path = try backup(demo, "kept", "--keep-backups", "2")
            #expect(path.hasPrefix(demo.folder.path.replacing("//", with: "/")))
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder).count == 2)
        try Data().write(to: URL(fileURLWithPath: demo.file("file")))
        let refused = try demo("backup", "file", "--format", "json")
        #expect(try refused.code == 73 && refused.refusal()["code"] == "cannotWrite")
        #expect(try demo("backup", "no/such/folder").code == 73)
        #expect(try demo("backup", "--keep-backups", "0").code == 64)
        #expect(try demo("backup", "").code == 64)
        #expect(try !FileManager.default.fileExists(atPath: demo.file("x.backups")) && backup(demo) != "")
    }

    @Test("backup copies a store of an older or newer version, and one database alone, as they are")
    func anyVersion() throws {
        for run in [try MigrationFixture.oldStore(), try MigrationFixture.newerStore()] {
            let before = try run.folder.fingerprint().filter { $0.key.hasSuffix(".db") }
            let path = try backup(run)
            for (name, print) in before {
                #expect(try run.folder.fingerprint()[name] == print)
                _ = try #require(FileManager.default.contents(atPath: path + "/" + name))
            }
        }
        let lone = try DemoStore.make()
        try FileManager.default.removeItem(atPath: lone.file("x_agent.db"))
        let answer = try lone("backup", "--format", "json").answer()
        #expect(answer["backup"]?["agent"] == .null)
        #expect(answer["notes"]?[0]?.stringValue?.contains("agent database") == true)
    }

    @Test("for a file that is no database, backup reports its kind and makes no backup: exit 66")
    func noDatabase() throws {
        let demo = try DemoStore.make()
        try Data("hello".utf8).write(to: URL(fileURLWithPath: demo.file("x_chat.db")))
        let run = try demo("backup", "--format", "json")
        #expect(try run.code == 66 && run.refusal()["code"] == "notADatabase")
        #expect(!FileManager.default.fileExists(atPath: demo.file("x.backups")))
    }

    @Test("Without a terminal and without --yes nothing is restored: exit 64; --dry-run shows the plan")
    func noTerminal() throws {
        let demo = try DemoStore.make()
        let path = try backup(demo)
        try demo.succeed("user", "add", "later")
        let before = try demo.folder.fingerprint()
        let run = try demo("restore", path, "--format", "json")
        #expect(try run.code == 64 && run.refusal()["code"] == "confirmationNeeded")
        #expect(try run.refusal()["hint"]?.stringValue?.hasPrefix("--dry-run ") == true)
        let plan = try demo("restore", path, "--dry-run", "--format", "json").answer()
        let users = plan["differences"]?.arrayValue?.first {
            $0["table"] == "users" && $0["database"] == "chat"
        }
        #expect(users?["newerInStore"] == true)
        #expect(users?["store"]?["rows"] == 3 && users?["backup"]?["rows"] == 2)
        #expect(users?["store"]?["latest"]?.stringValue?.hasSuffix("Z") == true)
        #expect(plan["replaces"] == ["chat", "agent"] && plan["objections"] == [])
        #expect(try demo.folder.fingerprint() == before)
    }

    @Test(
        "restore shows newer data before it asks; no changes nothing, yes restores and reports the command to undo it")
    func asked() throws {
        let demo = try DemoStore.make()
        let path = try backup(demo)
        try demo.succeed("user", "add", "later")
        let no = try TerminalRun(["restore", path], in: demo)
        let shown = try no.terminal.read(until: "[y/N] ")
        let words = shown.replacing("\r\n", with: " ")
        #expect(shown.contains("Differences") && words.contains("rows that are not in the backup, with"), "\(shown)")
        no.terminal.type("n\n")
        let end = try no.end()
        #expect(end.code == 1 && end.shown.contains("Nothing was done."))
        #expect(try demo.sql("SELECT count(*) FROM users") == "3")
        let yes = try TerminalRun(["restore", path, "--format", "json"], in: demo)
        _ = try yes.terminal.read(until: "[y/N] ")
        yes.terminal.type("y\n")
        let answer = try JSONValue(parsing: yes.end().answer)
        #expect(answer["outcome"] == "restored" && answer["generation"] == 2)
        #expect(try demo.sql("SELECT count(*) FROM users") == "2")
        let aside = try #require(answer["replaced"]?.stringValue)
        #expect(answer["undo"]?.stringValue == "chatdb restore \(aside) -d \(demo.store) --force")
        try demo.succeed("restore", aside, "--force", "--yes")
        #expect(try demo.sql("SELECT count(*) FROM users") == "3")
        #expect(try demo.succeed("user", "list").output.contains("later"))
    }

    @Test("on a terminal of 80 columns, a restore says in words what each table loses, once")
    func losses() throws {
        let demo = try DemoStore.make()
        try demo.sql("CREATE TABLE kept(a); CREATE TABLE gone(a); INSERT INTO kept VALUES (1), (2);")
        let path = try backup(demo)
        try demo.succeed("user", "add", "later", "--no-preset")
        try demo.sql("DELETE FROM kept WHERE a = 2; DROP TABLE gone; CREATE TABLE new AS SELECT 1 AS a;")
        let run = try demo.onTerminal("restore", path, input: "y\n")
        #expect(run.code == 0, "\(run.output)")
        let halves = run.output.replacing("\r\n", with: "\n").components(separatedBy: "[y/N] ")
        let plan = halves[0].split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
        #expect(plan.contains { $0.hasPrefix("chat kept 1 2 may lose rows or changes") }, "\(halves[0])")
        #expect(plan.contains("chat gone – 0 brings back the table"), "\(halves[0])")
        #expect(plan.contains("chat new 1 – loses the table with its rows"), "\(halves[0])")
        #expect(plan.contains { $0.hasPrefix("chat users 3 2 loses 1 row, the") }, "\(halves[0])")
        #expect(halves[1].contains("The store was restored.") && !halves[1].contains("loses"), "\(halves[1])")
        #expect(try demo.sql("SELECT count(*) FROM kept") == "2")
    }

    @Test("restore names a program that has the store open, and moves nothing: exit 75")
    func inUse() throws {
        let demo = try DemoStore.make()
        let path = try backup(demo)
        let holder = Process()
        let (input, output) = (Pipe(), Pipe())
        holder.executableURL = URL(fileURLWithPath: "/bin/sh")
        holder.arguments = ["-c", "exec 9<\"$1\"; echo ready; read end", "sh", demo.file("x_agent.db")]
        holder.standardInput = input
        holder.standardOutput = output
        try holder.run()
        _ = output.fileHandleForReading.availableData
        let run = try demo("restore", path, "--yes", "--lock-timeout", "0", "--format", "json")
        #expect(try run.code == 75 && run.refusal()["code"] == "inUse")
        #expect(try run.refusal()["details"]?["holders"]?[0]?["pid"]?.integerValue == Int64(holder.processIdentifier))
        #expect(try demo("backup").code == 0, "a backup is made beside it")
        try input.fileHandleForWriting.close()
        holder.waitUntilExit()
        #expect(try demo("restore", path, "--yes").code == 0)
    }

    @Test("Each kind of backup that cannot be restored has its exit code")
    func refused() throws {
        let (demo, other) = (try DemoStore.make(), try DemoStore.empty())
        let path = try backup(demo)
        try other.succeed("migrate", "down", "--steps", "1", "--yes", "--no-backup")
        func code(_ arguments: [String]) throws -> [String] {
            let run = try demo(["restore", "--yes", "--format", "json"] + arguments)
            return ["\(run.code)", try run.refusal()["code"]?.stringValue ?? ""]
        }
        #expect(try code([demo.file("none")]) == ["66", "backupNotFound"])
        #expect(try code([demo.file("x.backups")]) == ["66", "notABackup"])
        let newer = try MigrationFixture.newerStore()
        #expect(try code([try backup(newer)]) == ["1", "otherStore"])
        let newerPath = try backup(newer)
        let refusal = try newer("restore", newerPath, "--yes", "--format", "json")
        #expect(try refusal.code == 78 && refusal.refusal()["code"] == "newerBackup")
        let plan = try newer("restore", newerPath, "--dry-run", "--format", "json").answer()
        #expect(plan["objections"] == ["newerBackup"])
        #expect(try refusal.refusal()["details"]?["migrations"] == [.string(MigrationFixture.newerMigration)])
        try FileManager.default.removeItem(atPath: path + "/backup.json")
        #expect(try code([path]) == ["1", "unverifiedBackup"])
        // The dry run exits like the restore, and says what would restore the backup.
        let dry = try demo("restore", path, "--dry-run")
        #expect(dry.code == 1 && dry.output.contains("note: --force restores it anyway"), "\(dry)")
        let forced = try demo.succeed("restore", path, "--dry-run", "--force")
        #expect(!forced.output.contains("--force"))
        try FileManager.default.removeItem(atPath: path + "/x_chat.db")
        #expect(try code([path, "--force"]) == ["66", "incompleteBackup"])
    }

    @Test("restore of an older backup reports the next step; migrate up migrates it to this build")
    func older() throws {
        let run = try MigrationFixture.oldStore()
        let path = try backup(run)
        try run.succeed("migrate", "up")
        let restored = try run.succeed("restore", path, "--yes")
        #expect(restored.output.contains("; chatdb migrate up -d ") && restored.output.contains(" upgrades it"))
        #expect(try run("user", "add", "new").code == 78)
        try run.succeed("migrate", "up")
        #expect(try run("user", "add", "new").code == 0)
    }
}
