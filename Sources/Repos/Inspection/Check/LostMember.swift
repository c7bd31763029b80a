import ChatDBEngine
import ChatDBReposChat
import ChatDBSchema

/// A relay that is only a member of a channel: its row of `group_relays` is lost. Rule: docs/domain.md, "Group relays",
/// Lost rows.
package struct LostMember: Sendable, Hashable {
    /// The number of the member.
    package let member: Int64
    /// The relay of the profile that has the name of the member, and no row in the channel. It is nil if there is none,
    /// and if the relay is soft-deleted or of an operator that is off.
    package let relay: Int64?
    /// Whether the relay is enabled, so that a channel can get it.
    package let isEnabled: Bool

    /// The members of all channels whose rows are lost, by channel and number. A channel without such members has no
    /// entry.
    static func all(_ checked: CheckContext, _ found: inout FoundRows) throws -> [Int64: [LostMember]] {
        let choosable = try checked.choosableRelays()
        let hasNames = ["contact_profiles", "chat_relays"].allSatisfy {
            (try? checked.require($0, "display_name", in: .chat)) != nil
        }
        let relay: Query = hasNames ? relayOfName : "NULL"
        let enabled: Query = hasNames ? isEnabled : "0"
        var members: [Int64: [LostMember]] = [:]
        try checked.forEach(
            """
            SELECT lost.group_id, lost.group_member_id, lost.listed_relay_id, \(enabled) AS is_enabled
            FROM (
                SELECT group_members.group_id, group_members.group_member_id, \(relay) AS listed_relay_id
                FROM group_members JOIN groups ON groups.group_id = group_members.group_id
                WHERE \(GroupMember.isRelayWithoutRow) AND groups.use_relays = 1) AS lost
            ORDER BY lost.group_member_id
            """, &found
        ) { row, _ in
            let group: Int64 = try row.get("group_id")
            let member = try LostMember(
                member: row.get("group_member_id"), relay: choosable(row.get("listed_relay_id")),
                isEnabled: row.get("is_enabled"))
            members[group, default: []].append(member)
        }
        return members
    }

    private static let isEnabled: Query = """
        coalesce((SELECT enabled FROM chat_relays WHERE chat_relay_id = lost.listed_relay_id), 0)
        """

    /// The relay in the list of the profile that has the name of the member; an enabled one before others.
    private static let relayOfName: Query = """
        (SELECT listed.chat_relay_id FROM contact_profiles
            JOIN chat_relays listed ON listed.display_name = contact_profiles.display_name
                AND listed.user_id = groups.user_id AND listed.deleted = 0
            WHERE contact_profiles.contact_profile_id = group_members.contact_profile_id
                AND NOT EXISTS (
                    SELECT 1 FROM group_relays present
                    WHERE present.group_id = group_members.group_id AND present.chat_relay_id = listed.chat_relay_id)
            ORDER BY listed.enabled DESC, listed.chat_relay_id LIMIT 1)
        """
}
