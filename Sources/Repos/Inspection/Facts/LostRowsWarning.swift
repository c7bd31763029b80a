package import ChatDBEngine

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
