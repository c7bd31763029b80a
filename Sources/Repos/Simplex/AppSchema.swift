package import ChatDBEngine
import ChatDBReposKit

/// The schema that the tables must have in which chatdb writes. A table of another schema may have other rules.
package enum AppSchema {
    private struct Expected {
        /// The columns of every version: the type, with `?` if the value may be NULL, and the default after `=`.
        let columns: [String: String]
        /// Columns that later versions have.
        var later: [String: String] = [:]
        var unique: Set<Set<String>> = []
        /// Whether its rows belong to a profile, and are removed with it.
        var isOfProfile = true

        func type(_ column: String) -> String? {
            (columns[column] ?? later[column]).map { String($0.prefix { $0 != "=" }) }
        }

        func defaultValue(_ column: String) -> String? {
            guard let text = columns[column] ?? later[column], let sign = text.firstIndex(of: "=") else { return nil }
            return String(text[text.index(after: sign)...])
        }
    }

    private static let times = ["created_at": "TEXT=datetime('now')", "updated_at": "TEXT=datetime('now')"]

    private static func expected(_ table: AppTable) -> Expected {
        switch table {
        case .operators:
            Expected(
                columns: times.merging([
                    "server_operator_id": "INTEGER", "server_operator_tag": "TEXT?", "trade_name": "TEXT",
                    "legal_name": "TEXT?", "server_domains": "TEXT?", "enabled": "INTEGER=1",
                    "smp_role_storage": "INTEGER=1", "smp_role_proxy": "INTEGER=1", "xftp_role_storage": "INTEGER=1",
                    "xftp_role_proxy": "INTEGER=1",
                ]) { $1 }, later: ["smp_role_names": "INTEGER=0"], isOfProfile: false)
        case .servers:
            Expected(
                columns: times.merging([
                    "smp_server_id": "INTEGER", "host": "TEXT", "port": "TEXT", "key_hash": "BLOB",
                    "basic_auth": "TEXT?", "preset": "INTEGER=0", "tested": "INTEGER?", "enabled": "INTEGER=1",
                    "user_id": "INTEGER", "protocol": "TEXT='smp'",
                ]) { $1 },
                later: ["role_storage": "INTEGER?", "role_proxy": "INTEGER?", "role_names": "INTEGER?"],
                unique: [["user_id", "host", "port"]])
        case .relays:
            Expected(
                columns: times.merging([
                    "chat_relay_id": "INTEGER", "address": "BLOB", "display_name": "TEXT", "full_name": "TEXT=''",
                    "short_descr": "TEXT?", "image": "TEXT?", "domains": "TEXT", "preset": "INTEGER=0",
                    "tested": "INTEGER?", "enabled": "INTEGER=1", "user_id": "INTEGER", "deleted": "INTEGER=0",
                ]) { $1 }, unique: [["user_id", "address"]])
        }
    }

    /// The tables that refer to those that chatdb writes. Rows of another one could be removed with a row.
    static let referrers: [(table: String, to: AppTable)] = [
        ("group_relays", .relays), ("operator_usage_conditions", .operators),
    ]

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
        for (name, table) in structure.tables.sorted(by: { $0.key < $1.key }) {
            for key in table.foreignKeys {
                guard let parent = AppTable(rawValue: key.parent.lowercased()),
                    !Self.referrers.contains(where: { $0.table == name && $0.to == parent })
                else { continue }
                throw .schema(parent, "the table \(name) refers to it")
            }
        }
    }

    private static func problem(
        of found: TableStructure, _ table: AppTable, _ structure: DatabaseStructure
    ) -> String? {
        let wanted = expected(table)
        if found.virtualDefinition != nil || !found.checks.isEmpty || !found.uniqueConflicts.isEmpty
            || found.primaryConflict != nil || found.primaryKey != [table.key]
            || !Set(found.options).isSubset(of: ["STRICT", "AUTOINCREMENT"])
        {
            return "it has other rules"
        }
        let isOfProfile = found.foreignKeys.map { key in
            key.columns == ["user_id"] && key.parent == "users" && key.parentColumns.allSatisfy { $0 == "user_id" }
                && key.onDelete == "CASCADE" && key.onUpdate == "NO ACTION" && !key.deferred
        }
        if isOfProfile != (wanted.isOfProfile ? [true] : []) { return "it has other references" }
        let names = Set(found.columns.map(\.name))
        if let missing = wanted.columns.keys.filter({ !names.contains($0) }).min() {
            return "it lacks the column \(missing)"
        }
        for column in found.columns {
            guard let type = wanted.type(column.name) else {
                return "it has the column \(column.name)"
            }
            let mayBeNull = type.hasSuffix("?")
            let isKey = column.name == table.key
            guard column.type == type.replacing("?", with: ""), isKey || column.notNull != mayBeNull,
                column.generated == nil, column.collation == nil, column.nullConflict == nil,
                column.defaultValue.map(plain) == wanted.defaultValue(column.name).map(plain)
            else { return "the column \(column.name) has another form" }
        }
        let indexes = structure.indexes.values.filter { $0.table == table.rawValue && $0.unique }
        if indexes.contains(where: { $0.condition != nil }) { return "it has other rules" }
        if Set(found.unique.map(Set.init) + indexes.map { Set($0.columns) }) != wanted.unique {
            return "its rows are unique by other columns"
        }
        return nil
    }

    /// The text of a default without blanks and brackets, in lower case.
    private static func plain(_ value: String) -> String { value.filter { !" ()".contains($0) }.lowercased() }

    /// Throws `schema` for a value that is stored in another form than the columns have: chatdb would write another
    /// one.
    package static func check(_ rows: AppRows) throws(ConfigurationError) {
        for table in AppTable.allCases {
            let wanted = expected(table)
            for (id, values) in rows.rows(table) {
                for (column, value) in values where value != .null {
                    guard wanted.type(column)?.hasPrefix(value.typeName) == true else {
                        throw .schema(table, "the row \(id) has another form in the column \(column)")
                    }
                }
            }
        }
    }

    /// The value as the app stores it in a column: text as bytes where the column has bytes.
    static func stored(_ value: SQLValue, in column: String, of table: AppTable) -> SQLValue {
        guard case .text(let text) = value, expected(table).type(column) == "BLOB" else { return value }
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
            try scratch.run(ScratchTable.creation(of: table.rawValue, like: found, unique: expected(table).unique))
            for (id, values) in rows.rows(table) {
                try scratch.run(ConfigurationChange.insertion(into: table, id, values, setsTimes: false))
            }
        }
    }
}
