extension Catalogue {
    static let chat: [CatalogueTable] =
        ledger + chatProfiles + chatServers + chatRelays + chatContacts + chatGroups + chatConnections + chatMessages
        + chatItems + chatFiles + chatOrganisation
}
