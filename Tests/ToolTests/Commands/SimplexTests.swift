import ChatDBKit
import Foundation
import TestKit
import Testing

@Suite("a store of SimpleX Chat")
struct SimplexTests {
    @Test(
        "every reading command works on every described version, and not a byte changes",
        arguments: SimplexStore.versions)
    func reading(_ version: SimplexStore.Version) throws {
        let simplex = try SimplexFolder(version)
        let page = try simplex.answer("inspect")
        #expect(page["store"]?["kind"] == "simplex")
        #expect(page["users"]?.arrayValue?.count == 3 && page["hiddenUsers"] == 1)
        #expect(page["relays"]?.arrayValue?.count == (version.hasRelays ? 5 : 0))
        #expect(page["channels"]?.arrayValue?.count == (version.hasRelays ? 2 : 0))
        #expect(page["users"]?.arrayValue?.first?["contacts"] == 2)
        // Its channel has no connection with a relay.
        let prefix = simplex.store.location.prefix
        let relaysOfChannel = version.hasRelays ? ["chatdb group relays id:2 --user id:1 -d \(prefix)"] : []
        #expect(page["next"]?.texts == relaysOfChannel + ["chatdb check -d \(prefix)"])
        let shown = try simplex(["user", "list"])
        #expect(shown.code == 0)
        #expect(shown.errors.contains("note: a SimpleX Chat store, chat schema of "))
        #expect(shown.errors.contains("this version has no relays") == false)
        #expect(shown.errors.contains("no relays, ") == !version.hasRelays)
        #expect(try simplex.answer("user", "show", "work")["user"]?["name"] == "work")
        let relays = try simplex.answer("relay", "list", "--deleted")
        #expect(relays["relays"]?.arrayValue?.count == (version.hasRelays ? 5 : 0))
        #expect(try simplex.answer("relay", "usage")["relays"]?.arrayValue?.count == (version.hasRelays ? 5 : 0))
        #expect(try simplex(["relay", "show", "mine"]).code == (version.hasRelays ? 0 : 1))
        #expect(try simplex(["server", "list"]).output.contains("my.example.org"))
        #expect(try simplex(["server", "show", "my.example.org"]).code == 0)
        #expect(try simplex(["operator", "list"]).output.contains("Flux"))
        #expect(try simplex.answer("conditions", "list")["operators"]?.arrayValue?.count == 3)
        let contacts = try simplex.answer("contact", "list")
        #expect(contacts["contacts"]?.arrayValue?.map { $0["localDisplayName"] }.count == 2, "\(contacts)")
        #expect(try simplex.answer("contact", "show", "bob")["contact"]?["name"] == "bob")
        #expect(try simplex.answer("settings", "get")["settings"]?["showNtfs"] == true)
        let search = try simplex(["search", "x", "--format", "json"])
        #expect(try search.code == 1 && search.refusal()["code"] == "noSearchIndex", "\(search.errors)")
        #expect(try simplex(["notification", "target", "smp.example.org/abc"]).code == 1)
        let groups = try simplex.answer("group", "list")
        #expect(groups["groups"]?.arrayValue?.count == 3)
        #expect(try simplex(["group", "show", "news"]).code == 0)
        #expect(try simplex(["group", "members", "news"]).code == 0)
        #expect(try simplex(["group", "relays", "news"]).code == 0)
        #expect(try simplex(["schema", "show", "group_members"]).output.contains("BLOB"))
        let preset = try simplex(["preset", "export"])
        #expect(preset.code == 0 && preset.output.contains("smp8.simplex.im"))
    }

    @Test("the page describes the newest and the oldest version as recorded", arguments: [0, SimplexStore.newestIndex])
    func page(_ index: Int) throws {
        let version = SimplexStore.versions[index]
        let simplex = try SimplexFolder(version)
        try Snapshot.check(try simplex(["inspect"]).output, "simplex-inspect-\(version.chat).txt", in: simplex.run)
    }

    @Test(
        "every command that writes gives its reason for refusing, and creates no file beside the store",
        arguments: [
            ["user", "add", "x"], ["user", "activate", "work"], ["user", "rename", "work", "play"],
            ["group", "create", "x"], ["group", "leave", "friends", "--yes"],
            ["user", "edit", "work", "--full-name", "x", "--yes"],
            ["conditions", "accept", "--yes"], ["settings", "set", "showNtfs", "off"],
            ["user", "add", "x", "--like", "work"], ["preset", "sync", "--all-profiles", "--yes"],
            ["server", "edit", "my.example.org", "--address", "smp://x@y"],
            ["server", "set-roles", "my.example.org", "proxy"], ["server", "mark-tested", "my.example.org", "passed"],
            ["group", "set-link", "news", "--no-link"], ["group", "relay", "add", "news", "mine"],
            ["group", "relay", "activate", "news", "mine"], ["group", "relay", "remove", "news", "mine", "--yes"],
            ["preset", "sync", "--yes"], ["user", "delete", "work", "--yes"],
            ["migrate", "run", "--confirm", "yes-up-down"], ["migrate", "up"],
            ["migrate", "down", "--steps", "1", "--yes"],
        ])
    func writing(_ command: [String]) throws {
        let simplex = try SimplexFolder()
        let run = try simplex(command + ["--format", "json"])
        #expect(run.code == 1)
        #expect(try run.refusal()["code"] == "readOnlyStore")
        let sentence =
            "this is a store of SimpleX Chat, in which chatdb changes only the relays and servers of profiles, operators and "
            + "passphrases"
        #expect(try run.refusal()["message"]?.stringValue == sentence)
        #expect(try run.refusal()["hint"] == "make any other change in the app")
        let names = try FileManager.default.contentsOfDirectory(atPath: simplex.run.folder.path).sorted()
        #expect(names == ["simplex_v1_agent.db", "simplex_v1_chat.db"])
    }

    @Test("the newest versions are named by their dates, with nothing unknown, and lack nothing that chatdb reads")
    func newest() throws {
        for (index, schemas) in [
            (3, "chat schema of 2026-07-20 (164 migrations), agent 2026-04-10 (44)"),
            (4, "chat schema of 2026-09-23 (172 migrations), agent 2026-04-11 (45)"),
            (5, "chat schema of 2026-09-24 (173 migrations), agent 2026-10-08 (51)"),
        ] {
            let run = try SimplexFolder(SimplexStore.versions[index])(["relay", "list"])
            #expect(run.errors == "note: a SimpleX Chat store, \(schemas)\n", "\(run.errors)")
        }
    }

    @Test("check finds the same in every version with relays, and nothing of the tables that only the app has")
    func check() throws {
        var answers: [[String]] = []
        for version in SimplexStore.versions where version.hasRelays {
            let run = try SimplexFolder(version)(["check", "--format", "json"])
            answers.append(try run.answer()["findings"]?.arrayValue?.compactMap { $0["id"]?.stringValue } ?? [])
        }
        #expect(answers.first?.isEmpty == false && Set(answers).count == 1, "\(answers)")
    }

    @Test("server roles, the role for names and the app's own JSON are read from the newest versions")
    func roles() throws {
        for version in SimplexStore.versions where version.hasServerRoles {
            let simplex = try SimplexFolder(version)
            try simplex.store.execute(
                "UPDATE server_operators SET smp_role_names = 1 WHERE server_operator_id = 1",
                "UPDATE protocol_servers SET role_names = 1, role_storage = 0 WHERE smp_server_id = 2")
            let preset = try simplex.answer("preset", "export")
            let own = preset["custom"]?["smpServers"]?.arrayValue?.first?["roles"]
            #expect(own == ["storage": false, "proxy": false, "names": true], "\(preset)")
            let list = try simplex.answer("operator", "list")["operators"]?.arrayValue ?? []
            #expect(list.map { $0["roles"]?["smp"]?["names"] } == [true, false, false], "\(list)")
            let app = try simplex(["preset", "export", "--as", "simplex-api"])
            #expect(app.code == 0 && app.output.contains("chatRelays"), "\(app.errors)")
        }
    }

    @Test("preset diff compares its profiles with presets and with stores of chatdb")
    func presets() throws {
        let simplex = try SimplexFolder()
        let file = simplex.run.file("preset.json")
        #expect(try simplex.run("preset", "export", "-d", simplex.store.location.prefix, "-o", file).code == 0)
        let same = try simplex.answer("preset", "diff", file)
        #expect(same["changes"]?.arrayValue?.isEmpty == true)
        let work = try simplex(["preset", "diff", "--with-user", "work", "--exit-code"])
        #expect(work.code == 1)
        let demo = try DemoStore.make()
        let store = try demo("preset", "diff", "--with-store", simplex.store.location.prefix, "--format", "json")
        #expect(store.code == 0)
        #expect(try store.answer()["changes"]?.arrayValue?.isEmpty == false)
    }

    @Test("the lists and pages of groups name no command that chatdb refuses in the store")
    func nextSteps() throws {
        let simplex = try SimplexFolder()
        let prepared = try simplex(["group", "show", "coming"]).output
        #expect(prepared.contains("note: not joined yet: join the channel in the app"), "\(prepared)")
        let relays = try simplex(["group", "relays", "news"]).output
        #expect(
            relays.contains(
                """
                finds groupRelayWithoutConnection, its remedy has the next step. If it does not find that, or does not \
                decide it, in the app, remove
                """), "\(relays)")
        try simplex.store.execute("UPDATE groups SET creating_in_progress = 1 WHERE group_id = 2")
        let step = "in the app, open the channel to complete it, or delete it"
        #expect(try simplex(["group", "show", "news"]).output.contains("creation not finished: \(step)"))
        #expect(try simplex(["group", "list"]).output.contains("not finished: \(step)"))
        #expect(try simplex(["group", "list", "-u", "lost"]).output.hasPrefix("no groups of lost\n"))
    }

    @Test("inspect names migrations newer than it knows, and reads the rest")
    func newer() throws {
        let simplex = try SimplexFolder()
        try simplex.store.execute(
            "INSERT INTO migrations VALUES ('20991231_future', '2099-12-31 00:00:00', NULL)",
            "ALTER TABLE chat_relays ADD COLUMN colour TEXT")
        let run = try simplex(["relay", "list"])
        #expect(run.code == 0 && run.output.contains("smp5.simplex.im"))
        #expect(run.errors.contains("chat schema of 2026-09-24 (174 migrations), agent 2026-10-08 (51)"))
        #expect(run.errors.contains("the chat database has migrations that this build does not know (20991231_future)"))
        let page = try simplex.answer("inspect")
        #expect(page["store"]?["chat"]?["version"] == "20260924_simplex_names")
        #expect(page["store"]?["agent"]?["version"] == "20261008_rcv_switch_status")
        #expect(page["warnings"]?.texts?.contains { $0.contains("20991231_future") } == true)
    }

    @Test("inspect recognizes files by their contents: it reads one alone, and refuses exchanged ones and half a pair")
    func files() throws {
        let lone = try SimplexFolder()
        let (chat, agent) = (lone.store.location.path(of: .chat), lone.store.location.path(of: .agent))
        try FileManager.default.moveItem(atPath: agent, toPath: lone.run.file("spare"))
        #expect(try lone(["relay", "list"]).code == 0)
        #expect(try lone(["relay", "list"]).errors.contains("the agent database is missing"))

        // The files are exchanged.
        try FileManager.default.moveItem(atPath: chat, toPath: agent)
        try FileManager.default.moveItem(atPath: lone.run.file("spare"), toPath: chat)
        #expect(try lone(["relay", "list"]).code == 66)
        let page = try lone.answer("inspect")
        #expect(page["users"] == .null)
        #expect(page["warnings"]?.texts?.contains { $0.hasPrefix("the two files were exchanged") } == true)

        // One file of SimpleX Chat and one of chatdb.
        let mixed = try SimplexFolder()
        let demo = try DemoStore.make()
        try FileManager.default.removeItem(atPath: mixed.store.location.path(of: .agent))
        try FileManager.default.copyItem(
            atPath: demo.file("x_agent.db"), toPath: mixed.store.location.path(of: .agent))
        let run = try mixed(["relay", "list", "--format", "json"])
        #expect(run.code == 78)
        #expect(try run.refusal()["code"] == "mismatchedPair")
    }

    @Test("the error calls an encrypted store encrypted, and asks for a passphrase")
    func encrypted() throws {
        let simplex = try SimplexFolder()
        var bytes: [UInt8] = []
        var state: UInt64 = 7
        for _ in 0..<16_384 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            bytes.append(UInt8(truncatingIfNeeded: state >> 33))
        }
        for database in DatabaseName.allCases {
            try Data(bytes).write(to: URL(fileURLWithPath: simplex.store.location.path(of: database)))
        }
        for command in [["inspect"], ["relay", "list"]] {
            let run = try simplex(command + ["--format", "json"])
            #expect(run.code == 64)
            #expect(try run.refusal()["code"] == "encrypted")
            #expect(run.errors.contains("encrypted (SQLCipher) or not a database, and no passphrase was given"))
        }
    }
}
