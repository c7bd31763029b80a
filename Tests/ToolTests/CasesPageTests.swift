import Foundation
import Testing

/// docs/cases.md, held to the tests.
@Suite struct CasesPageTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../..").standardizedFileURL

    @Test("every case names tests, and each of them exists")
    func tests() throws {
        let page = try String(contentsOf: Self.root.appendingPathComponent("docs/cases.md"), encoding: .utf8)
        let rows = page.split(separator: "\n").filter { $0.hasPrefix("| ") && !$0.hasPrefix("| case") }
            .filter { !$0.hasPrefix("| ---") }
        #expect(rows.count > 30)
        let declared = try Self.declared()
        for row in rows {
            let names = row.matches(of: /`(\w+Tests\.\w+)`/).map { String($0.1) }
            #expect(!names.isEmpty, "\(row)")
            #expect(names.filter { !declared.contains($0) } == [], "\(row)")
        }
    }

    /// The tests of all targets, as `Suite.function`.
    private static func declared() throws -> Set<String> {
        let folder = root.appendingPathComponent("Tests")
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        var found: Set<String> = []
        for case let file as URL in files where file.pathExtension == "swift" {
            var suite: Substring = ""
            var isTest = false
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
                if let match = line.firstMatch(of: /\b(?:struct|class|extension) (\w+Tests)\b/) { suite = match.1 }
                if line.contains("@Test") { isTest = true }
                if isTest, let match = line.firstMatch(of: /\bfunc (\w+)/) {
                    found.insert("\(suite).\(match.1)")
                    isTest = false
                }
            }
        }
        return found
    }
}
