import ArgumentParser
import Foundation
import Testing

@testable import ChatDBTool

/// The command lines in README.md and docs/, run as a reader would run them.
@Suite("commands in documents")
struct DocumentedCommandsTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../..").standardizedFileURL

    private static let pages: [String] = {
        let docs =
            (try? FileManager.default.contentsOfDirectory(atPath: root.appendingPathComponent("docs").path)) ?? []
        return ["README.md", "CONTRIBUTING.md"] + docs.filter { $0.hasSuffix(".md") }.sorted().map { "docs/\($0)" }
    }()

    /// The blocks between fences of a page, without their languages.
    private static func fenced(_ page: String) throws -> [[String]] {
        let text = try String(contentsOf: root.appendingPathComponent(page), encoding: .utf8)
        let parts = text.components(separatedBy: "\n```")
        return stride(from: 1, to: parts.count, by: 2).map { place in
            Array(parts[place].components(separatedBy: "\n").dropFirst())
        }
    }

    @Test("the parser accepts every command line in a document", arguments: pages)
    func understood(_ page: String) throws {
        for line in try Self.fenced(page).joined() {
            let words = shellWords(line.hasPrefix("$ ") ? String(line.dropFirst(2)) : line)
            guard words.first == "chatdb" else { continue }
            #expect(throws: Never.self, "\(page): \(line)") {
                _ = try Chatdb.parseAsRoot(GlobalArguments.behindCommand(Array(words.dropFirst())))
            }
        }
    }

    /// Runs a block line by line up to the first failure; the input answers questions.
    private func follow(_ lines: [String], in folder: ToolRun) throws -> ToolRun.Outcome {
        let script = lines.map { line in
            let command = line.components(separatedBy: " #")[0]
            let asks = command.contains("preset import") && !command.contains("--dry-run")
            return (asks ? command + " --yes" : command).replacing("chatdb ", with: "$CHATDB ")
        }
        return try folder.shell("set -e; export HOME=$PWD; unset CHATDB_STORE\n" + script.joined(separator: "\n"))
    }

    @Test("the first five minutes of README.md work")
    func fiveMinutes() throws {
        let folder = try ToolRun()
        let block = try #require(try Self.fenced("README.md").first { $0.joined().contains("chatdb relay add") })
        let run = try follow(block, in: folder)
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.output.contains("Changed in work") && run.output.contains("my relay"))
        // The command that finds the store needs no variable of the terminal in which it was made.
        let found = try follow(block.filter { $0.hasPrefix("chatdb find") }, in: folder)
        #expect(found.output.contains("/chats/me"), "\(found)")
    }

    @Test("the examples of docs/presets.md work")
    func presets() throws {
        let demo = try DemoStore.make()
        try demo.succeed("user", "delete", "work", "--yes", "--no-backup")
        let servers = (1...12).map { "smp://\(String(repeating: "A", count: 42))A=@s\($0).example\n" }
        try Data(servers.joined().utf8).write(to: URL(fileURLWithPath: demo.file("servers.txt")))
        let block = try #require(try Self.fenced("docs/presets.md").first { $0.joined().contains("my-relays.json") })
        let run = try follow(["export CHATDB_STORE=\(demo.store)"] + block, in: demo)
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.output.contains("From alice to work\nno differences\n") && run.output.contains("12 added"))
    }

    @Test(
        "the three commands from an archive to the relays of a channel work, on an encrypted archive",
        .enabled(if: EncryptedStore.python != nil, "needs sqlcipher3, which make test installs"),
        arguments: ["README.md", "docs/support.md"])
    func archive(_ page: String) throws {
        let demo = try DemoStore.make()
        try demo.succeed("user", "activate", "alice")
        let store = try EncryptedStore(of: demo)
        let block = try #require(
            try Self.fenced(page).first { $0.contains { $0.hasPrefix("chatdb group relays news -d simplex-chat.") } })
        let commands = block.filter { !$0.isEmpty }
        #expect(commands.count == 3)
        let archive = "simplex-chat.2026-11-20T101500.zip"
        let run = try follow(
            ["mv archive.zip \(archive); export CHATDB_PASSPHRASE_FILE=pass"] + commands, in: store.run)
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.output.contains("Relays of news: 0 of 2 active") && run.output.contains("relay.example.org"))
        #expect(run.output.contains("Made by") && run.output.contains("channel"))
    }
}
