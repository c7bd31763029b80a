import ChatDBKit
import Foundation
import Testing

/// An engine under the contract tests, with the SQL that differs between engines. A second engine is one more entry in
/// `all`: the tests in this folder name no engine.
struct EngineContract: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let engine: any StorageEngine
    /// The type of a column whose number the database generates.
    let generatedKey: Query
    /// The type of a column of bytes.
    let bytes: Query
    /// A query that does not end by itself.
    let endless: Query

    static let all = [
        EngineContract(
            testDescription: "SQLite", engine: SQLiteEngine(), generatedKey: "INTEGER PRIMARY KEY", bytes: "BLOB",
            endless: """
                WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n
                """)
    ]

    /// A new database with a table of values, and two tables that refer to each other's rows.
    func database() throws -> ContractDatabase {
        let folder = try DatabaseFolder()
        let database = ContractDatabase(
            folder: folder, connection: try engine.open(folder.file("contract.db"), as: .create))
        try database.connection.write { transaction in
            let tables: [Query] = [
                "CREATE TABLE kept(id \(generatedKey), whole BIGINT, number REAL, words TEXT, bytes \(bytes))",
                "CREATE TABLE parents(id \(generatedKey), name TEXT NOT NULL UNIQUE CHECK (name <> 'forbidden'))",
                "CREATE TABLE children(id \(generatedKey), parent_id BIGINT NOT NULL REFERENCES parents(id))",
            ]
            for table in tables { try transaction.run(table) }
        }
        return database
    }
}

/// A database that is removed with its folder when the test ends.
final class ContractDatabase: Sendable {
    let folder: DatabaseFolder
    let connection: any StorageConnection

    init(folder: DatabaseFolder, connection: any StorageConnection) {
        self.folder = folder
        self.connection = connection
    }

    deinit { try? connection.close() }

    var path: String { folder.file("contract.db") }

    /// How many rows a table has.
    func count(_ table: String) throws -> Int {
        try connection.read { try $0.count("SELECT count(*) FROM \(identifier: table)") }
    }

    /// The one row of a query.
    func row(_ query: Query) throws -> ResultRow {
        try #require(try connection.read { try $0.first(query) })
    }
}

/// The `StoreError` that `body` throws; the test fails when it does not throw one.
@discardableResult
func storeError(
    _ kind: StoreError.Kind? = nil, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
) throws -> StoreError {
    let error = try #require(throws: StoreError.self, sourceLocation: sourceLocation) { try body() }
    if let kind { #expect(error.kind == kind, "\(error.kind): \(error)", sourceLocation: sourceLocation) }
    return error
}
