/// 1 friends, a group; 2 news, alice's channel with relays 1 and 2; 3 coming, a channel prepared and not joined;
/// 4 office, a group of work.
extension SimplexRows {
    var groups: [Row] {
        var rows = group(1, "friends", ownRole: "member")
        rows += group(4, "office", of: 2, ownRole: "admin")
        rows += group(2, "news", ownRole: "owner", ownStatus: "creator", isChannel: true)
        rows.append(member(23, "SimpleX 5", in: 2, "relay", "invitee", "connected", link: "simplex:/r#one"))
        rows.append(member(24, "mine", in: 2, "relay", "invitee", "invited"))
        rows.append(member(25, "reader", in: 2, "observer", "invitee", "connected"))
        rows.append(member(26, "robot", in: 2, "android", "post", "intro-inv"))
        rows += group(
            3, "coming", ownRole: "member", ownStatus: "unknown", isChannel: true, link: "simplex:/g#coming?h=a.b")
        rows.append(usage(1, member: 23, relay: 1, "active", link: "simplex:/r#one"))
        rows.append(usage(2, member: 24, relay: 2, "acknowledged_roster"))
        return rows
    }

    private func group(
        _ id: Int, _ name: String, of user: Int = 1, ownRole: String, ownStatus: String = "connected",
        isChannel: Bool = false, link: String? = nil
    ) -> [Row] {
        let connect = link.map(Self.bytes) ?? "NULL"
        return [
            Row(
                "group_profiles",
                [
                    "group_profile_id": "\(id)", "display_name": "'\(name)'", "full_name": "''",
                    "user_id": "\(user)", "group_link": isChannel ? Self.bytes("simplex:/g#\(name)") : "NULL",
                    "preferences": "'\(Self.preferences)'",
                    "preferences_json": id == 2 ? "'\(Self.received)'" : "NULL",
                ]),
            Row(
                "groups",
                [
                    "group_id": "\(id)", "user_id": "\(user)", "local_display_name": "'\(name)'",
                    "group_profile_id": "\(id)", "use_relays": isChannel ? "1" : "0", "chat_ts": "NULL",
                    "updated_at": Self.time, "created_at": "'2026-01-01 00:00:00'", "local_alias": "NULL",
                    "conn_full_link_to_connect": connect, "conn_short_link_to_connect": connect,
                ]),
            member(10 * id, "own", in: id, of: user, ownRole, "user", ownStatus),
        ]
    }

    private func member(
        _ id: Int, _ name: String, in group: Int, of user: Int = 1, _ role: String, _ category: String,
        _ status: String, link: String? = nil
    ) -> Row {
        Row(
            "group_members",
            [
                "group_member_id": "\(id)", "group_id": "\(group)", "member_id": "x'\(id + 10)ff'",
                "member_role": loose(role), "member_category": "'\(category)'", "member_status": "'\(status)'",
                "user_id": "\(user)", "local_display_name": "'\(name)'", "contact_profile_id": "\(user)",
                "index_in_group": "\(id)", "relay_link": link.map(Self.bytes) ?? "NULL",
                "member_restriction": loose("blocked"),
            ])
    }

    private func usage(_ id: Int, member: Int, relay: Int, _ status: String, link: String? = nil) -> Row {
        Row(
            "group_relays",
            [
                "group_relay_id": "\(id)", "group_id": "2", "group_member_id": "\(member)",
                "chat_relay_id": "\(relay)", "relay_status": "'\(status)'",
                "relay_link": link.map(Self.bytes) ?? "NULL", "conf_id": "x'00'",
            ])
    }

    /// bob's connection is known to the agent, carol's is not.
    var connections: [Row] {
        [
            connection(1, "Ym9i", "contact", "contact_id", 11), connection(2, "Y2Fyb2w=", "contact", "contact_id", 12),
            connection(3, "ZmlsZQ==", version.hasRelays ? "contact" : "rcv_file", "rcv_file_id", 5),
            Row(
                "user_contact_links",
                [
                    "user_contact_link_id": "1", "conn_req_contact": Self.bytes("simplex:/contact#x"),
                    "user_id": "1", "group_id": "1", "group_link_member_role": loose("member"),
                ]),
        ]
    }

    private func connection(_ id: Int, _ agentID: String, _ type: String, _ owner: String, _ ownerID: Int) -> Row {
        Row(
            "connections",
            [
                "connection_id": "\(id)", "agent_conn_id": Self.bytes(agentID), "conn_status": "'ready'",
                "conn_type": "'\(type)'", "user_id": "1", "created_at": Self.time, owner: "\(ownerID)",
                "conn_req_inv": Self.bytes("simplex:/invitation#x"),
            ])
    }
}
