import Foundation
import Testing

/// docs/repositories.md, held to the sources. Rule: docs/architecture.md, "Modules".
@Suite struct RepositoriesPageTests {
    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../..").standardizedFileURL

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
    }

    /// The rows of the tables, each as its cells: subject, questions, changes, rules, tests.
    private static func rows() throws -> [[Substring]] {
        try text("docs/repositories.md").split(separator: "\n").filter { $0.hasPrefix("| ") }
            .map { $0.split(separator: "|").map { $0.trimmingPrefix(" ") } }
            .filter { $0[0] != "subject " && !$0[0].hasPrefix("-") }
    }

    private static func names(in cell: Substring) -> [String] { cell.matches(of: /`(\w+)`/).map { String($0.1) } }

    @Test("the row of each repository lists all its public methods, and nothing else")
    func methods() throws {
        var named: [String] = []
        for row in try Self.rows() {
            var type = ""
            for name in Self.names(in: row[1]) + Self.names(in: row[2]) {
                if name.hasSuffix("Repo") || name.hasSuffix("Writer") {
                    type = name
                } else {
                    named.append(type + "." + name)
                }
            }
        }
        // Of methods that differ in their labels, the page has the name.
        let declared = Set(try DeclaredMethods.read().map { String($0.prefix { $0 != "(" }) })
        #expect(declared.subtracting(named).sorted() == [], "add it to docs/repositories.md")
        #expect(Set(named).subtracting(declared).sorted() == [])
        #expect(named.count == Set(named).count)
    }

    @Test("every rule it refers to is a section of docs/domain.md")
    func rules() throws {
        let headings = try Self.text("docs/domain.md").split(separator: "\n").filter { $0.hasPrefix("## ") }
            .map { String($0.dropFirst(3)) }
        for row in try Self.rows() {
            let links = row[3].matches(of: /\[([^\]]+)\]\(domain\.md#([a-z-]+)\)/)
            #expect(!links.isEmpty, "\(row[0])")
            for link in links {
                #expect(headings.contains(String(link.1)))
                #expect(link.1.lowercased().replacing(" ", with: "-") == link.2)
            }
        }
    }

    @Test("every suite it names is there")
    func suites() throws {
        let folder = Self.root.appendingPathComponent("Tests/ReposTests")
        let files =
            FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?
            .compactMap { $0 as? URL }.filter { $0.pathExtension == "swift" } ?? []
        var suites: Set<String> = []
        for file in files {
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
            where line.hasPrefix("struct ") || line.hasPrefix("@Suite") {
                suites.formUnion(line.split { !$0.isLetter }.filter { $0.hasSuffix("Tests") }.map(String.init))
            }
        }
        for row in try Self.rows() {
            let named = Self.names(in: row[4])
            #expect(!named.isEmpty, "\(row[0])")
            #expect(Set(named).subtracting(suites).sorted() == [])
        }
    }
}
