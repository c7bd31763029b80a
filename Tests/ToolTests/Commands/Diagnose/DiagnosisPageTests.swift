import ChatDBInspection
import Foundation
import Testing

/// The table in docs/diagnosis.md is that of the tool. `make golden` records it again.
@Suite("docs/diagnosis.md") struct DiagnosisPageTests {
    private static let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../../docs/diagnosis.md").standardizedFileURL
    private static let heading = "## Messages\n"

    private var table: String {
        let rows = KnownMessage.all.map { message in
            func list(_ ids: [String]) -> String { ids.map { "`\($0)`" }.joined(separator: ", ") }
            let cells = [
                "`\(message.shown)`", message.meaning, list(message.findings + message.errors),
                list(message.possible), message.elsewhere.joined(separator: "; "),
            ]
            return "| " + cells.map { $0.isEmpty ? "–" : $0 }.joined(separator: " | ") + " |"
        }
        let heading = [
            "| message | means | causes in the store | possible causes in the store | other causes |",
            "| --- | --- | --- | --- | --- |",
        ]
        return (heading + rows).joined(separator: "\n") + "\n"
    }

    @Test("the codes of errors are those of docs/errors.md")
    func codes() throws {
        let page = Self.page.deletingLastPathComponent().appendingPathComponent("errors.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        for code in Set(KnownMessage.all.flatMap(\.errors)) { #expect(text.contains("`\(code)`"), "\(code)") }
    }

    @Test("the page lists every message with its causes")
    func messages() throws {
        let text = try String(contentsOf: Self.page, encoding: .utf8)
        let start = try #require(text.range(of: Self.heading)).upperBound
        let expected = text[..<start] + "\n" + table
        if ProcessInfo.processInfo.environment["CHATDB_RECORD_SNAPSHOTS"] == "1" {
            try Data(expected.utf8).write(to: Self.page)
        } else {
            #expect(text == expected, "make golden, and look at the difference")
        }
    }
}
