import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBMigrations

/// Migrations for PostgreSQL: where they lie, and those of this build.
@Suite struct PostgresSourceTests {
    private static let first = "20261127_initial"

    @Test("embedded migrations are loaded for one engine, and those of the other are left out")
    func embedded() throws {
        let source = MigrationSource.embedded([
            ("postgres/chat/20271101_a.up.sql", "CREATE TABLE a (b int);\nCOMMENT ON TABLE a IS $$;$$"),
            ("postgres/chat/20271101_a.down.sql", "-- chatdb: data-loss\nDROP TABLE a"),
            ("postgres/agent/20271102_b.up.sql", "SELECT 1"),
            ("sqlite/chat/20271101_a.up.sql", "CREATE TABLE a (b INTEGER) STRICT; PRAGMA x"),
            ("postgres/README.md", "?"),
        ])
        let migrations = try source.load(for: .postgres)
        let chat = try #require(migrations[.chat]?.first)
        #expect(migrations.mapValues { $0.map(\.name) } == [.chat: ["20271101_a"], .agent: ["20271102_b"]])
        #expect(chat.up.syntax == .postgres && chat.down?.syntax == .postgres)
        #expect(try chat.up.statements.map(\.line) == [1, 2])
        #expect(try chat.down?.directives == [.dataLoss])
        #expect(problems(of: source)?.problems.map(\.file) == ["sqlite/chat/20271101_a.up.sql"])
    }

    @Test("embedded files outside the folders of both engines are refused")
    func strangers() throws {
        let paths = ["chat/20271101_a.up.sql", "mysql/chat/20271101_a.up.sql", "postgres/chats/20271101_a.up.sql"]
        for syntax in SQLSyntax.allCases {
            let invalid = try #require(problems(of: .embedded(paths.map { ($0, "SELECT 1") }), for: syntax))
            #expect(invalid.problems.map(\.file) == paths)
            #expect(
                invalid.problems[0].reason
                    == "a migration lies in sqlite/chat, sqlite/agent, postgres/chat or postgres/agent")
        }
    }

    @Test("a folder has chat and agent for either engine: the caller says for which")
    func folder() throws {
        let text = "-- why\r\nCREATE FUNCTION f() RETURNS int LANGUAGE sql AS $$\r\n SELECT 1;\r\n$$;\r\nSELECT f()\r\n"
        let folder = try MigrationFolderFixture(["chat/20271101_a.up.sql": text])
        let source = MigrationSource.folder(folder.path)
        let chat = try #require(try source.load(for: .postgres)[.chat]?.first)
        #expect(try chat.up.statements.map(\.line) == [2, 5])
        #expect(try chat.up.statements[0].text.hasSuffix("\r\n$$"))
        #expect(chat.checksum == Migration.checksum(of: text.replacing("\r\n", with: "\n")))
        #expect(try source.loadForReading(for: .postgres).problems == nil)
        #expect(try #require(problems(of: source)).problems.map(\.line) == [2, 4])
        #expect(try source.loadForReading().problems != nil)
        // The same text for another engine is another script.
        #expect(try source.loadForReading().migrations[.chat]?.first?.up != chat.up)
    }

    @Test("down SQL from the database follows the syntax of the build's migrations")
    func storedDown() throws {
        let files = [(path: "postgres/chat/20271101_a.up.sql", content: "SELECT 1")]
        let build = try MigrationSource.embedded(files).load(for: .postgres)[.chat] ?? []
        let ledger = ["20271101_a", "20271102_b"].map {
            LedgerEntry(name: $0, appliedAt: "", down: "DROP FUNCTION f; SELECT $$;$$", checksum: nil)
        }
        let steps = try Planner.steps(to: build[...], from: ledger, known: build)
        #expect(try steps.map { try $0.script.statements.count } == [2])
        #expect(steps.syntax == .postgres)
    }

    @Test("the migrations of this build for PostgreSQL are valid, embedded, and begin with one that has no down SQL")
    func build() throws {
        let build = try MigrationSource.build.load(for: .postgres)
        #expect(problems(of: .embedded(MigrationSource.ownFiles), for: .postgres)?.problems.map(\.description) == nil)
        let folder = Self.folder.appendingPathComponent("postgres").path
        #expect(
            try MigrationSource.folder(folder).load(for: .postgres).mapValues { $0.map(\.checksum) }
                == build.mapValues { $0.map(\.checksum) })
        for database in DatabaseName.allCases {
            let first = try #require(build[database]?.first)
            #expect(first.name == Self.first && first.down == nil)
            #expect(try first.up.directives.isEmpty)
        }
        #expect(MigrationSource.ownNames.contains(Self.first))
        #expect(MigrationSource.ownNames.contains("20261124_people"))
        #expect(KnownNames.shown(["function search_snippet"]) == ["function search_snippet"])
    }

    /// The tags that psql prints: one for each statement.
    @Test(
        "psql counts the statements of this build's migrations like chatdb", .enabled(if: PostgresServer.isSupported),
        arguments: DatabaseName.allCases)
    func psql(_ database: DatabaseName) throws {
        let server = try PostgresServer.started()
        let name = try server.makeDatabase()
        var statements = 0
        var script = "\\set QUIET off\n"
        for migration in try MigrationSource.build.load(for: .postgres)[database] ?? [] {
            statements += try migration.up.statements.count
            script += migration.up.text + "\n"
        }
        #expect(statements > 50)
        #expect(try server.psql(script, database: name).split(separator: "\n").count == statements)
    }

    @Test("every migration from the first one for PostgreSQL on is written for both engines, under the same name")
    func names() {
        #expect(Self.missing(MigrationSource.ownFiles.map(\.path)) == [])
    }

    @Test("the comparison of names finds each file that one engine lacks, and names before the first for PostgreSQL")
    func missing() {
        let both = ["sqlite", "postgres"].flatMap { engine in
            ["chat", "agent"].map { "\(engine)/\($0)/20271101_1200_a.up.sql" }
        }
        let first = ["postgres/chat/\(Self.first).up.sql", "postgres/agent/\(Self.first).up.sql"]
        let old = ["sqlite/chat/20261124_people.up.sql", "sqlite/chat/20261124_people.down.sql", "newest.json"]
        #expect(Self.missing(both + first + old) == [])
        #expect(
            Self.missing(both + first + old + ["sqlite/chat/20271101_1200_a.down.sql"]) == [
                "postgres/chat/20271101_1200_a.down.sql"
            ])
        #expect(Self.missing(Array(both.dropFirst()) + first) == ["sqlite/chat/20271101_1200_a.up.sql"])
        #expect(Self.missing(["sqlite/agent/20261128_b.up.sql"]) == ["postgres/agent/20261128_b.up.sql"])
        #expect(Self.missing(["postgres/agent/20261128_b.up.sql"]) == ["sqlite/agent/20261128_b.up.sql"])
        // A time sorts before words: it would run before the first migration.
        #expect(Self.missing(["sqlite/chat/20261127_1200_a.up.sql"]) == ["postgres/chat/20261127_1200_a.up.sql"])
        #expect(
            Self.missing(["postgres/chat/20261127_1200_a.up.sql", "sqlite/chat/20261127_1200_a.up.sql"])
                == ["postgres/chat/20261127_1200_a.up.sql sorts before \(Self.first)"])
        #expect(
            Self.missing(["postgres/chat/20261124_people.up.sql"])
                == ["postgres/chat/20261124_people.up.sql sorts before \(Self.first)"])
    }

    /// The files that one of the engines lacks, of the migrations from the first one for PostgreSQL on.
    private static func missing(_ paths: [String]) -> [String] {
        let files = paths.filter { $0.hasSuffix(".sql") }.map { $0.split(separator: "/").map(String.init) }
        let present = Set(files)
        return files.filter { $0.count == 3 }.compactMap { parts -> String? in
            let (engine, database, file) = (parts[0], parts[1], parts[2])
            if file == "\(first).up.sql" { return nil }
            if engine == "postgres", file < first { return parts.joined(separator: "/") + " sorts before \(first)" }
            let other = [engine == "sqlite" ? "postgres" : "sqlite", database, file]
            return file < String(first.prefix(8)) || present.contains(other) ? nil : other.joined(separator: "/")
        }
    }

    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../migrations").standardizedFileURL
}
