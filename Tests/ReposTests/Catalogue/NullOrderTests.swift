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
        let nullable = try Self.nullableColumns.get()
        try TwoProfiles.undoing { chat, agent in
            let (recordedChat, recordedAgent) = (RecordingTransaction(chat), RecordingTransaction(agent))
            _ = try entry.call(
                Call(chat: recordedChat, agent: recordedAgent, user: Things.alice.user, things: .alice))
            for query in recordedChat.queries + recordedAgent.queries {
                let sql = query.rendered(.questionMark).sql
                for column in Self.sortedColumns(in: sql) where nullable.contains(column) {
                    #expect(Self.neverNull[column] != nil, "\(column) in \(sql)")
                }
            }
        }
    }

    @Test("the look at the terms finds a column without and with a direction, and leaves out what says it")
    func control() {
        let sql = "SELECT a FROM (SELECT b FROM c ORDER BY c.d DESC, e LIMIT 1) AS f ORDER BY g NULLS FIRST, h, -i"
        #expect(Self.sortedColumns(in: sql) == ["d", "e", "h"])
    }

    /// The columns by which a statement sorts without NULLS FIRST or NULLS LAST. Expressions are left out.
    private static func sortedColumns(in sql: String) -> [String] {
        sql.matches(of: /ORDER BY ([^()]+)/).flatMap { match in
            match.1.split(separator: ",").compactMap { term -> String? in
                guard let found = term.firstMatch(of: /^\s*(?:\w+\.)?([a-z_0-9]+)(\s+(?:ASC|DESC))?(\s+NULLS)?/),
                    found.3 == nil
                else { return nil }
                return String(found.1)
            }
        }
    }

    /// The columns that may be NULL in some table of the two databases.
    private static let nullableColumns = Result { () throws -> Set<String> in
        let test = try TestStore()
        var names: Set<String> = []
        for database in DatabaseName.allCases {
            for table in try test.store.connection(database).structure().tables.values {
                for column in table.columns where !column.notNull && !table.primaryKey.contains(column.name) {
                    names.insert(column.name)
                }
            }
        }
        return names
    }
}
