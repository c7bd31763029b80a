import ChatDBKit

extension RepositoryCatalogue {
    static let files: [CatalogueEntry] = [
        CatalogueEntry("FilesRepo.find(_:of:)") { try FilesRepo($0.chat).find($0.things.sentFile, of: $0.user) as Any },
        CatalogueEntry("FilesRepo.get(_:of:)") { try FilesRepo($0.chat).get($0.things.receivedFile, of: $0.user) },
        CatalogueEntry("FilesRepo.find(agentSent:of:)") {
            try FilesRepo($0.chat).find(agentSent: AgentFileEntityID("\($0.things.name)-agent-file"), of: $0.user)
                as Any
        },
        CatalogueEntry("FilesRepo.find(agentReceived:of:)") {
            try FilesRepo($0.chat).find(
                agentReceived: AgentFileEntityID("\($0.things.name)-agent-rcv-file"), of: $0.user) as Any
        },
        CatalogueEntry("FilesRepo.recipients(of:of:)") {
            try FilesRepo($0.chat).recipients(of: $0.things.sentFile, of: $0.user)
        },
        CatalogueEntry("FilesRepo.reception(of:of:)") {
            try FilesRepo($0.chat).reception(of: $0.things.receivedFile, of: $0.user) as Any
        },
        CatalogueEntry("FilesRepo.toReceive(of:limit:)") { try FilesRepo($0.chat).toReceive(of: $0.user) },
        CatalogueEntry("FilesRepo.description(of:of:)") {
            try FilesRepo($0.chat).description(of: $0.things.receivedFile, of: $0.user) as Any
        },
        CatalogueEntry("FilesRepo.description(of:to:of:)") {
            try FilesRepo($0.chat).description(
                of: $0.things.sentFile, to: $0.things.contactConnection, of: $0.user) as Any
        },
        CatalogueEntry("FilesRepo.privateDescription(of:of:)") {
            try FilesRepo($0.chat).privateDescription(of: $0.things.sentFile, of: $0.user) as Any
        },
        CatalogueEntry("FilesRepo.localKey(of:of:)") {
            try FilesRepo($0.chat).localKey(of: $0.things.sentFile, of: $0.user) as Any
        },
        CatalogueEntry("FilesRepo.toCleanUp(of:madeBefore:limit:)") {
            try FilesRepo($0.chat).toCleanUp(of: $0.user, madeBefore: .now())
        },
        CatalogueEntry("FilesRepo.withAgentFileToDelete(of:limit:)") {
            try FilesRepo($0.chat).withAgentFileToDelete(of: $0.user)
        },
        CatalogueEntry("FilesWriter.createSent(_:of:)") { call in
            try newFiles(call.things).map { try FilesWriter(call.chat).createSent($0, of: call.user) }
        },
        CatalogueEntry("FilesWriter.createReceived(_:from:of:)") { call in
            try newFiles(call.things).map {
                try FilesWriter(call.chat).createReceived($0, from: call.things.member, of: call.user)
            }
        },
        CatalogueEntry("FilesWriter.addRecipient(_:member:to:of:)") {
            try FilesWriter($0.chat).addRecipient(
                $0.things.memberConnection, member: $0.things.member, to: $0.things.sentFile, of: $0.user)
        },
        CatalogueEntry("FilesWriter.setItem(_:of:of:)") {
            try FilesWriter($0.chat).setItem($0.things.contactItem, of: $0.things.sentFile, of: $0.user)
        },
        CatalogueEntry("FilesWriter.setAgentFile(_:of:of:)") { call in
            try both(call.things).map {
                try FilesWriter(call.chat).setAgentFile(AgentFileEntityID("new"), of: $0, of: call.user)
            }
        },
        CatalogueEntry("FilesWriter.setAgentFileDeleted(_:of:)") { call in
            try both(call.things).map { try FilesWriter(call.chat).setAgentFileDeleted($0, of: call.user) }
        },
        CatalogueEntry("FilesWriter.delete(_:of:)") { call in
            try both(call.things).map { try FilesWriter(call.chat).delete($0, of: call.user) }
        },
    ]

    static let fileSteps: [CatalogueEntry] = [
        CatalogueEntry("FilesWriter.accept(_:to:localKey:allowingUnknownServers:of:)") {
            try FilesWriter($0.chat).accept(
                $0.things.receivedFile, to: "/new", localKey: LocalFileKey(key: [1], nonce: [2]),
                allowingUnknownServers: true, of: $0.user)
        },
        CatalogueEntry("FilesWriter.setStatus(_:of:of:)") {
            try FilesWriter($0.chat).setStatus(.sendTransfer(done: 5, of: 10), of: $0.things.sentFile, of: $0.user)
        },
        CatalogueEntry("FilesWriter.setStatus(_:of:to:of:)") {
            try FilesWriter($0.chat).setStatus(
                .complete, of: $0.things.sentFile, to: $0.things.contactConnection, of: $0.user)
        },
        CatalogueEntry("FilesWriter.cancel(_:of:)") { call in
            try both(call.things).map { try FilesWriter(call.chat).cancel($0, of: call.user) }
        },
        CatalogueEntry("FilesWriter.addDescriptionPart(_:number:isComplete:of:of:)") { call in
            let files = FilesWriter(call.chat)
            let more = try files.addDescriptionPart(
                "new", number: 1, isComplete: true, of: call.things.receivedFile, of: call.user)
            let new = try files.createReceived(
                newFiles(call.things)[0], from: nil, of: call.user)
            return [more, try files.addDescriptionPart("new", number: 0, isComplete: false, of: new.id, of: call.user)]
        },
        CatalogueEntry("FilesWriter.setDescription(_:of:to:of:)") { call in
            // The second takes the place of the first.
            try (1...2).map { _ in
                try FilesWriter(call.chat).setDescription(
                    "new", of: call.things.sentFile, to: call.things.contactConnection, of: call.user)
            }
        },
        CatalogueEntry("FilesWriter.setPrivateDescription(_:of:of:)") {
            try FilesWriter($0.chat).setPrivateDescription("new", of: $0.things.sentFile, of: $0.user)
        },
    ]

    private static func both(_ things: Things) -> [FileID] { [things.sentFile, things.receivedFile] }

    private static func newFiles(_ things: Things) -> [NewFile] {
        [.contact(things.friend), .group(things.group), .notes(things.noteFolder)].map {
            NewFile(name: "new", size: 10, chunkSize: 5, chat: $0, itemID: things.contactItem)
        }
    }
}
