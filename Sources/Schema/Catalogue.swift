/// One of the two databases of a store.
public enum DatabaseName: String, Sendable, Hashable, Codable, CaseIterable, CustomStringConvertible {
    /// Profiles, contacts, groups and channels, messages, relays, servers, settings.
    case chat
    /// The network side: keys, ratchets, queues, servers, undelivered messages.
    case agent

    /// The name as people read it: `chat` or `agent`.
    public var description: String { rawValue }
}

/// What every table and column means, and who may see it. Complete: a test fails when a column of either database is
/// missing here, or when a column here is in neither.
public enum Catalogue {
    /// The tables of one database, by subject.
    public static func tables(of database: DatabaseName) -> [CatalogueTable] {
        switch database {
        case .chat: chat
        case .agent: agent
        }
    }

    /// The table of that name, or nil when the database has none in this version.
    public static func table(_ name: String, of database: DatabaseName) -> CatalogueTable? {
        tables(of: database).first { $0.name == name }
    }

    private static let chat: [CatalogueTable] =
        ledger + CatalogueTable.chatProfiles + CatalogueTable.chatOperators + CatalogueTable.chatServers
        + CatalogueTable.chatRelays + CatalogueTable.chatContacts + CatalogueTable.chatGroups
        + CatalogueTable.chatGroupMembers + CatalogueTable.chatConnections + CatalogueTable.chatMessages
        + CatalogueTable.chatItems + CatalogueTable.chatFiles + CatalogueTable.chatOrganisation

    private static let agent: [CatalogueTable] =
        ledger + CatalogueTable.agentUsers + CatalogueTable.agentConnections + CatalogueTable.agentQueues
        + CatalogueTable.agentRatchets + CatalogueTable.agentMessages + CatalogueTable.agentNotifications
        + CatalogueTable.agentFileServers + CatalogueTable.agentReceivedFiles + CatalogueTable.agentSentFiles

    /// What the engine itself keeps in either database. No migration makes these tables.
    private static let ledger: [CatalogueTable] = [
        CatalogueTable(
            "migrations", "A migration that this database has been through.",
            [
                .public("name", "the migration's name; names sort in the order of application"),
                .public("ts", "when it was applied, UTC"),
                .public("down", "the SQL that undoes it, or NULL when it cannot be undone"),
                .public("checksum", "SHA-256 of the text that was applied, in hex"),
            ]),
        CatalogueTable(
            "store", "The one row that says which store the database belongs to.",
            [
                .public("store_id", "random id made with the store, the same in both databases"),
                .public("generation", "raised in both databases by every migration run and restore"),
            ]),
    ]
}
