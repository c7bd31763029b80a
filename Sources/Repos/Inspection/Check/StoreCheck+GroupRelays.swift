import ChatDBEngine
import ChatDBReposChat
import ChatDBSchema

/// Rule: docs/domain.md, "Group relays".
extension StoreCheck {
    static let ofGroupRelays = [
        StoreCheck(
            "groupRelayWithoutMember", .error,
            "relays of channels whose member is missing, of another group, or not a relay", isGeneral: true
        ) { checked, found in
            try checked.require("group_members", in: .chat)
            try addRelays(
                """
                LEFT JOIN group_members ON \(GroupRelay.isMember("group_members", of: "group_relays"))
                WHERE group_members.group_member_id IS NULL AND NOT \(GroupRelay.hasUnknownRole)
                """, checked, &found)
        },
        StoreCheck(
            "relayMemberWithoutRow", .warning,
            "relays that the profile invited to a channel, and whose rows in group_relays are lost", isGeneral: true,
            walk: withoutRow),
        StoreCheck(
            "groupRelayOfOtherProfile", .error, "channels that use a relay of another profile", isGeneral: true
        ) { checked, found in
            try addRelays(
                """
                JOIN chat_relays ON chat_relays.chat_relay_id = group_relays.chat_relay_id
                WHERE chat_relays.user_id <> groups.user_id
                """, checked, &found)
        },
        StoreCheck(
            "groupRelayWithoutConnection", .error,
            "relays of channels with which the chat database has lost the connection", in: DatabaseName.allCases,
            isGeneral: true
        ) { checked, found in
            try checked.require("connections", in: .chat)
            var relays: [LostRelays.Relay] = []
            try checked.forEach(LostRelays.candidates, &found) { row, _ in relays.append(try LostRelays.Relay(row)) }
            let choosable = try checked.choosableRelays()
            let lost = try LostRelays(among: relays, checked)
            for relay in lost.proven { found.add(relay.found(choosable(relay.chatRelay)), with: []) }
            for relay in lost.unproven { found.addUnproven(relay.found(nil)) }
        },
        StoreCheck(
            "groupRelayOutsideChannel", .error, "groups with relays that are not channels", isGeneral: true,
            rows: [
                """
                SELECT DISTINCT groups.group_id FROM group_relays JOIN groups USING (group_id)
                WHERE use_relays = 0 ORDER BY groups.group_id
                """
            ]),
        StoreCheck(
            "acceptedRelayWithoutLink", .warning, "relays that accepted a channel, and whose link for it is unknown",
            isGeneral: true
        ) { checked, found in
            try addRelays("WHERE \(lacksLink) AND NOT \(memberHasLink)", checked, &found)
        },
        StoreCheck(
            "relayLinkOfMemberOnly", .warning,
            "relays that accepted a channel, and whose link for it only the row of the member has", isGeneral: true,
            repair: .statement(
                "stores the links of the members in the rows of the relays",
                """
                UPDATE group_relays SET relay_link = (
                    SELECT linked.relay_link FROM group_members linked
                    WHERE linked.group_member_id = group_relays.group_member_id)
                WHERE \(lacksLink) AND \(memberHasLink)
                """)
        ) { checked, found in
            try addRelays("WHERE \(lacksLink) AND \(memberHasLink)", checked, &found)
        },
        StoreCheck(
            "channelWithoutRelay", .warning,
            "channels owned by a profile that have no relay, or lost the rows of their relays",
            isGeneral: true
        ) { checked, found in
            for table in ["group_relays", "group_members"] { try checked.require(table, in: .chat) }
            let hasRelays =
                (try? checked.require("chat_relays", in: .chat)) != nil
                && (try? checked.require("contact_profiles", "display_name", in: .chat)) != nil
            let relay: Query = try hasRelays ? RelayToAdd.query(besides: checked.choosableRelays().off) : "NULL"
            let members = try LostMember.all(checked, &found)
            try addGroups(
                relay: relay, members: members,
                """
                WHERE use_relays = 1 AND NOT EXISTS (SELECT 1 FROM group_relays WHERE group_id = groups.group_id)
                    AND EXISTS (
                        SELECT 1 FROM group_members
                        WHERE group_id = groups.group_id AND member_category = 'user' AND member_role = 'owner'
                            AND member_status = 'creator')
                """, checked, &found)
        },
        StoreCheck(
            "channelWithoutLink", .warning, "finished channels owned by a profile that have no link", isGeneral: true
        ) { checked, found in
            // Versions of SimpleX Chat had channels before their profiles had links.
            try checked.require("group_profiles", "group_link", in: .chat)
            for table in ["group_members", "user_contact_links"] { try checked.require(table, in: .chat) }
            try addGroups(isWithoutLink, checked, &found)
        },
        StoreCheck(
            "unknownRelayStatus", .warning, "relays of channels with a status that this version does not know",
            isGeneral: true
        ) { checked, found in
            // Nothing uses or changes the status of a relay in a channel that the profile has left. The status of a
            // relay whose membership has ended is inactive, whatever its row says.
            try checked.require("group_members", in: .chat)
            try addRelays(
                """
                WHERE \(GroupRelay.countedStatus) NOT IN (\(list: RelayStatus.known.map(\.text)))
                    AND \(GroupRelay.isLatest) AND NOT EXISTS (
                        SELECT 1 FROM group_members own
                        WHERE own.group_id = group_relays.group_id AND own.member_category = 'user'
                            AND own.member_status IN (\(list: formerStatuses)))
                """, checked, &found)
        },
    ]

    /// The condition that a relay is in a channel and has accepted it, and that its row lacks the link.
    private static let lacksLink: Query = """
        \(GroupRelay.countedStatus) IN (\(list: RelayStatus.known.filter(\.isPublishable).map(\.text)))
        AND coalesce(group_relays.relay_link, '') = '' AND \(GroupRelay.isLatest)
        """

    /// The condition that the member of a row of `group_relays` has the link. Accepting stores it in both rows.
    private static let memberHasLink: Query = """
        EXISTS (
            SELECT 1 FROM group_members linked
            WHERE \(GroupRelay.isMember("linked", of: "group_relays")) AND linked.relay_link <> '')
        """

    /// Adds the members whose rows of `group_relays` are lost. Only a member that the profile invited has such a row: the
    /// relays of another owner, and those of a subscriber, are members alone.
    ///
    /// Left out are the channels for which another check has the same loss: those without any row, and those with a row
    /// whose member is missing. Left out too is a relay that was added again, by its name, and a channel that the profile
    /// has left or does not own: nothing uses its relays, and no command changes them.
    private static func withoutRow(_ checked: CheckContext, _ found: inout FoundRows) throws {
        for table in ["group_members", "contact_profiles"] { try checked.require(table, in: .chat) }
        let members = try LostMember.all(checked, &found)
        try addMembers(
            members: members,
            """
            JOIN groups ON groups.group_id = group_members.group_id
            WHERE \(GroupMember.isRelayWithoutRow) AND groups.use_relays = 1 AND \(isOwned)
                AND EXISTS (SELECT 1 FROM group_relays WHERE group_relays.group_id = groups.group_id)
                AND NOT EXISTS (
                    SELECT 1 FROM group_relays
                    WHERE group_relays.group_id = groups.group_id AND NOT EXISTS (
                        SELECT 1 FROM group_members part WHERE \(GroupRelay.isMember("part", of: "group_relays"))))
                AND NOT EXISTS (
                    SELECT 1 FROM group_relays
                    JOIN group_members later ON later.group_member_id = group_relays.group_member_id
                    JOIN contact_profiles again ON again.contact_profile_id = later.contact_profile_id
                    JOIN contact_profiles lost ON lost.contact_profile_id = group_members.contact_profile_id
                    WHERE group_relays.group_id = groups.group_id
                        AND later.group_member_id > group_members.group_member_id
                        AND again.display_name = lost.display_name)
            """, checked, &found)
    }

    /// The statuses of members that are no longer in a group.
    private static let formerStatuses = GroupMemberStatus.known.filter(\.isHistory).map(\.text)

    private static let isWithoutLink: Query = """
        JOIN group_profiles ON group_profiles.group_profile_id = groups.group_profile_id
        WHERE groups.use_relays = 1 AND groups.creating_in_progress = 0 AND groups.business_chat IS NULL
            AND NOT \(UnfinishedChannel.hasLink) AND \(isOwned)
        """

    /// The condition that the profile owns the channel and is in it. Nobody else can change its relays.
    private static let isOwned: Query = """
        EXISTS (
            SELECT 1 FROM group_members own
            WHERE own.group_id = groups.group_id AND own.member_category = 'user' AND own.member_role = 'owner'
                AND own.member_status IN (\(list: GroupMemberStatus.currentTexts)))
        """

    /// The number of a relay if the list of the profile has it, else NULL. A channel can get no relay of another profile,
    /// and none that is soft-deleted or disabled, so the command of a remedy does not name these. The operator of the
    /// relay may be off: ``ChoosableRelays``.
    static func listedRelay(_ relay: Query, of user: Query) -> Query {
        """
        (SELECT listed.chat_relay_id FROM chat_relays listed
            WHERE listed.chat_relay_id = \(relay) AND listed.user_id = \(user) AND listed.deleted = 0
                AND listed.enabled = 1)
        """
    }

    /// Adds rows of `group_relays`, each with the group, the profile, and the relay that the profile has. The condition
    /// follows the joined `groups`.
    private static func addRelays(_ condition: Query, _ checked: CheckContext, _ found: inout FoundRows) throws {
        let choosable = try checked.choosableRelays()
        try checked.forEach(
            """
            SELECT group_relays.group_relay_id, group_relays.group_id, \(visibleUser) AS visible_user_id,
                \(listedRelay("group_relays.chat_relay_id", of: "groups.user_id")) AS listed_relay_id
            FROM group_relays LEFT JOIN groups ON groups.group_id = group_relays.group_id
            \(condition)
            ORDER BY group_relays.group_relay_id
            """, &found
        ) { row, found in
            try found.add(
                FoundRow(
                    "group_relays", row.get("group_relay_id"), of: row.get("visible_user_id"),
                    group: row.get("group_id"), chatRelay: choosable(row.get("listed_relay_id"))), with: [])
        }
    }

    /// Adds rows of `group_members`, each with the group and the profile. The condition joins `groups`.
    ///
    /// - Parameter members: the members of the channels whose rows are lost.
    static func addMembers(
        members: [Int64: [LostMember]] = [:], _ condition: Query, _ checked: CheckContext, _ found: inout FoundRows
    ) throws {
        try checked.forEach(
            """
            SELECT group_members.group_member_id, group_members.group_id, \(visibleUser) AS visible_user_id
            FROM group_members
            \(condition)
            ORDER BY group_members.group_member_id
            """, &found
        ) { row, found in
            let (member, group): (Int64, Int64) = (try row.get("group_member_id"), try row.get("group_id"))
            try found.add(
                FoundRow(
                    "group_members", member, of: row.get("visible_user_id"), group: group,
                    lostMembers: members[group, default: []].filter { $0.member == member }), with: [])
        }
    }

    /// Adds rows of `groups`, each with the profile, and with a relay for the remedy. The condition follows `groups`.
    ///
    /// - Parameter members: the members of the channels whose rows are lost. A channel with such members has no other
    ///   relay for the remedy.
    static func addGroups(
        relay: Query = "NULL", members: [Int64: [LostMember]] = [:], _ condition: Query, _ checked: CheckContext,
        _ found: inout FoundRows
    ) throws {
        let choosable = try checked.choosableRelays()
        try checked.forEach(
            """
            SELECT groups.group_id, \(visibleUser) AS visible_user_id, \(relay) AS listed_relay_id FROM groups
            \(condition)
            ORDER BY groups.group_id
            """, &found
        ) { row, found in
            let group: Int64 = try row.get("group_id")
            let lost = members[group, default: []]
            let relay = try choosable(row.get("listed_relay_id"))
            try found.add(
                FoundRow(
                    "groups", group, of: row.get("visible_user_id"), chatRelay: lost.isEmpty ? relay : nil,
                    lostMembers: lost), with: [])
        }
    }

    /// The profile of a row of `groups`; NULL for a hidden profile.
    static let visibleUser: Query = """
        (SELECT users.user_id FROM users
            WHERE users.user_id = groups.user_id AND users.view_pwd_hash IS NULL)
        """
}

/// Tells which of the relays a channel can get when they are enabled: those with a valid address of operators that are
/// on, and of the user. The command of a remedy names no other. Rule: docs/domain.md, "Choosing relays".
struct ChoosableRelays {
    /// The relays that no channel can get.
    fileprivate(set) var off: Set<Int64> = []

    /// The relay if a channel can get it, else nil.
    func callAsFunction(_ relay: Int64?) -> Int64? { relay.flatMap { off.contains($0) ? nil : $0 } }
}

extension CheckContext {
    /// The relays that a channel can get. If the operators or the relays cannot be read, which other checks report, the
    /// result takes all operators for enabled.
    func choosableRelays() throws -> ChoosableRelays {
        guard let chat else { return ChoosableRelays() }
        do {
            return try attempt {
                let operators = try OperatorsRepo(chat).all()
                var relays = ChoosableRelays()
                let areOn = operators.allSatisfy(\.isEnabled)
                // No remedy names a soft-deleted relay.
                try chat.forEach(
                    """
                    SELECT chat_relay_id, domains, CAST(address AS TEXT) AS address FROM chat_relays WHERE deleted = 0
                    """
                ) { row in
                    // Another check reports an address that cannot be read.
                    let address: String? = try? row.get("address")
                    var isOff = address.map(ChatRelay.isAddress) != true
                    if !isOff, !areOn {
                        let domains = OperatorDomains.list(try row.get("domains"))
                        isOff = operators.owner(ofRelayDomains: domains)?.isEnabled == false
                    }
                    if isOff { relays.off.insert(try row.get("chat_relay_id")) }
                }
                return relays
            }
        } catch {
            let error = StoreError(checking: error)
            if error.endsReading { throw error }
            return ChoosableRelays()
        }
    }
}
