import Foundation
import Testing

@testable import ChatDBTool

/// Only the tool contains its commands and options. Rule: docs/architecture.md, "Errors".
@Suite struct LibraryTextsTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../..").standardizedFileURL

    @Test(
        "no text of a library names a command or an option of the tool",
        arguments: ["Schema", "Archives", "Engine", "EngineSQLite", "Migrations", "Repos"])
    func commands(_ module: String) throws {
        let folder = Self.root.appendingPathComponent("Sources/\(module)").path
        let paths = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        let sources = paths.filter { $0.hasSuffix(".swift") }.sorted()
        try #require(sources.count > 10)
        let verbs = Set(CommandTree.leaves.map { $0.words[1] })
        try #require(verbs.contains("relay") && CommandTree.options.contains("--dry-run"))
        for path in sources {
            let text = try String(contentsOfFile: folder + "/" + path, encoding: .utf8)
            for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
                // Outside comments such a text is in quotes.
                let code = line.trimmingPrefix { $0 == " " }
                if code.hasPrefix("//") { continue }
                for match in code.matches(of: #/chatdb ([a-z-]+)/#) where verbs.contains(String(match.1)) {
                    Issue.record("\(module)/\(path):\(number + 1) names the command \(match.0)")
                }
                for match in code.matches(of: #/(?:^|[^-\w])(--[a-z][a-z-]*)/#)
                where CommandTree.options.contains(String(match.1)) {
                    Issue.record("\(module)/\(path):\(number + 1) names the option \(match.1)")
                }
            }
        }
    }
}
