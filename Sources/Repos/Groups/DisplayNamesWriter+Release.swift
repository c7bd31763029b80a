import Engine
import Schema

extension DisplayNamesWriter {
    /// Frees those of these names that nothing of the profile has any more. No name is no change.
    func release(_ names: [String], of user: UserID) throws(GroupsError) {
        for portion in GroupLeftovers.portions(of: names) {
            try run(
                """
                DELETE FROM display_names
                WHERE user_id = \(user) AND local_display_name IN (\(list: portion))
                    AND NOT EXISTS (SELECT 1 FROM contacts WHERE contacts.user_id = display_names.user_id
                        AND contacts.local_display_name = display_names.local_display_name)
                    AND NOT EXISTS (SELECT 1 FROM groups WHERE groups.user_id = display_names.user_id
                        AND groups.local_display_name = display_names.local_display_name)
                    AND NOT EXISTS (SELECT 1 FROM group_members WHERE group_members.user_id = display_names.user_id
                        AND group_members.local_display_name = display_names.local_display_name)
                    AND NOT EXISTS (SELECT 1 FROM contact_requests
                        WHERE contact_requests.user_id = display_names.user_id
                        AND contact_requests.local_display_name = display_names.local_display_name)
                    AND NOT EXISTS (SELECT 1 FROM users WHERE users.user_id = display_names.user_id
                        AND users.local_display_name = display_names.local_display_name)
                """)
        }
    }
}
