import ChatDBEngine
import ChatDBSchema

/// Rows that stayed when the last row that needed them was removed.
extension StoreCheck {
    static let ofLeftovers = [
        leftover(
            "unusedFileDescription", .warning, "descriptions of files, with keys, that no file refers to",
            "xftp_file_descriptions", "file_descr_id",
            usedIn: [("rcv_files", "file_descr_id"), ("snd_files", "file_descr_id")]),
        leftover(
            "unusedContactProfile", .info, "profiles of people that no contact, member or request refers to",
            "contact_profiles", "contact_profile_id",
            usedIn: [
                ("contacts", "contact_profile_id"), ("contact_requests", "contact_profile_id"),
                ("group_members", "contact_profile_id"), ("group_members", "member_profile_id"),
                ("connections", "custom_user_profile_id"),
            ]),
        leftover(
            "unusedGroupProfile", .info, "profiles of groups that no longer exist", "group_profiles",
            "group_profile_id", usedIn: [("groups", "group_profile_id")]),
    ]

    private static func leftover(
        _ id: String, _ severity: CheckSeverity, _ sentence: String, _ table: String, _ key: String,
        usedIn uses: [(table: String, column: String)]
    ) -> StoreCheck {
        let own: Query = "\(identifier: table).\(identifier: key)"
        let isUnused = Query.joined(
            uses.map { use in
                """
                NOT EXISTS (SELECT 1 FROM \(identifier: use.table) AS use WHERE use.\(identifier: use.column) = \(own))
                """
            }, by: " AND ")
        return StoreCheck(
            id, severity, sentence,
            rows: ["SELECT \(own) FROM \(identifier: table) WHERE \(isUnused) ORDER BY \(own)"],
            repair: .removing(isUnused, from: table))
    }
}
