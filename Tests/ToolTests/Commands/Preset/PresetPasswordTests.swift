import ChatDBKit
import Foundation
import Testing

@testable import ChatDBTool

/// Files of presets that omit the password of a server: what their reader is told, from the export to the last import.
@Suite("omitted passwords of presets") struct PresetPasswordTests {
    private static let server = "smp://Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw=@smp.friend.example:5224"

    /// The demo with a server of alice's own, which has a password, and the file of her own entries.
    private func exported() throws -> (demo: ToolRun, export: ToolRun.Outcome) {
        let demo = try DemoStore.make()
        try demo.succeed("server", "add", Self.server.replacing("=@", with: "=:hunter2@"), "-u", "alice")
        let export = try demo.succeed(
            "preset", "export", "-u", "alice", "--custom-only", "--select", "servers", "-o", "mine.json")
        return (demo, export)
    }

    @Test("an export names the servers whose passwords it omits, and says how they arrive")
    func export() throws {
        let (demo, export) = try exported()
        #expect(
            export.errors.hasPrefix(
                """
                note: the password of smp.friend.example is omitted: who imports the file gets the server disabled, \
                and has to add the password; --with-secrets includes it

                """), "\(export.errors)")
        let app = try demo.succeed("preset", "export", "-u", "alice", "--as", "simplex-api").errors
        #expect(app.contains("the password of smp.friend.example is omitted: the file has the server disabled; "))
        try demo.sql("UPDATE protocol_servers SET basic_auth = 'p' WHERE user_id = 1 AND protocol = 'xftp'")
        let many = try demo.succeed("preset", "export", "-u", "alice").errors
        #expect(many.contains(#/the passwords of [a-z0-9., ]+ and 10 more are omitted: who imports /#))
    }

    @Test("the comparison shows what the import does: the server is disabled, and afterwards its password is missing")
    func comparison() throws {
        let (demo, _) = try exported()
        let diff = ["preset", "diff", "mine.json", "-u", "work", "--format", "json"]
        let before = try demo(diff).answer()["changes"]
        let planned = try demo("preset", "import", "mine.json", "-u", "work", "--dry-run", "--format", "json").answer()
        #expect(before == planned["changes"] && planned["next"] == [])
        #expect(before?[0]?["fields"] == ["enabled": ["from": .null, "to": false]])
        #expect(before?[0]?["reason"] == "the file omits its password")
        try demo.succeed("preset", "import", "mine.json", "-u", "work", "--yes")
        let after = try demo(diff).answer()["changes"]
        #expect(after?.arrayValue?.count == 1 && after?[0]?["action"] == "conflict" && after?[0]?["fields"] == [:])
        #expect(after?[0]?["reason"] == "the file omits its password, so no import adds the password")
    }

    @Test("a comparison of two files shows that one has a password, which it omits, and the other has none")
    func files() throws {
        let (demo, _) = try exported()
        let text = try String(contentsOfFile: demo.file("mine.json"), encoding: .utf8)
        let without = text.replacing("\"password\": \"omitted\",", with: "")
        try #require(without != text)
        try without.write(toFile: demo.file("open.json"), atomically: false, encoding: .utf8)
        let changes = try demo("preset", "diff", "mine.json", "open.json", "--format", "json").answer()["changes"]
        #expect(changes?[0]?["action"] == "update" && changes?[0]?["reason"] == .null)
        #expect(changes?[0]?["fields"] == ["password": ["from": "(secret)", "to": .null]])
        let shown = try demo("preset", "diff", "open.json", "mine.json").output
        #expect(shown.contains("password: (secret)\n"), "\(shown)")
    }

    @Test("every import says that the password is missing, with the command line that adds it and enables the server")
    func next() throws {
        let (demo, _) = try exported()
        let complete = Self.server.replacing("=@", with: "=:PASSWORD@")
        let command =
            "chatdb server edit '\(Self.server)' --address '\(complete)' -u work && "
            + "chatdb server enable '\(Self.server)' -u work"
        for options in [[], [], ["--set-enabled"], ["--mode", "replace"]] {
            let run = try demo(["preset", "import", "mine.json", "-u", "work", "--yes"] + options)
            #expect(run.code == 0)
            #expect(run.output.contains("note: the file omits the password of smp.friend.example, "))
            #expect(!run.output.contains("see --set-enabled"))
            #expect(
                run.output.contains(
                    "To add a password in the place of PASSWORD, and to enable the server:\n\n\(command)\n"),
                "\(run.output)")
        }
        let csv = try demo.succeed("preset", "import", "mine.json", "-u", "work", "--yes", "--format", "csv")
        #expect(csv.errors.contains(": \(command)\n"), "\(csv.errors)")
        let line = command.replacing("chatdb ", with: "$CHATDB ")
        // As it is printed, without a password, it does not enable the server.
        let enabled = "SELECT enabled FROM protocol_servers WHERE user_id = 2 AND host = 'smp.friend.example'"
        #expect(try demo.shell(line).code == 64)
        #expect(try demo.sql(enabled) == "0")
        #expect(try demo.shell(line.replacing("PASSWORD", with: "hunter2")).code == 0)
        #expect(try demo.sql(enabled) == "1")
        let last = try demo.succeed("preset", "import", "mine.json", "-u", "work", "--yes", "--format", "json").answer()
        #expect(last["changes"] == [] && last["notes"] == [] && last["next"] == [])
        #expect(try demo("preset", "diff", "mine.json", "-u", "work", "--exit-code").code == 0)
    }

    @Test("the word PASSWORD of a proposed command is refused as a password")
    func placeholder() throws {
        let demo = try DemoStore.make()
        try demo.succeed("server", "add", Self.server, "-u", "alice")
        let before = try demo.folder.fingerprint()
        let copied = Self.server.replacing("=@", with: "=:PASSWORD@")
        for arguments in [["add", copied], ["edit", "smp.friend.example:5224", "--address", copied]] {
            let run = try demo(["server"] + arguments + ["-u", "alice"])
            #expect(run.code == 64, "\(run.output)")
            #expect(run.errors.contains("write the password of the server in the place of the word PASSWORD"))
        }
        #expect(try demo.folder.fingerprint() == before)
    }

    @Test("on a terminal an import shows its plan once, and then sums it up, with what is left to do")
    func shownOnce() throws {
        let (demo, _) = try exported()
        let run = try demo.onTerminal("preset", "import", "mine.json", "-u", "work", input: "y\n")
        #expect(run.code == 0)
        let answer = try #require(run.output.split(separator: "[y/N]").last)
        #expect(answer.contains("Changed in work: 1 added.\n"))
        #expect(!answer.contains("SMP server") && answer.contains("chatdb server enable '\(Self.server)'"))
        // The answer in a file is whole.
        try demo.succeed("server", "delete", "smp.friend.example:5224", "-u", "work", "--yes")
        let filed = try TerminalRun(["preset", "import", "mine.json", "-u", "work"], in: demo)
        _ = try filed.terminal.read(until: "[y/N] ")
        filed.terminal.type("y\n")
        #expect(try filed.end().answer.contains("+!  SMP server  smp.friend.example"))
    }
}
