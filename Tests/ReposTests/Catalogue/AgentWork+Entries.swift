import ChatDBKit

extension RepositoryCatalogue {
    static let ratchets: [CatalogueEntry] = [
        .store("RatchetsRepo.find(_:)") { try RatchetsRepo($0.agent).find($0.things.agentConnection) as Any },
        .store("RatchetsRepo.get(_:)") { try RatchetsRepo($0.agent).get($0.things.secondAgentConnection) },
        .store("RatchetsRepo.skippedKeys(of:)") {
            try RatchetsRepo($0.agent).skippedKeys(of: $0.things.agentConnection)
        },
        .store("RatchetsRepo.isProcessed(keyHash:of:)") {
            try RatchetsRepo($0.agent).isProcessed(keyHash: secret("h"), of: $0.things.agentConnection)
        },
        // Two methods of one name: for keys and for the ratchet.
        .store("RatchetsWriter.store(_:version:of:)") { call in
            let keys = AgreementKeys(
                private1: secret("1"), private2: secret("2"), public1: secret("3"), public2: secret("4"))
            try RatchetsWriter(call.agent).store(keys, version: 2, of: call.things.addressConnection)
            return try RatchetsWriter(call.agent).store(secret("s"), version: 1, of: call.things.agentConnection)
        },
        .store("RatchetsWriter.update(_:of:)") {
            try RatchetsWriter($0.agent).update(secret("s"), of: $0.things.agentConnection)
        },
        .store("RatchetsWriter.delete(_:)") { try RatchetsWriter($0.agent).delete($0.things.agentConnection) },
        .store("RatchetsWriter.addSkipped(_:of:)") {
            let key = SkippedMessageKey(headerKey: secret("h"), messageNumber: 1, messageKey: secret("k"))
            return try RatchetsWriter($0.agent).addSkipped([key], of: $0.things.agentConnection)
        },
        .store("RatchetsWriter.takeSkipped(headerKey:number:of:)") {
            try RatchetsWriter($0.agent).takeSkipped(
                headerKey: secret("header-\($0.things.name)"), number: 7, of: $0.things.agentConnection) as Any
        },
        .store("RatchetsWriter.deleteSkipped(of:)") {
            try RatchetsWriter($0.agent).deleteSkipped(of: $0.things.agentConnection)
        },
        .store("RatchetsWriter.remember(keyHash:of:)") {
            try RatchetsWriter($0.agent).remember(keyHash: secret("h"), of: $0.things.agentConnection)
        },
        .store("RatchetsWriter.forgetKeyHashes(before:)") {
            try RatchetsWriter($0.agent).forgetKeyHashes(before: AgentWorld.time)
        },
    ]

    static let agentRequests: [CatalogueEntry] = [
        .store("ConfirmationsRepo.get(_:)") { try ConfirmationsRepo($0.agent).get($0.things.confirmation) },
        .store("ConfirmationsRepo.all(of:)") {
            try ConfirmationsRepo($0.agent).all(of: $0.things.secondAgentConnection)
        },
        .store("ConfirmationsRepo.accepted(of:)") {
            try ConfirmationsRepo($0.agent).accepted(of: $0.things.secondAgentConnection) as Any
        },
        .store("ConfirmationsWriter.create(_:of:)") {
            let new = NewAgentConfirmation(
                id: ConfirmationID("new"), e2ePublicKey: secret("1"), senderKey: secret("4"),
                ratchetState: secret("2"), senderInfo: secret("3"))
            return try ConfirmationsWriter($0.agent).create(new, of: $0.things.secondAgentConnection)
        },
        .store("ConfirmationsWriter.accept(_:ownInfo:)") {
            try ConfirmationsWriter($0.agent).accept($0.things.confirmation, ownInfo: secret("me"))
        },
        .store("ConfirmationsWriter.deleteAll(of:)") {
            try ConfirmationsWriter($0.agent).deleteAll(of: $0.things.secondAgentConnection)
        },
        .store("InvitationsRepo.get(_:)") { try InvitationsRepo($0.agent).get($0.things.agentInvitation) },
        .store("InvitationsRepo.all(through:)") {
            try InvitationsRepo($0.agent).all(through: $0.things.addressConnection)
        },
        .store("InvitationsWriter.create(_:_:senderInfo:through:)") {
            try InvitationsWriter($0.agent).create(
                InvitationID("new"), secret("i"), senderInfo: secret("s"), through: $0.things.addressConnection)
        },
        .store("InvitationsWriter.accept(_:ownInfo:)") {
            try InvitationsWriter($0.agent).accept($0.things.agentInvitation, ownInfo: secret("me"))
        },
        .store("InvitationsWriter.withdraw(_:)") {
            try InvitationsWriter($0.agent).withdraw($0.things.agentInvitation)
        },
        .store("InvitationsWriter.delete(_:)") { try InvitationsWriter($0.agent).delete($0.things.agentInvitation) },
    ]

    static let commands: [CatalogueEntry] = [
        .store("CommandsRepo.get(_:)") { try CommandsRepo($0.agent).get($0.things.command) },
        .store("CommandsRepo.next(of:)") { try CommandsRepo($0.agent).next(of: $0.things.agentConnection) as Any },
        .store("CommandsRepo.next(of:at:)") { call in
            try [nil, AgentWorld.server].map {
                try CommandsRepo(call.agent).next(of: call.things.agentConnection, at: $0)
            }
        },
        .store("CommandsRepo.waiting(at:)") { call in
            try [nil, AgentWorld.server].map { try CommandsRepo(call.agent).waiting(at: $0) }
        },
        .store("CommandsWriter.add(_:tag:correlationID:of:at:)") { call in
            try [nil, AgentWorld.server].map {
                try CommandsWriter(call.agent).add(
                    secret("c"), tag: "NEW", correlationID: CorrelationID("new"), of: call.things.agentConnection,
                    at: $0)
            }
        },
        .store("CommandsWriter.move(_:to:)") { try CommandsWriter($0.agent).move($0.things.command, to: nil) },
        .store("CommandsWriter.failed(_:)") { try CommandsWriter($0.agent).failed($0.things.command) },
        .store("CommandsWriter.delete(_:)") { try CommandsWriter($0.agent).delete($0.things.serverlessCommand) },
    ]
}
