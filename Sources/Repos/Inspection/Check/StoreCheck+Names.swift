import ChatDBEngine
import ChatDBSchema

/// Rule: docs/domain.md, "Profiles", Names.
extension StoreCheck {
    static let ofNames = [
        StoreCheck(
            "sharedDisplayName", .error, "names that two entries of a profile have"
        ) { checked, found in
            let chat = try checked.transaction(.chat)
            // A version may have a view in the place of the table, which has no numbers.
            let structure = checked.structures[.chat] ?? DatabaseStructure()
            let names = structure.numbered("display_names", of: "display_names", in: chat.dialect)
            try found.add(
                """
                SELECT place FROM \(names) WHERE (SELECT count(DISTINCT owner) FROM (\(owners)) AS owners) > 1
                ORDER BY place
                """, in: chat)
        },
        StoreCheck(
            "displayNameForm", .warning, "names that do not consist of their base and suffix", isGeneral: true
        ) { checked, found in
            try found.add(
                """
                SELECT place FROM \(checked.numbered("display_names"))
                WHERE local_display_name <> ldn_base || CASE ldn_suffix WHEN 0 THEN '' ELSE '_' || ldn_suffix END
                ORDER BY place
                """, in: checked.transaction(.chat))
        },
        StoreCheck(
            "unusedDisplayName", .info, "reserved names that no entry has", isGeneral: true,
            repair: .removing(from: "display_names", act: "frees them", isUnused)
        ) { checked, found in
            let chat = try checked.transaction(.chat)
            let names = try checked.numbered("display_names")
            try found.add("SELECT place FROM \(names) WHERE \(isUnused(chat.dialect)) ORDER BY place", in: chat)
        },
    ]

    /// The owners of a name. A person who is both a contact and a member has one profile row and one name for both, and
    /// a profile's own memberships have its own name.
    private static let owners: Query = """
        SELECT 'p' || contact_profile_id AS owner FROM contacts WHERE \(isOf("contacts"))
        UNION ALL SELECT 'p' || contact_profile_id FROM contact_requests WHERE \(isOf("contact_requests"))
        UNION ALL SELECT 'p' || coalesce(contacts.contact_profile_id, group_members.contact_profile_id)
            FROM group_members LEFT JOIN users ON users.user_id = group_members.user_id
            LEFT JOIN contacts ON contacts.contact_id = CASE group_members.member_category
                WHEN 'user' THEN users.contact_id ELSE group_members.contact_id END
            WHERE \(isOf("group_members"))
        UNION ALL SELECT 'g' || group_id FROM groups WHERE \(isOf("groups"))
        """

    @Sendable private static func isUnused(_ dialect: Dialect) -> Query {
        Query.joined(
            ["contacts", "contact_requests", "groups", "group_members", "users"].map {
                "NOT EXISTS (SELECT 1 FROM \(dialect.ofFile($0)) WHERE \(isOf($0)))"
            }, by: " AND ")
    }

    private static func isOf(_ table: String) -> Query {
        """
        \(identifier: table).user_id = display_names.user_id
        AND \(identifier: table).local_display_name = display_names.local_display_name
        """
    }
}
