import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBMigrations

/// Two databases of an app that knows nothing of chatdb, made by the sqlite3 shell, and the migrations that describe
/// them.
struct AppDatabases {
    let folder: TemporaryFolder

    static let notes = """
        CREATE TABLE notes(id INTEGER PRIMARY KEY, title TEXT NOT NULL DEFAULT 'x' CHECK(length(title) < 100));
        CREATE TABLE tags(note INTEGER REFERENCES notes(id), tag TEXT COLLATE NOCASE, PRIMARY KEY(note, tag));
        CREATE UNIQUE INDEX notes_title ON notes(title) WHERE title <> 'x';
        """
    static let keys = "CREATE TABLE keys(id INTEGER PRIMARY KEY, key BLOB);"

    /// - Parameter journal: the journal mode of both databases.
    init(journal: String = "DELETE") throws {
        folder = try TemporaryFolder()
        try sql(
            "PRAGMA journal_mode = \(journal); \(Self.notes) INSERT INTO notes(title) VALUES ('one'), ('two');"
                + "INSERT INTO tags VALUES (1, 'a'); PRAGMA user_version = 7;")
        try sql("PRAGMA journal_mode = \(journal); \(Self.keys) INSERT INTO keys VALUES (1, x'00ff');", in: .agent)
    }

    static func path(of database: DatabaseName, in folder: String) -> String {
        folder + (database == .chat ? "/app.sqlite" : "/keys.db")
    }

    func path(of database: DatabaseName) -> String { Self.path(of: database, in: folder.path) }

    /// Runs SQL with the sqlite3 shell, as the app would, and returns its output.
    @discardableResult
    func sql(_ statements: String, in database: DatabaseName = .chat) throws -> String {
        try Self.sql(statements, in: path(of: database))
    }

    @discardableResult
    static func sql(_ statements: String, in path: String) throws -> String {
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/usr/bin/sqlite3")
        shell.arguments = ["-bail", path, statements]
        let (output, errors) = (Pipe(), Pipe())
        (shell.standardOutput, shell.standardError) = (output, errors)
        try shell.run()
        let text = output.fileHandleForReading.readDataToEndOfFile()
        let failure = errors.fileHandleForReading.readDataToEndOfFile()
        shell.waitUntilExit()
        try #require(shell.terminationStatus == 0, "\(String(decoding: failure, as: UTF8.self))")
        return String(decoding: text, as: UTF8.self).trimmingCharacters(in: .newlines)
    }

    /// The first version has the tables of the app; the second one adds to them.
    static func build() throws -> [DatabaseName: [Migration]] {
        try SyntheticHistory.make(
            chat: [
                .init("first", notes, down: "DROP TABLE tags; DROP TABLE notes;"),
                .init(
                    "colour", "ALTER TABLE notes ADD COLUMN colour TEXT;", down: "ALTER TABLE notes DROP COLUMN colour;"
                ),
            ],
            agent: [
                .init("agent_first", keys, down: "DROP TABLE keys;"),
                .init("more", "CREATE TABLE more(id INTEGER);", down: "DROP TABLE more;"),
            ])
    }

    /// The location of these databases.
    func location(_ databases: [DatabaseName] = [.chat, .agent]) throws -> StoreLocation {
        try StoreLocation(files: Dictionary(uniqueKeysWithValues: databases.map { ($0, path(of: $0)) }))
    }

    func context(_ databases: [DatabaseName] = [.chat, .agent]) throws -> StoreContext {
        var context = StoreContext(
            engine: SQLiteEngine(), location: try location(databases), build: try Self.build())
        context.lockTimeout = 0.2
        return context
    }

    /// The last migration of the first version, of both databases.
    static func first() throws -> String {
        try #require(build().values.compactMap(\.first?.name).max())
    }

    func plan(_ databases: [DatabaseName] = [.chat, .agent], at version: String? = nil) throws -> AdoptionPlan {
        try Adoption(try context(databases)).plan(at: version ?? Self.first())
    }

    @discardableResult
    func adopt(_ databases: [DatabaseName] = [.chat, .agent]) throws -> AdoptionReport {
        try Adoption(try context(databases)).run(plan(databases))
    }

    /// The schema and the rows of the app, without chatdb's tables.
    static func content(in folder: String) throws -> [String] {
        try ["SELECT * FROM notes", "SELECT * FROM tags", "PRAGMA user_version", schema].map {
            try sql($0, in: path(of: .chat, in: folder))
        } + [
            try sql("SELECT id, hex(key) FROM keys", in: path(of: .agent, in: folder)),
            try sql(schema, in: path(of: .agent, in: folder)),
        ]
    }

    private static let schema =
        "SELECT sql FROM sqlite_master WHERE tbl_name NOT IN ('migrations', 'store') ORDER BY name"

    func content() throws -> [String] { try Self.content(in: folder.path) }
}
