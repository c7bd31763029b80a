import ChatDBEngine
import ChatDBSchema

extension DisplayNamesWriter {
    /// Lets go of those of some names of a profile that nobody has any more. A contact and a member who are the same
    /// person share their name. To be called after the rows that had the names are gone or have another.
    func releaseUnused(_ names: [String], of user: UserID) throws(StoreError) {
        for some in names.inParts {
            try tx.run(
                """
                DELETE FROM display_names
                WHERE user_id = \(user) AND local_display_name IN (\(list: some))
                    AND NOT EXISTS (SELECT 1 FROM contacts WHERE \(isOfSame("contacts")))
                    AND NOT EXISTS (SELECT 1 FROM contact_requests WHERE \(isOfSame("contact_requests")))
                    AND NOT EXISTS (SELECT 1 FROM groups WHERE \(isOfSame("groups")))
                    AND NOT EXISTS (SELECT 1 FROM group_members WHERE \(isOfSame("group_members")))
                    AND NOT EXISTS (SELECT 1 FROM users WHERE \(isOfSame("users")))
                """)
        }
    }

    private func isOfSame(_ table: String) -> Query {
        """
        \(identifier: table).user_id = display_names.user_id
        AND \(identifier: table).local_display_name = display_names.local_display_name
        """
    }
}

extension Array {
    /// The list in parts that fit into one statement: an engine limits how many values that can have.
    var inParts: [[Element]] {
        stride(from: 0, to: count, by: 500).map { Array(self[$0..<Swift.min($0 + 500, count)]) }
    }
}
