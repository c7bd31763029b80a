import Foundation
import Testing

/// Codes are for programs: each is written down where they look for it. Rule: docs/errors.md.
@Suite struct ErrorCodesTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../..").standardizedFileURL

    /// The codes of the errors of a folder, by the file that has them.
    private static func codes(_ folder: String = "Sources/Repos") throws -> [(code: String, file: String)] {
        let sources = root.appendingPathComponent(folder)
        let files =
            FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)?
            .compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" }.sorted { $0.path < $1.path } ?? []
        return try files.flatMap { file in
            let text = try String(contentsOf: file, encoding: .utf8)
            let made = #/(?:\.(?:refused|invalid)|ErrorInfo|\binfo)\(\s*(?:\.\w+, )?"(\w+)"/#
            // What validation finds is no error, and has its codes in a switch.
            let found = text.components(separatedBy: "var code: String {\n").dropFirst().flatMap { rest in
                rest.components(separatedBy: "\n    }\n")[0].matches(of: #/"(\w+)"/#).map { String($0.1) }
            }
            return (text.matches(of: made).map { String($0.1) } + found).map { ($0, file.lastPathComponent) }
        }
    }

    @Test("every code of the libraries is in docs/errors.md")
    func documented() throws {
        let page = try String(contentsOf: Self.root.appendingPathComponent("docs/errors.md"), encoding: .utf8)
        let documented = Set(page.matches(of: #/`(\w+)`/#).map { String($0.1) })
        let codes = try Self.codes()
        #expect(Set(codes.map(\.file)).count > 20, "the sources are not read as they are written any more")
        let others = try [
            "Sources/Schema", "Sources/Engine", "Sources/Archives", "Sources/Migrations", "Sources/Network",
            "Sources/QRCodes", "Sources/Requests", "Sources/CLibrary",
        ].flatMap {
            try Self.codes($0)
        }
        #expect(others.count > 40, "the sources are not read as they are written any more")
        for (code, file) in codes + others where !documented.contains(code) {
            Issue.record("\(code) of \(file) is not in docs/errors.md")
        }
    }

    @Test("the libraries throw every code of the section about libraries")
    func nothingElse() throws {
        let page = try String(contentsOf: Self.root.appendingPathComponent("docs/errors.md"), encoding: .utf8)
        let section = try #require(page.components(separatedBy: "\n## In the libraries\n").last)
        let codes = Set(try Self.codes().map(\.code))
        for row in section.split(separator: "\n").filter({ $0.hasPrefix("| ") }) {
            let cells = row.split(separator: "|", omittingEmptySubsequences: false)
            for match in cells[2].matches(of: #/`(\w+)`/#) where !codes.contains(String(match.1)) {
                Issue.record("\(match.1) is thrown nowhere")
            }
        }
    }
}
