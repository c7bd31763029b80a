/// Every public method of every repository, a file per subject. A test compares it with the sources.
enum RepositoryCatalogue {
    static let all: [CatalogueEntry] = [
        users, operators, servers, chatRelays, groups, groupRelays, groupMembers,
        agentUsers, agentServers, agentConnections, receiveQueues, sendQueues, agentMessages, deliveries, crossStore,
        ratchets, agentRequests, commands, notificationTokens, notificationSubscriptions, agentReceivedFiles,
        agentSentFiles,
    ].flatMap { $0 }
}
