import ChatDBKit
import Foundation
import Testing

@Suite("rules for all commands of relay, server and operator")
struct ConfigCommandsTests {
    private static let reading = [
        ["relay", "show", "mine"], ["relay", "usage"], ["server", "list"], ["server", "show", "1"],
        ["operator", "list"],
    ]
    private static let writing = [
        ["relay", "edit", "id:7", "--name", "x"], ["relay", "enable", "id:7"], ["relay", "disable", "id:7"],
        ["relay", "mark-tested", "id:7", "failed"], ["relay", "delete", "id:7", "--yes"],
        ["server", "add", "smp://LcJUMfVhwD8yxjAiSaDzzGF3-kLG4Uh0Fl_ZIjrRwjI=@smp.example.org"],
        [
            "server", "edit", "smp.example.org", "--address",
            "smp://LcJUMfVhwD8yxjAiSaDzzGF3-kLG4Uh0Fl_ZIjrRwjI=@smp.example.org:5224",
        ],
        ["server", "set-roles", "1", "proxy"], ["server", "mark-tested", "1", "passed"],
        ["server", "enable", "1"], ["server", "disable", "1"], ["server", "delete", "smp.example.org", "--yes"],
        ["operator", "enable", "flux"], ["operator", "disable", "flux"],
        ["operator", "set-roles", "flux", "--smp", "proxy"],
    ]

    @Test("Every answer has every format, and JSON is one document")
    func formats() throws {
        for command in Self.reading + Self.writing
        where !["delete", "edit"].contains(command[1]) || command[0] != "server" {
            let demo = try DemoStore.make()
            for format in ["table", "csv", "markdown", "json"].prefix(Self.reading.contains(command) ? 4 : 0) {
                let run = try demo(command + ["-u", "alice", "--format", format])
                #expect(run.code == 0 && !run.output.isEmpty, "\(command) \(format): \(run.errors)")
            }
            let run = try demo(command + ["-u", "alice", "--format", "json"])
            #expect(run.code == 0, "\(command): \(run.errors)")
            #expect(try run.answer().members?.isEmpty == false, "\(command)")
        }
    }

    @Test("Commands that read change no byte")
    func reading() throws {
        let demo = try DemoStore.make()
        let before = try demo.folder.fingerprint()
        for command in Self.reading { #expect(try demo(command + ["-u", "alice"]).code == 0, "\(command)") }
        #expect(try demo.folder.fingerprint() == before)
    }

    @Test("Without a store: exit 66, nothing on standard output, and no file created")
    func noStore() throws {
        let folder = try ToolRun()
        for command in Self.reading + Self.writing {
            let run = try folder(command + ["--format", "json"])
            #expect(run.code == 66 && run.output.isEmpty, "\(command)")
        }
        #expect(try folder.folder.fingerprint().isEmpty)
    }

    @Test("A change to one profile changes no row of another")
    func otherProfiles() throws {
        let demo = try DemoStore.make()
        func works() throws -> String {
            try demo.sql(
                "SELECT * FROM chat_relays WHERE user_id = 2; SELECT * FROM protocol_servers WHERE user_id = 2")
        }
        let before = try works()
        for command in Self.writing where command[0] != "operator" {
            #expect(try demo(command + ["-u", "alice"]).code == 0, "\(command)")
        }
        #expect(try works() == before)
    }

    @Test("Names with control characters are escaped in every answer and error")
    func hostile() throws {
        let demo = try DemoStore.make()
        try demo.sql(
            """
            UPDATE chat_relays SET display_name = '=x' || char(27) || '[2J' || char(8238) WHERE chat_relay_id = 7;
            UPDATE server_operators SET trade_name = '=x' || char(27) || '[2J' || char(8238);
            UPDATE protocol_servers SET host = 'h' || char(27) || '[2J' WHERE smp_server_id = 1;
            """)
        let commands = [
            ["relay", "show", "7"], ["relay", "usage"], ["relay", "disable", "7"], ["server", "list"],
            ["server", "disable", "1"], ["operator", "list"], ["operator", "disable", "1"],
            ["operator", "disable", "a\u{1b}[2J"], ["server", "delete", "a\u{1b}[2J@", "--yes"],
            ["relay", "delete", "7"],
        ]
        for command in commands {
            for format in ["table", "json", "csv", "markdown"] {
                let run = try demo(command + ["-u", "alice", "--format", format])
                let unsafe = (run.output + run.errors).unicodeScalars.filter { ["\u{1b}", "\u{202e}"].contains($0) }
                #expect(unsafe.isEmpty, "\(command) \(format)")
            }
        }
    }
}
