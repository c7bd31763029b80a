package import ChatDBEngine
import ChatDBReposBoth
import ChatDBReposChat
package import ChatDBSchema

/// The relays of own channels whose connections the chat database has lost. `group relays` calls such a connection
/// missing. A check and `inspect` need a proof: the agent database has at least as many connections of the profile
/// that the chat database lacks. Rule: docs/domain.md, "Group relays", Lost connections.
enum LostRelays {
    /// A relay of a channel.
    struct Relay {
        let row: Int64
        let group: Int64
        /// Nil if the relay is soft-deleted.
        let chatRelay: Int64?
        let user: Int64
        let agentUser: Int64
        let isHidden: Bool
    }

    /// The candidates: the relays of all channels that a profile owns and is in, by row. They have the columns that
    /// ``Relay/init(_:)`` reads.
    static let candidates: Query = """
        SELECT lost.group_relay_id, lost.group_id, lost.user_id, users.agent_user_id,
            \(StoreCheck.listedRelay("lost.chat_relay_id", of: "lost.user_id")) AS listed_relay_id,
            CASE WHEN users.view_pwd_hash IS NULL THEN 0 ELSE 1 END AS is_hidden
        FROM (\(LostRelayConnections.missingInChat(where: isOwned))) AS lost
        JOIN users ON users.user_id = lost.user_id
        ORDER BY lost.group_relay_id
        """

    private static let isOwned: Query = """
        EXISTS (
            SELECT 1 FROM groups JOIN group_members own ON own.group_id = groups.group_id
            WHERE groups.group_id = group_relays.group_id AND groups.use_relays = 1
                AND own.member_category = 'user' AND own.member_role = 'owner'
                AND own.member_status IN (\(list: GroupMemberStatus.currentTexts)))
        """

    /// Those of the candidates for which there is a proof.
    static func proven(_ relays: [Relay], _ checked: CheckContext) throws -> [Relay] {
        if relays.isEmpty { return [] }
        var spare: [Int64: Int] = [:]
        try CrossReferences.connections.walk(checked, agent: .init(condition: "coalesce(deleted, 0) = 0")) {
            if case .onlyAgent(let row) = $0, let user = row.user { spare[user, default: 0] += 1 }
        }
        let lost = Dictionary(grouping: relays, by: \.agentUser)
        return relays.filter { lost[$0.agentUser, default: []].count <= spare[$0.agentUser, default: 0] }
    }
}

extension LostRelays.Relay {
    init(_ row: ResultRow) throws(StoreError) {
        self.row = try row.get("group_relay_id")
        group = try row.get("group_id")
        chatRelay = try row.get("listed_relay_id")
        user = try row.get("user_id")
        agentUser = try row.get("agent_user_id")
        isHidden = try row.get("is_hidden")
    }
}

extension StoreWarning {
    /// The warnings about lost connections with relays, for these profiles.
    ///
    /// - Parameters:
    ///   - chat: shows the tables of this build.
    ///   - agent: the agent database of the same store, of any version.
    package static func lostRelays(
        of profiles: [User], chat: any ReadTransaction, agent: any ReadTransaction
    ) throws -> [StoreWarning] {
        let checked = CheckContext(chat: chat, agent: agent)
        let candidates = try chat.rows(LostRelays.candidates).map { row throws(StoreError) in
            try LostRelays.Relay(row)
        }
        let lost = try LostRelays.proven(candidates, checked)
        return profiles.compactMap { profile -> StoreWarning? in
            let groups = Set(lost.filter { $0.user == profile.id.rawValue }.map(\.group)).sorted()
            if groups.isEmpty { return nil }
            return StoreWarning(kind: .relaysWithoutConnection, user: profile, channels: groups.map { GroupID($0) })
        }
    }

    /// The same warnings, the most severe first.
    package static func sorted(_ warnings: [StoreWarning]) -> [StoreWarning] {
        Kind.allCases.flatMap { kind in warnings.filter { $0.kind == kind } }
    }
}
