import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBQRCodes

/// Rule: docs/qr-codes.md.
@Suite(
    "QR codes",
    // scripts/deps.sh installs the library, the reader and the other program.
    .enabled(
        if: (try? QRCode("x")) != nil
            && ["qrencode", "zbarimg"].allSatisfy { FileManager.default.isExecutableFile(atPath: "/usr/bin/\($0)") }))
struct QRCodeTests {
    private static let address = "https://relay.example.org/r#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw"

    private func run(_ program: String, _ arguments: String...) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [program] + arguments
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(program) failed")
    }

    @Test(
        "A drawn code is read back by another program",
        arguments: ["a", address, String(repeating: "long ", count: 400), "ümlaut, 漢字, 🙂"])
    func readBack(_ text: String) throws {
        let folder = try TemporaryFolder()
        for scale in [3, 8] {
            let path = folder.file("code-\(scale).png")
            try Data(QRCode(text).png(pixelsPerModule: scale)).write(to: URL(fileURLWithPath: path))
            #expect(try QRPicture.text(in: path) == text.trimmingCharacters(in: .newlines))
        }
    }

    @Test("A code drawn by another program is read", arguments: ["L", "H"])
    func readOther(_ level: String) throws {
        let folder = try TemporaryFolder()
        try run("qrencode", "-l", level, "-o", folder.file("x.png"), Self.address)
        #expect(try QRPicture.text(in: folder.file("x.png")) == Self.address)
    }

    @Test("The drawings for terminals have the modules of the code, and its quiet zone")
    func drawings() throws {
        let code = try QRCode(Self.address)
        for darkIsInk in [true, false] {
            let lines = code.halfBlocks(darkIsInk: darkIsInk)
            var rows: [String] = []
            for line in lines {
                let ink = line.map { (upper: "█▀".contains($0), lower: "█▄".contains($0)) }
                rows.append(ink.map { $0.upper == darkIsInk ? "1" : "0" }.joined())
                rows.append(ink.map { $0.lower == darkIsInk ? "1" : "0" }.joined())
            }
            let empty = String(repeating: "0", count: code.size + 2 * QRCode.quietZone)
            #expect(rows.prefix(4).allSatisfy { $0 == empty } && rows.suffix(4).allSatisfy { $0 == empty })
            #expect(rows.dropFirst(4).prefix(code.size).map { String($0.dropFirst(4).dropLast(4)) } == code.rows)
        }
        #expect(
            code.asciiLines.dropFirst().prefix(code.size).map { line in
                let marks = Array(line)
                return stride(from: 2, to: marks.count - 2, by: 2).map { marks[$0] == "#" ? "1" : "0" }.joined()
            } == code.rows)
        let path = code.svg.matches(of: #/M(\d+) (\d+)h1v1h-1z/#)
        #expect(path.count == code.modules.count(where: \.self))
        #expect(
            path.allSatisfy { match in
                guard let column = Int(match.1), let row = Int(match.2) else { return false }
                return code.isDark(row - QRCode.quietZone, column - QRCode.quietZone)
            })
    }

    @Test("A text that no code can hold is refused")
    func tooLong() {
        for text in ["", "a\0b", String(repeating: "x", count: 3_000)] {
            #expect(throws: QRCodeError.textTooLong(bytes: text.utf8.count)) { try QRCode(text) }
        }
    }

    @Test("A file without a code, and a file that is no picture, are told apart")
    func noCode() throws {
        let folder = try TemporaryFolder()
        func write(_ name: String, _ bytes: [UInt8]) throws -> String {
            try Data(bytes).write(to: URL(fileURLWithPath: folder.file(name)))
            return folder.file(name)
        }
        let good = try QRCode("x").png()
        func code(_ path: String) -> String? {
            do {
                _ = try QRPicture.texts(in: path)
                return nil
            } catch { return error.code }
        }
        #expect(code(folder.file("none")) == "fileNotFound")
        #expect(code(folder.path) == "cannotRead")
        #expect(code("/dev/null") == "cannotRead")
        #expect(code(try write("empty.png", [])) == "notPicture")
        #expect(code(try write("text.png", Array("no picture at all".utf8))) == "notPicture")
        // Half a picture has no code, or is none.
        let half = code(try write("half.png", Array(good.prefix(good.count / 2))))
        #expect(half == "noQRCode" || half == "notPicture")
        #expect(code(try write("start.png", Array(good.prefix(8)))) == "notPicture")
        // A name that ImageMagick would take for an option or another format.
        #expect(try QRPicture.text(in: try write("-msl:x.png", good)) == "x")
        let fifo = folder.file("fifo.png")
        try #require(mkfifo(fifo, 0o600) == 0)
        #expect(code(fifo) == "cannotRead")
    }
}
