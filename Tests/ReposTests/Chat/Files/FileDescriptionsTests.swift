import ChatDBKit
import Testing

@Suite struct FileDescriptionsTests {
    let world: ContactWorld
    let carol: Contact
    var test: TestStore { world.test }
    var alice: User { world.alice }

    init() throws {
        world = try ContactWorld()
        carol = try world.addContact("carol", of: world.alice)
    }

    private func new() -> NewFile { NewFile(name: "a", size: 10, chunkSize: 4, chat: .contact(carol.id)) }

    private func write<T>(_ body: (FilesWriter) throws -> T) throws -> T {
        try test.write { try body(FilesWriter($0, clock: TestStore.clock)) }
    }

    @Test("parts of a description come in order from 0, until it is complete")
    func parts() throws {
        let file = try write { try $0.createReceived(new(), of: alice.id) }
        func refused(_ number: Int) throws {
            try world.refuses("invalidDescriptionPart", FilesError.self) {
                try FilesWriter($0).addDescriptionPart(
                    "x", number: number, isComplete: false, of: file.id, of: alice.id)
            }
        }
        try refused(1)
        #expect(try test.read { try FilesRepo($0).description(of: file.id, of: alice.id) } == nil)
        for (number, text) in ["one,", "two,", "three"].enumerated() {
            let made = try write {
                try $0.addDescriptionPart(text, number: number, isComplete: number == 2, of: file.id, of: alice.id)
            }
            #expect(try test.read { try FilesRepo($0).description(of: file.id, of: alice.id) } == made)
            #expect(made.lastPart == number && made.isComplete == (number == 2))
            try refused(number)
            try refused(-1)
        }
        let whole = try #require(try test.read { try FilesRepo($0).description(of: file.id, of: alice.id) })
        #expect(whole.text == "one,two,three")
        #expect("\(whole)" == "file description \(whole.id), part 2, complete")
        try refused(3)
        let sent = try write { try $0.createSent(new(), of: alice.id) }
        try world.refuses("wrongFileDirection", FilesError.self) {
            try FilesWriter($0).addDescriptionPart("x", number: 0, isComplete: true, of: sent.id, of: alice.id)
        }
    }

    @Test("each recipient has a description of their own, and the last one given counts")
    func recipients() throws {
        let connections = try ["c", "d"].map { try world.addConnection($0, of: alice) }
        let file = try write { files in
            let file = try files.createSent(new(), of: alice.id)
            for connection in connections { try files.addRecipient(connection.id, to: file.id, of: alice.id) }
            for text in ["old", "new"] {
                try files.setDescription(text, of: file.id, to: connections[0].id, of: alice.id)
            }
            try files.setPrivateDescription("private", of: file.id, of: alice.id)
            return file
        }
        try test.read { chat throws in
            let files = FilesRepo(chat)
            let description = try files.description(of: file.id, to: connections[0].id, of: alice.id)
            #expect(description?.text == "new" && description?.isComplete == true)
            #expect(try files.description(of: file.id, to: connections[1].id, of: alice.id) == nil)
            #expect(try files.privateDescription(of: file.id, of: alice.id) == "private")
            #expect(throws: FilesError.fileNotFound(file.id)) {
                try files.privateDescription(of: file.id, of: world.bob.id)
            }
            #expect(try chat.count("SELECT count(*) FROM xftp_file_descriptions") == 1)
        }
        let other = try world.addConnection("e", of: alice)
        try world.refuses("recipientNotFound", FilesError.self) {
            try FilesWriter($0).setDescription("x", of: file.id, to: other.id, of: alice.id)
        }
    }

    @Test("files no item shows are to be cleaned up once they are old enough, and then leave no row")
    func cleanUp() throws {
        let connection = try world.addConnection("c", of: alice)
        let before = try world.rows()
        let item = try world.addItem("hello", with: carol)
        let (shown, sent, received) = try write { files in
            let shown = try files.createSent(new(), of: alice.id)
            let sent = try files.createSent(new(), of: alice.id)
            try files.addRecipient(connection.id, to: sent.id, of: alice.id)
            try files.setDescription("d", of: sent.id, to: connection.id, of: alice.id)
            let received = try files.createReceived(new(), of: alice.id)
            try files.addDescriptionPart("d", number: 0, isComplete: false, of: received.id, of: alice.id)
            return (try files.setItem(item, of: shown.id, of: alice.id), sent, received)
        }
        #expect(shown.itemID == item)
        let made = try #require(StoredTime(text: "2026-07-20 09:05:00.120"))
        let later = try #require(StoredTime(text: "2026-07-20 09:05:00.121"))
        func toCleanUp(_ time: StoredTime, limit: Int = 10) throws -> [FileID] {
            try test.read { try FilesRepo($0).toCleanUp(of: alice.id, madeBefore: time, limit: limit).map(\.id) }
        }
        #expect(try toCleanUp(made).isEmpty)
        #expect(try toCleanUp(later) == [sent.id, received.id])
        #expect(try toCleanUp(later, limit: 1) == [sent.id] && toCleanUp(later, limit: -1) == [sent.id])
        // The item goes, the file stays until it is cleaned up.
        try test.write { try $0.run("DELETE FROM chat_items") }
        #expect(try toCleanUp(later) == [shown.id, sent.id, received.id])
        try world.refuses("chatFileNotFound", FilesError.self) {
            try FilesWriter($0).delete(shown.id, of: world.bob.id)
        }
        for id in [shown.id, sent.id, received.id] {
            #expect(try write { try $0.delete(id, of: alice.id) }.file.id == id)
        }
        #expect(try world.rows() == before)
    }
}
