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

    package struct Table: Decodable, Sendable {
        package let columns: [Column]
        let strict: Bool?
        let unique: [[String]]?
    }

    private let chat: [String: [String: Table]]
    private let agent: [String: [String: Table]]
    private let migrations: [String: [String]]

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
    /// SQL that makes the table.
    func sql(_ name: String) -> String {
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
        return "CREATE TABLE \(name) (\(lines.joined(separator: ", ")))\(strict == true ? " STRICT" : "")"
    }
}
