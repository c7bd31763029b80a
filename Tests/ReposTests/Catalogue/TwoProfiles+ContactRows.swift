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
            "UPDATE connections SET custom_user_profile_id = \(70 + n) WHERE connection_id = \(10 + n)",
        ]
    }
}

extension Things {
    /// The random profile used with `friend`.
    var incognitoProfile: ContactProfileID { ContactProfileID(70 + number) }
}
