package import ChatDBEngine
import ChatDBReposKit

/// The schema that the tables must have in which chatdb writes. A table of another schema may have other rules.
package enum AppSchema {
    private struct Expected {
        /// The columns of every version with their types; those that may be NULL end with `?`.
        let columns: [String: String]
        /// Columns that later versions have.
        var later: [String: String] = [:]
        var unique: Set<Set<String>> = []
    }

    private static let times = ["created_at": "TEXT", "updated_at": "TEXT"]

    private static func expected(_ table: AppTable) -> Expected {
        switch table {
        case .operators:
            Expected(
                columns: times.merging([
                    "server_operator_id": "INTEGER", "server_operator_tag": "TEXT?", "trade_name": "TEXT",
                    "legal_name": "TEXT?", "server_domains": "TEXT?", "enabled": "INTEGER",
                    "smp_role_storage": "INTEGER", "smp_role_proxy": "INTEGER", "xftp_role_storage": "INTEGER",
                    "xftp_role_proxy": "INTEGER",
                ]) { $1 }, later: ["smp_role_names": "INTEGER"])
        case .servers:
            Expected(
                columns: times.merging([
                    "smp_server_id": "INTEGER", "host": "TEXT", "port": "TEXT", "key_hash": "BLOB",
                    "basic_auth": "TEXT?", "preset": "INTEGER", "tested": "INTEGER?", "enabled": "INTEGER",
                    "user_id": "INTEGER", "protocol": "TEXT",
                ]) { $1 },
                later: ["role_storage": "INTEGER?", "role_proxy": "INTEGER?", "role_names": "INTEGER?"],
                unique: [["user_id", "host", "port"]])
        case .relays:
            Expected(
                columns: times.merging([
                    "chat_relay_id": "INTEGER", "address": "BLOB", "display_name": "TEXT", "full_name": "TEXT",
                    "short_descr": "TEXT?", "image": "TEXT?", "domains": "TEXT", "preset": "INTEGER",
                    "tested": "INTEGER?", "enabled": "INTEGER", "user_id": "INTEGER", "deleted": "INTEGER",
                ]) { $1 }, unique: [["user_id", "address"]])
        }
    }

    /// Throws `schema` for the first difference in a table that chatdb writes. The table of relays may be missing:
    /// earlier versions have no relays.
    package static func check(_ structure: DatabaseStructure) throws(ConfigurationError) {
        for table in AppTable.allCases {
            guard let found = structure.tables[table.rawValue] else {
                if table == .relays, structure.views[table.rawValue] == nil { continue }
                throw .schema(table, "it is missing")
            }
            if let problem = problem(of: found, table, structure) { throw .schema(table, problem) }
        }
        for (name, trigger) in structure.triggers where AppTable(rawValue: trigger.table) != nil {
            guard let table = AppTable(rawValue: trigger.table) else { continue }
            throw .schema(table, "it has the trigger \(name)")
        }
    }

    private static func problem(
        of found: TableStructure, _ table: AppTable, _ structure: DatabaseStructure
    ) -> String? {
        let wanted = expected(table)
        if found.virtualDefinition != nil || !found.checks.isEmpty { return "it has other rules" }
        let names = Set(found.columns.map(\.name))
        if let missing = wanted.columns.keys.filter({ !names.contains($0) }).min() {
            return "it lacks the column \(missing)"
        }
        for column in found.columns {
            guard let type = wanted.columns[column.name] ?? wanted.later[column.name] else {
                return "it has the column \(column.name)"
            }
            let mayBeNull = type.hasSuffix("?")
            let isKey = column.name == table.key
            guard column.type == type.replacing("?", with: ""), isKey || column.notNull != mayBeNull,
                column.generated == nil, column.collation == nil
            else { return "the column \(column.name) has another form" }
        }
        let indexes = structure.indexes.values.filter { $0.table == table.rawValue && $0.unique }
        if indexes.contains(where: { $0.condition != nil }) { return "it has other rules" }
        if Set(found.unique.map(Set.init) + indexes.map { Set($0.columns) }) != wanted.unique {
            return "its rows are unique by other columns"
        }
        return nil
    }

    /// Throws `schema` for a value that is stored in another form than the columns have: chatdb would write another
    /// one.
    package static func check(_ rows: AppRows) throws(ConfigurationError) {
        for table in AppTable.allCases {
            let wanted = expected(table)
            for (id, values) in rows.rows(table) {
                for (column, value) in values where value != .null {
                    let type = wanted.columns[column] ?? wanted.later[column]
                    guard type?.hasPrefix(value.typeName) == true else {
                        throw .schema(table, "the row \(id) has another form in the column \(column)")
                    }
                }
            }
        }
    }

    /// The value as the app stores it in a column: text as bytes where the column has bytes.
    static func stored(_ value: SQLValue, in column: String, of table: AppTable) -> SQLValue {
        guard case .text(let text) = value, expected(table).columns[column] == "BLOB" else { return value }
        return .blob(Array(text.utf8))
    }

    /// Makes a copy of the tables that the start of the app concerns in an empty database, so that the start can be
    /// tried without writing the store.
    package static func copy(
        _ rows: AppRows, like structure: DatabaseStructure, to scratch: any WriteTransaction
    ) throws(StoreError) {
        try scratch.run(
            "CREATE TABLE users (user_id INTEGER PRIMARY KEY, local_display_name TEXT, view_pwd_hash BLOB)")
        for profile in rows.profiles {
            try scratch.run(
                """
                INSERT INTO users VALUES (\(profile.id), \(profile.name), \(profile.name == nil ? [UInt8]() : nil))
                """)
        }
        for table in AppTable.allCases {
            guard let found = structure.tables[table.rawValue] else { continue }
            try scratch.run(creation(of: table, found))
            for (id, values) in rows.rows(table) {
                try scratch.run(ConfigurationChange.insertion(into: table, id, values, setsTimes: false))
            }
        }
    }

    private static func creation(of table: AppTable, _ found: TableStructure) -> Query {
        var lines: [Query] = found.columns.map { column in
            if column.name == table.key { return "\(identifier: column.name) INTEGER PRIMARY KEY" }
            let type: Query = column.type == "INTEGER" ? "INTEGER" : column.type == "BLOB" ? "BLOB" : "TEXT"
            return "\(identifier: column.name) \(type) \(column.notNull ? "NOT NULL" as Query : "") \(value(column))"
        }
        for columns in expected(table).unique.map({ $0.sorted() }) {
            lines.append("UNIQUE (\(Query.list(columns.map { "\(identifier: $0)" })))")
        }
        return "CREATE TABLE \(identifier: table.rawValue) (\(Query.list(lines)))"
    }

    /// The default of a column that the app may leave out.
    private static func value(_ column: ColumnStructure) -> Query {
        switch column.name {
        case "enabled", "smp_role_storage", "smp_role_proxy", "xftp_role_storage", "xftp_role_proxy": "DEFAULT 1"
        case "preset", "deleted", "smp_role_names": "DEFAULT 0"
        case "full_name": "DEFAULT ''"
        default: ""
        }
    }
}

extension Query {
    /// Parts with commas between them.
    static func list(_ parts: [Query]) -> Query {
        parts.dropFirst().reduce(parts.first ?? "") { $0 + ", " + $1 }
    }
}
