import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBTool

/// Rule: docs/backups.md, "Which backups are removed".
@Suite("lists, verification and removal of backups") struct BackupListTests {
    private func backup(_ run: ToolRun, _ arguments: String...) throws -> String {
        let answer = try run(["backup", "make", "--format", "json"] + arguments).answer()
        return try #require(answer["backup"]?["path"]?.stringValue)
    }

    private func folders(_ demo: ToolRun, _ name: String = "x.backups") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: demo.file(name)).sorted()
    }

    private func paths(_ answer: JSONValue, _ key: String) -> [String] {
        (answer[key]?.arrayValue ?? []).compactMap(\.stringValue)
    }

    @Test("list shows the backups of the folder, the newest first, and the command that restores the newest")
    func list() throws {
        let demo = try DemoStore.make()
        let empty = try demo.succeed("backup", "list")
        #expect(empty.output.contains("no backups; chatdb backup make makes one"))
        let (first, second) = (try backup(demo), try backup(demo))
        let answer = try demo("backup", "list", "--format", "json").answer()
        let listed = try #require(answer["backups"]?.arrayValue)
        #expect(listed.compactMap { $0["path"]?.stringValue } == [second, first])
        #expect(listed.allSatisfy { $0["state"] == "complete" && $0["ofThisStore"] == true })
        #expect(listed[0]["chat"]?["file"] == "x_chat.db" && listed[0]["agent"]?["rows"]?.integerValue ?? 0 > 0)
        #expect(listed[0]["restore"]?.stringValue == "chatdb restore \(second) -d \(demo.store)")
        let shown = try demo.succeed("backup", "list").output
        #expect(shown.contains("chatdb restore \(second) -d \(demo.store)") && shown.contains("complete"))
        #expect(try demo.succeed("backup", "list", "--format", "csv").output.contains("chatVersion"))
    }

    @Test("list and verify refuse a store of which nothing exists, and list the backups of a lost one")
    func nothingThere() throws {
        let demo = try DemoStore.make()
        let path = try backup(demo)
        try demo.sql("CREATE TABLE notes (id INTEGER)", in: "notes.db")
        for command in ["list", "verify"] {
            for store in [["-d", "nowhere/x"], ["--database", "chat=nope.db"]] {
                let refused = try demo(["backup", command] + store)
                #expect(refused.code == 66 && refused.errors.contains("there is no "), "\(refused)")
            }
            let similar = try demo("backup", command, "--database", "chat=note.db")
            #expect(similar.errors.contains("did you mean \"notes.db\"?"), "\(similar)")
            let empty = try demo.succeed("backup", command, "--database", "chat=notes.db").output
            #expect(empty.contains("chatdb backup make --database 'chat=notes.db' makes one"), "\(empty)")
            let named = try demo("backup", command, "x.backups", "--database", "chat=nope.db", "--format", "json")
            let found = try named.answer()["backups"]?.arrayValue ?? []
            let names = found.compactMap { $0["path"]?.stringValue.map { ($0 as NSString).lastPathComponent } }
            #expect(names == [(path as NSString).lastPathComponent], "\(named)")
        }
        _ = try demo.shell("rm x_chat.db x_agent.db")
        for command in ["list", "verify"] {
            let lost = try demo.succeed("backup", command).output
            #expect(lost.contains((path as NSString).lastPathComponent), "\(lost)")
        }
    }

    @Test("restore of a name that list shows changes nothing, and names the whole path")
    func names() throws {
        let demo = try DemoStore.make()
        let path = try backup(demo)
        let name = (path as NSString).lastPathComponent
        let before = try demo.folder.fingerprint()
        let refused = try demo("restore", name, "--yes", "--format", "json")
        #expect(try refused.code == 66 && refused.refusal()["code"] == "backupNotFound")
        #expect(
            try refused.refusal()["hint"]?.stringValue == "chatdb restore \(path) restores the backup with this name")
        #expect(try demo.folder.fingerprint() == before)
    }

    @Test("verify takes a name that list shows")
    func verifiesNames() throws {
        let demo = try DemoStore.make()
        let path = try backup(demo)
        let name = (path as NSString).lastPathComponent
        let answer = try demo("backup", "verify", name, "--format", "json").answer()
        #expect(answer["backups"]?.arrayValue?.compactMap { $0["path"]?.stringValue } == [path])
        #expect(try demo("backup", "verify", name + "x").code == 66)
    }

    @Test("list works without the store, and tells backups of other stores, unfinished and damaged ones")
    func states() throws {
        let (demo, other) = (try DemoStore.make(), try MigrationFixture.oldStore())
        let whole = try backup(demo)
        let foreign = try backup(other, demo.file("x.backups"))
        let (short, unread) = (try backup(demo), try backup(demo))
        try Data("x".utf8).write(to: URL(fileURLWithPath: short + "/x_chat.db"))
        try Data("{".utf8).write(to: URL(fileURLWithPath: unread + "/backup.json"))
        let unfinished = demo.file("x.backups/x-20260101T000000Z-v")
        for folder in [unfinished, demo.file("x.backups/photos")] {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
        func states() throws -> [String: String] {
            let answer = try demo("backup", "list", "--format", "json").answer()
            var states: [String: String] = [:]
            for one in answer["backups"]?.arrayValue ?? [] {
                let isOwn = one["ofThisStore"]?.boolValue.map { $0 ? " own" : " other" } ?? ""
                states[one["path"]?.stringValue ?? ""] = (one["state"]?.stringValue ?? "") + isOwn
            }
            return states
        }
        var found = try states()
        #expect(
            found == [
                whole: "complete own", foreign: "complete other", short: "damaged own", unread: "damaged",
                unfinished: "unfinished",
            ], "\(found)")
        _ = try demo.shell("rm x_chat.db x_agent.db")
        found = try states()
        #expect(
            found == [
                whole: "complete", foreign: "complete", short: "damaged", unread: "damaged", unfinished: "unfinished",
            ], "\(found)")
    }

    @Test("the size of an unfinished backup is that of the files that are there, and none for an empty folder")
    func sizes() throws {
        let demo = try DemoStore.make()
        let unfinished = demo.file("x.backups/x-20260101T000000Z-v")
        try FileManager.default.createDirectory(atPath: unfinished, withIntermediateDirectories: true)
        func bytes() throws -> JSONValue? {
            try demo("backup", "list", "--format", "json").answer()["backups"]?.arrayValue?.first?["bytes"]
        }
        #expect(try bytes() == .null)
        try Data(count: 300).write(to: URL(fileURLWithPath: unfinished + "/x_chat.db"))
        try Data(count: 12).write(to: URL(fileURLWithPath: unfinished + "/x_chat.db-journal"))
        #expect(try bytes() == 312)
        #expect(try demo.succeed("backup", "list").output.contains(" 312 "))
        for command in [["list"], ["prune", "--keep", "1", "--yes"]] {
            let shown = try demo(["backup"] + command)
            #expect(shown.output.contains("/x.backups/x-20260101T000000Z-v removes it"), "\(shown.output)")
            let words = shown.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(words.contains("a program makes this backup now, or was stopped while it made it"), "\(words)")
        }
        // The backups of another store, whose name begins with the name of this one.
        let other = demo.file("x.backups/x-work-20260101T000000Z-v")
        try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
        let pruned = try demo("backup", "prune", "--keep", "1", "--dry-run", "--format", "json").answer()
        #expect(paths(pruned, "unfinished") == [unfinished], "\(pruned)")
    }

    @Test("a folder that was named has to exist: exit 66")
    func missing() throws {
        let demo = try DemoStore.make()
        for command in ["list", "verify"] {
            let run = try demo("backup", command, demo.file("none"), "--format", "json")
            #expect(try run.code == 66 && run.refusal()["code"] == "backupNotFound", "\(command)")
        }
        #expect(try demo("backup", "prune", demo.file("none"), "--keep", "1", "--yes").code == 66)
        let photos = try demo("backup", "verify", demo.folder.path, "--format", "json")
        #expect(try photos.code == 66 && photos.refusal()["code"] == "notABackup")
    }

    @Test("verify of a folder of replaced files says that there is no description, and that restore restores it")
    func replaced() throws {
        let demo = try DemoStore.make()
        let folder = demo.file("x.replaced-20261130T080000Z")
        let moved = try demo.shell("mkdir \(folder) && cp x_*.db \(folder)")
        try #require(moved.code == 0, "\(moved)")
        let verified = try demo("backup", "verify", folder, "--format", "json")
        let refusal = try verified.refusal()
        #expect(verified.code == 1 && refusal["code"] == "unverifiedBackup", "\(verified)")
        let hint = "chatdb restore \(folder) --dry-run shows what a restore would change, and --force restores it"
        #expect(refusal["hint"]?.stringValue == hint, "\(refusal)")
        #expect(refusal["message"]?.stringValue?.contains("has no backup.json") == true, "\(refusal)")
        #expect(try demo("restore", folder, "--dry-run").output.contains("note: --force restores it anyway"))
        try demo.succeed("restore", folder, "--force", "--yes")
    }

    @Test("verify finds a changed byte, a missing file, a foreign log and other rows, and exits with 1")
    func verify() throws {
        let demo = try DemoStore.make()
        let backups = try (0..<5).map { _ in try backup(demo) }
        #expect(try demo.succeed("backup", "verify").output.contains("yes"))
        let file = backups[0] + "/x_chat.db"
        var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
        bytes[bytes.count - 1] ^= 1
        try bytes.write(to: URL(fileURLWithPath: file))
        try FileManager.default.removeItem(atPath: backups[1] + "/x_agent.db")
        try Data("log".utf8).write(to: URL(fileURLWithPath: backups[2] + "/x_chat.db-wal"))
        let description = URL(fileURLWithPath: backups[3] + "/backup.json")
        let text = try String(contentsOf: description, encoding: .utf8)
        try text.replacing(#/"users": [0-9]+/#, with: "\"users\": 99").write(
            to: description, atomically: true, encoding: .utf8)
        let run = try demo("backup", "verify", "--format", "json")
        #expect(run.code == 1)
        var problems: [String: [String]] = [:]
        for one in try run.answer()["backups"]?.arrayValue ?? [] {
            problems[one["path"]?.stringValue ?? ""] = (one["problems"]?.arrayValue ?? []).compactMap(\.stringValue)
            #expect(one["verified"]?.boolValue == (one["problems"] == []))
        }
        #expect(problems[backups[0]] == ["x_chat.db was changed (its SHA-256 differs)"])
        #expect(problems[backups[1]] == ["x_agent.db is missing, or is not a regular file"])
        #expect(problems[backups[2]] == ["x_chat.db-wal does not belong to the backup"])
        #expect(problems[backups[3]]?.first?.contains("users has") == true, "\(problems)")
        #expect(problems[backups[4]] == [])
        #expect(try demo("backup", "verify", backups[4]).code == 0)
    }

    @Test(
        "verify names a backup that restore refuses: a database lacks the row of its table store, or the rows differ",
        arguments: [
            (["agent"], "DELETE FROM store", ["x_agent.db: \(Self.lostRow)"]),
            (["chat", "agent"], "DELETE FROM store", ["x_agent.db: \(Self.lostRow)", "x_chat.db: \(Self.lostRow)"]),
            (
                ["chat"], "UPDATE store SET generation = 7",
                ["the two databases do not belong together, so no restore accepts them"]
            ),
        ])
    func refusedByRestore(_ databases: [String], _ sql: String, _ problems: [String]) throws {
        let demo = try DemoStore.make()
        for database in databases { try demo.sql(sql, in: "x_\(database).db") }
        let path = try backup(demo)
        let run = try demo("backup", "verify", path, "--format", "json")
        let found = try run.answer()["backups"]?[0]
        #expect(run.code == 1 && found?["verified"] == false, "\(run.output)")
        #expect(found?["problems"]?.arrayValue?.compactMap(\.stringValue) == problems)
        #expect(try demo("restore", path, "--yes", "--force").code != 0)
    }

    private static let lostRow = "the row of its table store is missing, so no restore accepts it"

    @Test("verify reads backups of SimpleX Chat's stores and of single databases, which restore does not take")
    func others() throws {
        let simplex = try SimplexFolder()
        let path = try backup(simplex.run, "-d", simplex.store.location.prefix)
        #expect(try simplex.run("backup", "verify", path).code == 0)
        let demo = try DemoStore.make()
        try FileManager.default.removeItem(atPath: demo.file("x_agent.db"))
        let lone = try backup(demo)
        #expect(try demo("backup", "verify", lone).code == 0)
        let listed = try demo("backup", "list", "--format", "json").answer()["backups"]?[0]
        #expect(listed?["restore"] == .null && listed?["agent"] == .null && listed?["state"] == "complete")
    }

    @Test("list marks backups from the middle of a migration, and proposes the newest of the others")
    func interrupted() throws {
        let chatdb = try MigrationFixture.interruptedStore()
        let first = try backup(chatdb)
        let alone = try chatdb.succeed("backup", "list").output
        #expect(alone.contains("To restore the newest, which is in the middle of a migration"), "\(alone)")
        #expect(alone.contains("chatdb restore \(first)") && alone.contains("complete, in the middle"), "\(alone)")
        try chatdb.succeed("migrate", "run", "--yes", "--no-backup")
        let whole = try backup(chatdb)
        try chatdb.succeed("restore", first, "--yes")
        let last = try backup(chatdb)
        let answer = try chatdb("backup", "list", "--format", "json").answer()
        let listed = answer["backups"]?.arrayValue ?? []
        #expect(listed.map { $0["path"]?.stringValue } == [last, whole, first], "\(answer)")
        #expect(listed.map { $0["interrupted"] } == [true, false, true], "\(answer)")
        let shown = try chatdb.succeed("backup", "list").output
        #expect(shown.contains("To restore the newest that is not in the middle of a migration"), "\(shown)")
        #expect(shown.contains("chatdb restore \(whole)") && !shown.contains("chatdb restore \(last)"), "\(shown)")
        let folder = try chatdb("restore", "x.backups", "--yes")
        let name = (whole as NSString).lastPathComponent
        #expect(folder.errors.contains("/\(name) restores the newest"), "\(folder.errors)")
    }

    @Test("prune keeps the newest complete backups of the store, and touches nothing else")
    func prune() throws {
        let (demo, other) = (try DemoStore.make(), try MigrationFixture.oldStore())
        let backups = try (0..<4).map { _ in try backup(demo) }
        let foreign = try backup(other, demo.file("x.backups"))
        try Data("x".utf8).write(to: URL(fileURLWithPath: backups[3] + "/x_chat.db"))
        let before = try folders(demo)
        let plan = try demo("backup", "prune", "--keep", "1", "--dry-run", "--format", "json").answer()
        #expect(plan["applied"] == false && paths(plan, "kept") == [backups[2]])
        #expect(paths(plan, "removed") == [backups[1], backups[0]] && paths(plan, "damaged") == [backups[3]])
        #expect(try folders(demo) == before)
        let refused = try demo("backup", "prune", "--keep", "1", "--format", "json")
        #expect(try refused.code == 64 && refused.refusal()["code"] == "confirmationNeeded")
        let answer = try demo("backup", "prune", "--keep", "1", "--yes", "--format", "json").answer()
        #expect(answer["applied"] == true && paths(answer, "removed") == [backups[1], backups[0]])
        let left = Set([backups[2], backups[3], foreign].map { ($0 as NSString).lastPathComponent })
        #expect(try Set(folders(demo)) == left)
        let nothing = try demo.succeed("backup", "prune", "--keep", "1", "--yes").output
        #expect(nothing.contains("There is no backup to remove."), "\(nothing)")
        let again = try demo("backup", "prune", "--keep", "1", "--yes", "--format", "json").answer()
        #expect(paths(again, "removed") == [] && again["applied"] == false)
        _ = try backup(demo)
        let sum = try demo.succeed("backup", "prune", "--keep", "1", "--yes").output
        #expect(sum.contains(#/Removed 1 backup \([0-9.]+ [KM]iB\), and kept 1\./#), "\(sum)")
        #expect(try demo("backup", "prune", "--keep", "0").code == 64)
        #expect(try demo("backup", "prune").code == 64)
    }

    @Test("list, verify and prune mark a backup of one database alone, which does not count")
    func oneDatabase() throws {
        let demo = try DemoStore.make()
        let backups = [try backup(demo), try backup(demo)]
        _ = try demo.shell("mv x_agent.db aside")
        let answer = try demo("backup", "make", "--keep-backups", "2", "--format", "json").answer()
        let half = try #require(answer["backup"]?["path"]?.stringValue)
        #expect(paths(answer, "removedBackups") == [], "\(answer)")
        _ = try demo.shell("mv aside x_agent.db")
        let list = try demo.succeed("backup", "list").output
        #expect(list.contains("complete, chat only") && list.contains("chat only: no restore accepts"), "\(list)")
        #expect(list.contains("To restore the newest that has both databases"), "\(list)")
        #expect(list.contains("chatdb restore \(backups[1])"), "\(list)")
        let verified = try demo.succeed("backup", "verify").output
        #expect(verified.contains("yes, chat only") && verified.contains("\(half) has one database"), "\(verified)")
        let folder = try demo("restore", "x.backups", "--yes").errors
        #expect(folder.contains("\((backups[1] as NSString).lastPathComponent) restores the newest"), "\(folder)")
        let shown = try demo("backup", "prune", "--keep", "1", "--dry-run").output
        #expect(shown.contains("kept, chat only") && shown.contains("backups of one database alone"), "\(shown)")
        let pruned = try demo("backup", "prune", "--keep", "1", "--yes", "--format", "json").answer()
        #expect(paths(pruned, "kept") == [backups[1]] && paths(pruned, "removed") == [backups[0]], "\(pruned)")
        #expect(paths(pruned, "oneDatabase") == [half], "\(pruned)")
    }

    @Test("prune names the backups from before an adoption, and neither counts nor removes them")
    func beforeAdoption() throws {
        let chatdb = try ToolRun()
        try FileManager.default.createDirectory(atPath: chatdb.file("m/chat"), withIntermediateDirectories: true)
        let table = "CREATE TABLE notes (id INTEGER PRIMARY KEY);"
        for file in ["app.db", "other.db"] { try chatdb.sql(table, in: file) }
        try table.write(
            toFile: chatdb.file("m/chat/20260101_first.up.sql"), atomically: false, encoding: .utf8)
        let named = ["--database", "chat=app.db"]
        let other = try backup(chatdb, chatdb.file("app.db.backups"), "--database", "chat=other.db")
        try chatdb.succeed(
            "migrate", "baseline", "--to", "20260101_first", "--migrations-dir", "m", "--yes", named[0], named[1])
        let first = try #require(try folders(chatdb, "app.db.backups").first { $0.hasPrefix("app.db-") })
        let backups = try (0..<2).map { _ in try backup(chatdb, named[0], named[1]) }
        let prune = ["backup", "prune", "--keep", "1"] + named
        for (consent, removed) in [("--dry-run", [backups[0]]), ("--yes", [backups[0]]), ("--yes", [])] {
            let answer = try chatdb(prune + [consent, "--format", "json"]).answer()
            #expect(paths(answer, "kept") == [backups[1]] && paths(answer, "removed") == removed, "\(answer)")
            let names = paths(answer, "beforeAdoption").map { ($0 as NSString).lastPathComponent }
            #expect(names == [first], "\(answer)")
        }
        let shown = try chatdb(prune + ["--dry-run"]).output
        #expect(shown.contains("before the adoption") && shown.contains("neither counted nor removed"), "\(shown)")
        let left = Set([first, other, backups[1]].map { ($0 as NSString).lastPathComponent })
        #expect(try Set(folders(chatdb, "app.db.backups")) == left)
    }

    @Test("prune leaves a backup whose folder contains other files too, and exits with 1")
    func otherFiles() throws {
        let demo = try DemoStore.make()
        let (old, new) = (try backup(demo), try backup(demo))
        try Data("notes".utf8).write(to: URL(fileURLWithPath: old + "/notes.txt"))
        let run = try demo("backup", "prune", "--keep", "1", "--yes", "--format", "json")
        #expect(run.code == 1)
        #expect(try paths(run.answer(), "left") == [old] && paths(run.answer(), "removed") == [])
        #expect(try demo("backup", "verify", old, new).code == 0)
        #expect(try demo("restore", old, "--yes").code == 0)
    }

    @Test("prune refuses a store that is missing, or is not chatdb's, and removes nothing")
    func withoutIdentity() throws {
        let demo = try DemoStore.make()
        _ = try (backup(demo), backup(demo))
        let before = try folders(demo)
        _ = try demo.shell("rm x_chat.db x_agent.db")
        let run = try demo("backup", "prune", "--keep", "1", "--yes", "--format", "json")
        #expect(try run.code == 66 && run.refusal()["code"] == "storeNotFound")
        #expect(try folders(demo) == before)
        let simplex = try SimplexFolder()
        let other = try simplex.run("backup", "prune", "--keep", "1", "--yes", "-d", simplex.store.location.prefix)
        #expect(other.code == 1 && other.errors.contains("SimpleX"), "\(other.errors)")
    }
}
