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
                        incognitoProfileID: call.things.incognitoProfile, invitation: "new"),
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
        CatalogueEntry("ConnectionsRepo.failing(of:)") {
            try ConnectionsWriter($0.chat).makeInactive($0.things.contactConnection, of: $0.user)
            return try ConnectionsRepo($0.chat).failing(of: $0.user)
        },
        CatalogueEntry("ConnectionsRepo.inUse(ofContacts:of:)") {
            try ConnectionsRepo($0.chat).inUse(ofContacts: [$0.things.friend], of: $0.user)
        },
        CatalogueEntry("ConnectionsRepo.inUse(ofMembers:of:)") {
            try ConnectionsRepo($0.chat).inUse(ofMembers: [$0.things.member], of: $0.user)
        },
        CatalogueEntry("ConnectionsWriter.countError(_:of:of:)") { call in
            try ConnectionErrorKind.allCases.map {
                try ConnectionsWriter(call.chat).countError($0, of: call.things.contactConnection, of: call.user)
            }
        },
        CatalogueEntry("ConnectionsWriter.resetErrors(_:of:of:)") { call in
            try [ConnectionErrorKind.authentication, .quota, nil].map {
                try ConnectionsWriter(call.chat).resetErrors($0, of: call.things.contactConnection, of: call.user)
            }
        },
        CatalogueEntry("ConnectionsWriter.makeInactive(_:of:)") {
            try ConnectionsWriter($0.chat).makeInactive($0.things.contactConnection, of: $0.user)
        },
        CatalogueEntry("ConnectionsWriter.setVerifiedCode(_:of:of:)") { call in
            try ["12345", nil].map {
                try ConnectionsWriter(call.chat).setVerifiedCode(
                    $0, of: call.things.contactConnection, of: call.user)
            }
        },
        CatalogueEntry("ConnectionsWriter.setIncognitoProfile(_:of:of:)") { call in
            let connections = ConnectionsWriter(call.chat)
            let new = try connections.add(NewConnection(agentID: agentID("new")), of: call.user)
            return try [ContactProfileContent(displayName: "new"), nil].map {
                try connections.setIncognitoProfile($0, of: new.id, of: call.user)
            }
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
