import ChatDBEngine
import ChatDBReposKit
import ChatDBSchema

/// The groups and channels that lost a row without which no list has them: their row of `groups`, their row of
/// `group_profiles`, or the row of their profile in `users`. Rule: docs/domain.md, "Groups and channels", Lost groups.
enum LostGroups {
    /// Adds the groups to a finding of references to missing rows, which has the rows that refer to them in its sample
    /// already, and returns a clause about them. It is nil if there are none.
    static func add(in connection: any StorageConnection, _ found: inout FoundRows) -> String? {
        var clauses: [String] = []
        var groups: [Int64: (user: Int64?, missing: [String])] = [:]
        for loss in Loss.allCases {
            let rows = (try? connection.read { try loss.rows(in: $0, found.references) }) ?? []
            if rows.isEmpty { continue }
            clauses.append(loss.clause(about: rows))
            for row in rows {
                groups[row.group] = (row.user, groups[row.group, default: (nil, [])].missing + [loss.rawValue])
            }
        }
        for (group, lost) in groups.sorted(by: { $0.key < $1.key }) {
            found.add(FoundRow("groups", group, of: lost.user, missing: lost.missing))
        }
        return clauses.isEmpty ? nil : clauses.joined(separator: "; ")
    }

    /// A group that lost a row.
    private struct Row {
        let group: Int64
        /// Its profile; nil for a hidden or lost one.
        let user: Int64?
        /// Its profile, whether or not a finding may name it; nil if that is not known.
        let owner: Int64?
    }

    /// What is missing. The raw values are the words of ``FoundRow/missing``.
    private enum Loss: String, CaseIterable {
        case group, groupProfile, profile

        /// The groups with this loss, by number, at most ``FoundRows/most``.
        ///
        /// - Parameter references: the references to missing rows. Without one to the table of the loss, there are no
        ///   such groups.
        func rows(in chat: any ReadTransaction, _ references: [DanglingReference]) throws -> [Row] {
            guard let groups = groups(in: chat.dialect, references) else { return [] }
            return try chat.rows(
                """
                SELECT lost.group_id, lost.owner_id, visible.user_id AS visible_user_id FROM (\(groups)) AS lost
                LEFT JOIN \(chat.dialect.ofFile("users")) AS visible
                    ON visible.user_id = lost.owner_id AND visible.view_pwd_hash IS NULL
                ORDER BY lost.group_id LIMIT \(number: FoundRows.most)
                """
            ).compactMap { row in
                // Another check reports a value that is no number.
                guard let group = try? row.get("group_id") as Int64 else { return nil }
                return Row(
                    group: group, user: (try? row.get("visible_user_id") as Int64?) ?? nil,
                    owner: (try? row.get("owner_id") as Int64?) ?? nil)
            }
        }

        /// The groups with this loss, each with the number of its profile.
        private func groups(in dialect: Dialect, _ references: [DanglingReference]) -> Query? {
            let file = dialect.ofFile
            func refers(_ table: String, to parent: String) -> Bool {
                references.contains { $0.table == table && $0.parent == parent }
            }
            switch self {
            case .group:
                let referring = NumberedTable.groups.references.filter { known in
                    references.contains {
                        $0.parent == "groups" && $0.table == known.table && $0.columns == [known.column]
                    }
                }
                if referring.isEmpty { return nil }
                let numbers = referring.map { known -> Query in
                    "SELECT \(identifier: known.column) AS group_id FROM \(file(known.table))"
                }
                return """
                    SELECT referring.group_id, coalesce(
                        (SELECT min(members.user_id) FROM \(file("group_members")) AS members
                            WHERE members.group_id = referring.group_id),
                        (SELECT min(items.user_id) FROM \(file("chat_items")) AS items
                            WHERE items.group_id = referring.group_id)) AS owner_id
                    FROM (\(Query.joined(numbers, by: " UNION "))) AS referring
                    WHERE referring.group_id IS NOT NULL AND NOT EXISTS (
                        SELECT 1 FROM \(file("groups")) AS kept WHERE kept.group_id = referring.group_id)
                    """
            case .groupProfile:
                guard refers("groups", to: "group_profiles") else { return nil }
                return """
                    SELECT channels.group_id, channels.user_id AS owner_id FROM \(file("groups")) AS channels
                    WHERE channels.group_profile_id IS NOT NULL AND NOT EXISTS (
                        SELECT 1 FROM \(file("group_profiles")) AS kept
                        WHERE kept.group_profile_id = channels.group_profile_id)
                    """
            case .profile:
                guard refers("groups", to: "users") else { return nil }
                return """
                    SELECT channels.group_id, channels.user_id AS owner_id FROM \(file("groups")) AS channels
                    WHERE NOT EXISTS (
                        SELECT 1 FROM \(file("users")) AS kept WHERE kept.user_id = channels.user_id)
                    """
            }
        }

        /// The groups of a loss in a clause: `group 1 (profile 1) is lost`.
        func clause(about rows: [Row]) -> String {
            let names = rows.prefix(FoundRows.mostShown)
                .map { FoundRow("groups", $0.group, of: $0.user).name }.joined(separator: ", ")
            let groups = names + (rows.count > FoundRows.mostShown ? ", …" : "")
            let isOne = rows.count == 1
            switch self {
            case .group: return "\(groups) \(isOne ? "is" : "are") lost"
            case .groupProfile:
                return "the profile row\(isOne ? "" : "s") of \(groups) \(isOne ? "is" : "are") lost"
            case .profile:
                let isOneProfile = Set(rows.map(\.owner)).count == 1
                return isOneProfile
                    ? "the profile that has \(groups) is lost" : "the profiles that have \(groups) are lost"
            }
        }
    }
}
