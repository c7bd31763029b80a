import ChatDBEngine
import ChatDBReposChat
import ChatDBSchema

/// Connections of members: the groups of the members, and which of them are relays of a channel that a profile owns.
enum MemberConnections {
    /// The member of a connection.
    struct Member {
        /// Its group or channel.
        let group: Int64
        /// The relay, if the profile owns the channel; nil for any other member.
        let relay: FoundRow.OwnRelay?
    }

    /// The members by the number of their connection. A connection without a member has none, and so has each if the
    /// chat database has another form of these tables.
    static func among(_ numbers: [Int64], _ checked: CheckContext) throws -> [Int64: Member] {
        guard let chat = checked.chat else { return [:] }
        let ended = GroupMemberStatus.known.filter(\.isHistory).map(\.text)
        let query: Query = """
            SELECT connections.connection_id, group_members.group_id, group_relays.group_relay_id,
                \(StoreCheck.listedRelay("group_relays.chat_relay_id", of: "group_members.user_id")) AS listed_relay_id,
                CASE WHEN group_members.member_status IN (\(list: ended)) THEN 1 ELSE 0 END AS has_ended
            FROM connections
            JOIN group_members ON group_members.group_member_id = connections.group_member_id
            LEFT JOIN group_relays ON \(GroupRelay.isMember("group_members", of: "group_relays"))
                AND EXISTS (
                    SELECT 1 FROM groups JOIN group_members own ON own.group_id = groups.group_id
                    WHERE groups.group_id = group_members.group_id AND groups.use_relays = 1
                        AND own.member_category = 'user' AND own.member_role = 'owner'
                        AND own.member_status IN (\(list: GroupMemberStatus.currentTexts)))
            WHERE connections.connection_id IN (\(list: numbers))
            """
        var members: [Int64: Member] = [:]
        do {
            let choosable = try checked.choosableRelays()
            for row in try chat.attempt({ try chat.rows(query) }) {
                guard let number = try? row.get("connection_id") as Int64, let group = try? row.get("group_id") as Int64
                else { continue }
                members[number] = Member(group: group, relay: relay(in: row, choosable))
            }
        } catch {
            // The finding then has the numbers alone, and other checks report what cannot be read.
            let error = StoreError(checking: error)
            if error.endsReading { throw error }
        }
        return members
    }

    private static func relay(in row: ResultRow, _ choosable: ChoosableRelays) -> FoundRow.OwnRelay? {
        guard let number = try? row.get("group_relay_id") as Int64, let hasEnded = try? row.get("has_ended") as Bool
        else { return nil }
        let relay = try? row.get("listed_relay_id") as Int64
        return FoundRow.OwnRelay(row: number, chatRelayID: choosable(relay), hasEnded: hasEnded)
    }
}
