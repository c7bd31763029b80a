import Foundation
import Testing

/// Commands about an adopted database, with a folder that lacks its migrations. Rule: docs/adoption.md.
@Suite("an adopted database and the wrong folder") struct OtherFolderTests {
    private let chatdb: ToolRun
    private let first = "20260101_0000_first"

    /// Adopts notes.db with the migrations of the folder m.
    init() throws {
        chatdb = try ToolRun()
        try chatdb.sql("CREATE TABLE notes(id INTEGER PRIMARY KEY, body TEXT);", in: "notes.db")
        for folder in ["m/chat", "other/chat", "empty/chat"] {
            try FileManager.default.createDirectory(
                atPath: chatdb.file(folder), withIntermediateDirectories: true)
        }
        let schema = try chatdb.succeed("schema", "dump", "--database", "chat=notes.db").output
        try write("m/chat/\(first)", schema)
        try write("other/chat/20260101_z", "CREATE TABLE z(a);\n")
        _ = try chatdb.succeed(
            "migrate", "baseline", "--to", first, "--migrations-dir", "m", "--database", "chat=notes.db", "--yes")
    }

    private func write(_ name: String, _ text: String) throws {
        try text.write(toFile: chatdb.file(name + ".up.sql"), atomically: false, encoding: .utf8)
    }

    private func run(_ command: [String], in folder: String, _ more: [String] = []) throws -> ToolRun.Outcome {
        try chatdb(command + ["--migrations-dir", folder, "--database", "chat=notes.db"] + more)
    }

    @Test(
        "check finds another history in a folder without the applied migrations, and inspect warns of it",
        arguments: ["other", "empty"])
    func lackedByFolder(_ folder: String) throws {
        let check = try run(["check"], in: folder, ["--format", "json"])
        let answer = try check.answer()
        let finding = answer["findings"]?.arrayValue?.first { $0["id"] == "otherHistory" }
        #expect(check.code == 1 && finding?["sample"]?.texts == ["chat: \(first)"], "\(answer)")
        #expect(finding?["remedy"]?.stringValue?.hasPrefix("Bring the files back") == true, "\(answer)")
        let text = try run(["check"], in: folder).output
        #expect(!text.contains("--migrations-dir DIR") && !text.contains("this build"), "\(text)")
        let page = try run(["inspect"], in: folder)
        #expect(page.output.contains("has another history than the folder; the folder does not know \(first)"))
        #expect(page.output.contains("other history") && !page.output.contains("--migrations-dir DIR"), "\(page)")
        #expect(try run(["check"], in: "m").code == 0)
    }

    @Test(
        "each command that migrates says that the folder lacks the applied migrations, also without any migration",
        arguments: ["other", "empty"])
    func lackedByEachCommand(_ folder: String) throws {
        let commands = [
            ["plan"], ["run", "--yes"], ["up", "--yes"], ["up", "--dry-run"], ["down", "--steps", "1", "--yes"],
            ["down", "--steps", "1", "--dry-run"], ["down", "--to", first, "--dry-run"],
        ]
        for command in commands {
            let refused = try run(["migrate"] + command, in: folder, ["--format", "json"])
            let refusal = try refused.refusal()
            #expect(refused.code == 78 && refusal["code"] == "differentHistory", "\(command): \(refused)")
            #expect(refusal["message"] == .string("the folder \(folder)/chat lacks the applied migration \(first)"))
            let hint = refusal["hint"]?.stringValue ?? ""
            #expect(hint.hasPrefix("put the files of \(first) back into \(folder)/chat, or"), "\(command): \(hint)")
        }
    }

    @Test("only the error of a command that goes down says that the last migration cannot be undone")
    func lastRemoved() throws {
        try write("m/chat/20260201_more", "CREATE TABLE more(a);\n")
        #expect(try run(["migrate", "run", "--yes"], in: "m").code == 0)
        _ = try chatdb.shell("rm m/chat/20260201_more.up.sql")
        let commands = [
            (["plan"], false), (["run", "--yes"], false), (["up", "--to", first, "--yes"], false),
            (["down", "--steps", "1"], true),
        ]
        for (command, isDown) in commands {
            let refused = try run(["migrate"] + command, in: "m")
            #expect(refused.code == 78 && refused.errors.contains("put the files of 20260201_more back"), "\(refused)")
            #expect(refused.errors.contains("lacks the applied migration 20260201_more") != isDown, "\(refused)")
            #expect(refused.errors.contains("cannot go down") == isDown, "\(refused)")
        }
    }

    @Test("a plan that lacks only a down file takes the SQL of the store, and speaks of no missing migration")
    func lackedDown() throws {
        try write("m/chat/20260201_more", "CREATE TABLE more(a);\n")
        let down = chatdb.file("m/chat/20260201_more.down.sql")
        try "DROP TABLE more;\n".write(toFile: down, atomically: false, encoding: .utf8)
        #expect(try run(["migrate", "run", "--yes"], in: "m").code == 0)
        try FileManager.default.removeItem(atPath: down)
        let plan = try run(["migrate", "down", "--steps", "1", "--dry-run"], in: "m")
        #expect(plan.code == 0 && plan.output.contains("from the store"), "\(plan)")
        #expect(!(plan.output + plan.errors).contains("lacks the files"), "\(plan)")
    }

    @Test("a plan that undoes migrations without files says first that the folder lacks these, also in the question")
    func lackedByPlan() throws {
        try write("m/chat/20260201_more", "CREATE TABLE more(a);\n")
        try "DROP TABLE more;\n".write(
            toFile: chatdb.file("m/chat/20260201_more.down.sql"), atomically: false, encoding: .utf8)
        #expect(try run(["migrate", "run", "--yes"], in: "m").code == 0)
        _ = try chatdb.shell("mkdir m/chats && mv m/chat/20260201_more.* m/chats")
        let sentence =
            "the folder m/chat lacks the files of 20260201_more, which is applied: put the files back, unless"
        let plan = try run(["migrate", "plan"], in: "m")
        #expect(plan.code == 0 && plan.output.hasPrefix("warning: \(sentence) the plan is to undo it\n"), "\(plan)")
        let json = try run(["migrate", "plan"], in: "m", ["--format", "json"]).answer()
        #expect(json["warnings"]?.texts?.first?.hasPrefix(sentence) == true, "\(json)")
        let named = ["--migrations-dir", "m", "--database", "chat=notes.db"]
        func question(_ typed: String) throws -> String {
            let asked = try TerminalRun(["migrate", "run"] + named, in: chatdb, answer: .shown)
            asked.terminal.type(typed)
            return try asked.end().shown.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        let asked = try question("n\n")
        let parts = asked.components(separatedBy: "Undo 1 migration?")
        #expect(parts.count == 2 && parts[0].contains(sentence), "\(asked)")
        // The file that would have to declare the loss is missing.
        try chatdb.sql("INSERT INTO more VALUES (1)", in: "notes.db")
        let refused = try question("")
        #expect(refused.contains("put the files of 20260201_more back into m/chat, or"), "\(refused)")
        #expect(!refused.contains("must declare"), "\(refused)")
    }

    @Test("a note names a folder with migrations that has not the name of a database")
    func misspeltFolder() throws {
        for folder in ["m/chats", "m/Chat", "m/notes", "m/.old"] {
            try FileManager.default.createDirectory(atPath: chatdb.file(folder), withIntermediateDirectories: true)
        }
        for folder in ["m/chats", "m/Chat", "m/.old"] {
            try write("\(folder)/20260201_more", "CREATE TABLE more(a);\n")
        }
        let commands = [
            ["migrate", "plan"], ["migrate", "run"], ["migrate", "run", "--dry-run"], ["migrate", "status"],
        ]
        for command in commands + [["check"]] {
            let shown = try run(command, in: "m")
            let text = shown.output + shown.errors
            for folder in ["m/chats", "m/Chat"] {
                let note =
                    "note: chatdb does not read the migrations in \(folder): a migration lies in m/chat or m/agent\n"
                #expect(text.contains(note), "\(command): \(shown)")
            }
            #expect(text.components(separatedBy: "chatdb does not read").count == 3, "\(command): \(shown)")
        }
        let verify = try chatdb("migrate", "verify", "--migrations-dir", "m")
        #expect(verify.errors.contains("chatdb does not read the migrations in m/chats"), "\(verify)")
        let notes = try run(["migrate", "plan"], in: "m", ["--format", "json"]).answer()["notes"]?.texts
        #expect(notes?.count == 2, "\(notes as Any)")
    }

    @Test("if the migrations are in the folder of the other database, the hint says where they have to be")
    func folderOfOther() throws {
        _ = try chatdb.shell("mkdir g; cp -r m/chat g/agent")
        for command in [["plan"], ["run", "--yes"], ["down", "--to", first, "--dry-run"], ["down", "--steps", "1"]] {
            let refused = try run(["migrate"] + command, in: "g")
            #expect(refused.code == 78 && refused.errors.contains("g/chat lacks the applied migration"), "\(refused)")
            #expect(refused.errors.contains("hint: g/agent has their files: move them into g/chat\n"), "\(refused)")
        }
        // The mark of the file shows which name it has.
        let other = ["migrate", "baseline", "--to", first, "--migrations-dir", "m", "--database", "agent=notes.db"]
        let refused = try chatdb(other + ["--yes"])
        #expect(refused.errors.contains("name the file with --database 'chat="), "\(refused)")
        #expect(!refused.errors.contains("or move"), "\(refused)")
    }

    @Test("for a store of this build, the hint says that no folder is needed, and the error cuts a long list of names")
    func ownStore() throws {
        let demo = try DemoStore.empty()
        for folder in ["m/chat", "e/chat"] {
            try FileManager.default.createDirectory(atPath: demo.file(folder), withIntermediateDirectories: true)
        }
        try "CREATE TABLE z(a);\n".write(
            toFile: demo.file("m/chat/20991231_z.up.sql"), atomically: false, encoding: .utf8)
        for command in [["plan"], ["run", "--yes"], ["up", "--yes"]] {
            let refused = try demo(["migrate"] + command + ["--migrations-dir", "m"])
            #expect(refused.code == 78 && refused.errors.contains("20250106_one_profile, "), "\(refused)")
            #expect(refused.errors.contains(" more\n") && !refused.errors.contains("20261124_people"), "\(refused)")
            let hint = "hint: this is chatdb's own store; leave out --migrations-dir\n"
            #expect(refused.errors.hasSuffix(hint), "\(refused)")
        }
        let empty = try demo("migrate", "run", "--yes", "--migrations-dir", "e")
        #expect(empty.code == 78 && !empty.errors.contains("yes-up-down"), "\(empty)")
        #expect(empty.errors.contains("own store; leave out --migrations-dir\n"), "\(empty)")
    }

    @Test("migrate status names each pending migration, and speaks of files for migrations of a folder")
    func pending() throws {
        try write("m/chat/20250101_early", "CREATE TABLE early(a);\n")
        try write("m/chat/20990101_late", "CREATE TABLE late(a);\n")
        let status = try run(["migrate", "status"], in: "m")
        #expect(status.output.contains("chat pending: 20990101_late, and 20250101_early out of order"), "\(status)")
        #expect(status.output.contains("rename its files to give it a date after \(first)"), "\(status)")
        #expect(!status.output.contains("a build"), "\(status)")
        try write("m/chat/20250102_second", "CREATE TABLE second(a);\n")
        let two = try run(["migrate", "status"], in: "m")
        #expect(two.output.contains("20250101_early, 20250102_second are not applied, although"), "\(two)")
        #expect(two.output.contains("rename their files to give them dates after \(first). If one has"), "\(two)")
    }

    @Test("the note about checks that need the folder has a command that works on this database")
    func commandOfNote() throws {
        let check = try chatdb("check", "--database", "chat=notes.db")
        let command = "chatdb check --migrations-dir DIR --database 'chat=notes.db'"
        #expect(check.code == 0 && check.output.contains("need their folder: \(command)"), "\(check)")
    }

    @Test("schema show says that query calls the columns of an adopted database unknown")
    func unknownColumns() throws {
        let shown = try chatdb.succeed("schema", "show", "notes", "--database", "chat=notes.db").output
        #expect(shown.contains("its columns count as secret, and query calls them unknown"), "\(shown)")
    }

    @Test("with a folder, schema diff and down compare the database with the folder, not with this build")
    func namedFolder() throws {
        let diff = try run(["schema", "diff"], in: "empty")
        #expect(diff.errors.contains("newer than the folder") && !diff.errors.contains("this build"), "\(diff)")
        try write("m/chat/20250101_z", "CREATE TABLE z(a);\n")
        let refused = try run(["migrate", "down", "--to", first, "--dry-run"], in: "m")
        #expect(refused.code == 78 && refused.errors.contains("the folder has 20250101_z where"), "\(refused)")
        #expect(refused.errors.contains("hint: 20250101_z sorts before \(first)"), "\(refused)")
    }

    @Test("schema diff compares a database that lacks an earlier migration with what it has applied, and says so")
    func earlier() throws {
        try write("m/chat/20250101_z", "CREATE TABLE z(a);\n")
        let same = try run(["schema", "diff"], in: "m")
        #expect(same.code == 0 && same.output == "no differences\n", "\(same)")
        let version = "note: the chat database is compared with its own version, \(first); "
        #expect(same.errors == version + "it lacks 20250101_z, out of order\n", "\(same)")
        try chatdb.sql("ALTER TABLE notes ADD COLUMN c", in: "notes.db")
        try write("m/chat/20990101_0000_c", "ALTER TABLE notes ADD COLUMN c;\n")
        let changed = try run(["schema", "diff", "--exit-code"], in: "m")
        #expect(changed.code == 1 && changed.output.contains("notes.c"), "\(changed)")
        #expect(changed.errors.contains("out of order; 1 later migration is pending"), "\(changed)")
        // Without the earlier one, the later ones make no schema.
        try write(
            "m/chat/\(first)", "CREATE TABLE notes(id INTEGER PRIMARY KEY, body TEXT); INSERT INTO z VALUES (1);\n")
        let refused = try run(["schema", "diff"], in: "m")
        #expect(refused.code == 78 && refused.errors.contains("hint: 20250101_z sorts before \(first)"), "\(refused)")
    }

    @Test("a mistyped folder gets the question whether the one beside it was meant, in every command")
    func mistyped() throws {
        _ = try chatdb.shell("mv m migrations")
        let meant = "did you mean --migrations-dir migrations?"
        let baseline = ["migrate", "baseline", "--to", first]
        for command in [baseline, ["migrate", "run"], ["migrate", "status"], ["check"]] {
            let refused = try run(command, in: "migration")
            #expect(refused.code == 66 && refused.errors.contains("hint: " + meant), "\(refused)")
        }
        let made = try chatdb("migrate", "new", "tags", "--only", "chat", "--migrations-dir", "migratons")
        #expect(made.code == 0 && made.output.contains("warning: " + meant), "\(made)")
    }

    @Test("new refuses the folder of one database, and a folder among migrations is called one")
    func nested() throws {
        let refused = try chatdb("migrate", "new", "tags", "--only", "chat", "--migrations-dir", "m/chat")
        #expect(refused.code == 66 && refused.errors.contains("did you mean --migrations-dir m?"), "\(refused)")
        #expect(!FileManager.default.fileExists(atPath: chatdb.file("m/chat/chat")))
        _ = try chatdb.shell("mkdir m/chat/chat")
        let run = try run(["migrate", "run"], in: "m")
        #expect(run.code == 65 && run.errors.contains("chat/chat: a folder, where only files"), "\(run)")
    }

    @Test("--only with a database whose file was not named is refused, also if the environment names the other file")
    func only() throws {
        let named = ["--only", "agent", "-d", "chat=notes.db"]
        let folder = ["--migrations-dir", "m"]
        for command in [
            ["schema", "dump"] + named, ["schema", "diff"] + named + folder, ["schema", "show"] + named,
            ["query", "SELECT 1"] + named, ["migrate", "plan"] + named + folder, ["migrate", "status"] + named,
            ["salvage", "--output", "new"] + named,
        ] {
            let refused = try chatdb(command)
            let reason = "--only names the agent database, and --database another one"
            #expect(refused.code == 64 && refused.errors.contains(reason), "\(command): \(refused)")
        }
        let verify = try chatdb(["migrate", "verify", "--data", "chat=notes.db", "--only", "agent"] + folder)
        #expect(verify.code == 64 && verify.errors.contains("and --data another one"), "\(verify)")
        let other = try chatdb("schema", "diff", "chat=notes.db", "-d", "agent=notes.db", "--only", "agent")
        #expect(other.code == 64 && other.errors.contains("and OTHER-STORE another one"), "\(other)")
        for command in [["plan"], ["run"], ["status"]] {
            let arguments = ["migrate"] + command + ["--only", "agent"] + folder
            let refused = try chatdb(arguments, environment: ["CHATDB_STORE": "chat=notes.db"])
            #expect(refused.code == 64, "\(command): \(refused)")
        }
    }

    @Test("check of drift says how to keep it with a migration, which then works, and how to undo it")
    func drift() throws {
        try chatdb.sql("ALTER TABLE notes ADD COLUMN c", in: "notes.db")
        // A run with nothing to do does not look for it.
        let silent = try run(["migrate", "run"], in: "m")
        #expect(silent.code == 0 && !silent.errors.contains("differs"), "\(silent)")
        let answer = try run(["check"], in: "m", ["--format", "json"]).answer()
        let finding = answer["findings"]?.arrayValue?.first { $0["id"] == "chatSchemaDrift" }
        let remedy = finding?["remedy"]?.stringValue ?? ""
        #expect(remedy.contains("drop by hand, in SQL, what was added"), "\(answer)")
        #expect(remedy.contains("chatdb migrate new WORDS --only chat --migrations-dir m"), "\(answer)")
        let adoption = "chatdb migrate baseline --to NAME --database 'chat=notes.db' --migrations-dir m writes the"
        #expect(remedy.contains(adoption), "\(answer)")
        try write("m/chat/20990101_0000_c", "ALTER TABLE notes ADD COLUMN c;\n")
        let adopted = try run(["migrate", "baseline", "--to", "20990101_0000_c", "--yes"], in: "m")
        #expect(adopted.code == 0, "\(adopted)")
        let after = try run(["check"], in: "m", ["--format", "json"]).answer()
        #expect(after["findings"]?.arrayValue?.contains { $0["id"] == "chatSchemaDrift" } == false, "\(after)")
        // The words alone would get the time now, which is before the last migration.
        try chatdb.sql("ALTER TABLE notes ADD COLUMN d", in: "notes.db")
        let second = try run(["check"], in: "m").output
        #expect(second.contains("chatdb migrate new 20990102_0000_WORDS --only chat --migrations-dir m"), "\(second)")
    }

    @Test("if migrations are pending, the remedy for drift applies them first, and its commands work")
    func driftBeforePending() throws {
        try chatdb.sql("ALTER TABLE notes ADD COLUMN c", in: "notes.db")
        try write("m/chat/20260201_more", "CREATE TABLE more(a);\n")
        let remedy = try run(["check"], in: "m").output
        let up = "chatdb migrate up --database 'chat=notes.db' --migrations-dir m"
        let first =
            "If the schema is to have what was added, apply the pending migrations with \(up), whose error names "
        #expect(
            remedy.contains(first + "the next commands if one of them adds the same; after that, write a"), "\(remedy)")
        let applied = try run(["migrate", "up"], in: "m")
        #expect(applied.code == 0, "\(applied)")
        try write("m/chat/20990101_0000_c", "ALTER TABLE notes ADD COLUMN c;\n")
        let made = try run(["migrate", "baseline", "--to", "20990101_0000_c", "--yes"], in: "m")
        #expect(made.code == 0, "\(made)")
        #expect(try run(["check"], in: "m").output.contains("found no problems"))
    }

    @Test("if a migration makes a part of what was added by hand, the remedy is to complete its file")
    func partOfDrift() throws {
        try chatdb.sql("ALTER TABLE notes ADD COLUMN c; ALTER TABLE notes ADD COLUMN d", in: "notes.db")
        try write("m/chat/20990101_0000_c", "ALTER TABLE notes ADD COLUMN c;\n")
        let answer = try run(["check"], in: "m", ["--format", "json"]).answer()
        let finding = answer["findings"]?.arrayValue?.first { $0["id"] == "lostMigrations" }
        let remedy = try #require(finding?["remedy"]?.stringValue, "\(answer)")
        #expect(remedy.contains("let its file make exactly what the database has, which chatdb schema "), "\(remedy)")
        #expect(remedy.contains("and loses what was written since"), "\(remedy)")
        try write("m/chat/20990101_0000_c", "ALTER TABLE notes ADD COLUMN c;\nALTER TABLE notes ADD COLUMN d;\n")
        let adopted = try run(["migrate", "baseline", "--to", "20990101_0000_c", "--yes"], in: "m")
        #expect(adopted.code == 0, "\(adopted)")
        #expect(try run(["check"], in: "m").output.contains("found no problems"))
    }

    @Test("new warns of a name of a day that is not over and that has no time")
    func withoutTime() throws {
        for (name, isWarned) in [("20991231_tags", true), ("20991231_2359_x", false)] {
            let made = try chatdb("migrate", "new", name, "--only", "agent", "--migrations-dir", "d\(isWarned)")
            #expect(made.code == 0 && made.output.contains("has no time") == isWarned, "\(made)")
        }
    }

    @Test("migrate verify proposes --data for the options that name the store elsewhere")
    func data() throws {
        for option in ["--database", "--store", "-d"] {
            let refused = try chatdb("migrate", "verify", option, "chat=notes.db")
            #expect(refused.code == 64 && refused.errors.contains("did you mean --data "), "\(refused)")
        }
    }

    @Test("the warning of an edited file says what to do")
    func edited() throws {
        let file = chatdb.file("m/chat/\(first).up.sql")
        let text = try String(contentsOfFile: file, encoding: .utf8)
        try write("m/chat/\(first)", text + "CREATE TABLE more(a);\n")
        func expectAdvice(_ shown: ToolRun.Outcome) {
            let all = (shown.output + shown.errors).split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(all.contains("\(first); chatdb does not apply it again: "), "\(shown)")
            let command = "chatdb migrate run --accept-edited --database 'chat=notes.db' --migrations-dir m"
            #expect(all.contains("; if the database is as it should be: \(command)"), "\(shown)")
            let diff = "chatdb schema diff --database 'chat=notes.db' --migrations-dir m shows whether the database"
            #expect(all.contains(diff), "\(shown)")
            let another = "restore the file as it was, and write another migration: chatdb migrate new WORDS"
            #expect(all.contains(another), "\(shown)")
        }
        for command in [["migrate", "status"], ["migrate", "plan"], ["migrate", "run"]] {
            expectAdvice(try run(command, in: "m"))
        }
        expectAdvice(try chatdb("migrate", "verify", "--data", "chat=notes.db", "--migrations-dir", "m"))
    }
}
