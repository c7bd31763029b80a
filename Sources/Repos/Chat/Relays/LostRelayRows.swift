package import ChatDBEngine
import ChatDBReposKit
package import ChatDBSchema

/// A channel that has lost its row of a relay: a member with the name of the relay is still there. The status of the
/// relay in the channel is lost with the row. Rule: docs/domain.md, "Chat relays", In use.
package struct ChannelOfLostRow: Sendable, Hashable {
    /// The channel.
    package let groupID: GroupID
    /// The name that the profile gives the channel.
    package let localDisplayName: String
    /// Whether the member has the name of the relay. If not, the relay has no name, and the member has the name of no
    /// relay of the profile: the lost row may be that of another relay without a name.
    package let isNamed: Bool
}

/// What may refer to a row of `chat_relays`. Rule: docs/domain.md, "Chat relays", Deleting.
package enum RelayReference: Sendable {
    /// All rows and members of a group.
    case group(GroupID)
    /// A row of `group_relays`.
    case row(GroupRelayID)
    /// A member whose row of `group_relays` is lost.
    case member(GroupMemberID)
}

extension ChatRelaysRepo {
    /// The channels of the profile that have lost their row of the relay, soft-deleted or not; newest chat first. The
    /// list is empty when there are none, also for a relay of another profile.
    package func channelsOfLostRows(
        _ id: ChatRelayID, of user: UserID
    ) throws(ChatRelaysError) -> [ChannelOfLostRow] {
        try all(
            """
            SELECT groups.group_id, groups.local_display_name,
                max(CASE WHEN contact_profiles.display_name = chat_relays.display_name THEN 1 ELSE 0 END) AS is_named
            FROM \(Self.lostRows)
                AND chat_relays.chat_relay_id = \(id) AND chat_relays.user_id = \(user)
            GROUP BY groups.group_id, groups.local_display_name, groups.chat_ts
            ORDER BY groups.chat_ts DESC, groups.group_id DESC
            """)
    }

    /// The channels that have lost a row, each with the relays that the row may be of, to be narrowed further. The name
    /// of the member is all that is left of the row. A channel that the relay was added to again has a row.
    static let lostRows: Query = """
        groups
        JOIN group_members ON group_members.group_id = groups.group_id AND \(GroupMember.isRelayWithoutRow)
        JOIN contact_profiles ON contact_profiles.contact_profile_id = group_members.contact_profile_id
        JOIN chat_relays ON chat_relays.user_id = groups.user_id AND \(isOfRelay)
        WHERE NOT EXISTS (
            SELECT 1 FROM group_relays present
            WHERE present.chat_relay_id = chat_relays.chat_relay_id AND present.group_id = groups.group_id)
        """

    /// The condition that the member of a lost row may be the relay. It has the name of the relay. The member of a relay
    /// without a name has its domain or its host as its name, which no statement can know: a member whose name no relay
    /// of the profile has may be each relay without a name. So no such relay is deleted while a channel may need it.
    fileprivate static let isOfRelay: Query = """
        (contact_profiles.display_name = chat_relays.display_name
            OR chat_relays.display_name = '' AND contact_profiles.display_name NOT IN (
                SELECT named.display_name FROM chat_relays named
                WHERE named.user_id = groups.user_id AND named.display_name <> ''))
        """
}

extension ChatRelay {
    /// The condition that a channel refers to a row of `chat_relays`: by a row of `group_relays`, also one that does
    /// not count, or by a member whose row is lost. Then the row of the relay stays when the relay is deleted. Rule:
    /// docs/domain.md, "Chat relays", Deleting.
    package static let isReferenced = isReferenced(besides: nil)

    /// The same without a reference that is deleted.
    static func isReferenced(besides gone: RelayReference?) -> Query {
        let (isOther, isOtherMember): (Query, Query) =
            switch gone {
            case .group(let id): ("AND referring.group_id <> \(id)", "AND groups.group_id <> \(id)")
            case .row(let id): ("AND referring.group_relay_id <> \(id)", "")
            case .member(let id): ("", "AND group_members.group_member_id <> \(id)")
            case nil: ("", "")
            }
        return """
            (EXISTS (
                SELECT 1 FROM group_relays referring
                WHERE referring.chat_relay_id = chat_relays.chat_relay_id \(isOther))
            OR EXISTS (
                SELECT 1 FROM groups
                JOIN group_members ON group_members.group_id = groups.group_id AND \(GroupMember.isRelayWithoutRow)
                JOIN contact_profiles ON contact_profiles.contact_profile_id = group_members.contact_profile_id
                WHERE groups.user_id = chat_relays.user_id AND \(ChatRelaysRepo.isOfRelay) \(isOtherMember)))
            """
    }
}

extension ChannelOfLostRow: RowRecord {
    package init(row: ResultRow) throws(StoreError) {
        try self.init(
            groupID: row.get("group_id"), localDisplayName: row.get("local_display_name"),
            isNamed: row.get("is_named"))
    }
}
