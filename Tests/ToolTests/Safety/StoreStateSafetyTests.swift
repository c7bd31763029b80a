import ChatDBKit
import Foundation
import TestKit
import Testing

/// The reports of every command about a store in an unusual state.
@Suite("safety of store states") struct StoreStateSafetyTests {
    private static let reading = [["relay", "list"], ["query", "SELECT 1"], ["schema", "diff"], ["schema", "show"]]

    /// A store with the record of an interrupted restore, and the databases that are in place.
    private func interrupted(_ there: [String]) throws -> ToolRun {
        let demo = try DemoStore.make()
        try FileManager.default.createDirectory(atPath: demo.file("x.restoring"), withIntermediateDirectories: false)
        let record: JSONValue = [
            "format": "chatdb-restore", "startedAt": "2030-01-01T00:00:00Z", "backup": .string(demo.file("bk")),
            "storeId": "id", "generation": 2, "replaced": "x.replaced-20300101T000000Z",
            "databases": ["chat": ["version": .null], "agent": ["version": .null]],
        ]
        try Data(record.text(.pretty).utf8).write(to: URL(fileURLWithPath: demo.file("x.restoring/restore.json")))
        for name in ["x_chat.db", "x_agent.db"] where !there.contains(name) {
            try FileManager.default.removeItem(atPath: demo.file(name))
        }
        return demo
    }

    @Test("a completed restore names the database that another program made meanwhile", arguments: ["json", "table"])
    func madeMeanwhile(_ format: String) throws {
        let demo = try interrupted(["x_chat.db", "x_agent.db"])
        let prepared = try demo.shell(
            """
            cp x_*.db x.restoring; mkdir x.replaced-20300101T000000Z; cp x_chat.db x.replaced-20300101T000000Z
            """)
        try #require(prepared.code == 0, "\(prepared.errors)")
        let run = try demo("restore", demo.file("bk"), "-d", "x", "--yes", "--format", format)
        #expect(run.code == 0, "\(run.errors)")
        let sentence = "/x_chat.db while the restore was interrupted; chatdb kept it as "
        if format == "json" {
            let notes = try run.answer()["notes"]?.texts ?? []
            #expect(notes.count == 1 && notes[0].contains(sentence) && notes[0].hasSuffix("/x_chat.db-2"), "\(notes)")
        } else {
            let words = (run.output + run.errors).split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(words.contains(sentence), "\(words)")
        }
    }

    @Test(
        "inspect, status and bundle report an interrupted restore; commands that read the databases refuse it",
        arguments: [[], ["x_chat.db"], ["x_agent.db"], ["x_chat.db", "x_agent.db"]])
    func interruptedRestore(_ there: [String]) throws {
        let demo = try interrupted(there)
        for command in Self.reading + [["backup"], ["preset", "export"], ["relay", "add", DemoStore.otherRelay]] {
            let run = try demo(command + ["--format", "json"])
            #expect(run.code == 78, "\(command)")
            #expect(try run.refusal()["code"] == "interruptedRestore", "\(command)")
        }
        let page = try demo("inspect", "--format", "json").answer()
        #expect(page["warnings"]?.texts?.contains { $0.contains("a restore of \(demo.file("bk"))") } == true)
        #expect(page["next"]?.texts == ["chatdb restore \(demo.file("bk")) -d \(demo.store)"])
        let status = try demo("migrate", "status")
        #expect(status.code == 0 && status.output.contains("a restore of 2030-01-01T00:00:00Z was interrupted"))
        let bundle = try demo("bundle", "--preview").answer()
        #expect(bundle["store"]?["interruptedRestore"]?["startedAt"] == "2030-01-01T00:00:00Z")
        let check = try demo("check", "--format", "json")
        if there.isEmpty {
            #expect(try check.code == 78 && check.refusal()["code"] == "interruptedRestore")
        } else {
            #expect(check.code == 1)
            #expect(try check.answer()["findings"]?.arrayValue?.contains { $0["id"] == "interruptedRestore" } == true)
        }
    }

    @Test(
        "commands that read the store warn of an intent record that cannot be read",
        arguments: ["x.migrating", "x.restoring/restore.json"])
    func garbage(_ name: String) throws {
        let demo = try DemoStore.make()
        try FileManager.default.createDirectory(atPath: demo.file("x.restoring"), withIntermediateDirectories: false)
        try Data("garbage".utf8).write(to: URL(fileURLWithPath: demo.file(name)))
        let page = try demo("inspect", "--format", "json").answer()
        #expect(page["warnings"]?.texts?.contains { $0.contains("\(demo.file(name)) records") } == true)
        #expect(page["relays"]?.arrayValue?.count == 7)
        let bundle = try demo("bundle", "--preview")
        #expect(try bundle.answer()["warnings"]?.arrayValue?.first?["kind"] == "unreadableIntentRecord")
        #expect(!bundle.output.contains(demo.folder.path))
        let check = try demo("check", "--format", "json")
        #expect(check.code == 1)
        #expect(try demo("migrate", "status").output.contains("records an interrupted run"))
        let refused = try demo("relay", "list", "--format", "json")
        #expect(try refused.code == 78 && refused.refusal()["code"] == "unreadableIntentRecord")
    }

    @Test(
        "a folder without permission to enter is an error of permissions, not an interrupted run",
        .enabled(if: geteuid() == 0 && access("/usr/bin/setpriv", X_OK) == 0))
    func locked() throws {
        let demo = try DemoStore.make()
        try FileManager.default.createDirectory(atPath: demo.file("in"), withIntermediateDirectories: false)
        for name in ["x_chat.db", "x_agent.db"] {
            try FileManager.default.moveItem(atPath: demo.file(name), toPath: demo.file("in/\(name)"))
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: demo.file("in"))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: demo.folder.path)
        // A copy of the tool, because other users may lack permission for the build folder.
        try FileManager.default.copyItem(atPath: BuiltTool.find().path, toPath: demo.file("chatdb"))
        for command in [
            "inspect", "check", "bundle --preview", "migrate status", "relay usage", "backup", "query 'SELECT 1'",
        ] {
            let run = try demo.shell(
                "setpriv --reuid=65534 --regid=65534 --clear-groups ./chatdb \(command) -d \(demo.file("in/x"))")
            if command.hasPrefix("bundle") {
                #expect(run.code == 0 && run.output.contains("Permission denied"), "\(command): \(run.errors)")
            } else {
                #expect(run.code == 74 && run.errors.contains("Permission denied"), "\(command): \(run.errors)")
            }
            #expect(!run.errors.contains("interrupted") && !run.errors.contains("remove"), "\(command): \(run.errors)")
        }
    }

    @Test(
        "a folder without permission to write and a file without permission to read have a hint about rights",
        .enabled(if: geteuid() == 0 && access("/usr/bin/setpriv", X_OK) == 0))
    func withoutRights() throws {
        let demo = try DemoStore.make()
        try? FileManager.default.removeItem(atPath: demo.store + ".lock")
        try FileManager.default.copyItem(atPath: BuiltTool.find().path, toPath: demo.file("chatdb"))
        let user = "chmod 755 . && setpriv --reuid=65534 --regid=65534 --clear-groups ./chatdb"
        func expectRights(_ command: String, _ message: String) throws {
            let run = try demo.shell("\(user) \(command) -d \(demo.store)")
            #expect(run.code == 74 && run.errors.contains(message), "\(command): \(run.errors)")
            let hint = "hint: run chatdb as the owner of the files, or change the permissions of the files"
            #expect(run.errors.contains(hint), "\(command): \(run.errors)")
            #expect(!run.errors.contains("check that the disk works"), "\(command): \(run.errors)")
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: demo.file("x_chat.db"))
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: demo.file("x_agent.db"))
        try expectRights("user add carol", "x.lock cannot be created to lock the store: Permission denied")
        try expectRights(
            "migrate down --steps 1 --yes", "x.lock cannot be created to lock the store: Permission denied")
        for file in ["x_chat.db", "x_agent.db", "x.lock"] {
            let path = demo.file(file)
            if file == "x.lock" { #expect(FileManager.default.createFile(atPath: path, contents: nil)) }
            try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: path)
        }
        let beside = "SQLite cannot create its files beside \(demo.file("x_"))"
        try expectRights("user add carol", beside)
        try expectRights("migrate down --steps 1 --yes --no-backup", beside)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: demo.file("x_agent.db"))
        try expectRights("relay list", "x_agent.db cannot be read: Permission denied")
    }

    @Test("check reports exchanged files and files of two programs as errors, inspect as warnings")
    func exchanged() throws {
        let demo = try DemoStore.make()
        for (from, to) in [("x_chat.db", "y"), ("x_agent.db", "x_chat.db"), ("y", "x_agent.db")] {
            try FileManager.default.moveItem(atPath: demo.file(from), toPath: demo.file(to))
        }
        try expectReports(demo, "exchangedFiles", "the two files were exchanged")
        let simplex = try SimplexFolder()
        let mixed = try DemoStore.make()
        try FileManager.default.removeItem(atPath: mixed.file("x_agent.db"))
        try FileManager.default.copyItem(
            atPath: simplex.store.location.path(of: .agent), toPath: mixed.file("x_agent.db"))
        try expectReports(mixed, "foreignPair", "the agent database is SimpleX Chat's")
        let none = try ToolRun()
        for name in ["x_chat.db", "x_agent.db"] { try none.sql("CREATE TABLE a (b)", in: name) }
        let check = try none("check", "--format", "json")
        #expect(try check.code == 1 && check.answer()["findings"]?.arrayValue?.first?["id"] == "unknownStore")
    }

    private func expectReports(_ store: ToolRun, _ id: String, _ warning: String) throws {
        let check = try store("check", "--format", "json")
        #expect(check.code == 1)
        #expect(try check.answer()["findings"]?.arrayValue?.first?["id"]?.stringValue == id)
        let page = try store("inspect", "--format", "json").answer()
        #expect(page["warnings"]?.texts?.contains { $0.contains(warning) } == true, "\(id)")
        #expect(page["notes"]?.texts?.contains { $0.contains("neither chatdb nor") } == false)
        #expect(try store("migrate", "status").output.contains(warning))
    }
}
