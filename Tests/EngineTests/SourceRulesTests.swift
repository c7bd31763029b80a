import Foundation
import Testing

/// Rules of the package that no compiler checks, read from the sources.
/// Rule: docs/architecture.md, "Arrows".
@Suite struct SourceRulesTests {
    /// What the module of each folder may import, besides the system's modules.
    private static let allowed: [String: Set<String>] = [
        "POSIX": [],
        "Schema": [],
        "Engine": ["ChatDBPOSIX", "ChatDBSchema"],
        "Encryption": ["ChatDBPOSIX", "Crypto", "CryptoExtras"],
        "CPostgres": [],
        "CSQLite": [],
        "CZlib": [],
        "CNetwork": [],
        "CQRCode": [],
        "Network": ["ChatDBPOSIX", "ChatDBSchema", "CChatDBNetwork"],
        "QRCodes": ["ChatDBPOSIX", "ChatDBSchema", "CChatDBQRCode", "CChatDBZlib"],
        "Archives": ["ChatDBEngine", "ChatDBPOSIX", "ChatDBSchema", "CChatDBZlib"],
        "EngineSQLite": [
            "ChatDBEncryption", "ChatDBEngine", "ChatDBPOSIX", "ChatDBSalvage", "ChatDBSchema", "CChatDBSQLite", "GRDB",
            "GRDBSQLite",
        ],
        "EnginePostgres": ["ChatDBEngine", "ChatDBPOSIX", "ChatDBSchema", "CChatDBPostgres"],
        "Salvage": ["ChatDBEngine", "ChatDBPOSIX"],
        "Migrations": ["ChatDBEngine", "ChatDBPOSIX", "ChatDBSchema", "ChatDBMigrationFiles", "Crypto"],
        "Repos/Kit": ["ChatDBEngine", "ChatDBSchema"],
        "Repos/Chat": ["ChatDBEngine", "ChatDBSchema", "ChatDBReposKit", "Crypto"],
        "Repos/Agent": ["ChatDBEngine", "ChatDBSchema", "ChatDBReposKit"],
        "Repos/Both": ["ChatDBEngine", "ChatDBSchema", "ChatDBReposKit", "ChatDBReposChat", "ChatDBReposAgent"],
        "Repos/Simplex": [
            "ChatDBEngine", "ChatDBSchema", "ChatDBReposKit", "ChatDBReposChat", "ChatDBSimplexFiles",
        ],
        "Repos/Presets": [
            "ChatDBEngine", "ChatDBSchema", "ChatDBReposKit", "ChatDBReposChat", "ChatDBReposBoth", "ChatDBSimplex",
            "ChatDBPresetFiles", "Yams",
        ],
        "Repos/Inspection": [
            "ChatDBEngine", "ChatDBSchema", "ChatDBReposKit", "ChatDBReposChat", "ChatDBReposAgent",
            "ChatDBReposBoth", "ChatDBSimplexFiles",
        ],
        "Kit": [
            "ChatDBArchives", "ChatDBEncryption", "ChatDBEngine", "ChatDBEnginePostgres", "ChatDBEngineSQLite",
            "ChatDBInspection",
            "ChatDBMigrations", "ChatDBNetwork",
            "ChatDBPresets", "ChatDBQRCodes", "ChatDBReposAgent", "ChatDBReposBoth", "ChatDBReposChat",
            "ChatDBReposKit", "ChatDBSalvage", "ChatDBSchema", "ChatDBSimplex",
        ],
        "Reports": ["ChatDBKit"],
        "Requests": ["ChatDBKit", "ChatDBPOSIX", "ChatDBReports", "ChatDBSchema", "Crypto"],
        "CLibrary": ["ChatDBKit", "ChatDBReports", "ChatDBRequests"],
        "Tool": ["ChatDBKit", "ChatDBReports", "ChatDBRequests", "ChatDBSimplexFiles", "ArgumentParser"],
    ]

    /// Modules that come with the toolchain.
    private static let system: Set<String> = [
        "Foundation", "FoundationEssentials", "Glibc", "Musl", "Darwin", "Synchronization", "Dispatch", "RegexBuilder",
    ]

    private struct Source {
        let module: String
        let path: String
        /// Without comments, and without what stands in quotes.
        let lines: [String]
    }

    private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    private func sources() throws -> [Source] { try Self.all.get() }

    private static let all = Result { try read() }

    private static func read(_ folder: String = "Sources") throws -> [Source] {
        let folder = Self.root.appendingPathComponent(folder).path
        let paths = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        let sources = try paths.filter { $0.hasSuffix(".swift") }.sorted().map { path in
            let text = try String(contentsOfFile: folder + "/" + path, encoding: .utf8)
            return Source(
                module: module(of: path), path: path,
                lines: text.split(separator: "\n", omittingEmptySubsequences: false).map { code(in: String($0)) })
        }
        try #require(sources.count > 5)
        return sources
    }

    /// The folder of the module that a file belongs to: its first part, or its first two.
    private static func module(of path: String) -> String {
        let parts = path.split(separator: "/")
        let two = parts.prefix(2).joined(separator: "/")
        return allowed[two] == nil ? String(parts.first ?? "") : two
    }

    private static func code(in line: String) -> String {
        guard line.utf8.contains(UInt8(ascii: "\"")) else {
            return line.firstRange(of: "//").map { String(line[..<$0.lowerBound]) } ?? line
        }
        let withoutText = line.replacing(/"(\\.|[^"\\])*"/, with: "\"\"")
        return withoutText.firstRange(of: "//").map { String(withoutText[..<$0.lowerBound]) } ?? withoutText
    }

    /// The module an import line names.
    private static func imported(by line: String) -> String? {
        guard line.contains("import ") else { return nil }
        let pattern =
            /^\s*(@\w+(\([^)]*\))?\s+)*((public|package|internal|fileprivate|private)\s+)?import\s+(?<rest>.+)$/
        guard let match = line.wholeMatch(of: pattern) else { return nil }
        let words = match.rest.split(separator: " ")
        let kinds = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias", "actor"]
        let name = words.first.map { kinds.contains(String($0)) ? words.dropFirst().first ?? $0 : $0 }
        return name.map { String($0.prefix { $0 != "." }) }
    }

    @Test("dependencies point down only: each module imports what it may")
    func imports() throws {
        try #require(sources().count > 50)
        for source in try sources() {
            let allowed = Self.allowed[source.module]
            #expect(allowed != nil, "\(source.module) is not in docs/architecture.md's list of modules")
            for module in source.lines.compactMap(Self.imported) {
                let isAllowed = Self.system.contains(module) || allowed?.contains(module) == true
                #expect(isAllowed, "\(source.path) imports \(module)")
            }
        }
    }

    @Test(
        "no code ends the process or crashes, casts by force, or prints past the output layer",
        arguments: [
            (rule: "try!", pattern: #"\btry!"#), (rule: "as!", pattern: #"\bas!"#),
            (rule: "fatalError", pattern: #"\bfatalError\b"#), (rule: "precondition", pattern: #"\bprecondition"#),
            (rule: "print(", pattern: #"(^|[^.\w`])print\("#), (rule: "debugPrint(", pattern: #"\bdebugPrint\("#),
            (rule: "dump(", pattern: #"(^|[^.\w`])dump\("#),
            // Foundation crashes on a path of one character.
            (rule: "PathComponent", pattern: #"as NSString\)\.(deletingL|l)astPathComponent"#),
        ])
    func forbidden(_ rule: (rule: String, pattern: String)) throws {
        let expression = try Regex(rule.pattern)
        for source in try sources() {
            for (number, line) in source.lines.enumerated()
            where line.contains(rule.rule) && line.contains(expression) {
                Issue.record("\(source.path):\(number + 1) has \(rule.rule): \(line)")
            }
        }
    }

    /// `ThreadResult` in Tests/TestKit says why. Asynchronous calls of the libraries are waited for by suspending.
    @Test("no code starts work on Swift's cooperative pool", arguments: ["Sources", "Tests", "Benchmarks", "Examples"])
    func ownThreads(_ folder: String) throws {
        let pool = #/\bTask\b|\basync let\b|TaskGroup\b|\.concurrentPerform\b|DispatchQueue\.global\b/#
        for source in try Self.read(folder) {
            for (number, line) in source.lines.enumerated() where line.contains(pool) && !line.contains("#/") {
                Issue.record("\(folder)/\(source.path):\(number + 1): \(line)")
            }
        }
    }

    @Test("an unchecked promise to the compiler has its reason written above it")
    func unchecked() throws {
        for source in try sources() {
            for (number, line) in source.lines.enumerated() where line.contains("@unchecked Sendable") {
                let text = try String(contentsOfFile: Self.root.path + "/Sources/" + source.path, encoding: .utf8)
                let above = text.split(separator: "\n", omittingEmptySubsequences: false).prefix(number).suffix(3)
                #expect(above.contains { $0.contains("//") }, "\(source.path):\(number + 1)")
            }
        }
    }

    @Test("a file has one subject: at most 400 lines of code and comment")
    func length() throws {
        for source in try sources() {
            #expect(source.lines.count <= 401, "\(source.path): \(source.lines.count) lines")
        }
    }

    @Test("no folder depends on itself through others")
    func circles() throws {
        let script = Self.root.appendingPathComponent("scripts/dependencies.py").path
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", script, "--circles"]
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        // The script ends with 1 when there is a circle; with another number it failed, or python3 is missing.
        try #require([0, 1].contains(process.terminationStatus), "python3 \(script) failed")
        #expect(text.isEmpty && process.terminationStatus == 0, "\(text)see scripts/dependencies.py MODULE")
    }

    @Test("imports are read in every form they are written in")
    func importForms() {
        #expect(Self.imported(by: "import GRDB") == "GRDB")
        #expect(Self.imported(by: "    public import Engine") == "Engine")
        #expect(Self.imported(by: "@testable import Engine") == "Engine")
        #expect(Self.imported(by: "@_spi(x) package import struct Engine.Query") == "Engine")
        #expect(Self.imported(by: "let important = 1") == nil)
        #expect(Self.code(in: "let text = \"import GRDB \\\" try!\" // try!") == "let text = \"\" ")
    }
}
