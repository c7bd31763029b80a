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
            isGeneral: true, "contact_profiles", "contact_profile_id",
            usedIn: [
                ("contacts", "contact_profile_id"), ("contact_requests", "contact_profile_id"),
                ("group_members", "contact_profile_id"), ("group_members", "member_profile_id"),
                ("connections", "custom_user_profile_id"),
            ]),
        leftover(
            "unusedGroupProfile", .info, "profiles of groups that no longer exist", isGeneral: true, "group_profiles",
            "group_profile_id", usedIn: [("groups", "group_profile_id")]),
    ]

    private typealias Use = (table: String, column: String)

    private static func leftover(
        _ id: String, _ severity: CheckSeverity, _ sentence: String, isGeneral: Bool = false, _ table: String,
        _ key: String, usedIn uses: [Use]
    ) -> StoreCheck {
        StoreCheck(
            id, severity, sentence, isGeneral: isGeneral,
            repair: .removing(from: table) { isUnused(table, key, uses, in: $0) }
        ) { checked, found in
            let structure = checked.structures[.chat]
            // Another program's tables may also refer to the row, and the file may lack some of chatdb's tables.
            let known = structure.map { uses.all(in: $0, table, key) } ?? uses
            let chat = try checked.transaction(.chat)
            let isUnused = isUnused(table, key, known, in: chat.dialect)
            let own: Query = "\(identifier: table).\(identifier: key)"
            let rows: Query = "\(chat.dialect.ofFile(table)) WHERE \(isUnused)"
            try found.add("SELECT \(own) FROM \(rows) ORDER BY \(own)", in: chat)
            guard found.count > 0, let columns = structure?.tables[table]?.columns else { return }
            let sizes = columns.map { column -> Query in
                let text: Query = "CAST(\(identifier: table).\(identifier: column.name) AS TEXT)"
                return "coalesce(length(\(chat.dialect.utf8(text))), 0)"
            }
            let bytes = try chat.count("SELECT sum(\(Query.joined(sizes, by: " + "))) FROM \(rows)")
            found.detail = "they hold \(bytes) \(bytes == 1 ? "byte" : "bytes")"
        }
    }

    /// A list of the used rows. Looking each row up would need an index that a file may lack.
    private static func isUnused(_ table: String, _ key: String, _ uses: [Use], in dialect: Dialect) -> Query {
        let own: Query = "\(identifier: table).\(identifier: key)"
        return Query.joined(
            uses.map { use in
                """
                \(own) NOT IN (
                    SELECT \(identifier: use.column) FROM \(dialect.ofFile(use.table))
                    WHERE \(identifier: use.column) IS NOT NULL)
                """
            }, by: " AND ")
    }
}

extension [(table: String, column: String)] {
    /// The known uses that the file has, and the uses that its foreign keys show.
    fileprivate func all(in structure: DatabaseStructure, _ table: String, _ key: String) -> Self {
        var all = filter { structure.tables[$0.table]?.columnNames.contains($0.column) == true }
        for (child, columns) in structure.tables.sorted(by: { $0.key < $1.key }) {
            for reference in columns.foreignKeys where reference.parent == table && reference.columns.count == 1 {
                guard let column = reference.columns.first, reference.parentColumns.allSatisfy({ $0 == key }),
                    !all.contains(where: { $0.table == child && $0.column == column })
                else { continue }
                all.append((child, column))
            }
        }
        return all
    }
}
