import ChatDBKit
import Foundation
import TestKit
import Testing

/// Copies of chatdb's own schema: every column of every table. Rule: docs/copying.md.
@Suite(.enabled(if: PostgresServer.isSupported, "needs PostgreSQL"), .timeLimit(.minutes(60)))
struct CopyEveryTableTests {
    private let files: SyntheticStore
    private let server: PostgresServer
    private let database: String
    private let place: StoreLocation
    /// The rows for each database.
    private var rows: [DatabaseName: EveryTable] = [:]

    /// A store with rows in every table, and an empty database on a server.
    init() throws {
        files = try SyntheticStore()
        server = try PostgresServer.started()
        database = try server.makeDatabase()
        place = StoreLocation(server: try ServerStore(server.uri(database: database) + "&store=made"))
        _ = try files.migrator(MigrationSource.build.load()).run()
        for database in DatabaseName.allCases {
            let connection = try SQLiteEngine().openForMigration(files.location.path(of: database), creating: false)
            defer { connection.close() }
            let every = EveryTable(try connection.structure())
            rows[database] = every
            try connection.begin()
            for row in EveryTable.rows {
                for table in every.names where table != EveryTable.single || row == EveryTable.rows.first {
                    try connection.run(.unchecked(sql: every.filling(table, row)))
                }
            }
            // The number of a row that was deleted.
            for table in every.names where every.neverRepeats(table) {
                try connection.run(.unchecked(sql: every.filling(table, Self.deleted)))
                let number = every.number(of: table) ?? ""
                try connection.run(.unchecked(sql: "DELETE FROM \"\(table)\" WHERE \(number) = \(Self.deleted)"))
            }
            try connection.commit()
        }
    }

    private static let deleted = 109

    private func context(of location: StoreLocation) throws -> StoreContext {
        let engine: any StorageEngine =
            if let server = location.server { PostgresEngine(server) } else { SQLiteEngine() }
        return StoreContext(
            engine: engine, location: location, build: try MigrationSource.build.load(for: location.syntax))
    }

    private func copy(from: StoreLocation, to: StoreLocation, keepsBoth: Bool = false) throws -> CopyReport {
        var options = CopyOptions()
        options.keepsBoth = keepsBoth
        return try StoreCopy(from: try context(of: from), to: try context(of: to), options: options).run()
    }

    private func location(_ name: String) throws -> StoreLocation {
        try StoreLocation(prefix: files.folder.file(name))
    }

    /// What the `sqlite3` shell prints, in any order: SQLite notes the last numbers in the order in which tables got
    /// rows. The words of the search are divided differently when they are indexed at once.
    private func dump(_ location: StoreLocation) throws -> [String] {
        try CopyWorld.dump(location)
            .filter { !$0.hasPrefix("INSERT INTO") || !$0.contains("chat_items_fts_") }.sorted()
    }

    @Test("a store with rows in every table and values in every column has the same dump after both copies")
    func everyColumn() throws {
        let empty = try columnsWithoutValue()
        #expect(empty == [], "the test fills every column")
        let before = try dump(files.location)
        let there = try copy(from: files.location, to: place)
        let others = there.tables.filter { $0.rows != ($0.name == EveryTable.single ? 1 : EveryTable.rows.count) }
        #expect(others.isEmpty, "\(others)")
        #expect(there.tables.count > 60)
        let back = try copy(from: place, to: location("back"))
        #expect(back.tables == there.tables)
        #expect(try dump(back.to) == before)
    }

    /// The columns that are NULL in every row of the store.
    private func columnsWithoutValue() throws -> [String] {
        var empty: [String] = []
        for database in DatabaseName.allCases {
            let connection = try SQLiteEngine().openForMigration(files.location.path(of: database), creating: false)
            defer { connection.close() }
            let structure = try connection.structure()
            for table in rows[database]?.names ?? [] {
                let columns = structure.tables[table]?.columns.map(\.name) ?? []
                let counts = columns.map { "count(\(SQLName.quoted($0)))" }.joined(separator: ", ")
                let found = try connection.rows(.unchecked(sql: "SELECT \(counts) FROM \(SQLName.quoted(table))"))
                for (name, count) in zip(columns, found.first?.values ?? []) where count == .integer(0) {
                    empty.append("\(database) \(table).\(name)")
                }
            }
        }
        return empty
    }

    @Test("after a copy, every table takes a row, with a number that no row ever had; after the copy back too")
    func numbers() throws {
        _ = try copy(from: files.location, to: place)
        for (database, every) in rows {
            let numbers = next(every, after: (EveryTable.rows.upperBound, Self.deleted))
            let tables = every.names.filter { $0 != EveryTable.single }
            let insertions = tables.map { every.new($0, 300, numbers: numbers, .postgres) + ";" }
            let questions = tables.compactMap { table in
                every.number(of: table).map { "SELECT '\(table)', max(\($0)), count(*) FROM \"\(table)\";" }
            }
            let printed = try server.psql(
                (["SET search_path = made_\(database), pg_temp;", "BEGIN;"] + insertions + ["COMMIT;"] + questions)
                    .joined(separator: "\n"), database: self.database)
            let expected = tables.compactMap { table in numbers[table].map { "\(table)|\($0)|6" } }
            #expect(printed.split(separator: "\n").map(String.init) == expected, "\(database)")
        }
        let back = try copy(from: place, to: location("back")).to
        for (database, every) in rows {
            let numbers = next(every, after: (EveryTable.rows.upperBound + 1, Self.deleted + 1))
            let connection = try SQLiteEngine().openForMigration(back.path(of: database), creating: false)
            defer { connection.close() }
            try connection.begin()
            for table in every.names where table != EveryTable.single {
                try connection.run(.unchecked(sql: every.new(table, 400, numbers: numbers, .sqlite)))
                guard let number = every.number(of: table), let last = numbers[table] else { continue }
                let found = try connection.rows(.unchecked(sql: "SELECT max(\(number)), count(*) FROM \"\(table)\""))
                    .first
                #expect(found?.values == [.integer(Int64(last)), .integer(7)], "\(database) \(table)")
            }
            #expect(try connection.danglingReferences(touching: nil).isEmpty, "\(database)")
            try connection.commit()
        }
    }

    /// The next number of each table whose rows have one.
    ///
    /// - Parameter last: the largest number of a row, and the largest one ever given by a table that repeats none.
    private func next(_ every: EveryTable, after last: (row: Int, ever: Int)) -> [String: Int] {
        var numbers: [String: Int] = [:]
        for table in every.names where every.number(of: table) != nil {
            numbers[table] = (every.neverRepeats(table) ? last.ever : last.row) + 1
        }
        return numbers
    }
}
