/// Every public method of every repository, a file per subject. A test compares it with the sources.
enum RepositoryCatalogue {
    static let all: [CatalogueEntry] = [
        users, settings, tags, operators, servers, chatRelays, groups, groupChanges, preparedGroups, groupRelays,
        relayMembers, groupRelaySteps, groupMembers, relayService, contacts, contactRequests, userContactLinks,
        connections, files,
        fileSteps,
        chatItems, chatItemsWriter, messages, chatList, agentDatabase, crossStore,
    ].flatMap { $0 }
}
