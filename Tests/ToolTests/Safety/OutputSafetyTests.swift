import Foundation
import Testing

/// Files that commands write on request, and files that they must not replace.
@Suite("safety of outputs") struct OutputSafetyTests {
    /// The output of each command; the last word is the file.
    private static let writers = [["bundle", "--force"], ["bundle"], ["preset", "export", "--force", "-o"]]

    @Test(
        "no output replaces a database or a file kept beside a store, with --force or without",
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
        // An encrypted database: its first bytes do not identify it.
        try Data(repeating: 0xA5, count: 4096).write(to: URL(fileURLWithPath: demo.file("y_chat.db")))
        let before = try demo.folder.fingerprint()
        for writer in Self.writers {
            let run = try demo(writer + [target, "--format", "json"])
            #expect(run.code == 73, "\(writer): \(run.output)")
            #expect(try run.refusal()["code"] == "protectedFile")
            #expect(try demo.folder.fingerprint() == before)
        }
    }

    @Test("--force replaces any other file, also in a folder with another store")
    func others() throws {
        let demo = try DemoStore.make()
        for name in ["old.json", "x_chat.json"] {
            try Data("{}".utf8).write(to: URL(fileURLWithPath: demo.file(name)))
            for writer in Self.writers where writer.contains("--force") {
                #expect(try demo(writer + [name]).code == 0, "\(writer) \(name)")
            }
        }
    }
}
