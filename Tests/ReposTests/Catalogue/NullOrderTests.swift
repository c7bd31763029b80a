import ChatDBKit
import Testing

/// SQLite sorts NULL before all values, PostgreSQL after them. Rule: docs/architecture.md, "SQL for every engine".
@Suite struct NullOrderTests {
    /// Columns that are not NULL where a statement sorts by them, with the reason. Any other column that may be NULL
    /// needs NULLS FIRST or NULLS LAST.
    private static let neverNull: [String: String] = [
        "support_chat_ts": "the statement wants only members with a support chat",
        "msg_content_tag": "the statement wants only items with a kind",
        "relay_inactive_at": "the statement compares it with a time",
        "ntf_sub_action_ts": "the statements compare it with a time",
        "contact_id": "the first key separates contacts and groups, so it is NULL for all or none",
        "group_id": "the same, and it is the key of groups",
    ]

    @Test(
        "a statement that sorts by a column that may be NULL says where NULL goes",
        arguments: RepositoryCatalogue.all)
    func explicit(entry: CatalogueEntry) throws {
        let tables = try Self.tables.get()
        try TwoProfiles.undoing { chat, agent in
            let (recordedChat, recordedAgent) = (RecordingTransaction(chat), RecordingTransaction(agent))
            _ = try entry.call(
                Call(chat: recordedChat, agent: recordedAgent, user: Things.alice.user, things: .alice))
            for (name, queries) in [(DatabaseName.chat, recordedChat.queries), (.agent, recordedAgent.queries)] {
                for query in queries {
                    let sql = query.rendered(.questionMark).sql
                    for column in Self.sortedColumns(in: sql, of: tables[name] ?? [:]) {
                        #expect(Self.neverNull[column] != nil, "\(column) in \(sql)")
                    }
                }
            }
        }
    }

    @Test("the look at the terms finds a column without a direction, and leaves out what says it or is never NULL")
    func control() {
        let tables = ["c": ["d": true, "e": true, "k": false], "f": ["g": true, "h": true, "k": true]]
        let sql =
            "SELECT a FROM (SELECT b FROM c ORDER BY c.d DESC, e, k LIMIT 1) AS x, f ORDER BY g NULLS FIRST, h, -i"
        #expect(Self.sortedColumns(in: sql, of: tables) == ["d", "e", "h"])
    }

    /// Whether each column of each table may be NULL.
    private typealias Tables = [String: [String: Bool]]

    /// The columns that may be NULL, by which a statement sorts without NULLS FIRST or NULLS LAST. Expressions are left
    /// out. A column without a table is one of the tables that the statement names, and never NULL if it is so in one of
    /// them.
    private static func sortedColumns(in sql: String, of tables: Tables) -> [String] {
        let words = Set(sql.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init))
        return sql.matches(of: /ORDER BY ([^()]+)/).flatMap { match in
            match.1.split(separator: ",").compactMap { term -> String? in
                guard let found = term.firstMatch(of: /^\s*(?:(\w+)\.)?([a-z_0-9]+)(\s+(?:ASC|DESC))?(\s+NULLS)?/),
                    found.4 == nil
                else { return nil }
                let column = String(found.2)
                let named = found.1.flatMap { tables[String($0)] }.map { [$0] }
                let candidates = named ?? tables.filter { words.contains($0.key) }.map(\.value)
                let states = candidates.compactMap { $0[column] }
                return states.isEmpty || states.contains(false) ? nil : column
            }
        }
    }

    private static let tables = Result { () throws -> [DatabaseName: Tables] in
        let test = try TestStore()
        var tables: [DatabaseName: Tables] = [:]
        for database in DatabaseName.allCases {
            tables[database] = try test.store.connection(database).structure().tables
                .filter { $0.value.virtualDefinition == nil }.mapValues { table in
                    Dictionary(
                        table.columns.map { ($0.name, !$0.notNull && !table.primaryKey.contains($0.name)) },
                        uniquingKeysWith: { $1 })
                }
        }
        return tables
    }
}
