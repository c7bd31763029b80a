import CChatDBSQLite
import ChatDBKit
import Foundation
import GRDB
import GRDBSQLite
import Testing

@testable import ChatDBEngineSQLite

/// Databases read through views that stand before their tables.
@Suite struct TemporaryViewsTests {
    private let scratch: DatabaseFolder

    init() throws {
        scratch = try DatabaseFolder()
        let connection = try SQLiteEngine().open(scratch.file("x.db"), as: .create)
        try connection.write { transaction in
            try transaction.run("CREATE TABLE t(a INTEGER PRIMARY KEY, b BLOB, c TEXT AS (hex(b)))")
            try transaction.run("CREATE TABLE s(a INTEGER NOT NULL) STRICT")
            try transaction.run("CREATE VIEW v AS SELECT * FROM t")
            try transaction.run("INSERT INTO t(a, b) VALUES (1, CAST('one' AS BLOB)), (2, CAST('two' AS BLOB))")
        }
        try connection.close()
    }

    private static let shout = ReadingFunction("shout", expression: { "upper(\($0))" }) { value in
        if case .text(let text) = value { .text(text.uppercased()) } else { .null }
    }

    private static let plan = ViewPlan(tables: ["t", "s", "v", "w"], functions: [shout]) { found, _ in
        ReadingViews(
            views: [
                .init(name: "t", select: "SELECT a, shout(CAST(b AS TEXT)) AS b, 7 AS d FROM main.t"),
                .init(name: "w", select: "SELECT NULL AS a WHERE 0"),
            ], notes: found.keys.sorted().map { "found \($0)" })
    }

    private func through<T>(_ body: (any StorageConnection) throws -> T) throws -> T {
        let connection = try SQLiteEngine().open(scratch.file("x.db"), through: Self.plan)
        defer { try? connection.close() }
        return try body(connection)
    }

    @Test("queries find the views, the file keeps its own under main, and the folder is as it was")
    func reading() throws {
        let before = try scratch.image()
        try through { connection throws in
            try connection.read { transaction throws in
                let rows = try transaction.rows("SELECT a, b, d FROM t WHERE b = \("TWO") ORDER BY a")
                #expect(rows.map(\.values) == [[.integer(2), .text("TWO"), .integer(7)]])
                #expect(try transaction.count("SELECT count(*) FROM w") == 0)
                #expect(
                    try transaction.rows("SELECT b FROM main.t WHERE a = 1").first?.values == [.blob(Array("one".utf8))]
                )
            }
        }
        #expect(try scratch.image() == before)
    }

    @Test("the plan gets ordinary tables and ordinary columns only, and its notes are the connection's")
    func found() throws {
        let notes = try through(\.notes)
        #expect(notes == ["found s", "found t"])
        let seen = ViewPlan(tables: ["t", "s"]) { found, _ in
            ReadingViews(
                views: [],
                notes: found.sorted { $0.key < $1.key }.map { name, table in
                    "\(name) \(table.columns.map { "\($0.name) \($0.type) \($0.notNull)" }) \(table.options)"
                })
        }
        let connection = try SQLiteEngine().open(scratch.file("x.db"), through: seen)
        #expect(
            connection.notes == [
                #"s ["a INTEGER true"] ["STRICT"]"#, #"t ["a INTEGER false", "b BLOB false"] []"#,
            ])
        try connection.close()
    }

    @Test("S16: all views are there after everything was set, and every flag and setting still holds")
    func settings() throws {
        let queue = try ReadingProfile.hardened(QueryTimeLimit(.seconds(10)), views: TemporaryViews(Self.plan)).open(
            scratch.file("x.db"))
        try queue.unsafeRead { database throws in
            #expect(
                try String.fetchAll(database, sql: "SELECT name FROM sqlite_temp_master ORDER BY name") == ["t", "w"])
            for (name, value) in [("temp_store", 2), ("query_only", 1), ("cell_size_check", 1)] {
                #expect(try Int.fetchOne(database, sql: "PRAGMA \(name)") == value, "\(name)")
            }
            for (option, value) in HardenedProfile.flags {
                #expect(ConnectionOptions.isOn(option, of: database) == value, "option \(option)")
            }
            for (limit, value) in HardenedProfile.limits {
                #expect(sqlite3_limit(database.sqliteConnection, limit, -1) == value, "limit \(limit)")
            }
        }
        try queue.close()
    }

    @Test(
        "nothing more is allowed than without views",
        arguments: [
            "CREATE TEMP VIEW x AS SELECT 1", "DROP VIEW t", "DROP VIEW temp.t", "INSERT INTO main.s VALUES (1)",
            "DELETE FROM main.t", "SELECT * FROM v", "PRAGMA temp_store = FILE", "ATTACH ':memory:' AS m",
            "UPDATE t SET a = 1", "SELECT load_extension('x')",
        ])
    func refused(_ sql: String) throws {
        let before = try scratch.image()
        try through { connection throws in
            let error = try storeError { _ = try connection.read { try $0.rows(.unchecked(sql: sql)) } }
            #expect(![.other, .damaged].contains(error.kind), "\(error.kind) \(error)")
        }
        #expect(try scratch.image() == before)
    }

    @Test("the facts of a connection are those of the file, not of the views")
    func facts() throws {
        try through { connection throws in
            let table = try #require(try connection.structure().tables["t"])
            #expect(table.columns.map(\.name) == ["a", "b", "c"])
            #expect(try connection.structure().tables.keys.sorted() == ["s", "t"])
            #expect(try connection.rowCount(of: "t") == 2)
        }
    }

    @Test("SQL in the file cannot call the functions of the views")
    func functions() throws {
        let path = scratch.file("hostile.db")
        let made = try SQLiteEngine().open(path, as: .create)
        try made.write { transaction in
            try transaction.run("CREATE TABLE t(a INTEGER PRIMARY KEY, b BLOB)")
            try transaction.run("INSERT INTO t VALUES (1, x'61')")
        }
        try made.close()
        // A generated column that calls it is refused with the schema, wherever the query looks.
        let queue = try DatabaseQueue(path: path)
        try queue.writeWithoutTransaction { database in
            database.add(function: DatabaseFunction("shout", argumentCount: 1, pure: true) { _ in "x" })
            try database.execute(sql: "ALTER TABLE t ADD COLUMN c TEXT AS (shout(b))")
        }
        try queue.close()
        let error = try storeError {
            let connection = try SQLiteEngine().open(path, through: Self.plan)
            defer { try? connection.close() }
            _ = try connection.read { try $0.rows("SELECT c FROM main.t") }
        }
        #expect([.beyondLimits, .sql].contains(error.kind), "\(error.kind) \(error)")
    }
}
