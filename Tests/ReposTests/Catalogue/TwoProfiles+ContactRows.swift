import ChatDBKit

extension TwoProfiles {
    /// A random profile, by which the friend knows the profile.
    static func contactRows(_ things: Things) -> [String] {
        let (n, name) = (things.number, things.name)
        return [
            """
            INSERT INTO contact_profiles (contact_profile_id, user_id, display_name, incognito)
            VALUES (\(70 + n), \(n), '\(name)-random', 1)
            """,
            """
            UPDATE connections SET custom_user_profile_id = \(70 + n), security_code = '\(name) code',
                security_code_verified_at = '2026-07-2\(n) 09:05:00.120'
            WHERE connection_id = \(10 + n)
            """,
            "UPDATE users SET ui_themes = '{\"name\": \"\(name)\"}' WHERE user_id = \(n)",
            """
            UPDATE contacts SET ui_themes = '{"name": "\(name)"}', user_preferences = '{"name": "\(name)"}'
            WHERE contact_id = \(10 + n)
            """,
            """
            UPDATE contact_profiles SET description = '\(name) description', preferences = '{"name": "\(name)"}'
            WHERE user_id = \(n)
            """,
        ]
    }
}

extension Things {
    /// The random profile used with `friend`.
    var incognitoProfile: ContactProfileID { ContactProfileID(70 + number) }
}
