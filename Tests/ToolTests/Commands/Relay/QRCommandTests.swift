import ChatDBKit
import Foundation
import TestKit
import Testing

/// Rule: docs/qr-codes.md.
@Suite(
    "QR codes in commands",
    .enabled(
        if: (try? QRCode("x")) != nil
            && ["qrencode", "zbarimg"].allSatisfy { FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)") }))
struct QRCommandTests {
    private func demo() throws -> ToolRun {
        let demo = try DemoStore.make()
        try demo.succeed("user", "activate", "alice")
        return demo
    }

    @Test("--qr-file writes the address as a picture, which another program reads; it replaces only with --force")
    func file() throws {
        let demo = try demo()
        let run = try demo.succeed("relay", "show", "mine", "--qr-file", "a.png", "--format", "json")
        #expect(try run.answer()["qrFile"] == "a.png" && run.answer()["qr"] == nil)
        #expect(try demo.shell("zbarimg -q --raw --nodbus a.png").output == DemoStore.relay + "\n")
        let again = try demo("relay", "show", "mine", "--qr-file", "a.png", "--format", "json")
        #expect(try again.code == 73 && again.refusal()["code"] == "fileExists")
        #expect(try demo("relay", "show", "smp5.simplex.im", "--qr-file", "a.png", "--force").code == 0)
        #expect(try demo.shell("zbarimg -q --raw --nodbus a.png").output.hasPrefix("https://smp5.simplex.im/"))
        #expect(try demo.succeed("relay", "show", "mine", "--qr-file", "a.SVG").output.contains("is in a.SVG."))
        #expect(try String(contentsOfFile: demo.file("a.SVG"), encoding: .utf8).hasPrefix("<svg xmlns="))
        for wrong in [["--qr-file", "a.gif"], ["--qr-file", "png"], ["--force"]] {
            #expect(try demo(["relay", "show", "mine"] + wrong).code == 64, "\(wrong)")
        }
        #expect(try demo("relay", "show", "mine", "--qr-file", "nowhere/a.png").code == 73)
    }

    @Test("--qr draws the code: in half blocks, in ASCII on a dumb terminal, and not where it does not fit")
    func drawn() throws {
        let demo = try demo()
        let answer = try demo.succeed("relay", "show", "mine", "--qr", "--format", "json").answer()
        #expect(answer["qr"]?["text"] == .string(DemoStore.relay) && answer["relay"]?["name"] == "mine")
        let rows = try #require(answer["qr"]?["rows"]?.texts)
        // Without colours the light modules are drawn.
        let plain = try demo.succeed("relay", "show", "mine", "--qr").output
        let lines = plain.split(separator: "\n").filter { $0.hasPrefix("████") }
        #expect(lines.count == (rows.count + 9) / 2 && lines.allSatisfy { $0.count <= rows.count + 8 })
        let dark = try demo.succeed("relay", "show", "mine", "--qr", "--color", "always").output
        #expect(dark.contains("\u{1b}[30;107m"))
        let dumb = try TerminalRun(
            ["relay", "show", "mine", "--qr"], in: demo, answer: .shown, environment: ["TERM": "dumb"]
        )
        .end().shown
        #expect(dumb.contains("##############") && !dumb.contains("█"))
        let shown = try demo.onTerminal("relay", "show", "mine", "--qr").output
        #expect(shown.contains("█"))
    }

    @Test("The code of a server has no password, and that of a channel its link")
    func others() throws {
        let demo = try demo()
        let address = "smp://LcJUMfVhwD8yxjAiSaDzzGF3-kLG4Uh0Fl_ZIjrRwjI=@smp.example.org"
        try demo.succeed("server", "add", address.replacing("@", with: ":s3cret@"))
        try demo.succeed("server", "show", "smp.example.org", "--qr-file", "s.png")
        #expect(try demo.shell("zbarimg -q --raw --nodbus s.png").output == address + "\n")
        let none = try demo("group", "show", "news", "--qr", "--format", "json")
        #expect(try none.code == 1 && none.refusal()["code"] == "noLinkToDraw")
        let link = "https://own.example/c#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw"
        try demo.succeed("group", "set-link", "news", link)
        try demo.succeed("group", "show", "news", "--qr-file", "g.png")
        #expect(try demo.shell("zbarimg -q --raw --nodbus g.png").output == link + "\n")
    }

    @Test("relay add and server add read the address from a picture")
    func read() throws {
        let demo = try demo()
        _ = try demo.shell("qrencode -o r.png '\(DemoStore.otherRelay)'")
        try demo.succeed("relay", "add", "--qr-file", "r.png", "--name", "scanned")
        #expect(try demo.sql("SELECT address FROM chat_relays WHERE display_name = 'scanned'") == DemoStore.otherRelay)
        let server = "smp://LcJUMfVhwD8yxjAiSaDzzGF3-kLG4Uh0Fl_ZIjrRwjI=@smp.example.org"
        _ = try demo.shell("qrencode -o s.png '\(server)'")
        try demo.succeed("server", "add", "--qr-file", "s.png", "xftp://\(server.dropFirst(6))")
        #expect(try demo.sql("SELECT count(*) FROM protocol_servers WHERE host = 'smp.example.org'") == "2")
    }

    @Test("A picture without an address, or no picture, adds nothing and says why")
    func refused() throws {
        let demo = try demo()
        _ = try demo.shell("qrencode -o other.png hello; echo no picture > text.png")
        try Self.sideBySide.write(toFile: demo.file("two.py"), atomically: true, encoding: .utf8)
        try #require(try demo.shell("python3 two.py '\(DemoStore.otherRelay)' '\(DemoStore.third)' two.png").code == 0)
        let before = try demo.sql("SELECT count(*) FROM chat_relays")
        let cases = [
            ("other.png", "invalidRelayAddress", 65), ("text.png", "notPicture", 65), ("none.png", "fileNotFound", 66),
            (".", "cannotRead", 66), ("two.png", "severalQRCodes", 65), ("empty.png", "noQRCode", 65),
        ]
        for (file, code, exit) in cases {
            let run = try demo("relay", "add", "--qr-file", file, "--format", "json")
            #expect(try run.refusal()["code"] == .string(code) && Int(run.code) == exit, "\(file): \(run)")
        }
        #expect(try demo.sql("SELECT count(*) FROM chat_relays") == before)
        for wrong in [["relay", "add"], ["relay", "add", DemoStore.third, "--qr-file", "r.png"], ["server", "add"]] {
            #expect(try demo(wrong).code == 64, "\(wrong)")
        }
    }

    @Test("Without zbarimg or libqrencode, the error says what to install")
    func missing() throws {
        let demo = try demo()
        _ = try demo.shell("qrencode -o r.png '\(DemoStore.otherRelay)'")
        let reader = try demo.shell("PATH=/nowhere $CHATDB relay add --qr-file r.png --format json")
        #expect(try reader.code == 69 && reader.refusal()["code"] == "qrReaderMissing")
        #expect(try reader.refusal()["hint"]?.stringValue?.contains("zbar-tools") == true)
        // A folder of that name is no program, and a program that cannot be run is not missing.
        let folder = try demo.shell(
            "mkdir -p none/zbarimg; PATH=$PWD/none $CHATDB relay add --qr-file r.png --format json")
        #expect(try folder.code == 69 && folder.refusal()["code"] == "qrReaderMissing")
        let broken = try demo.shell(
            """
            mkdir broken; echo '#!/nowhere/sh' > broken/zbarimg; chmod +x broken/zbarimg
            PATH=$PWD/broken $CHATDB relay add --qr-file r.png --format json
            """)
        #expect(try broken.code == 69 && broken.refusal()["code"] == "qrReaderFailed")
        let library = try demo.shell(
            "mkdir lib; : > lib/libqrencode.so.4; LD_LIBRARY_PATH=lib $CHATDB relay show mine --qr --format json")
        #expect(try library.code == 69 && library.refusal()["code"] == "qrLibraryMissing")
        #expect(try library.refusal()["hint"]?.stringValue?.contains("libqrencode4") == true)
    }

    /// Writes a picture with two codes, and an empty one.
    private static let sideBySide = """
        import struct, subprocess, sys, zlib
        def modules(text):
            return subprocess.run(["qrencode", "-t", "ASCII", "-m", "4", "-o", "-", text], check=True,
                                  capture_output=True, text=True).stdout.rstrip("\\n").split("\\n")
        def write(rows, path):
            width = max(map(len, rows)) * 4
            lines = [b"".join((b"\\0" if mark == "#" else b"\\xff") * 4 for mark in row).ljust(width, b"\\xff")
                     for row in rows]
            raw = b"".join((b"\\0" + line) * 8 for line in lines)
            def chunk(name, data):
                return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
            with open(path, "wb") as file:
                file.write(b"\\x89PNG\\r\\n\\x1a\\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, 8 * len(rows), 8, 0, 0, 0, 0))
                           + chunk(b"IDAT", zlib.compress(raw)) + chunk(b"IEND", b""))
        one, two = modules(sys.argv[1]), modules(sys.argv[2])
        write([left.ljust(len(one[0])) + right for left, right in zip(one, two)], sys.argv[3])
        write([" " * 40] * 40, "empty.png")
        """
}
