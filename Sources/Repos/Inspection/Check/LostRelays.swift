package import ChatDBEngine
import ChatDBReposBoth
import ChatDBReposChat
package import ChatDBSchema

/// The relays of own channels with which the chat database has no connection, although it has had one. `group relays`
/// calls such a connection missing. A finding and a warning need a proof: the agent database has at least as many
/// connections of the profile that the chat database lacks. Rule: docs/domain.md, "Group relays", Lost connections.
struct LostRelays {
    /// Those for which there is a proof.
    let proven: [Relay]
    /// The others, of profiles that have connections: without an app, a store has none.
    let unproven: [Relay]

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

    /// - Parameter relays: the candidates.
    init(among relays: [Relay], _ checked: CheckContext) throws {
        if relays.isEmpty {
            (proven, unproven) = ([], [])
            return
        }
        var spare: [Int64: Int] = [:]
        try CrossReferences.connections.walk(checked, agent: .init(condition: "coalesce(deleted, 0) = 0")) {
            if case .onlyAgent(let row) = $0, let user = row.user { spare[user, default: 0] += 1 }
        }
        let lost = Dictionary(grouping: relays, by: \.agentUser)
        func isProven(_ relay: Relay) -> Bool {
            lost[relay.agentUser, default: []].count <= spare[relay.agentUser, default: 0]
        }
        proven = relays.filter(isProven)
        var isConnected: [Int64: Bool] = [:]
        var others: [Relay] = []
        for relay in relays where !isProven(relay) {
            let known = try isConnected[relay.user] ?? relay.hasOtherConnections(checked)
            isConnected[relay.user] = known
            if known { others.append(relay) }
        }
        unproven = others
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

    /// The row of the relay. It has no profile if the profile is hidden.
    func found(_ chatRelay: Int64?) -> FoundRow {
        FoundRow("group_relays", row, of: isHidden ? nil : user, group: group, chatRelay: chatRelay)
    }

    /// Whether the profile of the relay has a connection in one of the databases.
    fileprivate func hasOtherConnections(_ checked: CheckContext) throws(StoreError) -> Bool {
        try LostRelayConnections.hasConnections(
            UserID(user), AgentUserID(agentUser), checked.transaction(.chat), checked.agent)
    }
}

extension StoreWarning {
    /// The warnings about lost connections with relays, for these profiles, and the same about the connections for whose
    /// loss there is no proof. The latter are no warnings: see ``unprovenMessage``.
    ///
    /// - Parameters:
    ///   - chat: shows the tables of this build.
    ///   - agent: the agent database of the same store, of any version.
    package static func lostRelays(
        of profiles: [User], chat: any ReadTransaction, agent: any ReadTransaction
    ) throws -> (proven: [StoreWarning], unproven: [StoreWarning]) {
        let checked = CheckContext(chat: chat, agent: agent)
        let candidates = try chat.rows(LostRelays.candidates).map { row throws(StoreError) in
            try LostRelays.Relay(row)
        }
        let lost = try LostRelays(among: candidates, checked)
        func warnings(_ relays: [LostRelays.Relay]) -> [StoreWarning] {
            profiles.compactMap { profile -> StoreWarning? in
                let groups = Set(relays.filter { $0.user == profile.id.rawValue }.map(\.group)).sorted()
                if groups.isEmpty { return nil }
                return StoreWarning(kind: .relaysWithoutConnection, user: profile, channels: groups.map { GroupID($0) })
            }
        }
        return (warnings(lost.proven), warnings(lost.unproven))
    }

    /// The sentence about connections with relays for whose loss there is no proof.
    package var unprovenMessage: String {
        count == 1
            ? "1 channel has no connection with a relay, and does not reach it; nothing proves that a connection was lost."
            : "\(count) channels have no connection with a relay, and do not reach it; nothing proves that the connections were lost."
    }

    /// The same warnings, the most severe first.
    package static func sorted(_ warnings: [StoreWarning]) -> [StoreWarning] {
        Kind.allCases.flatMap { kind in warnings.filter { $0.kind == kind } }
    }
}
