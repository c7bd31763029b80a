import ChatDBKit
import Testing

@Suite struct FilesTests {
    let world: ContactWorld
    let carol: Contact
    let item: ChatItemID
    var test: TestStore { world.test }
    var alice: User { world.alice }
    var bob: User { world.bob }

    init() throws {
        world = try ContactWorld()
        carol = try world.addContact("carol", of: world.alice)
        item = try world.addItem("hello", with: carol)
    }

    private func new(_ name: String = "a.png", chat: FileChat? = nil, item: ChatItemID? = nil) -> NewFile {
        NewFile(name: name, size: 10, chunkSize: 4, chat: chat ?? .contact(carol.id), itemID: item)
    }

    private func write<T>(_ body: (FilesWriter) throws -> T) throws -> T {
        try test.write { try body(FilesWriter($0, clock: TestStore.clock)) }
    }

    private func read<T>(_ body: (FilesRepo) throws -> T) throws -> T {
        try test.read { try body(FilesRepo($0)) }
    }

    @Test("a new file is stored to be sent, or offered to the profile")
    func create() throws {
        let (group, member) = try world.addGroup("friends", of: alice)
        var file = new(item: item)
        file.path = "/a.png"
        file.localKey = LocalFileKey(key: [1, 2], nonce: [3])
        let sent = try write { try $0.createSent(file, of: alice.id) }
        #expect(sent.name == "a.png" && sent.size == 10 && sent.chunkSize == 4 && sent.path == "/a.png")
        #expect(sent.direction == .sent && sent.status == .sendStored && sent.fileProtocol == .xftp)
        #expect(sent.chat == .contact(carol.id) && sent.itemID == item && sent.userID == alice.id)
        #expect(!sent.isCancelled && sent.agentID == nil && !sent.isAgentFileDeleted && sent.sender == nil)
        let received = try write { try $0.createReceived(new(chat: .group(group)), from: member, of: alice.id) }
        #expect(received.direction == .received && received.status == .receiveInvitation)
        #expect(received.chat == .group(group) && received.sender == member && received.itemID == nil)
        let key = try read { try $0.localKey(of: sent.id, of: alice.id) }
        #expect(key == file.localKey && key.map { "\($0)" } == "a local file key")
        #expect(try read { try $0.localKey(of: received.id, of: alice.id) } == nil)
        #expect(try read { try $0.find(sent.id, of: bob.id) } == nil)
        #expect(throws: FilesError.fileNotFound(sent.id)) { try read { try $0.localKey(of: sent.id, of: bob.id) } }
    }

    @Test("a file without a name, a size or a chat of the profile makes nothing")
    func refused() throws {
        let (group, member) = try world.addGroup("friends", of: bob)
        let invalid = [
            NewFile(name: "", size: 1, chunkSize: 1), NewFile(name: "a", size: -1, chunkSize: 1),
            NewFile(name: "a", size: 1, chunkSize: 0),
        ]
        for file in invalid {
            try world.refuses("invalidFile", FilesError.self) { _ = try FilesWriter($0).createSent(file, of: alice.id) }
        }
        for chat in [.group(group), .notes(NoteFolderID(9)), .contact(alice.contactID)] as [FileChat] {
            try world.refuses("chatNotFound", FilesError.self) {
                _ = try FilesWriter($0).createReceived(new(chat: chat), of: alice.id)
            }
        }
        try world.refuses("memberNotFound", FilesError.self) {
            _ = try FilesWriter($0).createReceived(new(), from: member, of: alice.id)
        }
        try world.refuses("chatItemNotFound", FilesError.self) {
            _ = try FilesWriter($0).createSent(
                NewFile(name: "a", size: 1, chunkSize: 1, itemID: item), of: bob.id)
        }
        try world.refuses("profileNotFound", FilesError.self) {
            _ = try FilesWriter($0).createSent(NewFile(name: "a", size: 1, chunkSize: 1), of: UserID(99))
        }
    }

    @Test("the agent's id leads to the file, each way on its own, and only of the profile")
    func agentFiles() throws {
        let agent = AgentFileEntityID("agent")
        let sent = try write { try $0.createSent(new(), of: alice.id) }
        let received = try write { try $0.createReceived(new(), of: alice.id) }
        for file in [sent, received] {
            #expect(try write { try $0.setAgentFile(agent, of: file.id, of: alice.id) }.agentID == agent)
        }
        #expect(try read { try $0.find(agentSent: agent, of: alice.id)?.id } == sent.id)
        #expect(try read { try $0.find(agentReceived: agent, of: alice.id)?.id } == received.id)
        #expect(try read { try $0.find(agentSent: agent, of: bob.id) } == nil)
        #expect(try read { try $0.find(agentReceived: agent, of: bob.id) } == nil)
        #expect(try read { try $0.find(agentReceived: AgentFileEntityID("other"), of: alice.id) } == nil)
        for bytes in [[0xFF], []] as [[UInt8]] {
            let none = AgentFileEntityID(bytes: bytes)
            #expect(try read { try $0.find(agentSent: none, of: alice.id) } == nil)
            try world.refuses("invalidFile", FilesError.self) {
                try FilesWriter($0).setAgentFile(none, of: sent.id, of: alice.id)
            }
        }
    }

    @Test("a file is received step by step, and the transfer to the profile keeps step")
    func receiving() throws {
        let file = try write { try $0.createReceived(new(), of: alice.id) }
        func reception() throws -> FileReception {
            try #require(try read { try $0.reception(of: file.id, of: alice.id) })
        }
        func status() throws -> String { try reception().status.text }
        func toReceive() throws -> [FileID] { try read { try $0.toReceive(of: alice.id) }.map(\.id) }
        #expect(try !reception().isAccepted && !reception().allowsUnknownServers && toReceive().isEmpty)
        try world.refuses("invalidFileStep", FilesError.self) {
            _ = try FilesWriter($0).setStatus(.receiveComplete, of: file.id, of: alice.id)
        }
        let accepted = try write {
            try $0.accept(
                file.id, to: "/in", localKey: .init(key: [1], nonce: [2]), allowingUnknownServers: true, of: alice.id)
        }
        #expect(accepted.path == "/in" && accepted.status == .receiveAccepted)
        #expect(try read { try $0.localKey(of: file.id, of: alice.id) }?.nonce == [2])
        #expect(try status() == "accepted" && reception().isAccepted && reception().allowsUnknownServers)
        #expect(try toReceive() == [file.id] && read { try $0.toReceive(of: bob.id) }.isEmpty)
        let steps: [(FileTransferStatus, String)] = [
            (.receiveAborted, "new"), (.receiveAccepted, "accepted"), (.receiveTransfer(done: 4, of: 10), "connected"),
            (.receiveWarning("slow"), "connected"), (.receiveTransfer(done: 8, of: 10), "connected"),
            (.receiveComplete, "complete"),
        ]
        for (step, expected) in steps {
            let after = try write { try $0.setStatus(step, of: file.id, of: alice.id) }
            #expect(try after.status == step && status() == expected && !after.isCancelled)
            #expect(try toReceive().isEmpty == (step != .receiveAccepted))
        }
        try world.refuses("invalidFileStep", FilesError.self) {
            _ = try FilesWriter($0).accept(file.id, to: nil, of: alice.id)
        }
        try world.refuses("fileAlreadyEnded", FilesError.self) {
            _ = try FilesWriter($0).cancel(file.id, of: alice.id)
        }
    }

    @Test("a file has a status for each recipient, step by step")
    func recipients() throws {
        let file = try write { try $0.createSent(new(), of: alice.id) }
        #expect(try read { try $0.reception(of: file.id, of: alice.id) } == nil)
        let (_, member) = try world.addGroup("friends", of: alice)
        let connections = try [
            world.addConnection("c", .contact(carol.id), of: alice),
            world.addConnection("m", .member(member), of: alice),
        ]
        let bobs = try world.addConnection("b", of: bob)
        try write { files in
            try files.addRecipient(connections[1].id, member: member, to: file.id, of: alice.id)
            try files.addRecipient(connections[0].id, to: file.id, of: alice.id)
            for status in [.accepted, .complete] as [FileStatus] {
                try files.setStatus(status, of: file.id, to: connections[0].id, of: alice.id)
            }
        }
        let recipients = try read { try $0.recipients(of: file.id, of: alice.id) }
        #expect(recipients.map(\.connectionID) == connections.map(\.id))
        #expect(recipients.map(\.memberID) == [nil, member] && recipients.map(\.status) == [.complete, .new])
        try world.refuses("invalidRecipientStep", FilesError.self) {
            try FilesWriter($0).setStatus(.connected, of: file.id, to: connections[0].id, of: alice.id)
        }
        try world.refuses("recipientNotFound", FilesError.self) {
            try FilesWriter($0).setStatus(.accepted, of: file.id, to: bobs.id, of: alice.id)
        }
        try world.refuses("recipientNotFound", FilesError.self) {
            try FilesWriter($0).addRecipient(bobs.id, to: file.id, of: alice.id)
        }
        try world.refuses("duplicateRecipient", FilesError.self) {
            try FilesWriter($0).addRecipient(connections[0].id, to: file.id, of: alice.id)
        }
        let received = try write { try $0.createReceived(new(), of: alice.id) }
        try world.refuses("wrongFileDirection", FilesError.self) {
            try FilesWriter($0).addRecipient(connections[0].id, to: received.id, of: alice.id)
        }
        try world.refuses("wrongFileDirection", FilesError.self) {
            _ = try FilesWriter($0).accept(file.id, to: nil, of: alice.id)
        }
        try world.refuses("invalidFileStep", FilesError.self) {
            _ = try FilesWriter($0).setStatus(.receiveAccepted, of: file.id, of: alice.id)
        }
    }

    @Test("cancelling ends a transfer for recipients who do not have the file; a sent file can be cancelled once")
    func cancel() throws {
        let connections = try ["c", "d"].map { try world.addConnection($0, of: alice) }
        let file = try write { files in
            let file = try files.createSent(new(), of: alice.id)
            for connection in connections { try files.addRecipient(connection.id, to: file.id, of: alice.id) }
            try files.setStatus(.complete, of: file.id, to: connections[0].id, of: alice.id)
            try files.setAgentFile(AgentFileEntityID("agent"), of: file.id, of: alice.id)
            try files.setStatus(.sendTransfer(done: 1, of: 10), of: file.id, of: alice.id)
            return try files.setStatus(.sendComplete, of: file.id, of: alice.id)
        }
        // Its recipients may still come for it.
        #expect(try read { try $0.withAgentFileToDelete(of: alice.id) }.isEmpty)
        let cancelled = try write { try $0.cancel(file.id, of: alice.id) }
        #expect(cancelled.status == .sendCancelled && cancelled.isCancelled)
        #expect(try read { try $0.recipients(of: file.id, of: alice.id) }.map(\.status) == [.complete, .cancelled])
        try world.refuses("fileAlreadyEnded", FilesError.self) {
            _ = try FilesWriter($0).cancel(file.id, of: alice.id)
        }
        try world.refuses("fileAlreadyEnded", FilesError.self) {
            try FilesWriter($0).addRecipient(connections[0].id, to: file.id, of: alice.id)
        }
        #expect(try read { try $0.withAgentFileToDelete(of: alice.id) } == [cancelled])
        #expect(try read { try $0.withAgentFileToDelete(of: bob.id) }.isEmpty)
        #expect(try write { try $0.setAgentFileDeleted(file.id, of: alice.id) }.isAgentFileDeleted)
        #expect(try read { try $0.withAgentFileToDelete(of: alice.id) }.isEmpty)
    }

    @Test("an error ends a transfer, and the agent's part of a received file can then be removed")
    func errors() throws {
        let files = try (0..<3).map { number in
            try write { files in
                let file = try files.createReceived(new(), of: alice.id)
                try files.accept(file.id, to: "/in", of: alice.id)
                return try files.setAgentFile(AgentFileEntityID("agent\(number)"), of: file.id, of: alice.id)
            }
        }
        #expect(try read { try $0.withAgentFileToDelete(of: alice.id) }.isEmpty)
        try write { writer in
            #expect(try writer.setStatus(.receiveError("AUTH: no"), of: files[0].id, of: alice.id).isCancelled)
            try writer.setStatus(.receiveComplete, of: files[1].id, of: alice.id)
        }
        #expect(try read { try $0.withAgentFileToDelete(of: alice.id) }.map(\.id) == [files[0].id, files[1].id])
        #expect(try read { try $0.withAgentFileToDelete(of: alice.id, limit: 0) }.map(\.id) == [files[0].id])
        _ = try write { try $0.setAgentFileDeleted(files[1].id, of: alice.id) }
        #expect(try read { try $0.withAgentFileToDelete(of: alice.id) }.map(\.id) == [files[0].id])
        try world.refuses("fileAlreadyEnded", FilesError.self) {
            _ = try FilesWriter($0).cancel(files[0].id, of: alice.id)
        }
        // An error of the app may hold what a person wrote.
        let error = #expect(throws: FilesError.self) {
            try write { try $0.setStatus(.receiveAccepted, of: files[0].id, of: alice.id) }
        }
        #expect(error?.message.contains("AUTH") == false && error?.message.contains("rcv_error") == true)
    }

    @Test("a file of an old store without a status can be cancelled once, and then takes no step")
    func withoutStatus() throws {
        let file = try write { try $0.createSent(new(), of: alice.id) }
        try test.write { try $0.run("UPDATE files SET ci_file_status = NULL, cancelled = 1") }
        try world.refuses("fileAlreadyEnded", FilesError.self) {
            _ = try FilesWriter($0).cancel(file.id, of: alice.id)
        }
        try world.refuses("invalidFileStep", FilesError.self) {
            _ = try FilesWriter($0).setStatus(.sendComplete, of: file.id, of: alice.id)
        }
        try test.write { try $0.run("UPDATE files SET cancelled = 0") }
        #expect(try write { try $0.cancel(file.id, of: alice.id) }.status == .sendCancelled)
    }
}
