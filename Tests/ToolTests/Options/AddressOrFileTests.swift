import Foundation
import TestKit
import Testing

/// Addresses where a command reads a file, and files where a command takes an address.
@Suite struct AddressOrFileTests {
    private static let server = "smp://LcJUMfVhwD8yxjAiSaDzzGF3-kLG4Uh0Fl_ZIjrRwjI=@smp.example.org"

    private func demo() throws -> ToolRun {
        let demo = try DemoStore.make()
        try demo.succeed("user", "activate", "alice")
        return demo
    }

    @Test(
        "an address in the place of a file leads to the command that adds the relay or server",
        arguments: [
            (DemoStore.otherRelay, "chatdb relay add '\(DemoStore.otherRelay)' adds the relay"),
            (DemoStore.sameRelay, "chatdb relay add '\(DemoStore.sameRelay)' adds the relay"),
            ("simplex:/r#short", "if it is the address of a relay, chatdb relay add ADDRESS adds the relay"),
            ("simplex:/contact#x", "if it is the address of a relay, chatdb relay add ADDRESS adds the relay"),
            ("https://example.org/presets.json", "chatdb reads no file from the network: download it"),
            (server, "chatdb server add '\(server)' adds the server"),
            ("xftp://example.org", "chatdb server add ADDRESS adds the server"),
        ])
    func addresses(_ address: String, _ hint: String) throws {
        let demo = try demo()
        for command in [["preset", "import", address, "--yes"], ["preset", "validate", address]] {
            let refused = try demo(command)
            #expect(refused.code == 66 && refused.errors.contains("there is no file "), "\(refused.errors)")
            #expect(refused.errors.contains("hint: \(hint)"), "\(refused.errors)")
        }
    }

    @Test("the error about the address of a server in the place of a file does not show the password")
    func password() throws {
        for address in [Self.server.replacing("@", with: ":s3cret@"), "smp://short:s3cret@smp.example.org"] {
            for format in ["table", "json"] {
                let refused = try demo()("preset", "import", address, "--yes", "--format", format)
                #expect(refused.code == 66 && !refused.errors.contains("s3cret"), "\(refused.errors)")
                #expect(refused.errors.contains("chatdb server add ADDRESS"), "\(refused.errors)")
            }
        }
    }

    @Test("a file in the place of an address leads to the command that imports it, and a picture to --qr-file")
    func files() throws {
        let demo = try demo()
        try demo.succeed("preset", "export", "-o", "friend.json")
        try Data([0x89, 0x50, 0x4E, 0x47]).write(to: URL(fileURLWithPath: demo.file("a.PNG")))
        for noun in ["relay", "server"] {
            let file = try demo(noun, "add", "friend.json")
            #expect(file.code == 65 && file.errors.contains("hint: chatdb preset import friend.json imports"))
            #expect(file.errors.contains("Nothing was changed."), "\(file.errors)")
            let picture = try demo(noun, "add", "a.PNG")
            #expect(picture.errors.contains("hint: chatdb \(noun) add --qr-file a.PNG reads"), "\(picture.errors)")
            let none = try demo(noun, "add", "none.json")
            #expect(none.code == 65 && !none.errors.contains("hint:"), "\(none.errors)")
            #expect(try !demo(noun, "add", "x_chat.db").errors.contains("hint:"))
        }
        let picture = try demo("preset", "import", "a.PNG", "--yes")
        #expect(picture.code == 65 && picture.errors.contains("a.PNG is a picture, not a file of relays and servers"))
        #expect(picture.errors.contains("hint: chatdb relay add --qr-file a.PNG adds the relay"), "\(picture.errors)")
        #expect(picture.errors.contains("chatdb server add --qr-file a.PNG the server"), "\(picture.errors)")
    }
}
