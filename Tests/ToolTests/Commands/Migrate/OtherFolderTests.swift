import Foundation
import Testing

/// Commands about an adopted database, with a folder that lacks its migrations. Rule: docs/adoption.md.
@Suite("an adopted database and the wrong folder") struct OtherFolderTests {
    private let chatdb: ToolRun
    private let first = "20260101_0000_first"

    /// Adopts notes.db with the migrations of the folder m.
    init() throws {
        chatdb = try ToolRun()
        try chatdb.sql("CREATE TABLE notes(id INTEGER PRIMARY KEY, body TEXT);", in: "notes.db")
        for folder in ["m/chat", "other/chat", "empty/chat"] {
            try FileManager.default.createDirectory(
                atPath: chatdb.file(folder), withIntermediateDirectories: true)
        }
        let schema = try chatdb.succeed("schema", "dump", "--database", "chat=notes.db").output
        try write("m/chat/\(first)", schema)
        try write("other/chat/20260101_z", "CREATE TABLE z(a);\n")
        _ = try chatdb.succeed(
            "migrate", "baseline", "--to", first, "--migrations-dir", "m", "--database", "chat=notes.db", "--yes")
    }

    private func write(_ name: String, _ text: String) throws {
        try text.write(toFile: chatdb.file(name + ".up.sql"), atomically: false, encoding: .utf8)
    }

    private func run(_ command: [String], in folder: String, _ more: [String] = []) throws -> ToolRun.Outcome {
        try chatdb(command + ["--migrations-dir", folder, "--database", "chat=notes.db"] + more)
    }

    @Test(
        "check finds another history in a folder without the applied migrations, and inspect warns of it",
        arguments: ["other", "empty"])
    func lackedByFolder(_ folder: String) throws {
        let check = try run(["check"], in: folder, ["--format", "json"])
        let answer = try check.answer()
        let finding = answer["findings"]?.arrayValue?.first { $0["id"] == "otherHistory" }
        #expect(check.code == 1 && finding?["sample"]?.texts == ["chat: \(first)"], "\(answer)")
        #expect(finding?["remedy"]?.stringValue?.hasPrefix("Bring the files back") == true, "\(answer)")
        let text = try run(["check"], in: folder).output
        #expect(!text.contains("--migrations-dir DIR") && !text.contains("this build"), "\(text)")
        let page = try run(["inspect"], in: folder)
        #expect(page.output.contains("has another history than the folder; the folder does not know \(first)"))
        #expect(page.output.contains("other history") && !page.output.contains("--migrations-dir DIR"), "\(page)")
        #expect(try run(["check"], in: "m").code == 0)
    }
}
