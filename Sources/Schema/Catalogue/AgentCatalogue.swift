extension Catalogue {
    static let agent: [CatalogueTable] =
        ledger + agentUsers + agentConnections + agentQueues + agentRatchets + agentMessages + agentNotifications
        + agentFiles
}
