import ChatDBKit
import Testing

@Suite struct SimplexServersTests {
    private var groups: String {
        """
        [{"operator": {"operatorId": 1, "operatorTag": "simplex", "tradeName": "SimpleX Chat", "legalName": "S Ltd",
            "serverDomains": ["simplex.im"], "conditionsAcceptance": {"type": "required"}, "enabled": false,
            "smpRoles": {"storage": true, "proxy": false, "names": true}, "xftpRoles": {"storage": true, "proxy": true}},
          "smpServers": [
            {"serverId": 4, "server": "\(server("smp1.simplex.im"))", "preset": true, "tested": true, "enabled": false,
             "roles": {"proxy": false}, "deleted": false},
            {"serverId": null, "server": "\(server("own.simplex.im", password: "s3cret"))", "preset": false,
             "enabled": true, "deleted": false}],
          "xftpServers": [],
          "chatRelays": [{"chatRelayId": 3, "address": "\(relay("r.example"))",
            "relayProfile": {"displayName": "R", "fullName": ""}, "domains": ["simplex.im"], "preset": true,
            "enabled": true, "deleted": false}]},
         {"smpServers": [{"server": "\(server("gone.example"))", "preset": false, "enabled": true, "deleted": true}],
          "xftpServers": [{"server": "\(server("x.example", .xftp))", "preset": false, "tested": null, "enabled": true,
            "roles": {}, "deleted": false, "newer": 1}],
          "chatRelays": [{"address": "\(relay("r2.example"))", "name": "Old form", "domains": [], "preset": false,
            "enabled": false, "deleted": false}]}]
        """
    }

    @Test("the list alone, the answer around it, and that in a result or a response are the same")
    func forms() throws {
        let file = try PresetFile.read(groups.utf8).file
        let answer = #"{"type": "userServers", "user": {"userId": 1}, "userServers": \#(groups)}"#
        #expect(try PresetFile.read(answer.utf8).file == file)
        #expect(try PresetFile.read(#"{"result": \#(answer)}"#.utf8).file == file)
        #expect(try PresetFile.read(#"{"corrId": "1", "resp": \#(answer)}"#.utf8).file == file)
        #expect(try PresetFile.read(groups.utf8).format == .simplexAPI)
    }

    @Test("entries that came with an operator are its preset, all others custom; those deleted are not there")
    func entries() throws {
        let file = try PresetFile.read(groups.utf8).file
        let simplex = try #require(file.operators.first)
        #expect(file.operators.count == 1 && simplex.tag == .simplex && !simplex.isEnabled)
        #expect(simplex.smpRoles == ServerRoles(storage: true, proxy: false, names: true))
        let preset = try #require(simplex.entries.smpServers.first)
        #expect(simplex.entries.smpServers.count == 1 && preset.tested == true && !preset.isEnabled)
        #expect(preset.roles == ServerRoleChoices(proxy: false))
        #expect(simplex.entries.relays.map(\.name) == ["R"])
        #expect(file.custom.smpServers.map(\.address.password) == ["s3cret"])
        #expect(file.custom.xftpServers.map(\.address.primaryHost) == ["x.example"])
        #expect(file.custom.relays.map(\.name) == ["Old form"] && file.custom.relays.map(\.isEnabled) == [false])
    }

    @Test("for an older app without relays the file has no list of them, and replacing does not change them")
    func withoutRelays() throws {
        let file = try PresetFile.read(#"[{"smpServers": [], "xftpServers": []}]"#.utf8).file
        #expect(!file.custom.lists.contains(.relays))
        #expect(try PresetFile.read(groups.utf8).file.custom.lists.contains(.relays))
    }

    @Test("fields that an operator's group lacks are not reported, and are no difference")
    func operatorsLists() throws {
        let old = try PresetFile.read(groups.utf8).file
        let text = #"[{"operator": {"operatorTag": "simplex", "tradeName": "SimpleX Chat"}, "xftpServers": []}]"#
        let new = try PresetFile.read(text.utf8).file
        #expect(new.operators.map(\.entries.lists) == [[.xftpServers]])
        let removed = PresetDiff(from: old, to: new).changes.filter { $0.action == .remove }.map(\.kind)
        #expect(removed == [.xftpServer])
    }

    @Test(
        "a list that is not there is not an empty list: replacing leaves that kind alone",
        arguments: [
            ("[]", []), (#"[{"operator": null}]"#, []), (#"[{"smpServers": []}]"#, [PresetEntries.List.smpServers]),
            (#"[{"operator": {"tradeName": "X"}, "xftpServers": []}, {"chatRelays": []}]"#, [.xftpServers, .relays]),
        ] as [(String, Set<PresetEntries.List>)])
    func missingLists(_ text: String, _ lists: Set<PresetEntries.List>) throws {
        let file = try PresetFile.read(text.utf8, as: .simplexAPI).file
        #expect(file.custom.lists == lists)
        let test = try TestStore()
        let alice = try test.addUser("alice")
        try test.write { chat in
            _ = try ServersWriter(chat).add(server("own.example"), of: alice.id)
            _ = try ServersWriter(chat).add(server("own.example", .xftp), of: alice.id)
        }
        let plan = try test.read {
            try PresetImport.plan(file, PresetImportOptions(mode: .replace), for: alice.id, in: $0)
        }
        let removed = plan.changes.filter { $0.action == .remove }.map(\.kind)
        #expect(removed.contains(.smpServer) == lists.contains(.smpServers))
        #expect(removed.contains(.xftpServer) == lists.contains(.xftpServers))
    }

    @Test("a file written for the app is read as the profile from which it was written")
    func export() throws {
        let test = try TestStore()
        let alice = try test.addUser("alice")
        let file = try PresetFile.read(groups.utf8).file
        try test.write { chat in
            _ = try PresetImport.apply(
                file, PresetImportOptions(setsEnabled: true, trustsOperators: true), to: alice.id, in: chat)
        }
        let exported = try test.read { try PresetExport(of: alice.id, in: $0).file().file }
        for envelope in [false, true] {
            var bytes: [UInt8] = []
            let notes = try test.read {
                try SimplexServersExport(of: alice.id, in: $0).write(withSecrets: true, inEnvelope: envelope) {
                    bytes += $0
                }
            }
            let read = try PresetFile.read(bytes)
            #expect(read.format == .simplexAPI && notes.passwords == 1)
            #expect(PresetDiff(from: exported, to: read.file).changes.isEmpty)
            #expect(read.file.operators[0].entries.smpServers[0].tested == true)
        }
        var text: [UInt8] = []
        _ = try test.read { try SimplexServersExport(of: alice.id, in: $0).write { text += $0 } }
        #expect(!String(decoding: text, as: UTF8.self).contains("s3cret"))
        // Without its password it would fail at once where it is taken.
        let own = try PresetFile.read(text).file.custom.smpServers
        #expect(own.map(\.address.primaryHost) == ["own.simplex.im"] && own.map(\.isEnabled) == [false])
        let json = try JSONValue(parsing: text)
        #expect(json[0]?["operator"]?["conditionsAcceptance"]?["type"] == "required")
        #expect(json[1]?["operator"] == nil, "what is the user's own comes last, without an operator")
    }

    @Test("a file written for the app leaves out entries whose address the app cannot read, and says so")
    func unreadable() throws {
        let test = try TestStore()
        let alice = try test.addUser("alice")
        try test.write { chat in
            let file = try PresetFile.read(groups.utf8).file
            _ = try PresetImport.apply(
                file, PresetImportOptions(setsEnabled: true, trustsOperators: true), to: alice.id, in: chat)
            try chat.run("UPDATE chat_relays SET address = 'https://r.example/r#short' WHERE display_name = 'R'")
            try chat.run("UPDATE protocol_servers SET key_hash = 'short' WHERE host = 'x.example'")
        }
        var bytes: [UInt8] = []
        let notes = try test.read { try SimplexServersExport(of: alice.id, in: $0).write { bytes += $0 } }
        #expect(notes.leftOut.count == 2 && notes.leftOut.allSatisfy { $0.hasSuffix("its address is not valid") })
        #expect(notes.leftOut.contains { $0.hasPrefix("the relay \"R\"") }, "\(notes.leftOut)")
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(!text.contains("short") && text.contains("r2.example"))
        #expect(try PresetFile.read(bytes).format == .simplexAPI)
    }

    @Test("a problem in it is reported with its place")
    func problems() {
        let text = #"{"userServers": [{"operator": {"enabled": 1}, "smpServers": [{"server": "x"}]}, 3]}"#
        let error = #expect(throws: PresetError.self) { try PresetFile.read(text.utf8) }
        guard case .invalidPreset(let problems, _) = error else { return }
        #expect(
            problems.map(\.path) == [
                "userServers[0].operator.tradeName", "userServers[0].smpServers[0].server", "userServers[1]",
            ])
        #expect(problems.allSatisfy { $0.line == 1 && $0.column != nil })
    }
}
