package import ChatDBEngine
package import ChatDBSchema

/// Numbers of rows by profile, one statement for all profiles.
package enum ProfileCounts {
    /// Contacts, without the profile's own and without soft-deleted ones. A profile without any is not in it.
    package static func contacts(of users: [UserID], in chat: any ReadTransaction) throws(StoreError) -> [UserID: Int] {
        try counts(
            """
            SELECT user_id, count(*) AS row_count FROM contacts
            WHERE user_id IN (\(list: users.map(\.rawValue))) AND is_user = 0 AND deleted = 0
            GROUP BY user_id
            """, in: chat)
    }

    /// Groups that are no channels. A profile without any is not in it.
    package static func groups(of users: [UserID], in chat: any ReadTransaction) throws(StoreError) -> [UserID: Int] {
        try counts(
            """
            SELECT user_id, count(*) AS row_count FROM groups
            WHERE user_id IN (\(list: users.map(\.rawValue))) AND use_relays = 0
            GROUP BY user_id
            """, in: chat)
    }

    private static func counts(_ query: Query, in chat: any ReadTransaction) throws(StoreError) -> [UserID: Int] {
        var counts: [UserID: Int] = [:]
        for row in try chat.rows(query) {
            let user: UserID = try row.get("user_id")
            counts[user] = try row.get("row_count")
        }
        return counts
    }
}
