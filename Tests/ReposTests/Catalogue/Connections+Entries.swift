import ChatDBKit

extension RepositoryCatalogue {
    static let connections: [CatalogueEntry] = [
        .store("ConnectionsRepo.entity(of:)") {
            try ConnectionsRepo($0.chat).entity(of: $0.things.agentConnection) as Any
        },
        CatalogueEntry("ConnectionsRepo.find(_:of:)") {
            try ConnectionsRepo($0.chat).find($0.things.contactConnection, of: $0.user) as Any
        },
        CatalogueEntry("ConnectionsRepo.get(_:of:)") {
            try ConnectionsRepo($0.chat).get($0.things.contactConnection, of: $0.user)
        },
        CatalogueEntry("ConnectionsRepo.all(ownedBy:of:)") { call in
            try owners(call.things).map { try ConnectionsRepo(call.chat).all(ownedBy: $0, of: call.user) }
        },
        CatalogueEntry("ConnectionsRepo.toSubscribe(of:)") { try ConnectionsRepo($0.chat).toSubscribe(of: $0.user) },
        CatalogueEntry("ConnectionsWriter.add(_:of:)") { call in
            try owners(call.things).enumerated().map { index, owner in
                try ConnectionsWriter(call.chat).add(
                    NewConnection(
                        agentID: agentID("new\(index)"), owner: owner, viaLink: call.things.address,
                        incognitoProfileID: call.things.incognitoProfile),
                    of: call.user)
            }
        },
        CatalogueEntry("ConnectionsWriter.setStatus(_:of:of:)") {
            try ConnectionsWriter($0.chat).setStatus(.deleted, of: $0.things.contactConnection, of: $0.user)
        },
        CatalogueEntry("ConnectionsWriter.assign(_:to:of:)") {
            let connections = ConnectionsWriter($0.chat)
            let new = try connections.add(NewConnection(agentID: agentID("new")), of: $0.user)
            return try connections.assign(new.id, to: $0.things.friend, of: $0.user)
        },
        CatalogueEntry("ConnectionsWriter.setAlias(_:of:of:)") {
            try ConnectionsWriter($0.chat).setAlias("new", of: $0.things.contactConnection, of: $0.user)
        },
        CatalogueEntry("ConnectionsWriter.setToSubscribe(_:_:of:)") {
            try ConnectionsWriter($0.chat).setToSubscribe(false, [$0.things.contactConnection], of: $0.user)
        },
        CatalogueEntry("ConnectionsWriter.delete(_:of:)") {
            try ConnectionsWriter($0.chat).delete($0.things.contactConnection, of: $0.user)
        },
    ]

    private static func owners(_ things: Things) -> [ConnectionOwner] {
        [
            .contact(things.friend), .member(things.member), .link(things.address), .sentFile(things.sentFile),
            .receivedFile(things.receivedFile),
        ]
    }

    private static func agentID(_ text: String) -> AgentConnectionID { AgentConnectionID(bytes: Array(text.utf8)) }
}
