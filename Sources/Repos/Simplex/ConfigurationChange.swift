package import ChatDBEngine
import ChatDBSchema

/// The rows that differ between two states of the configuration, in the forms of this build.
package struct ConfigurationChange: Sendable {
    /// A row that is new, changed or removed.
    struct Row: Sendable {
        let table: AppTable
        let id: Int64
        /// Nil for a new row.
        let old: AppRows.Values?
        /// Nil for a row that is removed.
        var new: AppRows.Values?

        /// Whether a column has another value.
        func changes(_ column: String) -> Bool { old?[column] != new?[column] }

        /// The columns with other values.
        var changed: [String] { table.columns.filter(changes) }

        var server: (old: AppServer?, new: AppServer?) {
            (old.map { AppServer(id: id, values: $0) }, new.map { AppServer(id: id, values: $0) })
        }

        var relay: (old: AppRelay?, new: AppRelay?) {
            (old.map { AppRelay(id: id, values: $0) }, new.map { AppRelay(id: id, values: $0) })
        }

        var `operator`: (old: AppOperator?, new: AppOperator?) {
            (old.map { AppOperator(id: id, values: $0) }, new.map { AppOperator(id: id, values: $0) })
        }
    }

    let rows: [Row]

    /// Whether nothing is to be written.
    package var isEmpty: Bool { rows.isEmpty }

    private init(rows: [Row]) {
        self.rows = rows
    }

    /// The differences between the rows before and after a change.
    package init(from before: AppRows, to after: AppRows) {
        rows = AppTable.allCases.flatMap { table in
            let (old, new) = (before.tables[table] ?? [:], after.tables[table] ?? [:])
            return Set(old.keys).union(new.keys).sorted().compactMap { id in
                let row = Row(table: table, id: id, old: old[id], new: new[id].map(Self.inTheAppsForm(old[id], table)))
                return row.old == nil || row.new == nil || !row.changed.isEmpty ? row : nil
            }
        }
    }

    /// The values as the app writes them.
    private static func inTheAppsForm(
        _ old: AppRows.Values?, _ table: AppTable
    ) -> (AppRows.Values) -> AppRows.Values {
        { values in
            switch table {
            case .operators: values
            case .servers: withAllRoles(values, old)
            case .relays: withOneSpelling(values, old)
            }
        }
    }

    /// A relay's address: a new relay's in its one form, and that of a relay which is there already unchanged, so that
    /// no second spelling comes into the store.
    private static func withOneSpelling(_ values: AppRows.Values, _ old: AppRows.Values?) -> AppRows.Values {
        guard let address = values.text("address") else { return values }
        var values = values
        if let before = old?.text("address") {
            if AppPresets.key(of: before) == AppPresets.key(of: address) { values["address"] = old?["address"] }
        } else if let link = try? RelayAddress(address) {
            values["address"] = .text(link.rendered)
        }
        return values
    }

    /// A server's own roles: the app reads them only if all three are there, and clears them otherwise. A role that the
    /// user has not chosen gets the value that a server without own roles has.
    private static func withAllRoles(_ values: AppRows.Values, _ old: AppRows.Values?) -> AppRows.Values {
        guard AppServer.roles.contains(where: { values[$0] != old?[$0] }) else { return values }
        let chosen = ServerRoleChoices(
            storage: values.choice("role_storage"), proxy: values.choice("role_proxy"),
            names: values.choice("role_names")
        ).completed
        if chosen.isEmpty { return values }
        let all = ["role_storage": chosen.storage, "role_proxy": chosen.proxy, "role_names": chosen.names]
        return values.merging(all.mapValues { .integer($0 == true ? 1 : 0) }) { $0 == .null ? $1 : $0 }
    }
}

extension ConfigurationChange {
    /// Writes the rows into the tables of the app. Returns the change with the numbers that the database gave to new
    /// rows: the app's table may never give a number twice. Throws `unexpected` if a row is not there, or not as it was
    /// read.
    package func apply(to chat: any WriteTransaction, over stored: AppRows) throws -> ConfigurationChange {
        for row in rows where row.new == nil { try delete(row, in: chat) }
        for row in rows where row.new != nil && row.old != nil { try update(row, in: chat) }
        return ConfigurationChange(
            rows: try rows.map { row in
                guard row.old == nil else { return row }
                let number = try Self.number(in: row.table, of: chat)
                let id = try chat.insert(
                    Self.insertion(into: row.table, number, native(row, over: stored), setsTimes: true),
                    returning: row.table.key)
                return Row(table: row.table, id: id, old: nil, new: row.new)
            })
    }

    private func delete(_ row: Row, in chat: any WriteTransaction) throws {
        let isUnused: Query =
            row.table == .relays
            ? "AND NOT EXISTS (SELECT 1 FROM group_relays WHERE group_relays.chat_relay_id = chat_relays.chat_relay_id)"
            : ""
        let count = try chat.run(
            """
            DELETE FROM \(identifier: row.table.rawValue)
            WHERE \(identifier: row.table.key) = \(row.id) AND preset = 0 \(isUnused)
            """)
        if count != 1 { throw ConfigurationError.unexpected(row.table, row: row.id) }
    }

    private func update(_ row: Row, in chat: any WriteTransaction) throws {
        let values = row.changed.map { column -> Query in
            let value = AppSchema.stored(row.new?[column] ?? .null, in: column, of: row.table)
            return "\(identifier: column) = \(value)"
        }
        let count = try chat.run(
            """
            UPDATE \(identifier: row.table.rawValue) SET \(Query.list(values)), updated_at = \(AppStart.now)
            WHERE \(identifier: row.table.key) = \(row.id)
            """)
        if count != 1 { throw ConfigurationError.unexpected(row.table, row: row.id) }
    }

    /// The values of a new row, for the columns that the version has.
    private func native(_ row: Row, over stored: AppRows) -> AppRows.Values {
        var values: AppRows.Values = [:]
        for column in row.table.columns where !stored.lacks(column, in: row.table) {
            guard let value = row.new?[column], value != .null else { continue }
            values[column] = AppSchema.stored(value, in: column, of: row.table)
        }
        return values
    }

    /// The number of a new row if rows refer to a number that the database has not given yet. Nil otherwise: the
    /// database then numbers the row. Rule: docs/domain.md, "Numbers of new rows".
    private static func number(in table: AppTable, of chat: any ReadTransaction) throws(StoreError) -> Int64? {
        let key: Query = "\(identifier: table.key)"
        var given = try chat.count("SELECT max(\(key)) FROM \(identifier: table.rawValue)")
        // The app's table may have numbers that no row has any more, and never gives one of them again.
        if try chat.first(chat.dialect.tableExists("sqlite_sequence")) != nil {
            let last = try chat.count("SELECT max(seq) FROM sqlite_sequence WHERE name = \(table.rawValue)")
            given = max(given, last)
        }
        var referred = 0
        for referrer in AppSchema.referrers where referrer.to == table {
            if try chat.first(chat.dialect.tableExists(referrer.table)) == nil { continue }
            let highest = try chat.count(
                "SELECT max(\(key)) FROM \(identifier: referrer.table) WHERE \(key) < 9007199254740992")
            referred = max(referred, highest)
        }
        return referred > given ? Int64(referred) + 1 : nil
    }

    /// The statement for a new row; the database numbers it if there is no id.
    static func insertion(
        into table: AppTable, _ id: Int64?, _ values: AppRows.Values, setsTimes: Bool
    ) -> Query {
        let columns = values.keys.sorted()
        let times: [Query] = setsTimes ? ["created_at", "updated_at"] : []
        let names = (id == nil ? [] : [table.key]) + columns
        let key: [Query] = id.map { ["\($0)"] } ?? []
        return """
            INSERT INTO \(identifier: table.rawValue) (\(Query.list(names.map { "\(identifier: $0)" } + times)))
            VALUES (\(Query.list(key + columns.map { "\(values[$0] ?? .null)" } + times.map { _ in AppStart.now })))
            """
    }

    /// Throws `unexpected` unless the rows of a database are those before with exactly these changes.
    package func check(_ found: AppRows, over before: AppRows) throws(ConfigurationError) {
        let (before, found) = (before.withoutTimes, found.withoutTimes)
        for table in AppTable.allCases {
            var ids = Set(before.rows(table).map(\.id)).union(found.rows(table).map(\.id))
            for row in rows where row.table == table {
                ids.remove(row.id)
                let values = found.row(table, row.id)
                guard (values == nil) == (row.new == nil) else { throw .unexpected(table, row: row.id) }
                for (column, value) in values ?? [:] {
                    let wanted =
                        row.old == nil || row.changes(column)
                        ? row.new?[column].map { AppSchema.stored($0, in: column, of: table) }
                        : before.row(table, row.id)?[column]
                    if table.columns.contains(column), wanted != value { throw .unexpected(table, row: row.id) }
                }
            }
            for id in ids where before.row(table, id) != found.row(table, id) { throw .unexpected(table, row: id) }
        }
    }
}
