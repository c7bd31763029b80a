package import ChatDBEngine
import ChatDBReposChat
import ChatDBSchema

/// The relay that a remedy adds to a channel without a serving one. Rule: docs/domain.md, "Choosing relays".
package enum RelayToAdd {
    /// The relay as a part of a query of `groups`: the first enabled relay of the profile; relays that the profile added
    /// come before presets. NULL without such a relay.
    ///
    /// Left out are the relays that the channel has or had: those of its rows, and those with the name of one of its
    /// members. The owner may have taken such a relay out, and another one may have left.
    static func query(besides off: Set<Int64>) -> Query {
        let others: [Int64] = [0] + off.sorted()
        return """
            (SELECT listed.chat_relay_id FROM chat_relays listed
                WHERE listed.user_id = groups.user_id AND listed.deleted = 0 AND listed.enabled = 1
                    AND listed.chat_relay_id NOT IN (\(list: others))
                    AND NOT EXISTS (
                        SELECT 1 FROM group_relays had
                        WHERE had.group_id = groups.group_id AND had.chat_relay_id = listed.chat_relay_id)
                    AND NOT EXISTS (
                        SELECT 1 FROM group_members former
                        JOIN contact_profiles named ON named.contact_profile_id = former.contact_profile_id
                        WHERE former.group_id = groups.group_id AND former.member_role = \(GroupMemberRole.relay)
                            AND named.display_name = listed.display_name)
                ORDER BY listed.preset, listed.chat_relay_id LIMIT 1)
            """
    }

    /// The relays for channels that have rows of relays, by the number of the channel. A channel without such a relay has
    /// no entry, and the result is empty if the rows cannot be read.
    ///
    /// - Parameter chat: shows the tables of this build.
    package static func ofChannels(in chat: any ReadTransaction) -> [Int64: Int64] {
        let checked = CheckContext(chat: chat, agent: nil)
        var relays: [Int64: Int64] = [:]
        do {
            let off = try checked.choosableRelays().off
            let rows = try checked.attempt {
                try chat.rows(
                    """
                    SELECT groups.group_id, \(query(besides: off)) AS listed_relay_id FROM groups
                    WHERE groups.use_relays = 1
                        AND EXISTS (SELECT 1 FROM group_relays WHERE group_relays.group_id = groups.group_id)
                    """)
            }
            for row in rows {
                let relay: Int64? = try row.get("listed_relay_id")
                let group: Int64 = try row.get("group_id")
                relays[group] = relay
            }
        } catch {
            return [:]
        }
        return relays
    }
}
