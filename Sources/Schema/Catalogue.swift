/// One of the two databases of a store.
public enum DatabaseName: String, Sendable, Hashable, Codable, CaseIterable, CustomStringConvertible {
    /// Profiles, contacts, groups and channels, messages, relays, servers, settings.
    case chat
    /// The network side: keys, ratchets, queues, servers, undelivered messages.
    case agent

    /// `chat` or `agent`.
    public var description: String { rawValue }
}

/// The meaning and the secrecy of every table and column. Complete: a test fails when a column of either database is
/// missing here, or when neither database has a column that is here.
public enum Catalogue {
    /// The tables of one database, by subject.
    public static func tables(of database: DatabaseName) -> [CatalogueTable] {
        switch database {
        case .chat: chat
        case .agent: agent
        }
    }

    /// The table with a name, or nil when this version of the database has no such table.
    public static func table(_ name: String, of database: DatabaseName) -> CatalogueTable? {
        tables(of: database).first { $0.name == name }
    }

    /// The table of that name, with the columns that only SimpleX Chat has; also a table that only SimpleX Chat has. Nil
    /// for a name that neither has. Where both describe a column, this build's description counts.
    package static func tableOfAnyProgram(_ name: String, of database: DatabaseName) -> CatalogueTable? {
        (database == .chat ? anyChat : anyAgent)[name]
    }

    /// The tables and columns that the newest versions of SimpleX Chat have and this build has not, by subject.
    package static func simplexTables(of database: DatabaseName) -> [CatalogueTable] {
        switch database {
        case .chat: CatalogueTable.simplexChat
        case .agent: CatalogueTable.simplexAgent
        }
    }

    private static let anyChat = both(chat, CatalogueTable.simplexChat)
    private static let anyAgent = both(agent, CatalogueTable.simplexAgent)

    private static func both(_ own: [CatalogueTable], _ simplex: [CatalogueTable]) -> [String: CatalogueTable] {
        var tables = Dictionary(own.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        for table in simplex {
            let known = tables[table.name]
            let columns = known?.columns ?? []
            tables[table.name] = CatalogueTable(
                table.name, known?.meaning ?? table.meaning,
                columns + table.columns.filter { column in !columns.contains { $0.name == column.name } })
        }
        return tables
    }

    private static let chat: [CatalogueTable] =
        ledger + CatalogueTable.chatProfiles + CatalogueTable.chatOperators + CatalogueTable.chatServers
        + CatalogueTable.chatRelays + CatalogueTable.chatPresetChoices + CatalogueTable.chatContacts
        + CatalogueTable.chatGroups
        + CatalogueTable.chatGroupMembers + CatalogueTable.chatDelivery + CatalogueTable.chatConnections
        + CatalogueTable.chatMessages
        + CatalogueTable.chatItems + CatalogueTable.chatFiles + CatalogueTable.chatOrganisation

    private static let agent: [CatalogueTable] =
        ledger + CatalogueTable.agentUsers + CatalogueTable.agentConnections + CatalogueTable.agentQueues
        + CatalogueTable.agentRatchets + CatalogueTable.agentMessages + CatalogueTable.agentNotifications
        + CatalogueTable.agentFileServers + CatalogueTable.agentReceivedFiles + CatalogueTable.agentSentFiles

    /// The tables that the migration engine keeps in either database. No migration makes them.
    package static let ledger: [CatalogueTable] = [
        CatalogueTable(
            "migrations", "A migration that this database has been through.",
            [
                .public("name", "the migration's name; names sort in the order of application"),
                .public("ts", "when it was applied, UTC"),
                .public("down", "the SQL that undoes it, or NULL when it cannot be undone"),
                .public("checksum", "SHA-256 of the text that was applied, in hex"),
                .public("note", "what was unusual about it, such as why it was applied out of order; else NULL"),
            ]),
        CatalogueTable(
            "store", "The one row that says which store the database belongs to.",
            [
                .public("store_id", "random id made with the store, the same in both databases"),
                .public("generation", "raised in both databases by every migration run and restore"),
            ]),
    ]
}
