import ChatDBKit
import Foundation
import Testing

@Suite("operator")
struct OperatorTests {
    @Test("The list has domains, roles and conditions, and how much of each the profile has enabled")
    func list() throws {
        let demo = try DemoStore.make()
        let run = try demo.onTerminal("operator", "list", "-u", "alice")
        #expect(run.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
        try Snapshot.check(run.output, "operator-list-terminal.txt")
        try Snapshot.check(demo.succeed("operator", "list", "--format", "json").output, "operator-list.json")
        try Snapshot.check(demo.succeed("operator", "list", "--format", "csv").output, "operator-list.csv")
    }

    @Test("The counts are of enabled entries of the profile that are not deleted; a note says when they are not used")
    func counts() throws {
        let demo = try DemoStore.make()
        func relays() throws -> JSONValue? {
            try demo.succeed("operator", "list", "-u", "alice", "--format", "json").answer()["operators"]?[0]?["relays"]
        }
        #expect(try relays() == ["total": 3, "enabled": 2])
        try demo.sql("UPDATE chat_relays SET deleted = 1 WHERE chat_relay_id = 1")
        #expect(try relays() == ["total": 2, "enabled": 1])
        let note = "note: no profile uses the enabled entries of SimpleX Chat while that operator is disabled"
        #expect(try !demo.succeed("operator", "list", "-u", "alice").output.contains(note))
        #expect(try demo.succeed("operator", "disable", "simplex", "-u", "alice").output.contains(note))
        #expect(try demo.succeed("operator", "list", "-u", "alice").output.contains(note))
        #expect(try relays() == ["total": 2, "enabled": 1])
    }

    @Test("If the store has conditions of use, the list shows for which operators they are accepted, and which are due")
    func conditions() throws {
        let demo = try DemoStore.make()
        try demo.sql(
            """
            INSERT INTO usage_conditions (conditions_commit, notified_at, created_at, updated_at)
            VALUES ('abc', NULL, '2020-01-01 00:00:00.000', '2020-01-01 00:00:00.000');
            INSERT INTO operator_usage_conditions (
                server_operator_id, conditions_commit, accepted_at, auto_accepted, created_at, updated_at)
            VALUES (1, 'abc', '2026-01-01 00:00:00.000', 1, '2020-01-01 00:00:00.000', '2020-01-01 00:00:00.000');
            """)
        let answer = try demo.succeed("operator", "list", "--format", "json").answer()
        let standing = answer["operators"]?.arrayValue?.map { $0["conditions"]?["accepted"] }
        #expect(standing == [true, false])
        #expect(answer["operators"]?[0]?["conditions"]?["automatic"] == true)
        #expect(
            answer["conditions"] == ["commit": "abc", "notifiedAt": .null, "action": "review", "deadline": .null])
        let text = try demo.succeed("operator", "list").output
        #expect(text.contains("accepted") && text.contains("note: conditions of use to review now: Flux"))
        try demo.succeed("operator", "disable", "flux")
        let after = try demo.succeed("operator", "list", "--format", "json").answer()
        #expect(after["conditions"]?["action"] == "accepted")
    }

    @Test("Without an active profile operators can still be listed, enabled and disabled")
    func noProfile() throws {
        let demo = try DemoStore.make()
        try demo.sql("UPDATE users SET view_pwd_hash = x'00', view_pwd_salt = x'00', active_user = 0")
        let answer = try demo.succeed("operator", "list", "--format", "json").answer()
        #expect(answer["user"] == .null && answer["operators"]?[0]?["smpServers"] == nil)
        let run = try demo.succeed("operator", "disable", "simplex", "--format", "json")
        #expect(try run.answer()["profiles"] == [] && run.answer()["hiddenProfiles"] == 2)
        #expect(!run.output.contains("alice") && !run.errors.contains("alice"))
        #expect(run.errors.contains("warning: the change causes problems with the servers of"))
        #expect(try demo("operator", "list", "-u", "alice").code == 1)
    }

    @Test("Enabling and disabling apply to every profile, and the answer lists what each has of the operator")
    func switching() throws {
        let demo = try DemoStore.make()
        let off = try demo.succeed("operator", "disable", "SIMPLEX", "-u", "alice")
        try Snapshot.check(off.output, "operator-disable.txt")
        #expect(
            off.errors.split(separator: "\n") == [
                "warning: no enabled SMP server has the role storage",
                "warning: no enabled XFTP server has the role storage",
                "warning: work: no enabled SMP server has the role storage",
                "warning: work: no enabled XFTP server has the role storage",
                "warning: work: No chat relays enabled. Channels require at least one relay.",
            ], "alice has a relay of her own")
        for user in ["alice", "work"] {
            let servers = try demo.succeed("server", "list", "-u", user).output
            #expect(servers.contains("SimpleX Chat (disabled for every profile)"))
        }
        let again = try demo.succeed("operator", "disable", "simplex")
        #expect(again.output == "The operator SimpleX Chat is disabled already; nothing was changed.\n")
        #expect(again.errors.isEmpty)
        let on = try demo.succeed("operator", "enable", "simplex chat", "--format", "json")
        #expect(on.errors.isEmpty)
        #expect(try on.answer()["fields"] == ["enabled": ["from": false, "to": true]])
        #expect(try on.answer()["profiles"]?.arrayValue?.map { $0["name"] } == ["work", "alice"])
    }

    @Test("The answer counts hidden profiles, and names them only with --show-hidden")
    func hidden() throws {
        let demo = try DemoStore.make()
        try demo.sql("UPDATE users SET view_pwd_hash = x'00', view_pwd_salt = x'00' WHERE local_display_name = 'alice'")
        let off = try demo.succeed("operator", "disable", "simplex")
        #expect(off.output.contains("note: and 1 hidden profile"))
        #expect(!off.output.contains("alice") && !off.errors.contains("alice"))
        #expect(off.errors.contains("warning: the change causes problems with the servers of 1 hidden profile"))
        let on = try demo.succeed("operator", "enable", "simplex", "--show-hidden", "--format", "json").answer()
        #expect(on["hiddenProfiles"] == 0)
        #expect(on["profiles"]?.arrayValue?.map { $0["name"] } == ["work", "alice"])
    }

    @Test("set-roles sets roles for one protocol or both; none is an empty list; the other protocol stays")
    func roles() throws {
        let demo = try DemoStore.make()
        let names = try demo.succeed("operator", "set-roles", "simplex", "--smp", "storage, proxy,NAMES").output
        try Snapshot.check(names, "operator-set-roles.txt")
        let run = try demo.succeed("operator", "set-roles", "1", "--smp", "names", "--xftp", "none", "--format", "json")
        let answer = try run.answer()
        #expect(answer["fields"]?.members?.map(\.name) == ["smpRoles", "xftpRoles"])
        #expect(answer["fields"]?["xftpRoles"]?["to"] == ["storage": false, "proxy": false])
        #expect(
            answer["operator"]?["roles"] == [
                "smp": ["storage": false, "proxy": false, "names": true], "xftp": ["storage": false, "proxy": false],
            ])
        #expect(run.errors.contains("warning: no enabled SMP server has the role storage\n"))
        #expect(run.errors.contains("warning: alice: no enabled XFTP server has the role storage\n"))
        let again = try demo.succeed("operator", "set-roles", "1", "--xftp", "none")
        #expect(again.output == "The operator SimpleX Chat has these roles already; nothing was changed.\n")
    }

    @Test("An unknown role is refused, and nothing changes")
    func noRoles() throws {
        let demo = try DemoStore.make()
        let before = try demo.succeed("operator", "list").output
        for arguments in [
            [], ["--smp", "storge"], ["--smp", ""], ["--smp", "storage,,proxy"], ["--smp", "none,proxy"],
        ] {
            #expect(try demo(["operator", "set-roles", "simplex"] + arguments).code == 64, "\(arguments)")
        }
        let message = try demo("operator", "set-roles", "simplex", "--smp", "storge").errors
        #expect(message.contains("\"storge\" is not a role; expected storage, proxy or names"))
        let names = try demo("operator", "set-roles", "simplex", "--smp", "none", "--xftp", "names", "--format", "json")
        #expect(names.code == 1)
        #expect(try names.refusal()["code"] == "noNamesRole")
        #expect(try demo.succeed("operator", "list").output == before)
    }

    @Test("A name, tag, legal name or id finds an operator; other text gives suggestions or candidates")
    func ways() throws {
        let demo = try DemoStore.make()
        for way in ["SimpleX Chat", "simplex", "simplex chat ltd", "1", "id:1", "name:simplex"] {
            let answer = try demo.succeed("operator", "enable", way, "--format", "json").answer()
            #expect(answer["operator"]?["operatorId"] == 1, "\(way)")
        }
        for (name, near) in [("fulx", "Flux"), ("99", nil), ("id:simplex", nil), ("", nil)] as [(String, String?)] {
            let run = try demo("operator", "disable", name, "--format", "json")
            #expect(run.code == 1)
            #expect(try run.refusal()["code"] == "operatorNotFound", "\(name)")
            if let near { #expect(try run.refusal()["hint"]?.stringValue?.contains("\"\(near)\"") == true) }
        }
        try demo.sql("UPDATE server_operators SET trade_name = 'SIMPLEX CHAT' WHERE server_operator_id = 2")
        let run = try demo("operator", "disable", "simplex chat", "--format", "json")
        #expect(try run.refusal()["code"] == "ambiguousName")
        #expect(
            try run.refusal()["details"]?["candidates"] == ["id:1 (SimpleX Chat)", "id:2 (SIMPLEX CHAT)"])
    }

    @Test("A misspelt operator gives one suggestion, its name, without its tag")
    func suggestedOnce() throws {
        let run = try DemoStore.make()("operator", "disable", "flx", "--format", "json")
        #expect(try run.refusal()["hint"] == "did you mean \"Flux\"?")
    }
}
