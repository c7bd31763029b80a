import ChatDBKit
import Foundation
import Testing

@Suite("server show, edit, set-roles, mark-tested, and several servers at once")
struct ServerChangingTests {
    private static let hash = "LcJUMfVhwD8yxjAiSaDzzGF3-kLG4Uh0Fl_ZIjrRwjI="
    private static let otherHash = "Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw="
    private let open = "smp://\(hash)@a.example"
    private let secret = "smp://\(hash):s3cret@b.example"

    /// The demo with a server without a password, and one with a password.
    private func demo() throws -> ToolRun {
        let demo = try DemoStore.make()
        try demo.succeed("user", "activate", "alice")
        try demo.succeed("server", "add", open, secret)
        return demo
    }

    @Test("show has every property but the password")
    func show() throws {
        let demo = try demo()
        try demo.succeed("server", "set-roles", "b.example", "proxy")
        let answer = try demo.succeed("server", "show", "b.example", "--format", "json")
        #expect(try answer.answer()["server"]?["hasPassword"] == true && !answer.output.contains("s3cret"))
        #expect(try answer.answer()["ownRoles"] == ["storage": false, "proxy": true, "names": false])
        #expect(try answer.answer()["hosts"] == ["b.example"])
        let shown = try demo.onTerminal("server", "show", "b.example")
        #expect(shown.code == 0 && !shown.output.contains("s3cret"))
        try Snapshot.check(shown.output, "server-show-terminal.txt", in: demo)
        let unknown = try demo("server", "show", "c.example", "--format", "json")
        #expect(unknown.code == 1)
        #expect(try unknown.refusal()["code"] == "serverNotFound")
    }

    @Test("of several servers all are added or none, and the error names each refused address without its password")
    func several() throws {
        let demo = try DemoStore.make()
        let count = "SELECT count(*) FROM protocol_servers WHERE preset = 0"
        let added = try demo.succeed("server", "add", open, secret, "--format", "json").answer()
        #expect(added["servers"]?.arrayValue?.map { $0["host"] } == ["a.example", "b.example"])
        #expect(added["server"] == .null && added["outcome"] == "added")
        #expect(try demo.sql(count) == "2")
        let more = ["smp://\(Self.hash):one@e.example", "smp://\(Self.hash):two@f.example"]
        let passwords = try demo(["server", "add"] + more).output
        #expect(passwords.contains("keeps 2 passwords; lists do not show them, and exports omit them"), "\(passwords)")
        try demo.sql("DELETE FROM protocol_servers WHERE host IN ('e.example', 'f.example')")
        let twice = "smp://\(Self.hash):s3cret@d.example"
        let refused = try demo("server", "add", "smp://\(Self.hash)@c.example", open, twice, twice, "--format", "json")
        #expect(refused.code == 1 && !refused.errors.contains("s3cret"))
        let problems = try refused.refusal()["details"]?["problems"]?.arrayValue ?? []
        #expect(problems.map { $0["address"] } == ["smp://…@a.example", "smp://…@d.example"])
        #expect(problems.last?["message"]?.stringValue?.hasSuffix("it is given twice") == true)
        #expect(try demo.sql(count) == "2", "the first address was not added either")
        let invalid = try demo("server", "add", open, "nonsense")
        #expect(invalid.code == 65 && invalid.errors.contains("  nonsense: this is not the address of a server"))
        #expect(try demo("server", "add").code == 64)
        let one = try demo.succeed("server", "add", "xftp://\(Self.hash)@a.example", "--format", "json").answer()
        #expect(one["server"] == one["servers"]?[0] && one["server"]?["protocol"] == "xftp")
    }

    @Test("edit keeps the password for the same key hash, and asks before it loses one")
    func edit() throws {
        let demo = try demo()
        func password() throws -> String {
            try demo.sql("SELECT basic_auth FROM protocol_servers WHERE host = 'b.example'")
        }
        try demo.succeed("server", "mark-tested", "b.example", "passed")
        let moved = try demo.succeed(
            "server", "edit", "b.example", "--address", "smp://\(Self.hash)@b.example:5224", "--format", "json")
        #expect(try moved.answer()["fields"]?.members?.map(\.name) == ["address", "tested"])
        #expect(try password() == "s3cret")
        for address in ["smp://\(Self.otherHash)@b.example", "smp://\(Self.hash):other@b.example"] {
            let edit = ["server", "edit", "b.example", "--address", address]
            let refused = try demo(edit + ["--format", "json"])
            #expect(refused.code == 64)
            #expect(try refused.refusal()["code"] == "confirmationNeeded")
            #expect(!refused.errors.contains("s3cret") && !refused.errors.contains("other@"))
            let dry = try demo(edit + ["--dry-run", "--format", "json"])
            #expect(try dry.answer()["applied"] == false && password() == "s3cret")
        }
        let edit = ["server", "edit", "b.example", "--address", "smp://\(Self.hash):other@b.example", "--yes"]
        let changed = try demo(edit + ["--format", "json"])
        #expect(try changed.answer()["fields"]?["password"] == ["from": "(secret)", "to": "(secret)"])
        #expect(try password() == "other" && !changed.output.contains("other"))
        #expect(try demo(edit).output.hasSuffix(" has this address already; nothing was changed.\n"))
        for (line, code) in [
            (["1", "--address", open], "presetServerCannotBeEdited"),
            (["b.example", "--address", "x"], "invalidServerAddress"),
            (["b.example", "--address", "xftp://\(Self.hash)@b.example"], "otherProtocol"),
            (["b.example", "--address", open], "duplicateServerAddress"),
        ] {
            let run = try demo(["server", "edit"] + line + ["--dry-run", "--format", "json"])
            #expect(try run.refusal()["code"]?.stringValue == code)
        }
    }

    @Test("set-roles sets the roles of one server, and default follows the operator again")
    func roles() throws {
        let demo = try demo()
        let set = ["server", "set-roles", "1", "proxy"]
        let answer = try demo(set + ["--format", "json"]).answer()
        #expect(answer["server"]?["roles"] == ["storage": false, "proxy": true, "names": false])
        #expect(try demo(set).output.hasSuffix(" has the roles proxy already; nothing was changed.\n"))
        let none = try demo.succeed("server", "set-roles", "1", "none", "--format", "json").answer()
        #expect(none["server"]?["roles"] == ["storage": false, "proxy": false, "names": false])
        let back = try demo.succeed("server", "set-roles", "1", "default", "--format", "json").answer()
        #expect(back["server"]?["roles"] == ["storage": true, "proxy": true, "names": false])
        #expect(
            try demo.sql(
                "SELECT coalesce(role_storage, role_proxy, role_names, 'none') FROM protocol_servers WHERE smp_server_id = 1"
            )
                == "none")
        try demo.succeed("server", "add", "xftp://\(Self.hash)@f.example")
        try demo.succeed("server", "set-roles", "f.example", "storage")
        #expect(
            try demo.sql(
                "SELECT role_storage, role_proxy, role_names IS NULL FROM protocol_servers WHERE host = 'f.example'")
                == "1|0|1")
        let names = try demo("server", "set-roles", "f.example", "storage,names", "--format", "json")
        #expect(try names.code == 1 && names.refusal()["code"] == "noNamesRole")
        for wrong in ["x", "", "storage,default"] { #expect(try demo("server", "set-roles", "1", wrong).code == 64) }
    }

    @Test("mark-tested stores a result, and unknown removes it")
    func tested() throws {
        let demo = try demo()
        for (word, value) in [("passed", JSONValue.bool(true)), ("failed", .bool(false)), ("unknown", .null)] {
            let answer = try demo.succeed("server", "mark-tested", "a.example", word, "--format", "json").answer()
            #expect(answer["changed"] == true && answer["server"]?["tested"] == value)
            let again = try demo.succeed("server", "mark-tested", "a.example", word, "--format", "json").answer()
            #expect(again["changed"] == false)
        }
        #expect(try demo("server", "mark-tested", "a.example", "maybe").code == 64)
    }
}
