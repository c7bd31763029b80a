package import ChatDBKit
import Foundation

/// Tables of SimpleX Chat's databases at several dates, and the names of its migrations: `Tests/Fixtures`.
package struct SimplexSchema: Decodable, Sendable {
    package struct Column: Decodable, Sendable {
        package let name: String
        package let type: String
        let notNull: Bool?
        let pk: Int?
        let `default`: String?
    }

    /// A foreign key; `to` is left out where the primary key is meant.
    struct Reference: Decodable, Sendable {
        let columns: [String]
        let references: String
        let to: [String]?
        let onDelete: String?
    }

    package struct Table: Decodable, Sendable {
        package let columns: [Column]
        let strict: Bool?
        let unique: [[String]]?
        let foreignKeys: [Reference]?
    }

    private let chat: [String: [String: Table]]
    private let agent: [String: [String: Table]]
    /// The names of all migrations by database, in their order.
    package let migrations: [String: [String]]
    /// The same of the databases on a server.
    let postgres: Server

    /// The newest tables on a server by date, and the names of all migrations.
    struct Server: Decodable, Sendable {
        let chat: [String: [String: Table]]
        let agent: [String: [String: Table]]
        let migrations: [String: [String]]
    }

    /// The dates at which the tables of a database are described, in their order.
    package func dates(of database: DatabaseName) -> [String] {
        (database == .chat ? chat : agent).keys.sorted()
    }

    /// The file, read once.
    package static let known = Result { () throws -> SimplexSchema in
        let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Fixtures/simplex-schema.json")
        return try JSONDecoder().decode(SimplexSchema.self, from: Data(contentsOf: url))
    }

    /// The tables of a database at a date, `20260720`.
    package func tables(of database: DatabaseName, at date: String) -> [String: Table] {
        (database == .chat ? chat : agent)[date] ?? [:]
    }

    /// The names of the migrations up to a date, in their order.
    package func migrations(of database: DatabaseName, to date: String) -> [String] {
        (migrations[database.rawValue] ?? []).filter { name in
            (name.hasPrefix("m") ? name.dropFirst() : name[...]).prefix(8) <= date
        }
    }
}

extension SimplexSchema.Table {
    /// SQL that makes the table. With `others`, it has its foreign keys to these tables, and no row ids if it has a
    /// primary key that is not a number, as in the app's files.
    package func sql(_ name: String, among others: [String: SimplexSchema.Table]? = nil) -> String {
        let keys = columns.filter { $0.pk != nil }.sorted { ($0.pk ?? 0) < ($1.pk ?? 0) }.map(\.name)
        var lines = columns.map { column in
            var line = "\(column.name) \(column.type)"
            if keys == [column.name], column.type == "INTEGER" { return line + " PRIMARY KEY" }
            if column.notNull == true { line += " NOT NULL" }
            if let value = column.default { line += " DEFAULT (\(value))" }
            return line
        }
        let isNumbered = keys.count == 1 && columns.contains { $0.pk != nil && $0.type == "INTEGER" }
        if !keys.isEmpty, !isNumbered { lines.append("PRIMARY KEY (\(keys.joined(separator: ", ")))") }
        lines += (unique ?? []).map { "UNIQUE (\($0.joined(separator: ", ")))" }
        lines += (foreignKeys ?? []).filter { others?[$0.references] != nil }.map(\.sql)
        let isWithoutRows = others != nil && !keys.isEmpty && !isNumbered
        let options = (strict == true ? ["STRICT"] : []) + (isWithoutRows ? ["WITHOUT ROWID"] : [])
        return "CREATE TABLE \(name) (\(lines.joined(separator: ", "))) \(options.joined(separator: ", "))"
    }
}

extension SimplexSchema.Reference {
    fileprivate var sql: String {
        let target = to.map { " (\($0.joined(separator: ", ")))" } ?? ""
        return "FOREIGN KEY (\(columns.joined(separator: ", "))) REFERENCES \(references)\(target)"
            + (onDelete.map { " ON DELETE \($0)" } ?? "")
    }
}
