package import ChatDBEngine
import Foundation
import GRDB
import Synchronization

/// The views a reading connection is opened with. They are made while the connection is set up, when SQLite has read
/// only the header of the file.
final class TemporaryViews: Sendable {
    private let plan: ViewPlan
    private let noted = Mutex<[String]>([])

    init(_ plan: ViewPlan) {
        self.plan = plan
    }

    /// The notes of the plan about the database; empty before it is open.
    var notes: [String] { noted.withLock { $0 } }

    /// Reads which tables the file has, and makes the views.
    func make(in database: Database) throws {
        // Before SQLite reads the schema: it then refuses a schema that calls one of these functions, and it checks
        // that only once.
        for function in plan.functions { database.add(function: Self.function(function)) }
        let made = plan.views(try found(in: database), .sqlite)
        for view in made.views {
            let make: Query = "CREATE TEMP VIEW \(identifier: view.name) AS"
            try database.execute(sql: make.rendered(.questionMark).sql + " " + view.select)
        }
        noted.withLock { $0 = made.notes }
    }

    /// The ordinary tables among those of the plan, with their ordinary columns: a generated column would run an
    /// expression of the file.
    private func found(in database: Database) throws -> [String: TableStructure] {
        let transaction = SQLiteTransaction(database: database)
        var tables: [String: TableStructure] = [:]
        for row in try transaction.rows("PRAGMA main.table_list") {
            let name: String = try row.get("name")
            guard try row.get("schema") == "main", try row.get("type") == "table", plan.tables.contains(name) else {
                continue
            }
            let columns = try transaction.rows("PRAGMA main.table_xinfo(\(identifier: name))").compactMap { row in
                guard try row.get("hidden") == 0 else { return nil as ColumnStructure? }
                let type: String = try row.get("type")
                return ColumnStructure(
                    name: try row.get("name"), type: type.uppercased(), notNull: try row.get("notnull"))
            }
            tables[name] = TableStructure(columns: columns, options: try row.get("strict") ? ["STRICT"] : [])
        }
        return tables
    }

    private static func function(_ function: ReadingFunction) -> DatabaseFunction {
        DatabaseFunction(function.name, argumentCount: 1, pure: true) { values in
            let value: SQLValue =
                switch values.first?.storage {
                case .string(let text)?: .text(text)
                case .int64(let number)?: .integer(number)
                case .double(let number)?: .real(number)
                case .blob(let data)?: .blob([UInt8](data))
                case .null?, nil: .null
                }
            return answer(function.body(value))
        }
    }

    private static func answer(_ value: SQLValue) -> DatabaseValue {
        switch value {
        case .null: .null
        case .integer(let number): number.databaseValue
        case .real(let number): number.databaseValue
        case .text(let text): text.databaseValue
        case .blob(let bytes): Data(bytes).databaseValue
        }
    }
}

extension ViewSyntax {
    /// SQLite's.
    package static let sqlite = ViewSyntax(
        schema: "main", convert: { value, _, wanted in "CAST(\(value) AS \(wanted))" }, column: { value, _ in value },
        time: { $0 }, call: { function, value in "\(function.name)(\(value))" }, noBytes: "x''", rowNumber: "rowid")
}
