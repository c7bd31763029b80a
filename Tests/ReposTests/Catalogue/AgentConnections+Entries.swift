import ChatDBKit

extension Call {
    /// The number of the profile that asks, in the agent database.
    var agentUser: AgentUserID { AgentUserID(user.rawValue) }
}

extension RepositoryCatalogue {
    /// Every method over the agent database alone.
    static let agentDatabase: [CatalogueEntry] = [
        agentUsers, agentServers, agentConnections, receiveQueues, sendQueues, agentMessages, deliveries, ratchets,
        agentRequests, commands, notificationTokens, notificationSubscriptions, agentReceivedFiles, agentSentFiles,
    ].flatMap { $0 }

    static let agentUsers: [CatalogueEntry] = [
        .store("AgentUsersRepo.all(includingDeleted:)") { call in
            try [false, true].map { try AgentUsersRepo(call.agent).all(includingDeleted: $0) }
        },
        .store("AgentUsersRepo.find(_:includingDeleted:)") { try AgentUsersRepo($0.agent).find($0.agentUser) as Any },
        .store("AgentUsersRepo.get(_:includingDeleted:)") { try AgentUsersRepo($0.agent).get($0.agentUser) },
        .store("AgentUsersRepo.removable()") { try AgentUsersRepo($0.agent).removable() },
        .store("AgentUsersWriter.create()") { try AgentUsersWriter($0.agent).create() },
        .store("AgentUsersWriter.markDeleted(_:)") { try AgentUsersWriter($0.agent).markDeleted($0.agentUser) },
        .store("AgentUsersWriter.remove(_:)") { try AgentUsersWriter($0.agent).remove(deletedAgentUser($0)) },
        .store("AgentUsersWriter.removeCompleted()") {
            _ = try deletedAgentUser($0)
            return try AgentUsersWriter($0.agent).removeCompleted()
        },
    ]

    /// A profile that is marked as deleted and has no connections.
    private static func deletedAgentUser(_ call: Call) throws -> AgentUserID {
        let id = try AgentUsersWriter(call.agent).create().id
        try AgentUsersWriter(call.agent).markDeleted(id)
        return id
    }

    static let agentServers: [CatalogueEntry] = [
        .store("AgentServersRepo.all()") { try AgentServersRepo($0.agent).all() },
        .store("AgentServersRepo.find(_:)") { try AgentServersRepo($0.agent).find(AgentWorld.server) as Any },
        .store("AgentServersRepo.toSubscribe()") { try AgentServersRepo($0.agent).toSubscribe() },
        .store("AgentServersRepo.withCommands()") { try AgentServersRepo($0.agent).withCommands() },
        .store("AgentServersWriter.add(_:keyHash:)") { call in
            try [AgentWorld.server, AgentServerID(host: "new.example", port: "1")].map {
                try AgentServersWriter(call.agent).add($0, keyHash: "k=")
            }
        },
        .store("AgentServersWriter.setKeyHash(_:of:)") {
            try AgentServersWriter($0.agent).setKeyHash("n=", of: AgentWorld.server)
        },
        .store("AgentServersWriter.removeUnused()") { try AgentServersWriter($0.agent).removeUnused() },
    ]

    static let agentConnections: [CatalogueEntry] = [
        .store("AgentConnectionsRepo.find(_:includingDeleted:)") {
            try AgentConnectionsRepo($0.agent).find($0.things.agentConnection) as Any
        },
        .store("AgentConnectionsRepo.get(_:includingDeleted:)") {
            try AgentConnectionsRepo($0.agent).get($0.things.agentConnection)
        },
        CatalogueEntry("AgentConnectionsRepo.get(_:of:includingDeleted:)") {
            try AgentConnectionsRepo($0.agent).get($0.things.agentConnection, of: $0.agentUser)
        },
        CatalogueEntry("AgentConnectionsRepo.all(of:includingDeleted:)") { call in
            try [false, true].map { try AgentConnectionsRepo(call.agent).all(of: call.agentUser, includingDeleted: $0) }
        },
        CatalogueEntry("AgentConnectionsRepo.outOfSync(of:)") {
            try AgentConnectionsRepo($0.agent).outOfSync(of: $0.agentUser)
        },
        CatalogueEntry("AgentConnectionsRepo.removable(of:)") {
            try AgentConnectionsRepo($0.agent).removable(of: $0.agentUser)
        },
        CatalogueEntry("AgentConnectionsWriter.create(_:_:of:hasNotifications:)") {
            try AgentConnectionsWriter($0.agent).create(AgentConnectionID("new"), .invitation, of: $0.agentUser)
        },
        CatalogueEntry("AgentConnectionsWriter.setNotifications(_:for:of:)") {
            try AgentConnectionsWriter($0.agent).setNotifications(
                false, for: $0.things.agentConnection, of: $0.agentUser)
        },
        .store("AgentConnectionsWriter.setRatchetSyncState(_:of:)") {
            try AgentConnectionsWriter($0.agent).setRatchetSyncState(.required, of: $0.things.agentConnection)
        },
        CatalogueEntry("AgentConnectionsWriter.markDeleted(_:of:)") {
            try AgentConnectionsWriter($0.agent).markDeleted($0.things.agentConnection, of: $0.agentUser)
        },
        CatalogueEntry("AgentConnectionsWriter.markAllDeleted(_:of:)") {
            try AgentConnectionsWriter($0.agent).markAllDeleted(
                [$0.things.agentConnection, $0.things.secondAgentConnection], of: $0.agentUser)
        },
        CatalogueEntry("AgentConnectionsWriter.remove(_:of:)") {
            try AgentConnectionsWriter($0.agent).remove($0.things.deletedConnection, of: $0.agentUser)
        },
        CatalogueEntry("AgentConnectionsWriter.removeCompleted(of:)") {
            try AgentConnectionsWriter($0.agent).removeCompleted(of: $0.agentUser)
        },
    ]

    static let crossStore: [CatalogueEntry] = [
        .store("CrossStoreRepo.target(ofNotification:hidden:)") { call in
            try [HiddenProfiles.leftOut, .shown].map {
                try crossStore(call).target(ofNotification: call.things.notifier, hidden: $0)
            }
        },
        .store("CrossStoreRepo.orphanCounts()") { try crossStore($0).orphanCounts() },
        .store("CrossStoreRepo.orphanConnections(after:limit:)") { call in
            try [nil, call.things.agentConnection].map { try crossStore(call).orphanConnections(after: $0, limit: 10) }
        },
        .store("CrossStoreRepo.orphanUsers()") { try crossStore($0).orphanUsers() },
        .store("CrossStoreRepo.counts(hidden:)") { try crossStore($0).counts() },
        CatalogueEntry("CrossStoreWriter.deleteGroup(_:of:)") { call in
            try [call.things.channel, call.things.group].map {
                try crossStoreWriter(call).deleteGroup($0, of: call.user)
            }
        },
        CatalogueEntry("CrossStoreWriter.cancelGroup(_:of:)") {
            try crossStoreWriter($0).cancelGroup($0.things.prepared, of: $0.user)
        },
        CatalogueEntry("CrossStoreWriter.deleteContact(_:of:)") { call in
            try (1...2).map { _ in try crossStoreWriter(call).deleteContact(call.things.friend, of: call.user) }
        },
        CatalogueEntry("CrossStoreWriter.deleteAddress(of:)") { try crossStoreWriter($0).deleteAddress(of: $0.user) },
        CatalogueEntry("CrossStoreWriter.deleteGroupLink(to:of:)") {
            try crossStoreWriter($0).deleteGroupLink(to: $0.things.group, of: $0.user)
        },
        CatalogueEntry("CrossStoreWriter.deleteConnection(_:of:)") {
            try crossStoreWriter($0).deleteConnection($0.things.memberConnection, of: $0.user)
        },
        CatalogueEntry("CrossStoreWriter.deleteFile(_:of:)") {
            try crossStoreWriter($0).deleteFile($0.things.sentFile, of: $0.user)
        },
    ]

    private static func crossStore(_ call: Call) -> CrossStoreRepo {
        CrossStoreRepo(chat: call.chat, agent: call.agent)
    }

    private static func crossStoreWriter(_ call: Call) -> CrossStoreWriter {
        CrossStoreWriter(chat: call.chat, agent: call.agent)
    }
}
