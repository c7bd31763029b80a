package import ChatDBEngine
import ChatDBReposChat
import ChatDBReposKit
public import ChatDBSchema

/// Something the user should know about a store.
public struct StoreWarning: Sendable, Hashable {
    /// Kinds of warnings, the most severe first.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// Rows of profiles are lost, and other rows still refer to them. ``StoreFacts`` has no such warning, and none
        /// of ``lostGroups``.
        case lostProfiles
        /// Rows of groups or channels are lost, and their members still refer to them.
        case lostGroups
        /// More than one profile is active.
        case severalActiveProfiles
        /// No profile is active.
        case noActiveProfile
        /// The profile has no server to receive messages with.
        case noEnabledSMPServers
        /// The profile has channels that have lost its own membership.
        case channelsWithoutOwnMember
        /// The profile has created channels whose relays it only knows as members, because their rows are lost.
        case channelsWithoutRelayRows
        /// The profile has created channels that have no relay.
        case channelsWithoutRelay
        /// The profile has channels with relays whose connection the chat database has lost. ``StoreFacts`` reads the
        /// chat database alone, and has no such warning.
        case relaysWithoutConnection
        /// The profile is in channels of its own with no relay that is active.
        case channelsWithoutActiveRelay
        /// New channels have no relay to choose.
        case noEnabledRelays
        /// The profile has no server to send files with.
        case noEnabledXFTPServers
    }

    /// The subject.
    public let kind: Kind
    /// The profile it is about; nil for the store.
    public let user: User?
    /// The number of things that it concerns; 0 where it concerns none.
    public let count: Int
    /// The channels that it concerns; empty for other kinds.
    public let channels: [GroupID]
    /// Those of the channels that have a relay to which an app connects, for ``Kind/channelsWithoutActiveRelay``.
    package let connecting: Set<GroupID>
    /// Whether the number of active relays of one of the channels is unknown, because its rows are incomplete.
    private let isUnknown: Bool

    init(
        kind: Kind, user: User?, count: Int = 0, channels: [GroupID] = [], connecting: Set<GroupID> = [],
        isUnknown: Bool = false
    ) {
        self.kind = kind
        self.user = user
        self.count = channels.isEmpty ? count : channels.count
        self.channels = channels
        self.connecting = connecting
        self.isUnknown = isUnknown
    }

    /// The sentence for people.
    public var message: String {
        switch kind {
        case .noEnabledRelays: "No chat relays enabled. Channels require at least one relay."
        case .noEnabledSMPServers: "No SMP servers enabled. Messages require at least one server."
        case .noEnabledXFTPServers: "No XFTP servers enabled. Files require at least one server."
        case .noActiveProfile: "No profile is active."
        case .severalActiveProfiles: "\(count) profiles are active. At most one can be."
        case .lostProfiles:
            count == 1
                ? "1 profile is lost, and other rows still refer to it."
                : "\(count) profiles are lost, and other rows still refer to them."
        case .lostGroups:
            count == 1
                ? "1 group or channel is lost, and its members still refer to it."
                : "\(count) groups or channels are lost, and their members still refer to them."
        case .channelsWithoutOwnMember:
            count == 1
                ? "1 channel has lost the membership of the profile."
                : "\(count) channels have lost the membership of the profile."
        case .channelsWithoutRelayRows:
            count == 1
                ? "1 channel has lost the rows of its relays: their status is unknown."
                : "\(count) channels have lost the rows of their relays: their status is unknown."
        case .channelsWithoutRelay:
            count == 1
                ? "1 channel has no relay. Subscribers can neither read nor join it."
                : "\(count) channels have no relay. Subscribers can neither read nor join them."
        case .relaysWithoutConnection:
            count == 1
                ? "1 channel has lost the connection with a relay. Its messages do not reach this relay."
                : "\(count) channels have lost the connection with a relay. Their messages do not reach these relays."
        case .channelsWithoutActiveRelay where isUnknown:
            count == 1
                ? "1 channel has no relay that is known to be active. Its messages may reach no subscriber."
                : "\(count) channels have no relay that is known to be active. Their messages may reach no subscriber."
        case .channelsWithoutActiveRelay:
            count == 1
                ? "1 channel has no active relay. Its messages reach no subscriber."
                : "\(count) channels have no active relay. Their messages reach no subscriber."
        }
    }

    /// The warnings, the most severe first, and then in the order of the profiles. Relays and servers of an operator
    /// that is off count as disabled.
    static func all(
        profiles: [ProfileFacts], operators: [ServerOperator], active: Int
    ) -> [StoreWarning] {
        var warnings: [StoreWarning] = []
        if !profiles.isEmpty, active == 0 { warnings.append(StoreWarning(kind: .noActiveProfile, user: nil)) }
        if active > 1 { warnings.append(StoreWarning(kind: .severalActiveProfiles, user: nil, count: active)) }
        for profile in profiles {
            if !profile.readiness.isPossible {
                warnings.append(StoreWarning(kind: .noEnabledRelays, user: profile.user))
            }
            let used = profile.servers.filter { $0.isEnabled && operators.owner(of: $0)?.isEnabled != false }
            if !used.contains(where: { $0.serverProtocol == .smp }) {
                warnings.append(StoreWarning(kind: .noEnabledSMPServers, user: profile.user))
            }
            if !used.contains(where: { $0.serverProtocol == .xftp }) {
                warnings.append(StoreWarning(kind: .noEnabledXFTPServers, user: profile.user))
            }
            // A channel has a membership of its own from the beginning, also if it was only prepared.
            let lost = profile.channels.filter { $0.group.membership == nil }.map(\.group.id)
            if !lost.isEmpty {
                warnings.append(StoreWarning(kind: .channelsWithoutOwnMember, user: profile.user, channels: lost))
            }
            // A row that lacks its relay or its member is another loss, which only a check finds.
            let incomplete = Set(profile.incompleteRelays.map(\.groupRelay.groupID))
            let bare = profile.channels.filter { $0.isWithoutRelay && !incomplete.contains($0.group.id) }
            for (kind, isLost) in [(StoreWarning.Kind.channelsWithoutRelayRows, true), (.channelsWithoutRelay, false)] {
                let channels = bare.filter { $0.hasUnknownProgress == isLost }.map(\.group.id)
                if !channels.isEmpty {
                    warnings.append(StoreWarning(kind: kind, user: profile.user, channels: channels))
                }
            }
            // A member whose role this build does not know may be an active relay.
            let unknown = Set(profile.incompleteRelays.filter(\.hasUnknownRole).map(\.groupRelay.groupID))
            let lacking = incomplete.subtracting(unknown)
            let silent = profile.channels.filter { $0.isSilent(lacksRelays: lacking.contains($0.group.id)) }
            if !silent.isEmpty {
                warnings.append(
                    StoreWarning(
                        kind: .channelsWithoutActiveRelay, user: profile.user, channels: silent.map(\.group.id),
                        connecting: profile.connecting, isUnknown: silent.contains(where: \.hasUnknownProgress)))
            }
        }
        return sorted(warnings)
    }
}

extension ProfileFacts {
    /// The channels that have a relay to which an app connects, and whose row lacks nothing.
    fileprivate var connecting: Set<GroupID> {
        let relays = waitingRelays.filter { relay in
            let lacks = incompleteRelays.contains {
                $0.groupRelay.groupID == relay.groupID && $0.groupRelay.chatRelayID == relay.chatRelayID
            }
            // An app needs the address only to invite the relay.
            let isOutOfReach =
                relay.status == .new
                && relaysOff.contains {
                    $0.groupRelay.groupID == relay.groupID && $0.relay.id == relay.chatRelayID
                        && !$0.relay.hasValidAddress
                }
            return !lacks && !isOutOfReach && [.new, .invited, .accepted, .acknowledgedRoster].contains(relay.status)
        }
        return Set(relays.map(\.groupID))
    }
}

extension GroupSummary {
    /// Whether it is a channel of the profile whose creation is finished, and no relay passes on its messages.
    ///
    /// - Parameter lacksRelays: whether it has rows that lack their relay or their member, so that they do not count.
    fileprivate func isSilent(lacksRelays: Bool) -> Bool {
        let isOwn = group.membership?.role == .owner
        let hasRelays = progress.total > 0 || lacksRelays
        return isOwn && group.isCurrent && !group.isCreating && hasRelays && progress.active == 0
    }

    /// Whether it is a channel that the profile created and finished, and that has no row of a relay. Another owner
    /// knows the relays as members only.
    fileprivate var isWithoutRelay: Bool {
        let isCreator = group.membership?.role == .owner && group.membership?.status == .creator
        return isCreator && !group.isCreating && progress.total == 0
    }
}

extension StoreWarning.Kind {
    /// Whether the warning may only come from the absence of a row. SQL counts the active profiles. Without the row of a
    /// profile or an operator, a warning may be missing, but none is wrong.
    func mayComeFrom(_ row: UnreadableRow) -> Bool {
        // The columns of the result may not show which table has the row.
        let table = row.table ?? ""
        return switch self {
        case .lostProfiles, .lostGroups, .severalActiveProfiles, .noActiveProfile: false
        case .noEnabledRelays: ["", "chat_relays"].contains(table)
        case .noEnabledSMPServers, .noEnabledXFTPServers: ["", "protocol_servers"].contains(table)
        case .channelsWithoutOwnMember: ["", "groups", "group_members"].contains(table)
        case .channelsWithoutRelayRows, .channelsWithoutRelay, .relaysWithoutConnection, .channelsWithoutActiveRelay:
            ["", "groups", "group_members", "group_relays"].contains(table)
        }
    }

    /// The id of the check that finds the same. Each warning has one.
    package var checkID: String {
        switch self {
        case .severalActiveProfiles, .noActiveProfile, .noEnabledRelays, .noEnabledSMPServers, .noEnabledXFTPServers:
            rawValue
        case .lostProfiles, .lostGroups: "chatDanglingReference"
        case .channelsWithoutOwnMember: "groupWithoutOwnMember"
        case .channelsWithoutRelayRows, .channelsWithoutRelay: "channelWithoutRelay"
        case .relaysWithoutConnection: "groupRelayWithoutConnection"
        case .channelsWithoutActiveRelay: "channelWithoutActiveRelay"
        }
    }
}

extension StoreWarning {
    /// The warnings about lost profiles and groups to which other rows still refer. They are counted with few look-ups:
    /// a group has members, and a profile has contacts or groups. `check` examines every reference
    /// (`chatDanglingReference`).
    ///
    /// - Parameter chat: shows the tables of this build.
    package static func lostRows(in chat: any ReadTransaction) throws(StoreError) -> [StoreWarning] {
        let row = try chat.first(
            """
            SELECT
                (SELECT count(*) FROM (SELECT user_id FROM groups UNION SELECT user_id FROM contacts) AS named
                    WHERE NOT EXISTS (SELECT 1 FROM users WHERE users.user_id = named.user_id)) AS profiles,
                (SELECT count(*) FROM (SELECT DISTINCT group_id FROM group_members) AS named
                    WHERE NOT EXISTS (SELECT 1 FROM groups WHERE groups.group_id = named.group_id)) AS groups_lost
            """)
        guard let row else { return [] }
        let (profiles, groups): (Int, Int) = (try row.get("profiles"), try row.get("groups_lost"))
        return [
            StoreWarning(kind: .lostProfiles, user: nil, count: profiles),
            StoreWarning(kind: .lostGroups, user: nil, count: groups),
        ].filter { $0.count > 0 }
    }
}
