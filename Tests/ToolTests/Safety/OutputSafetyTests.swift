import Foundation
import Testing

/// Files that are written on request, and what they may not take the place of.
@Suite("safety of outputs") struct OutputSafetyTests {
    /// What each command writes; the last word is the file.
    private static let writers = [["bundle", "--force"], ["bundle"], ["preset", "export", "--force", "-o"]]

    @Test(
        "a database, and what is kept beside a store, is replaced by no output, with --force or without",
        arguments: [
            "x_chat.db", "x_agent.db", "linked.json", "hard.json", "x_chat.db-wal", "x_chat.db-journal",
            "x_agent.db-shm",
            "x.lock", "x.migrating", "x.restoring", "other.sqlite", "other.sqlite-wal", "./x_chat.db", "y_chat.db",
        ])
    func kept(_ target: String) throws {
        let demo = try DemoStore.make()
        let files = FileManager.default
        try files.createSymbolicLink(atPath: demo.file("linked.json"), withDestinationPath: demo.file("x_chat.db"))
        try files.linkItem(atPath: demo.file("x_agent.db"), toPath: demo.file("hard.json"))
        try demo.sql("CREATE TABLE a (b)", in: "other.sqlite")
        // As an encrypted one: by its first bytes nobody knows what it is.
        try Data(repeating: 0xA5, count: 4096).write(to: URL(fileURLWithPath: demo.file("y_chat.db")))
        let before = try demo.folder.fingerprint()
        for writer in Self.writers {
            let run = try demo(writer + [target, "--format", "json"])
            #expect(run.code == 73, "\(writer): \(run.output)")
            #expect(try run.refusal()["code"] == "protectedFile")
            #expect(try demo.folder.fingerprint() == before)
        }
    }

    @Test("any other file is replaced with --force, in a folder with another store too")
    func others() throws {
        let demo = try DemoStore.make()
        for name in ["old.json", "x_chat.json", "z.lock"] {
            try Data("{}".utf8).write(to: URL(fileURLWithPath: demo.file(name)))
            for writer in Self.writers where writer.contains("--force") {
                #expect(try demo(writer + [name]).code == 0, "\(writer) \(name)")
            }
        }
    }
}
