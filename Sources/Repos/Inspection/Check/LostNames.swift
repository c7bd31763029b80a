import ChatDBEngine
import ChatDBSchema

/// The entries of a profile whose rows of `display_names` are lost. They still have their names, so a repair can write
/// these rows again. Rule: docs/domain.md, "Profiles", Names.
enum LostNames {
    /// Adds the entries to a finding of references to missing rows, which has them in its sample already, and returns a
    /// clause about them. It is nil if there are none. The finding can be repaired only if there are some.
    static func add(in connection: any StorageConnection, _ found: inout FoundRows) -> String? {
        found.isRepairable = false
        guard found.references.contains(where: { $0.parent == "display_names" }) else { return nil }
        let entries = try? connection.read { chat in
            try chat.rows(
                """
                SELECT lost.entry, lost.number, lost.group_id, visible.user_id AS visible_user_id
                FROM (\(lost(in: chat.dialect))) AS lost
                LEFT JOIN \(chat.dialect.ofFile("users")) AS visible
                    ON visible.user_id = lost.user_id AND visible.view_pwd_hash IS NULL
                ORDER BY lost.entry, lost.number LIMIT \(number: FoundRows.most)
                """
            ).map { row in
                try FoundRow(
                    row.get("entry"), row.get("number"), of: row.get("visible_user_id"), group: row.get("group_id"),
                    missing: ["name"])
            }
        }
        guard let entries, !entries.isEmpty else { return nil }
        found.isRepairable = true
        // The number of a hidden profile is private.
        let shown = entries.filter { $0.table != "users" || $0.userID != nil }
        for entry in shown { found.add(entry) }
        if shown.isEmpty { return nil }
        let names = shown.prefix(FoundRows.mostShown).map(\.name).joined(separator: ", ")
        return "the reserved names of \(names)\(shown.count > FoundRows.mostShown ? ", …" : "") are lost"
    }

    /// Writes the rows of `display_names` again. A name with a suffix becomes a base of its own: the next name is counted
    /// past it.
    static let repair = StoreCheck.Repair(act: "reserves the lost names again") { rows in
        try rows.chat.run(
            """
            INSERT INTO display_names (user_id, local_display_name, ldn_base, ldn_suffix, created_at, updated_at)
            SELECT lost.user_id, lost.local_display_name, lost.local_display_name, 0, \(rows.now), \(rows.now)
            FROM (\(lost(in: rows.chat.dialect))) AS lost
            WHERE NOT EXISTS (
                SELECT 1 FROM display_names AS taken
                WHERE taken.user_id = lost.user_id AND taken.ldn_base = lost.local_display_name
                    AND taken.ldn_suffix = 0)
            GROUP BY lost.user_id, lost.local_display_name
            """)
    }

    /// The entries of existing profiles whose names are not reserved.
    private static func lost(in dialect: Dialect) -> Query {
        let file = dialect.ofFile
        return """
            SELECT named.entry, named.number, named.group_id, named.user_id, named.local_display_name
            FROM (
                SELECT 'group_members' AS entry, group_member_id AS number, group_id, user_id, local_display_name
                    FROM \(file("group_members"))
                UNION ALL SELECT 'groups', group_id, group_id, user_id, local_display_name FROM \(file("groups"))
                UNION ALL SELECT 'contacts', contact_id, NULL, user_id, local_display_name FROM \(file("contacts"))
                UNION ALL SELECT 'contact_requests', contact_request_id, NULL, user_id, local_display_name
                    FROM \(file("contact_requests"))
                UNION ALL SELECT 'users', user_id, NULL, user_id, local_display_name FROM \(file("users"))
            ) AS named
            WHERE EXISTS (SELECT 1 FROM \(file("users")) AS profile WHERE profile.user_id = named.user_id)
                AND NOT EXISTS (
                    SELECT 1 FROM \(file("display_names")) AS reserved
                    WHERE reserved.user_id = named.user_id
                        AND reserved.local_display_name = named.local_display_name)
            """
    }
}
