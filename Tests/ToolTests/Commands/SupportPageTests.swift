import Foundation
import Testing

/// The outputs in docs/support.md are those of the tool. `make golden` records them again.
@Suite("docs/support.md") struct SupportPageTests {
    private static let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../docs/support.md").standardizedFileURL

    /// The stores of the page, by the name in its comments.
    private static let stores: [String: String] = [
        "demo": "",
        "noChannel": """
        UPDATE server_operators SET enabled = 0 WHERE server_operator_tag = 'simplex';
        UPDATE chat_relays SET enabled = 0 WHERE preset = 0;
        """,
        "older": "",
        "drift": "CREATE INDEX mine ON contacts (local_display_name); ALTER TABLE users ADD COLUMN note TEXT;",
        "deletedRelay": "UPDATE chat_relays SET deleted = 1 WHERE display_name = 'mine';",
        "mismatched": "UPDATE store SET store_id = 'e8f3a1b2-0c4d-4e5f-8a9b-0c1d2e3f4a5b';",
    ]

    private func store(_ name: String) throws -> ToolRun {
        let store = try DemoStore.make()
        let sql = try #require(Self.stores[name], "no store is called \(name)")
        if !sql.isEmpty { try store.sql(sql) }
        if name == "older" { try store.succeed("migrate", "down", "--steps", "7", "--yes", "-q", "--no-backup") }
        return store
    }

    /// A block with the present outputs of its commands.
    private func run(_ lines: some Sequence<String>, in store: ToolRun) throws -> [String] {
        var block: [String] = []
        for command in lines where command.hasPrefix("$ ") {
            let run = try store.shell("chatdb() { \"$CHATDB\" \"$@\"; }; \(command.dropFirst(2)) 2>&1")
            if block.last?.isEmpty == false { block.append("") }
            block.append(command)
            let output = Snapshot.settle(run.output, store).trimmingCharacters(in: .newlines)
            block += output.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        }
        return block
    }

    @Test("every output on the page is that of its command")
    func outputs() throws {
        let text = try String(contentsOf: Self.page, encoding: .utf8)
        var written: [String] = []
        var name: String?
        var block: [String]?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init) {
            if let found = line.firstMatch(of: #/<!-- store: (\w+) -->/#) { name = String(found.output.1) }
            if line == "```", let lines = block {
                written += try run(lines, in: store(try #require(name)))
                block = nil
            }
            if block == nil { written.append(line) } else { block?.append(line) }
            if line == "```console" { block = [] }
        }
        let now = written.joined(separator: "\n")
        if ProcessInfo.processInfo.environment["CHATDB_RECORD_SNAPSHOTS"] == "1" {
            try Data(now.utf8).write(to: Self.page)
        } else {
            #expect(now == text, "docs/support.md: make golden, and look at the difference")
        }
    }
}
