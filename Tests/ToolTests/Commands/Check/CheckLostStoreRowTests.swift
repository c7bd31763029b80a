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

    @Test("The statement of docs/checks.md copies the row of the other database, and the store can be changed again")
    func copied() throws {
        let demo = try DemoStore.make()
        try demo.sql("DELETE FROM store", in: "x_agent.db")
        try demo.sql(
            """
            ATTACH '\(demo.file("x_chat.db"))' AS other;
            INSERT INTO store (store_id, generation) SELECT store_id, generation FROM other.store;
            """, in: "x_agent.db")
        #expect(try finding(demo) == nil)
        try demo.succeed("user", "add", "zoe")
    }

    @Test("If both databases lost the row, the finding names both, and no run begins")
    func both() throws {
        let demo = try DemoStore.make()
        for database in DatabaseName.allCases { try demo.sql("DELETE FROM store", in: "x_\(database).db") }
        let found = try #require(try finding(demo))
        let samples = DatabaseName.allCases.map { "\($0): its table store has no row" }
        #expect(found["sample"]?.texts == samples, "\(found)")
        #expect(found["remedy"]?.stringValue?.hasPrefix("Every database has lost the row") == true, "\(found)")
        let run = try demo("migrate", "down", "--steps", "1", "--yes", "--format", "json")
        let refusal = try run.refusal()
        #expect(run.code == 78 && refusal["code"] == "lostStoreRow", "\(run)")
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
