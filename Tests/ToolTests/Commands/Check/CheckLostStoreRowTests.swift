import ChatDBKit
import Testing

/// Rule: docs/checks.md, "A pair that does not belong together".
@Suite("check of a database that lost the row of its table store")
struct CheckLostStoreRowTests: CheckTesting {
    private func finding(_ demo: ToolRun) throws -> JSONValue? {
        try checked(demo)["findings"]?.arrayValue?.first { $0["id"] == "mismatchedPair" }
    }

    @Test("The finding and the error of a command name the row, and no other store", arguments: DatabaseName.allCases)
    func named(_ database: DatabaseName) throws {
        let demo = try DemoStore.make()
        try demo.sql("DELETE FROM store", in: "x_\(database).db")
        let found = try #require(try finding(demo))
        #expect(found["sample"]?.texts == ["\(database): its table store has no row"], "\(found)")
        let remedy = found["remedy"]?.stringValue ?? ""
        #expect(remedy.contains("The \(database) database has lost the row of its table store"), "\(remedy)")
        #expect(remedy.contains("chatdb restore FOLDER") && !remedy.contains("created with the other"), "\(remedy)")
        let message = try demo("user", "list", "--format", "json").refusal()["message"]?.stringValue ?? ""
        #expect(message.hasPrefix("the \(database) database has no row in its table store"), "\(message)")
    }

    @Test("A remedy that names restore names backup list too if backups are beside the store, and only then")
    func backups() throws {
        let demo = try DemoStore.make()
        try demo.succeed("backup", "make")
        try demo.sql("DELETE FROM store")
        let remedy = try finding(demo)?["remedy"]?.stringValue ?? ""
        #expect(remedy.contains("chatdb backup list"), "\(remedy)")
        let other = try DemoStore.make()
        try other.sql("DELETE FROM store")
        let text = try finding(other)?["remedy"]?.stringValue ?? ""
        #expect(text.contains("chatdb restore FOLDER") && !text.contains("backup list"), "\(text)")
    }
}
