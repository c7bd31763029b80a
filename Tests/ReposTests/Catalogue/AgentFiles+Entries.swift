import ChatDBKit

extension RepositoryCatalogue {
    static let agentReceivedFiles: [CatalogueEntry] = [
        CatalogueEntry("AgentReceivedFilesRepo.all(of:includingDeleted:)") {
            try AgentReceivedFilesRepo($0.agent).all(of: $0.agentUser, includingDeleted: true)
        },
        CatalogueEntry("AgentReceivedFilesRepo.get(_:of:includingDeleted:)") {
            try AgentReceivedFilesRepo($0.agent).get($0.things.receivingFile, of: $0.agentUser)
        },
        .store("AgentReceivedFilesRepo.find(_:)") {
            try AgentReceivedFilesRepo($0.agent).find(AgentFileEntityID("rcv-100-\($0.things.name)")) as Any
        },
        CatalogueEntry("AgentReceivedFilesRepo.chunks(of:of:)") {
            try AgentReceivedFilesRepo($0.agent).chunks(of: $0.things.receivingFile, of: $0.agentUser)
        },
        .store("AgentReceivedFilesRepo.nextChunk(from:)") {
            try AgentReceivedFilesRepo($0.agent).nextChunk(from: TwoProfiles.fileServer) as Any
        },
        CatalogueEntry("AgentReceivedFilesWriter.create(_:of:)") {
            let server = FileServer(host: "new.example", port: "443", keyHash: "k=")
            let replica = FileReplica(server: server, id: FileReplicaID("new"), key: secret("k"))
            let chunk = NewReceivedChunk(size: 5, digest: secret("d"), replicas: [replica])
            let file = NewReceivedFile(
                entityID: AgentFileEntityID("new"), encryption: FileEncryption(key: secret("k"), nonce: secret("n")),
                digest: secret("d"), size: 5, chunkSize: 5, prefixPath: "/new", temporaryPath: "/new", savePath: "/new",
                chunks: [chunk])
            return try AgentReceivedFilesWriter($0.agent).create(file, of: $0.agentUser)
        },
        .store("AgentReceivedFilesWriter.received(_:at:)") {
            try AgentReceivedFilesWriter($0.agent).received($0.things.receivedReplica, at: "/chunk")
        },
        .store("AgentReceivedFilesWriter.retryLater(_:delay:)") {
            try AgentReceivedFilesWriter($0.agent).retryLater($0.things.receivedReplica, delay: 1)
        },
        CatalogueEntry("AgentReceivedFilesWriter.decrypting(_:of:)") {
            try AgentReceivedFilesWriter($0.agent).decrypting($0.things.receivedAgentFile, of: $0.agentUser)
        },
        CatalogueEntry("AgentReceivedFilesWriter.complete(_:of:)") {
            try AgentReceivedFilesWriter($0.agent).complete($0.things.decryptingFile, of: $0.agentUser)
        },
        CatalogueEntry("AgentReceivedFilesWriter.failed(_:_:of:)") {
            try AgentReceivedFilesWriter($0.agent).failed($0.things.receivingFile, "gone", of: $0.agentUser)
        },
        CatalogueEntry("AgentReceivedFilesWriter.markDeleted(_:of:)") {
            try AgentReceivedFilesWriter($0.agent).markDeleted($0.things.receivingFile, of: $0.agentUser)
        },
        CatalogueEntry("AgentReceivedFilesWriter.remove(_:of:)") {
            try AgentReceivedFilesWriter($0.agent).remove($0.things.deletedReceivedFile, of: $0.agentUser)
        },
    ]

    static let agentSentFiles: [CatalogueEntry] = [
        CatalogueEntry("AgentSentFilesRepo.all(of:includingDeleted:)") {
            try AgentSentFilesRepo($0.agent).all(of: $0.agentUser, includingDeleted: true)
        },
        CatalogueEntry("AgentSentFilesRepo.get(_:of:includingDeleted:)") {
            try AgentSentFilesRepo($0.agent).get($0.things.uploadingFile, of: $0.agentUser)
        },
        .store("AgentSentFilesRepo.find(_:)") {
            try AgentSentFilesRepo($0.agent).find(AgentFileEntityID("snd-100-\($0.things.name)")) as Any
        },
        .store("AgentSentFilesRepo.nextChunk(to:)") {
            try AgentSentFilesRepo($0.agent).nextChunk(to: TwoProfiles.fileServer) as Any
        },
        CatalogueEntry("AgentSentFilesRepo.replicas(of:of:)") {
            try AgentSentFilesRepo($0.agent).replicas(of: $0.things.uploadingFile, of: $0.agentUser)
        },
        CatalogueEntry("AgentSentFilesRepo.recipients(of:of:)") {
            try AgentSentFilesRepo($0.agent).recipients(of: $0.things.uploadingFile, of: $0.agentUser)
        },
        CatalogueEntry("AgentSentFilesWriter.create(_:path:prefixPath:recipients:encryption:of:)") {
            try AgentSentFilesWriter($0.agent).create(
                AgentFileEntityID("new"), path: "/new", prefixPath: "/new", recipients: 1,
                encryption: FileEncryption(key: secret("k"), nonce: secret("n")), of: $0.agentUser)
        },
        CatalogueEntry("AgentSentFilesWriter.encrypting(_:of:)") {
            try AgentSentFilesWriter($0.agent).encrypting($0.things.newSentFile, of: $0.agentUser)
        },
        CatalogueEntry("AgentSentFilesWriter.encrypted(_:digest:chunks:of:)") {
            try AgentSentFilesWriter($0.agent).encrypted(
                $0.things.encryptingFile, digest: secret("d"),
                chunks: [NewSentChunk(offset: 0, size: 5, digest: secret("d"))], of: $0.agentUser)
        },
        CatalogueEntry("AgentSentFilesWriter.addReplica(_:recipients:ofChunk:of:of:)") {
            let replica = FileReplica(server: TwoProfiles.fileServer, id: FileReplicaID("new"), key: secret("k"))
            return try AgentSentFilesWriter($0.agent).addReplica(
                replica, recipients: [ReplicaRecipient(id: FileReplicaID("new"), key: secret("k"))], ofChunk: 1,
                of: $0.things.uploadingFile, of: $0.agentUser)
        },
        .store("AgentSentFilesWriter.uploaded(_:)") {
            try AgentSentFilesWriter($0.agent).uploaded($0.things.sentReplica)
        },
        .store("AgentSentFilesWriter.retryLater(_:delay:)") {
            try AgentSentFilesWriter($0.agent).retryLater($0.things.sentReplica, delay: 1)
        },
        CatalogueEntry("AgentSentFilesWriter.failed(_:_:of:)") {
            try AgentSentFilesWriter($0.agent).failed($0.things.uploadingFile, "gone", of: $0.agentUser)
        },
        CatalogueEntry("AgentSentFilesWriter.markDeleted(_:of:)") {
            try AgentSentFilesWriter($0.agent).markDeleted($0.things.uploadingFile, of: $0.agentUser)
        },
        CatalogueEntry("AgentSentFilesWriter.remove(_:of:)") {
            try AgentSentFilesWriter($0.agent).remove($0.things.deletedSentFile, of: $0.agentUser)
        },
    ]
}
