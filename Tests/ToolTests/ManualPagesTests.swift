import Foundation
import TestKit
import Testing

@testable import ChatDBTool

/// The manual pages that `make install` installs, made by scripts/manual.py.
@Suite("manual pages")
struct ManualPagesTests {
    private static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../scripts/manual.py").standardizedFileURL.path

    private func pages() throws -> ToolRun {
        let chatdb = try ToolRun()
        let run = try chatdb.shell("set -o pipefail; $CHATDB --experimental-dump-help | \(Self.script) man 1.2.3")
        try #require(run.code == 0, "\(run.errors)")
        return chatdb
    }

    @Test("every command has a page with its description and all of its options")
    func complete() throws {
        let chatdb = try pages()
        for (words, type) in CommandTree.leaves {
            let page = try String(contentsOfFile: chatdb.file("man/\(words.joined(separator: "-")).1"), encoding: .utf8)
            #expect(page.contains("\"chatdb 1.2.3\""))
            let text = page.replacingOccurrences(of: "\\-", with: "-").replacingOccurrences(of: "\\fB", with: "")
            #expect(text.contains(type.configuration.abstract), "\(words)")
            for option in type.helpMessage(columns: 500).matches(of: #/--[a-z-]+/#).map(\.output) {
                #expect(text.contains(option), "\(words) \(option)")
            }
        }
    }

    @Test(
        "man shows every page without a warning",
        .enabled(if: FileManager.default.fileExists(atPath: "/usr/bin/man")))
    func correct() throws {
        let run = try pages().shell("for page in man/*; do man --warnings -E UTF-8 -l $page 2>&1 > /dev/null; done")
        #expect(run.code == 0 && run.output == "", "\(run.output)")
    }
}
