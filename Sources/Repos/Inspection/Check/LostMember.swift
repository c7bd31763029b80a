import ChatDBEngine
import ChatDBReposChat
import ChatDBReposKit
import ChatDBSchema

/// A relay that is only a member of a channel: its row of `group_relays` is lost. Rule: docs/domain.md, "Group relays",
/// Lost rows.
package struct LostMember: Sendable, Hashable {
    /// The number of the member.
    package let member: Int64
    /// The relay of the profile whose member has this name, and that is not in the channel. It is nil if the profile has
    /// no such relay, or if the relay is soft-deleted or belongs to an operator that is off.
    package let relay: Int64?
    /// Whether the relay is enabled, so that a channel can get it.
    package let isEnabled: Bool

    /// The members of all channels whose rows are lost, by channel and number. A channel without such members has no
    /// entry.
    static func all(_ checked: CheckContext, _ found: inout FoundRows) throws -> [Int64: [LostMember]] {
        let hasNames =
            (try? checked.require("contact_profiles", "display_name", in: .chat)) != nil
            && (try? checked.require("chat_relays", "display_name", "domains", in: .chat)) != nil
        let relays = try hasNames ? ListedRelay.all(checked) : []
        let present = try relays.isEmpty ? [] : current(checked)
        let name: Query = hasNames ? nameOfMember : "NULL"
        var members: [Int64: [LostMember]] = [:]
        try checked.forEach(
            """
            SELECT group_members.group_id, group_members.group_member_id, groups.user_id, \(name) AS member_name
            FROM group_members JOIN groups ON groups.group_id = group_members.group_id
            WHERE \(GroupMember.isRelayWithoutRow) AND groups.use_relays = 1
            ORDER BY group_members.group_member_id
            """, &found
        ) { row, _ in
            let (group, user): (Int64, Int64) = (try row.get("group_id"), try row.get("user_id"))
            let name: String? = try row.get("member_name")
            let relay = relays.first { relay in
                relay.user == user && name?.hasBytes(of: relay.memberName) == true
                    && !present.contains(Place(group: group, relay: relay.id))
            }
            let member = try LostMember(
                member: row.get("group_member_id"), relay: relay?.id, isEnabled: relay?.isEnabled ?? false)
            members[group, default: []].append(member)
        }
        return members
    }

    private static let nameOfMember: Query = """
        (SELECT contact_profiles.display_name FROM contact_profiles
            WHERE contact_profiles.contact_profile_id = group_members.contact_profile_id)
        """

    /// A relay in a channel.
    private struct Place: Hashable {
        let group: Int64
        let relay: Int64
    }

    /// The relays that are in channels with a lost row, so that these cannot get them. A relay that is inactive or
    /// rejected there can be added again.
    private static func current(_ checked: CheckContext) throws -> Set<Place> {
        let ended = [RelayStatus.inactive, .rejected].map(\.text)
        var places: Set<Place> = []
        try checked.transaction(.chat).forEach(
            """
            SELECT group_relays.group_id, group_relays.chat_relay_id FROM group_relays
            WHERE \(GroupRelay.countedStatus) NOT IN (\(list: ended)) AND \(GroupRelay.isLatest)
                AND group_relays.group_id IN (
                    SELECT group_members.group_id FROM group_members WHERE \(GroupMember.isRelayWithoutRow))
            """
        ) { row in
            guard let group = try? row.get("group_id") as Int64, let relay = try? row.get("chat_relay_id") as Int64
            else { return }
            places.insert(Place(group: group, relay: relay))
        }
        return places
    }
}

/// A relay that a channel of its profile can get, once the relay is enabled.
private struct ListedRelay {
    let id: Int64
    let user: Int64
    let memberName: String
    let isEnabled: Bool

    /// The relays of all profiles, the enabled ones first, then by number. Another check reports those that cannot be
    /// read.
    static func all(_ checked: CheckContext) throws -> [ListedRelay] {
        let choosable = try checked.choosableRelays()
        var relays: [ListedRelay] = []
        try checked.transaction(.chat).forEach(
            """
            SELECT chat_relay_id, user_id, display_name, domains, CAST(address AS TEXT) AS address, enabled
            FROM chat_relays WHERE deleted = 0 ORDER BY enabled DESC, chat_relay_id
            """
        ) { row in
            guard let relay = try? ListedRelay(row), choosable(relay.id) != nil else { return }
            relays.append(relay)
        }
        return relays
    }

    private init(_ row: ResultRow) throws {
        id = try row.get("chat_relay_id")
        user = try row.get("user_id")
        isEnabled = try row.get("enabled")
        memberName = try ChatRelay.memberName(
            row.get("display_name"), domains: OperatorDomains.list(row.get("domains")), address: row.get("address"))
    }
}
