import Foundation
import Testing

@testable import ChatDBTool

/// What commands say about two databases of another program that belong together. Rule: docs/adoption.md.
@Suite("an adopted pair") struct AdoptedPairTests {
    private let chatdb: ToolRun
    private let files = ["--database", "chat=app.db", "--database", "agent=keys.db"]
    private let folder = ["--migrations-dir", "m"]
    private let baseline = ["migrate", "baseline", "--yes", "--to", "20260101_first", "--format", "json"]

    /// Makes two databases, and the first migration of each.
    init() throws {
        chatdb = try ToolRun()
        for (database, file) in [("chat", "app.db"), ("agent", "keys.db")] {
            try chatdb.sql("CREATE TABLE of_\(database)(a)", in: file)
            try write("CREATE TABLE of_\(database)(a);\n", to: "\(database)/20260101_first.up.sql")
        }
    }

    private func write(_ text: String, to name: String) throws {
        let path = chatdb.file("m/" + name)
        try FileManager.default.createDirectory(
            atPath: (path as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try text.write(toFile: path, atomically: false, encoding: .utf8)
    }

    /// Adopts the pair, and leaves it between the two commits of a run.
    private func interrupt() throws {
        _ = try chatdb(baseline + folder + files).answer()
        for database in ["chat", "agent"] {
            try write("CREATE TABLE more(a);\n", to: "\(database)/20260201_more.up.sql")
        }
        let app = URL(fileURLWithPath: chatdb.file("app.db"))
        let old = try Data(contentsOf: app)
        let run = try chatdb(["migrate", "up", "--format", "json"] + folder + files)
        try #require(run.code == 0, "\(run)")
        try old.write(to: app)
        let id = try chatdb.sql("SELECT store_id FROM store", in: "keys.db")
        let generation = try chatdb.sql("SELECT generation FROM store", in: "keys.db")
        let course = #"{"from": "20260101_first", "to": "20260201_more", "steps": ["20260201_more"]}"#
        let record = """
            {"run": "x", "startedAt": "2026-10-01T12:00:00Z", "creates": false, "storeId": "\(id)",
            "generation": \(generation), "databases": {"agent": \(course), "chat": \(course)}}
            """
        try record.write(toFile: chatdb.file("app.db.migrating"), atomically: false, encoding: .utf8)
    }

    @Test("a baseline of two named files takes no --only, because a pair is adopted together")
    func only() throws {
        for database in ["chat", "agent"] {
            let refused = try chatdb(baseline + folder + files + ["--only", database])
            #expect(refused.code == 64 && refused.errors.contains("a pair is adopted together"), "\(refused)")
        }
        #expect(!FileManager.default.fileExists(atPath: chatdb.file("app.db.backups")))
        #expect(try chatdb(baseline + folder + files).code == 0)
    }

    @Test("no hint for a missing file of an adopted pair proposes to migrate the other one alone")
    func missing() throws {
        _ = try chatdb(baseline + folder + files).answer()
        try write("CREATE TABLE more(a);\n", to: "chat/20260201_more.up.sql")
        try FileManager.default.removeItem(atPath: chatdb.file("keys.db"))
        for command in [["run", "--yes"], ["plan"], ["up"], ["down", "--steps", "1"]] {
            let refused = try chatdb(["migrate"] + command + folder + files)
            #expect(refused.code == 66 && refused.errors.contains("hint: bring the missing file back"), "\(refused)")
            #expect(!refused.errors.contains("--only"), "\(refused)")
        }
    }

    @Test("the check of two databases that were adopted alone names the commands that make them a pair")
    func adoptedAlone() throws {
        for file in ["chat=app.db", "agent=keys.db"] {
            _ = try chatdb(baseline + folder + ["--database", file]).answer()
            let check = try chatdb(["check"] + folder + files)
            #expect(check.output.contains("adopted alone"), "\(file): \(check)")
            #expect(check.output.contains("/app.db.backups/"), "\(file): \(check)")
            #expect(check.output.contains("chatdb migrate baseline --to 20260101_first"), "\(file): \(check)")
            let again = try chatdb(baseline + folder + files).refusal()["hint"]?.stringValue ?? ""
            #expect(again.contains("adopted alone") && !again.contains("migrate run"), "\(file): \(again)")
        }
    }

    @Test("commands that propose to complete an interrupted run say that they need the folder of the migrations")
    func interrupted() throws {
        try interrupt()
        let named = "chatdb migrate run --migrations-dir DIR --database"
        try "a passphrase".write(toFile: chatdb.file("new"), atomically: false, encoding: .utf8)
        for command in [
            ["check"], ["inspect"], ["migrate", "status"], ["migrate", "run"], ["backup", "make"], ["backup", "list"],
            ["migrate", "run", "--only", "chat"], ["passphrase", "set", "--new-passphrase-file", "new"],
        ] {
            let shown = try chatdb(command + files)
            #expect((shown.output + shown.errors).contains(named), "\(command): \(shown)")
        }
        for command in [["check"], ["inspect"], ["migrate", "status"]] {
            let shown = try chatdb(command + files + folder)
            #expect(!(shown.output + shown.errors).contains("DIR"), "\(command): \(shown)")
        }
        let list = try chatdb(["backup", "list", "--format", "json"] + files).answer()
        let middle = list["backups"]?.arrayValue?.first { $0["interrupted"] == true }?["path"]?.stringValue
        let restore = try chatdb(["restore", try #require(middle, "\(list)"), "--dry-run"] + files)
        #expect(restore.output.contains(named), "\(restore)")
        let restored = try chatdb(["restore", try #require(middle), "--yes"] + files)
        #expect(restored.code == 0 && (restored.output + restored.errors).contains(named), "\(restored)")
    }

    @Test("an interrupted run of a pair that lacks a file leads to the file, and in no circle")
    func interruptedWithout() throws {
        try interrupt()
        try FileManager.default.removeItem(atPath: chatdb.file("keys.db"))
        for only in [[], ["--only", "chat"], ["--only", "agent"]] {
            let refused = try chatdb(["migrate", "run", "--yes"] + folder + files + only)
            #expect(refused.errors.contains("hint: bring the missing file back"), "\(only): \(refused)")
            #expect(!refused.errors.contains("--only"), "\(only): \(refused)")
        }
        let status = try chatdb(["migrate", "status"] + folder + files)
        #expect(status.output.contains("bring the missing file back, then chatdb migrate run"), "\(status)")
    }

    @Test("the remedy for drift of a pair says which of two names a baseline takes")
    func drift() throws {
        _ = try chatdb(baseline + folder + files).answer()
        try write("CREATE TABLE more(a);\n", to: "agent/20260201_more.up.sql")
        #expect(try chatdb(["migrate", "up"] + folder + files).code == 0)
        try chatdb.sql("CREATE TABLE drift(a)", in: "app.db")
        let check = try chatdb(["check"] + folder + files).output
        let choice = "NAME is the new migration, or 20260201_more of the agent database if that is later"
        #expect(check.contains(choice), "\(check)")
        // The drift of the database with the later version.
        try chatdb.sql("CREATE TABLE drift(a)", in: "keys.db")
        try chatdb.sql("DROP TABLE drift", in: "app.db")
        #expect(try !chatdb(["check"] + folder + files).output.contains("NAME is"))
    }

    @Test("no finding of an adopted pair is fixable, and --fix says that it changes nothing")
    func repair() throws {
        try chatdb.sql("CREATE INDEX by_a ON of_chat(a)", in: "app.db")
        try write("CREATE TABLE of_chat(a);\nCREATE INDEX by_a ON of_chat(a);\n", to: "chat/20260101_first.up.sql")
        _ = try chatdb(baseline + folder + files).answer()
        try chatdb.sql("DROP INDEX by_a", in: "app.db")
        let check = try chatdb(["check", "--format", "json"] + folder + files).answer()
        let lost = check["findings"]?.arrayValue?.first { $0["id"] == "chatSchemaLost" }
        #expect(lost?["fixable"] == false, "\(check)")
        let refused = try chatdb(["check", "--fix"] + folder + files)
        #expect(refused.code == 64 && refused.errors.contains("says what to do about each finding"), "\(refused)")
        let fix = try chatdb(["check", "--fix", "--yes"] + files)
        #expect(fix.code == 0 && fix.errors.contains("note: --fix repairs chatdb's own stores only"), "\(fix)")
    }

    @Test("check and inspect of one database of an adopted pair name the other one")
    func half() throws {
        _ = try chatdb(baseline + folder + files).answer()
        let note =
            "the agent database was adopted together with app.db, which was not named; name both with --database"
        for (named, isHalf) in [(["--database", "agent=keys.db"], true), (files, false)] {
            let status = try chatdb(["migrate", "status"] + folder + named)
            #expect(status.code == 0 && status.errors.contains("note: \(note)\n") == isHalf, "\(status)")
            for command in ["check", "inspect"] {
                let notes = try chatdb([command, "--format", "json"] + named).answer()["notes"]?.texts ?? []
                #expect(notes.contains(note) == isHalf, "\(command): \(notes)")
            }
        }
    }

    @Test(
        "backups of a pair are listed, verified and removed only if both files are named", arguments: ["chat", "agent"])
    func backupsOfHalf(_ database: String) throws {
        _ = try chatdb(baseline + folder + files).answer()
        let file = database == "chat" ? "app.db" : "keys.db"
        for command in [["list"], ["verify"], ["prune", "--keep", "1", "--dry-run"], ["make"]] {
            let half = ["--database", "\(database)=\(file)", "--format", "json"]
            let refused = try chatdb(["backup"] + command + half)
            #expect(try refused.code == 1 && refused.refusal()["code"] == "halfOfPair", "\(command): \(refused)")
            #expect(try chatdb(["backup"] + command + files).code == 0, "\(command)")
        }
    }

    @Test("one file of a pair is refused before a folder that is missing", arguments: ["chat=app.db", "agent=keys.db"])
    func foldersOfHalf(_ file: String) throws {
        _ = try chatdb(baseline + folder + files).answer()
        for command in [["list", "none"], ["verify", "none"], ["prune", "none", "--keep", "1"]] {
            let refused = try chatdb(["backup"] + command + ["--database", file, "--format", "json"])
            #expect(try refused.refusal()["code"] == "halfOfPair", "\(command): \(refused)")
            #expect(try chatdb(["backup"] + command + files).code == 66, "\(command)")
        }
    }

    @Test("one file of a pair is not adopted again, nor restored", arguments: ["chat=app.db", "agent=keys.db"])
    func adoptionOfHalf(_ file: String) throws {
        let made = try chatdb(baseline + folder + files).answer()
        let half = ["--database", file, "--format", "json"]
        let again = try chatdb(["migrate", "baseline", "--yes", "--to", "20260101_first"] + folder + half)
        #expect(try again.code == 1 && again.refusal()["code"] == "halfOfPair", "\(again)")
        let backup = try #require(made["backup"]?.stringValue, "\(made)")
        let restore = try chatdb(["restore", backup, "--yes"] + half)
        #expect(try restore.code == 1 && restore.refusal()["code"] == "halfOfPair", "\(restore)")
        #expect(try chatdb.sql("SELECT count(*) FROM migrations", in: "app.db") == "1")
    }

    @Test("a file of a pair that is named as the other database gets its own name in the hint")
    func exchangedHalf() throws {
        _ = try chatdb(baseline + folder + files).answer()
        for file in ["agent=app.db", "chat=keys.db"] {
            let refusal = try chatdb("backup", "list", "--database", file, "--format", "json").refusal()
            #expect(refusal["code"] == "halfOfPair", "\(refusal)")
            let hint = refusal["hint"]?.stringValue ?? ""
            #expect(hint.hasPrefix("name both: --database 'chat=") && hint.contains("/app.db' "), "\(file): \(hint)")
            #expect(hint.contains("--database 'agent=") && hint.hasSuffix("/keys.db'"), "\(file): \(hint)")
        }
    }

    @Test("an encrypted file of a pair whose passphrase is not given is not said to have no backups")
    func encryptedHalf() throws {
        _ = try chatdb(baseline + folder + files).answer()
        // A file that others can read would cause a warning beside the error.
        _ = try chatdb.shell("umask 077; printf 'a passphrase' > new")
        let set = try chatdb(["passphrase", "set", "--yes", "--new-passphrase-file", "new"] + files)
        try #require(set.code == 0, "\(set)")
        for command in [["list"], ["verify"], ["list", "none"]] {
            let refused = try chatdb(["backup"] + command + ["--database", "agent=keys.db", "--format", "json"])
            let refusal = try refused.refusal()
            #expect(refused.code == 1 && refusal["code"] == "halfOfPair", "\(command): \(refused)")
            #expect(refusal["details"]?["partner"] == "app.db", "\(refusal)")
            let given = ["--passphrase-file", "new", "--database", "agent=keys.db", "--format", "json"]
            #expect(try chatdb(["backup"] + command + given).refusal()["code"] == "halfOfPair", "\(command)")
        }
    }

    @Test("one file of a pair in the middle of a run is refused, and no hint proposes to complete the run of one file")
    func interruptedHalf() throws {
        try interrupt()
        try "a passphrase".write(toFile: chatdb.file("new"), atomically: false, encoding: .utf8)
        for command in [
            ["backup", "list"], ["backup", "verify"], ["backup", "prune", "--keep", "1", "--dry-run"],
            ["backup", "make"], ["migrate", "run", "--yes"] + folder, ["migrate", "plan"] + folder,
            ["migrate", "baseline", "--yes", "--to", "20260101_first"] + folder,
            ["passphrase", "set", "--yes", "--new-passphrase-file", "new"],
        ] {
            for file in ["chat=app.db", "agent=keys.db"] {
                let refused = try chatdb(command + ["--database", file])
                #expect(refused.code == 1 && refused.errors.contains("hint: name both: "), "\(command): \(refused)")
            }
        }
        let run = try chatdb(["migrate", "run", "--yes"] + folder + files)
        #expect(run.code == 0, "\(run)")
    }

    @Test("if a file of a pair is lost and was named alone, the proposed restore names both files")
    func backupsOfLost() throws {
        _ = try chatdb(baseline + folder + files).answer()
        _ = try chatdb(["backup", "make", "--format", "json"] + files).answer()
        try FileManager.default.removeItem(atPath: chatdb.file("app.db"))
        let listed = try chatdb("backup", "list", "--database", "chat=app.db", "--format", "json").answer()
        let restore = try #require(listed["backups"]?[0]?["restore"]?.stringValue, "\(listed)")
        #expect(restore.contains("chat=") && restore.contains("agent="), "\(restore)")
        let done = try chatdb.shell("$CHATDB \(restore.dropFirst("chatdb ".count)) --migrations-dir m --yes")
        #expect(done.code == 0, "\(done)")
        #expect(try chatdb.sql("SELECT count(*) FROM of_chat", in: "app.db") == "0")
    }

    @Test("a query of a pair names the other database only for its tables, and does not call an unnamed one missing")
    func query() throws {
        let view = "CREATE VIEW seen AS SELECT a FROM of_agent"
        try chatdb.sql(view, in: "keys.db")
        try write("CREATE TABLE of_agent(a);\n\(view);\n", to: "agent/20260101_first.up.sql")
        _ = try chatdb(baseline + folder + files).answer()
        for (table, names) in [("OF_AGENT", true), ("seen", false), ("nowhere", false)] {
            let refused = try chatdb(["query", "SELECT * FROM \(table)"] + files)
            #expect(refused.code == 65 && refused.errors.contains("--only agent") == names, "\(refused)")
        }
        let alone = try chatdb("query", "SELECT * FROM of_agent", "--database", "agent=keys.db")
        #expect(alone.code == 0 && !alone.errors.contains("missing"), "\(alone)")
    }

    @Test("the plan of one database proposes a rehearsal that does not need the other one")
    func planOfOne() throws {
        _ = try chatdb(baseline + folder + files).answer()
        try write("CREATE TABLE more(a);\n", to: "chat/20260201_more.up.sql")
        try FileManager.default.removeItem(atPath: chatdb.file("keys.db"))
        let plan = try chatdb(["migrate", "plan", "--only", "chat"] + folder + files)
        let verify = "--data 'agent=keys.db' --only chat"
        #expect(plan.output.contains(verify), "\(plan)")
        let data = ["--data", "chat=app.db", "--data", "agent=keys.db", "--only", "chat"]
        #expect(try chatdb(["migrate", "verify"] + data + folder).code == 0)
    }
}
