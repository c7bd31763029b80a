package import ChatDBEngine
import ChatDBReposChat
import ChatDBSchema

/// A copy of the configuration of a store of SimpleX Chat in memory, with the tables and the numbers of this build, so
/// that the repositories can change it. What they have changed can then be checked and written in the app's own forms.
package final class ConfigurationShadow: Sendable {
    /// The copy. Nothing else uses it.
    package let connection: any StorageConnection
    private let before: AppRows

    /// The tables that the repositories of relays, servers and operators read or write, and the rows that they need. A
    /// channel that has lost its row of a relay is known by a member, and the member by its profile.
    private static let tables: [(name: String, rows: Query)] = [
        ("users", ""), ("server_operators", ""), ("usage_conditions", ""), ("operator_usage_conditions", ""),
        ("protocol_servers", ""), ("chat_relays", ""), ("group_relays", ""),
        (
            "groups",
            """
            WHERE group_id IN (SELECT group_id FROM group_relays)
                OR group_id IN (SELECT group_id FROM group_members WHERE \(GroupMember.isRelayWithoutRow))
            """
        ),
        (
            "group_members",
            """
            WHERE group_member_id IN (SELECT group_member_id FROM group_relays)
                OR member_category = 'user' AND group_id IN (SELECT group_id FROM group_relays)
                OR \(GroupMember.isRelayWithoutRow)
            """
        ),
        (
            "contact_profiles",
            """
            WHERE contact_profile_id IN (
                SELECT contact_profile_id FROM group_members WHERE \(GroupMember.isRelayWithoutRow))
            """
        ),
        ("preset_choices", "WHERE 0"),
    ]

    /// Fills an empty database.
    /// - Parameter views: the chat database of the app through the views of this build.
    /// - Parameter schema: this build's schema of the chat database.
    package init(
        of views: any ReadTransaction, with schema: DatabaseStructure, in connection: any StorageConnection
    ) throws {
        self.connection = connection
        before = try connection.write { copy in
            for (name, condition) in Self.tables {
                guard let table = schema.tables[name] else { continue }
                // Without the rules of this build: the app has its own, which are checked when the change is written.
                try copy.run(ScratchTable.creation(of: name, like: table, unique: nil))
                for index in Self.uniqueIndexes(of: name, schema) { try copy.run(index) }
                let names = table.columns.map(\.name)
                let columns = Query.list(names.map { "\(identifier: $0)" })
                for row in try views.rows("SELECT \(columns) FROM \(identifier: name) \(condition)") {
                    try copy.run(
                        """
                        INSERT INTO \(identifier: name) (\(columns))
                        VALUES (\(Query.list(row.values.map { "\($0)" })))
                        """)
                }
            }
            return try AppRows(in: copy)
        }
    }

    /// The choices of the user are written with `ON CONFLICT`, which needs the index.
    private static func uniqueIndexes(of name: String, _ schema: DatabaseStructure) -> [Query] {
        guard name == "preset_choices" else { return [] }
        let table = schema.tables[name]
        let lists =
            (table?.unique ?? []) + schema.indexes.values.filter { $0.table == name && $0.unique }.map(\.columns)
        return lists.enumerated().map { number, columns in
            """
            CREATE UNIQUE INDEX \(identifier: "\(name)_\(number)") ON \(identifier: name)
                (\(Query.list(columns.map { "\(identifier: $0)" })))
            """
        }
    }

    /// What was changed since the copy was made.
    package func change() throws -> ConfigurationChange {
        try connection.read { ConfigurationChange(from: before, to: try AppRows(in: $0)) }
    }

    /// The operators whose current conditions of use were accepted.
    package func acceptedOperators() throws -> Set<Int64> {
        try connection.read { copy in
            let standings = try OperatorsRepo(copy).conditions().operators
            return Set(standings.filter(\.acceptance.isAccepted).map(\.operator.id.rawValue))
        }
    }
}
