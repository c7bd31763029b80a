import ChatDBKit

extension Things {
    /// A channel that is not finished, with another owner, and with a relay at each of three steps.
    var draft: GroupID { GroupID(40 + number) }
    var newGroupRelay: GroupRelayID { GroupRelayID(80 + number) }
    var invitedGroupRelay: GroupRelayID { GroupRelayID(90 + number) }
    var acceptedGroupRelay: GroupRelayID { GroupRelayID(100 + number) }
    /// The relay that only the draft uses.
    var draftRelay: ChatRelayID { ChatRelayID(30 + number) }
}

extension TwoProfiles {
    /// What the tests of groups need besides, in an order that foreign keys allow.
    static func groupRows(_ things: Things) -> [String] {
        let (n, name) = (things.number, things.name)
        let relays = [(80, "new"), (90, "invited"), (100, "accepted")]
        let names = ["-draft", "-owner"] + relays.map { "-draft-relay-\($0.0)" }
        return [
            """
            INSERT INTO display_names (user_id, local_display_name, ldn_base)
            VALUES \(names.map { "(\(n), '\(name)\($0)', '\(name)\($0)')" }.joined(separator: ", "))
            """,
            """
            INSERT INTO chat_relays (chat_relay_id, user_id, address, address_key, display_name)
            VALUES (\(30 + n), \(n), '\(things.draftAddress)', 'r3 \(name)', '\(name) draft')
            """,
            """
            INSERT INTO group_profiles (group_profile_id, user_id, display_name)
            VALUES (\(40 + n), \(n), '\(name)-draft')
            """,
            """
            INSERT INTO groups (group_id, user_id, group_profile_id, local_display_name, use_relays,
                creating_in_progress)
            VALUES (\(40 + n), \(n), \(40 + n), '\(name)-draft', 1, 1)
            """,
            """
            INSERT INTO contact_profiles (contact_profile_id, user_id, display_name)
            VALUES (\(60 + n), \(n), '\(name)-owner')
            """,
            """
            UPDATE groups SET ui_themes = '{"name": "\(name)"}', business_chat = 'customer',
                business_member_id = '\(name)-m4', customer_member_id = '\(name)-m5',
                business_xcontact_id = '\(name)-request'
            WHERE group_id = \(20 + n)
            """,
            """
            UPDATE group_profiles SET public_group_id = '\(name)-public', group_type = 'channel'
            WHERE group_profile_id = \(10 + n)
            """,
            """
            UPDATE group_members SET invited_by = \(n), member_security_code = '\(name) code'
            WHERE group_member_id = \(60 + n)
            """,
            """
            INSERT INTO group_members (group_member_id, user_id, group_id, member_id, member_role, member_category,
                member_status, local_display_name, contact_profile_id, contact_id)
            VALUES (\(70 + n), \(n), \(40 + n), '\(name)-m7', 'owner', 'user', 'creator', '\(name)', \(n), \(n)),
                (\(110 + n), \(n), \(40 + n), '\(name)-m8', 'owner', 'invitee', 'connected', '\(name)-owner',
                    \(60 + n), NULL)
            """,
        ]
            + relays.flatMap { id, status in
                [
                    """
                    INSERT INTO contact_profiles (contact_profile_id, user_id, display_name)
                    VALUES (\(Int64(id) + n), \(n), '\(name)-draft-relay-\(id)')
                    """,
                    """
                    INSERT INTO group_members (group_member_id, user_id, group_id, member_id, member_role,
                        member_category, member_status, local_display_name, contact_profile_id)
                    VALUES (\(Int64(id) + n), \(n), \(40 + n), '\(name)-m\(id)', 'relay', 'invitee', 'invited',
                        '\(name)-draft-relay-\(id)', \(Int64(id) + n))
                    """,
                    """
                    INSERT INTO group_relays (
                        group_relay_id, group_id, group_member_id, chat_relay_id, relay_status, relay_link)
                    VALUES (\(Int64(id) + n), \(40 + n), \(Int64(id) + n), \(30 + n), '\(status)',
                        CASE WHEN '\(status)' = 'accepted' THEN '\(name)-draft-link' END)
                    """,
                ]
            }
    }
}
