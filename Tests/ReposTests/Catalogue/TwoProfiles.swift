import ChatDBKit
import Testing

/// What one of the two profiles of the world has. The numbers of the two are interleaved: 11 is alice's, 12 is bob's.
/// Every text of a row has the profile's name in it.
struct Things: Sendable, CustomTestStringConvertible {
    static let alice = Things(number: 1, name: "alice")
    static let bob = Things(number: 2, name: "bob")

    let number: Int64
    let name: String

    var testDescription: String { name }

    var user: UserID { UserID(number) }
    var agentUser: AgentUserID { AgentUserID(number) }
    var ownContact: ContactID { ContactID(number) }
    /// A contact with a connection, chat items, a tag and files.
    var friend: ContactID { ContactID(10 + number) }
    var request: ContactRequestID { ContactRequestID(10 + number) }
    var address: UserContactLinkID { UserContactLinkID(10 + number) }
    var groupLink: UserContactLinkID { UserContactLinkID(20 + number) }
    /// A channel that uses `relay`, with a subscriber.
    var channel: GroupID { GroupID(10 + number) }
    /// A group with one other member, chat items, a link and a tag.
    var group: GroupID { GroupID(20 + number) }
    /// A prepared channel of another person, not started.
    var prepared: GroupID { GroupID(30 + number) }
    var relayMember: GroupMemberID { GroupMemberID(20 + number) }
    var subscriber: GroupMemberID { GroupMemberID(60 + number) }
    /// The other member of `group`.
    var member: GroupMemberID { GroupMemberID(40 + number) }
    /// The relay in use.
    var relay: ChatRelayID { ChatRelayID(10 + number) }
    /// A relay no channel refers to.
    var spareRelay: ChatRelayID { ChatRelayID(20 + number) }
    var groupRelay: GroupRelayID { GroupRelayID(10 + number) }
    /// A custom server of each protocol.
    var smpServer: ProtocolServerID { ProtocolServerID(10 + number) }
    var xftpServer: ProtocolServerID { ProtocolServerID(20 + number) }
    var contactConnection: ConnectionID { ConnectionID(10 + number) }
    var memberConnection: ConnectionID { ConnectionID(20 + number) }
    var linkConnection: ConnectionID { ConnectionID(30 + number) }
    var tag: ChatTagID { ChatTagID(10 + number) }
    var noteFolder: NoteFolderID { NoteFolderID(10 + number) }
    /// A received, unread item in the chat with `friend`.
    var contactItem: ChatItemID { ChatItemID(10 + number) }
    /// A sent item in `group`, edited once, with a reaction.
    var groupItem: ChatItemID { ChatItemID(20 + number) }
    var sentFile: FileID { FileID(10 + number) }
    var receivedFile: FileID { FileID(20 + number) }

    /// The agent's id of the connection to `friend`; the others end in 2 and 3.
    var agentConnection: AgentConnectionID { AgentConnectionID(bytes: Array("conn-\(name)-1".utf8)) }
    var relayAddress: String { ReposTests.relay("\(name).relay.example", key: Int(number)) }
    var spareAddress: String { ReposTests.relay("\(name).spare.example", key: Int(number)) }
    var draftAddress: String { ReposTests.relay("\(name).draft.example", key: Int(number)) }
    var fullLink: String { "simplex:/contact#/?v=2-7&smp=smp://k@h.example/\(name)" }
    var shortLink: String { "https://\(name).example/c#\(key(Int(number)))" }
}

/// A store with the profiles alice and bob, each with one thing of every kind, written by SQL of its own, so that the
/// repositories are asked about rows they did not make.
struct TwoProfiles: Sendable {
    let test: TestStore

    init() throws {
        test = try TestStore()
        try test.store.writeBoth(committing: .agentFirst) { chat, agent in
            try agent.run(
                .unchecked(sql: "INSERT INTO servers (host, port, key_hash) VALUES ('smp.example', '5223', 'k=')"))
            for sql in Self.sharedAgentRows { try agent.run(.unchecked(sql: sql)) }
            for things in [Things.alice, .bob] {
                for sql in Self.agentRows(things) { try agent.run(.unchecked(sql: sql)) }
                for sql in Self.agentWorkRows(things) + Self.agentFileRows(things) {
                    try agent.run(.unchecked(sql: sql))
                }
                let rows = Self.chatRows(things) + Self.serversRows(things) + Self.contactRows(things)
                for sql in rows + Self.groupRows(things) + Self.relayRows(things) { try chat.run(.unchecked(sql: sql)) }
            }
        }
    }

    /// Runs a body in a transaction of each database, and undoes what it did.
    static func undoing(_ body: (_ chat: any WriteTransaction, _ agent: any WriteTransaction) throws -> Void) throws {
        try shared.get().undoing(body)
    }

    /// Runs a body in a transaction of each database of this store, and undoes what it did.
    func undoing(_ body: (_ chat: any WriteTransaction, _ agent: any WriteTransaction) throws -> Void) throws {
        struct Undo: Error {}
        do {
            try test.store.writeBoth(committing: .agentFirst) { chat, agent in
                try body(chat, agent)
                throw Undo()
            }
        } catch is Undo {}
    }

    /// One for all tests that undo what they do.
    private static let shared = Result { try TwoProfiles() }

    /// Every row that names the profile, as text; tables and rows in a fixed order.
    static func rows(of things: Things, _ databases: any ReadTransaction...) throws -> [String] {
        try databases.flatMap { tx in
            try tx.rows("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'chat_items_fts%'")
                .map { row in try row.get("name") as String }.sorted()
                .flatMap { table in
                    try tx.rows("SELECT * FROM \(identifier: table)").map { "\(table): \($0.values)" }
                        .filter { $0.contains(things.name) }.sorted()
                }
        }
    }
}
