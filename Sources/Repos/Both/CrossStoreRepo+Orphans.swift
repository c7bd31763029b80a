import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// A connection that one database has and the other lacks.
/// Rule: docs/domain.md, "Between the two databases", Orphans.
public struct OrphanConnection: Sendable, Hashable {
    /// Its profile, by the number it has in the database that has the connection.
    public enum Profile: Sendable, Hashable {
        /// The chat database has it.
        case chat(UserID)
        /// The agent database has it.
        case agent(AgentUserID)
    }

    /// Its id, which the two would share.
    public let id: AgentConnectionID
    /// The profile that it belongs to.
    public let profile: Profile

    /// The database that has it.
    public var database: DatabaseName {
        switch profile {
        case .chat: .chat
        case .agent: .agent
        }
    }
}

/// A profile that one database has and the other lacks.
public struct OrphanUser: Sendable, Hashable {
    /// Its number in the agent database.
    public let agentUserID: AgentUserID
    /// The profile in the chat database; nil when only the agent database has it.
    public let userID: UserID?

    /// The database that has it.
    public var database: DatabaseName { userID == nil ? .agent : .chat }
}

/// The number of rows whose partner is missing in the other database.
public struct OrphanCounts: Sendable, Hashable {
    /// Connections of the chat database that the agent lacks.
    public let chatConnections: Int
    /// Connections of the agent, not being deleted, that the chat database lacks.
    public let agentConnections: Int
    /// Profiles of the chat database that the agent lacks.
    public let chatUsers: Int
    /// Profiles of the agent, not being deleted, that the chat database lacks.
    public let agentUsers: Int

    /// Whether every row has its partner.
    public var isEmpty: Bool { chatConnections + agentConnections + chatUsers + agentUsers == 0 }
}

/// Rule: docs/domain.md, "Between the two databases", Orphans.
extension CrossStoreRepo {
    /// The number of rows whose partner is missing, in both directions. Reads the ids of all connections of both
    /// databases in order, a thousand at a time, so that memory does not grow with the store.
    public func orphanCounts() throws(CrossStoreError) -> OrphanCounts {
        var (chatConnections, agentConnections) = (0, 0)
        try reading { () throws(StoreError) in
            try walk(after: nil) { orphan in
                if orphan.database == .chat { chatConnections += 1 } else { agentConnections += 1 }
                return true
            }
        }
        let users = try orphanUsers()
        return OrphanCounts(
            chatConnections: chatConnections, agentConnections: agentConnections,
            chatUsers: users.count { $0.database == .chat }, agentUsers: users.count { $0.database == .agent })
    }

    /// Connections that one database has and the other lacks, by id: a page of at most `limit`, of those after `last`.
    /// A connection that the agent is deleting is no orphan, with or without a row in the chat database. The list is
    /// empty when there are none.
    public func orphanConnections(
        after last: AgentConnectionID? = nil, limit: Int
    ) throws(CrossStoreError) -> [OrphanConnection] {
        let limit = PageSize.upTo(limit)
        if limit == 0 { return [] }
        var page: [OrphanConnection] = []
        try reading { () throws(StoreError) in
            try walk(after: last) { orphan in
                page.append(orphan)
                return page.count < limit
            }
        }
        return page
    }

    /// Profiles that one database has and the other lacks, by the agent's number: hidden ones too, by number only. A
    /// profile that the agent is deleting is no orphan of the agent's. The list is empty when there are none.
    public func orphanUsers() throws(CrossStoreError) -> [OrphanUser] {
        try reading { () throws(StoreError) in
            var known: [AgentUserID: UserID] = [:]
            for row in try chat.rows("SELECT agent_user_id, user_id FROM users") {
                known[try row.get("agent_user_id")] = try row.get("user_id")
            }
            var orphans: [OrphanUser] = []
            for row in try agent.rows("SELECT user_id, deleted FROM users") {
                let id: AgentUserID = try row.get("user_id")
                let isDeleted: Bool = try row.get("deleted")
                if known.removeValue(forKey: id) == nil, !isDeleted {
                    orphans.append(OrphanUser(agentUserID: id, userID: nil))
                }
            }
            orphans += known.map { OrphanUser(agentUserID: $0.key, userID: $0.value) }
            return orphans.sorted { $0.agentUserID < $1.agentUserID }
        }
    }

    /// Reads the ids of both sides in order, and passes ids that only one side has to `found`, until `found` returns
    /// false.
    private func walk(
        after last: AgentConnectionID?, _ found: (OrphanConnection) -> Bool
    ) throws(StoreError) {
        var chatIDs = ConnectionIDs(after: last) { last throws(StoreError) in try chatPage(after: last) }
        var agentIDs = ConnectionIDs(after: last) { last throws(StoreError) in try agentPage(after: last) }
        var (left, right) = (try chatIDs.next(), try agentIDs.next())
        while left != nil || right != nil {
            var orphan: OrphanConnection?
            switch (left, right) {
            case (let here?, let there?) where here.id == there.id:
                (left, right) = (try chatIDs.next(), try agentIDs.next())
            case (let here?, let there) where there == nil || here.id < (there?.id ?? here.id):
                orphan = OrphanConnection(id: here.id, profile: here.profile)
                left = try chatIDs.next()
            case (_, let there?):
                if !there.isDeleted {
                    orphan = OrphanConnection(id: there.id, profile: there.profile)
                }
                right = try agentIDs.next()
            default:
                return
            }
            if let orphan, !found(orphan) { return }
        }
    }

    private func chatPage(after last: AgentConnectionID?) throws(StoreError) -> [ConnectionIDs.Element] {
        // The search begins at the empty text, so the first page needs no other query. Bytes that are not UTF-8 are
        // sorted after the text with which they begin; the caller leaves out the ids before them.
        let isAfter: Query =
            if let last, let text = last.text {
                "agent_conn_id > \(text)"
            } else {
                "agent_conn_id >= \(last?.textPrefix ?? "")"
            }
        return try chat.rows(
            """
            SELECT agent_conn_id, user_id FROM connections
            WHERE \(isAfter) ORDER BY agent_conn_id LIMIT \(number: ConnectionIDs.pageSize)
            """
        ).map { row throws(StoreError) in
            try ConnectionIDs.Element(
                id: AgentConnectionID(text: row.get("agent_conn_id")), profile: .chat(row.get("user_id")),
                isDeleted: false)
        }
    }

    private func agentPage(after last: AgentConnectionID?) throws(StoreError) -> [ConnectionIDs.Element] {
        let isAfter: Query = last.map { "conn_id > \($0)" } ?? "conn_id >= \([UInt8]())"
        return try agent.rows(
            """
            SELECT conn_id, user_id, deleted FROM connections
            WHERE \(isAfter) ORDER BY conn_id LIMIT \(number: ConnectionIDs.pageSize)
            """
        ).map { row throws(StoreError) in
            try ConnectionIDs.Element(
                id: row.get("conn_id"), profile: .agent(row.get("user_id")), isDeleted: row.get("deleted"))
        }
    }
}

/// The ids of one side, in order, a page at a time.
private struct ConnectionIDs {
    struct Element {
        let id: AgentConnectionID
        let profile: OrphanConnection.Profile
        let isDeleted: Bool
    }

    static let pageSize = 1_000

    private var page: ArraySlice<Element> = []
    private var cursor: AgentConnectionID?
    private var isAtEnd = false
    private let start: AgentConnectionID?
    private let read: (AgentConnectionID?) throws(StoreError) -> [Element]

    init(
        after start: AgentConnectionID?, _ read: @escaping (AgentConnectionID?) throws(StoreError) -> [Element]
    ) {
        self.start = start
        self.read = read
        cursor = start
    }

    mutating func next() throws(StoreError) -> Element? {
        while page.isEmpty, !isAtEnd {
            let rows = try read(cursor)
            page = rows.filter { row in start.map { $0 < row.id } ?? true }[...]
            // A text that is not UTF-8 is read as another text. Without this check the search would return to it
            // forever.
            let last = rows.last?.id
            isAtEnd = rows.count < Self.pageSize || last == cursor
            cursor = last
        }
        return page.popFirst()
    }
}

extension AgentConnectionID {
    /// The beginning of the text, up to the first replacement character.
    fileprivate var textPrefix: String {
        let scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars.prefix { $0 != "\u{FFFD}" }
        return String(String.UnicodeScalarView(scalars))
    }
}
