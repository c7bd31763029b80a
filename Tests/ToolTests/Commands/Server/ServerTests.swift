import ChatDBKit
import Foundation
import Testing

@Suite("server")
struct ServerTests {
    private static let hash = "LcJUMfVhwD8yxjAiSaDzzGF3-kLG4Uh0Fl_ZIjrRwjI="
    private let secret = "smp://\(hash):s3cret@smp.example.org:5223"
    private let open = "smp://\(hash)@smp.example.org"
    private let files = "xftp://\(hash)@smp.example.org"

    /// The demo with three custom servers of alice, two of them with one host and one protocol.
    private func demo() throws -> ToolRun {
        let demo = try DemoStore.make()
        try demo.succeed("user", "activate", "alice")
        for address in [secret, open, files] { try demo.succeed("server", "add", address) }
        return demo
    }

    @Test("The list groups servers by operator, custom ones last, with the problems that validation finds")
    func list() throws {
        let demo = try demo()
        try demo.succeed("operator", "disable", "flux")
        let run = try demo.onTerminal("server", "list", "--protocol", "smp")
        #expect(run.output.split(separator: "\n").filter { !$0.hasPrefix("warning:") }.allSatisfy { $0.count <= 80 })
        try Snapshot.check(run.output, "server-list-terminal.txt")
        let answer = try demo.succeed("server", "list", "--format", "json").answer()
        #expect(answer["servers"]?.arrayValue?.count == 35)
        #expect(answer["errors"]?.arrayValue?.count == 2)
        let own = try #require(answer["servers"]?.arrayValue?.last)
        #expect(own["address"] == .string(files) && own["operator"] == .null && own["preset"] == false)
        #expect(own["roles"] == ["storage": true, "proxy": true])
        let first = try #require(answer["servers"]?[0])
        #expect(first["operator"] == ["operatorId": 1, "tag": "simplex", "name": "SimpleX Chat"])
        let off = answer["servers"]?.arrayValue?.filter { $0["operatorOff"] == true }
        #expect(off?.count == 12)
    }

    @Test("A key hash is accepted with and without its padding, from commands, files and stores, and written with it")
    func keyHash() throws {
        let demo = try DemoStore.make()
        try demo.succeed("user", "activate", "alice")
        let bare = "smp://\(Self.hash.dropLast())@smp.example.org"
        let added = try demo.succeed("server", "add", bare, "--format", "json").answer()
        #expect(added["server"]?["address"] == .string(open))
        #expect(try demo.sql("SELECT key_hash FROM protocol_servers WHERE preset = 0") == Self.hash)
        for address in [open, bare] {
            let again = try demo("server", "add", address, "--format", "json")
            #expect(try again.refusal()["code"] == "duplicateServerAddress")
            #expect(try demo.succeed("server", "disable", address, "--format", "json").code == 0)
        }
        // Another app stored them without.
        try demo.sql("UPDATE protocol_servers SET key_hash = rtrim(key_hash, '=')")
        #expect(try demo.succeed("server", "enable", open, "--format", "json").code == 0)
        #expect(try demo.succeed("preset", "export").output.contains("\"\(open)\""))
        #expect(try demo.succeed("preset", "sync", "--dry-run", "--format", "json").answer()["changes"] == [])
        try "\(bare)\nsmp://\(Self.hash.dropLast())@other.example.org\n".write(
            toFile: demo.file("list.txt"), atomically: true, encoding: .utf8)
        let changes = try demo.succeed("preset", "import", demo.file("list.txt"), "--yes", "--format", "json").answer()
        #expect(
            changes["changes"]?.arrayValue?.map { $0["address"] } == [
                .string("smp://\(Self.hash)@other.example.org")
            ])
        for wrong in ["smp://\(Self.hash)=@a.example", "smp://\(Self.hash.dropLast(2))@a.example"] {
            let run = try demo("server", "add", wrong, "--format", "json")
            #expect(run.code == 65)
            #expect(try run.refusal()["message"]?.stringValue?.contains("with or without one \"=\" at the end") == true)
        }
    }

    @Test("--protocol selects the servers, in every format")
    func byProtocol() throws {
        let demo = try demo()
        let csv = try demo.succeed("server", "list", "--protocol", "xftp", "--format", "csv").output
        #expect(csv.split(separator: "\n").count == 14)
        #expect(!csv.contains("smp://"))
        try Snapshot.check(csv, "server-list.csv")
        // Standard error has what validation calls errors, like the table. JSON has the warnings too.
        let errors = try demo("server", "list", "--format", "csv").errors
        #expect(errors.contains("warning: ") && !errors.contains("the role names"), "\(errors)")
        let answer = try demo.succeed("server", "list", "--format", "json").answer()
        #expect(answer["warnings"]?.texts?.contains("no enabled SMP server has the role names") == true)
        let markdown = try demo.succeed("server", "list", "--protocol", "smp", "--format", "markdown").output
        #expect(!markdown.contains("xftp://"))
        #expect(try demo("server", "list", "--protocol", "ftp").code == 64)
    }

    @Test("No answer and no error contains a password, in any format")
    func password() throws {
        let demo = try demo()
        for format in ["table", "json", "csv", "markdown"] {
            for command in [
                ["list"], ["disable", secret], ["enable", secret], ["add", secret],
                ["disable", "smp://\(Self.hash):s3cret@other.example.org"],
                ["disable", "smp://x:s3cret@smp.example.org"],
                ["add", "smp://x:s3cret@smp.example.org"], ["add", "smp://\(Self.hash):s3cret@no host"],
            ] {
                let run = try demo(["server"] + command + ["--format", format])
                #expect(!run.output.contains("s3cret") && !run.errors.contains("s3cret"), "\(command) \(format)")
            }
        }
        let answer = try demo.succeed("server", "list", "--format", "json").answer()
        #expect(answer["servers"]?.arrayValue?.filter { $0["hasPassword"] == true }.count == 1)
        #expect(
            try demo.succeed("server", "delete", secret, "--yes", "--format", "json").output.contains("s3cret") == false
        )
    }

    @Test("server add reports the new server, and warns of the problems that validation finds since")
    func add() throws {
        let demo = try DemoStore.make()
        let first = try demo.succeed("server", "add", secret, "--format", "json")
        #expect(first.errors.isEmpty)
        let answer = try first.answer()
        #expect(answer["outcome"] == "added" && answer["warnings"] == [])
        #expect(answer["server"]?["enabled"] == true && answer["server"]?["tested"] == .null)
        let second = try demo.succeed("server", "add", open)
        #expect(second.output == "The SMP server smp.example.org was added to work (id 66).\n")
        #expect(second.errors.split(separator: "\n").count == 2)
        #expect(second.errors.contains("warning: the host smp.example.org of \(open) occurs twice"))
        let again = try demo("server", "add", open, "--format", "json")
        #expect(again.code == 1)
        #expect(try again.refusal()["code"] == "duplicateServerAddress")
        for text in ["smp://x", "https://smp.example.org", DemoStore.relay, ""] {
            let run = try demo("server", "add", text, "--format", "json")
            #expect(run.code == 65, "\(text)")
            #expect(try run.refusal()["code"] == "invalidServerAddress", "\(text)")
        }
        let operators = try demo.succeed("server", "add", "smp://\(Self.hash)@new.simplex.im").output
        #expect(operators.contains("; its host belongs to the operator SimpleX Chat"))
    }

    @Test("An id, an address, and a unique host, with its port or without, find a server")
    func ways() throws {
        let demo = try demo()
        func id(_ given: String) throws -> JSONValue? {
            try demo.succeed("server", "disable", given, "--format", "json").answer()["server"]?["serverId"]
        }
        for way in ["65", "id:65", secret, "smp.example.org:5223"] { #expect(try id(way) == 65, "\(way)") }
        #expect(try id(files) == 67)
        #expect(try id("SMP8.simplex.im") == 1)
        #expect(try id("beccx4yfxxbvyhqypaavemqurytl6hozr47wfc7uuecacjqdvwpw2xid.onion") == 1, "a further host")
    }

    @Test("An address with another key hash finds no server, and chatdb deletes none")
    func otherKeyHash() throws {
        let demo = try demo()
        let other = "smp://1OwYGt-yqOfe2IyVHhxz3ohqo3aCCMjtB-8wn4X_aoY=:s3cret@smp.example.org:5223"
        for verb in ["enable", "disable", "delete"] {
            let run = try demo("server", verb, other, "--format", "json")
            #expect(run.code == 1 && !run.errors.contains("s3cret"))
            let error = try run.refusal()
            #expect(error["code"] == "serverNotFound" && error["details"]?["serverId"] == 65)
            #expect(error["hint"]?.stringValue?.contains("smp.example.org:5223") == true)
        }
        #expect(try demo.sql("SELECT count(*) FROM protocol_servers WHERE smp_server_id = 65") == "1")
        #expect(
            try demo.succeed("server", "delete", secret, "--yes", "--format", "json").answer()["outcome"] == "deleted")
    }

    @Test("A password in an address that cannot be read is in no message")
    func hiddenPassword() throws {
        let demo = try DemoStore.make()
        let wrong = "smp://\(String(repeating: "A", count: 43))=:hunter2"
        for command in [["add", wrong, "smp://also:hunter2"], ["show", wrong], ["add", wrong]] {
            let refused = try demo(["server"] + command + ["--format", "json"])
            #expect(refused.code != 0 && !refused.errors.contains("hunter2") && !refused.output.contains("hunter2"))
        }
    }

    @Test("Text that finds no server or several is refused, with suggestions or candidates")
    func notFound() throws {
        let demo = try demo()
        for verb in ["enable", "disable", "delete"] {
            let several = try demo("server", verb, "smp.example.org", "--format", "json")
            #expect(several.code == 1)
            #expect(try several.refusal()["code"] == "ambiguousName")
            #expect(
                try several.refusal()["details"]?["candidates"] == [
                    "id:65 (SMP smp.example.org:5223)", "id:66 (SMP smp.example.org)", "id:67 (XFTP smp.example.org)",
                ])
            let near = try demo("server", verb, "smp8.simplx.im", "--format", "json")
            #expect(try near.refusal()["code"] == "serverNotFound")
            #expect(try near.refusal()["hint"]?.stringValue?.contains("\"smp8.simplex.im\"") == true)
            for name in ["999", "id:33", "id:", "name:65", ""] {
                let run = try demo(["server", verb, name, "--format", "json"])
                #expect(run.code == 1, "\(name)")
                #expect(try run.refusal()["code"] == "serverNotFound", "\(verb) \(name)")
            }
        }
        #expect(try demo.sql("SELECT count(*) FROM protocol_servers WHERE user_id = 2") == "32", "id:33 is work's")
    }

    @Test("Enabling and disabling report the change, and the second time that nothing changed")
    func switching() throws {
        let demo = try demo()
        let off = try demo.succeed("server", "disable", "smp8.simplex.im")
        #expect(off.output == "The SMP server smp8.simplex.im (id 1) of alice is disabled.\n")
        let again = try demo.succeed("server", "disable", "smp8.simplex.im", "--format", "json").answer()
        #expect(again["changed"] == false && again["fields"] == [:])
        let on = try demo.succeed("server", "enable", "1", "--format", "json").answer()
        #expect(on["fields"] == ["enabled": ["from": false, "to": true]])
        try demo.succeed("operator", "disable", "simplex")
        let note = try demo.succeed("server", "enable", "1").output
        #expect(
            note.contains("already; nothing was changed") && note.contains("its operator is disabled for every profile")
        )
    }

    @Test("Disabling the last server of a protocol gives a warning")
    func lastServer() throws {
        let demo = try DemoStore.make()
        try demo.sql(
            "UPDATE protocol_servers SET enabled = 0 WHERE user_id = 2 AND protocol = 'xftp' AND smp_server_id <> 49;"
                + "UPDATE protocol_servers SET enabled = 1 WHERE smp_server_id = 49")
        let run = try demo.succeed("server", "disable", "49")
        #expect(run.errors == "warning: no XFTP server is enabled\n")
        #expect(try demo.succeed("server", "list").output.contains("warning: no XFTP server is enabled"))
    }

    @Test("A custom server is deleted once; a preset one cannot be deleted")
    func delete() throws {
        let demo = try demo()
        let gone = try demo.succeed("server", "delete", "65", "--yes", "--format", "json").answer()
        #expect(gone["outcome"] == "deleted" && gone["server"]?["serverId"] == 65)
        #expect(try demo("server", "delete", "65").code == 1)
        #expect(try demo.succeed("server", "delete", files, "--yes").output.contains("of alice was deleted."))
        let preset = try demo("server", "delete", "smp8.simplex.im", "--format", "json")
        #expect(preset.code == 1)
        #expect(try preset.refusal()["code"] == "presetServerCannotBeDeleted")
        #expect(try preset.refusal()["hint"] == "chatdb server disable id:1")
        #expect(try demo.sql("SELECT count(*) FROM protocol_servers WHERE user_id = 1") == "33")
    }
}
