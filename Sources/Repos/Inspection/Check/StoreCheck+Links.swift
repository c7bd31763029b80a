import ChatDBEngine
import ChatDBReposKit
import ChatDBSchema

/// Rule: docs/domain.md, "Prepared groups", Links.
extension StoreCheck {
    static let ofLinks = [
        StoreCheck(
            "duplicateGroup", .warning, "groups and channels that a profile has twice, by their links", isGeneral: true,
            walk: duplicates),
        StoreCheck(
            "missingLinkKey", .warning, "links without a key, which are found in one spelling only",
            repair: Repair(act: "computes the keys") { try repairKeys($0, .missing) }
        ) { checked, found in
            try StoredLink.forEach(.missing, in: checked.transaction(.chat)) { found.add($0.name) }
        },
        StoreCheck(
            "wrongLinkKey", .error, "links whose key is that of another link",
            repair: Repair(act: "corrects the keys") { try repairKeys($0, .wrong) }
        ) { checked, found in
            try StoredLink.forEach(.wrong, in: checked.transaction(.chat)) { found.add($0.name) }
        },
        lostLink,
    ]

    /// Reports the groups of a profile that share a link, together: `groups 1 and 2`. Groups of which the profile is no
    /// longer a member do not count: opening their link again makes a new group.
    private static func duplicates(_ checked: CheckContext, _ found: inout FoundRows) throws {
        var firsts: [LinkOfProfile: Int64] = [:]
        var doubles = Doubles()
        try checked.forEach(
            """
            WITH own AS (
                SELECT group_id, user_id, group_profile_id, conn_full_link_to_connect, conn_short_link_to_connect
                FROM groups
                WHERE NOT \(isFormer("groups.group_id")))
            SELECT group_id, user_id, conn_full_link_to_connect AS link FROM own
            WHERE conn_full_link_to_connect IS NOT NULL
            UNION ALL SELECT group_id, user_id, conn_short_link_to_connect FROM own
            WHERE conn_short_link_to_connect IS NOT NULL
            UNION ALL SELECT own.group_id, own.user_id, group_link FROM own
            JOIN group_profiles ON group_profiles.group_profile_id = own.group_profile_id
            WHERE group_link IS NOT NULL
            UNION ALL SELECT own.group_id, own.user_id, conn_req_contact FROM own
            JOIN user_contact_links ON user_contact_links.group_id = own.group_id
            UNION ALL SELECT own.group_id, own.user_id, short_link_contact FROM own
            JOIN user_contact_links ON user_contact_links.group_id = own.group_id
            WHERE short_link_contact IS NOT NULL
            """, &found
        ) { row, _ in
            let text: String = try row.get("link")
            let link = LinkOfProfile(user: try row.get("user_id"), key: LinkKey.of(text) ?? text)
            let group: Int64 = try row.get("group_id")
            if let first = firsts[link] { doubles.join(first, group) } else { firsts[link] = group }
        }
        for double in doubles.groups {
            let named = double.prefix(FoundRows.mostShown).map(String.init).joined(separator: " and ")
            found.add("groups \(named)" + (double.count > FoundRows.mostShown ? " and …" : ""))
        }
    }

    /// The condition that the profile is no longer a member of a group.
    static func isFormer(_ group: Query) -> Query {
        """
        EXISTS (
            SELECT 1 FROM group_members
            WHERE group_members.group_id = \(group) AND member_category = \(GroupMemberCategory.user)
                AND member_status IN (\(list: GroupMemberStatus.known.filter(\.isHistory).map(\.text))))
        """
    }

    private static func repairKeys(_ rows: RepairContext, _ fault: StoredLink.Fault) throws -> Int {
        var links: [StoredLink] = []
        try StoredLink.forEach(fault, in: rows.chat) { links.append($0) }
        return try links.reduce(0) { try $0 + $1.update($1.column.key, to: $1.key, rows) }
    }
}

/// Groups that are the same by their links, as disjoint sets: each group points to an earlier one of its set.
private struct Doubles {
    private var parents: [Int64: Int64] = [:]

    mutating func join(_ one: Int64, _ other: Int64) {
        let roots = (root(of: one), root(of: other))
        if roots.0 != roots.1 { parents[max(roots.0, roots.1)] = min(roots.0, roots.1) }
    }

    /// The first group of the set. Shortens the path to it.
    private mutating func root(of group: Int64) -> Int64 {
        var root = group
        while let parent = parents[root] { root = parent }
        var place = group
        while let parent = parents[place], parent != root {
            parents[place] = root
            place = parent
        }
        return root
    }

    /// The groups that are the same, two or more at a time, in their order.
    var groups: [[Int64]] {
        var forest = self
        var same: [Int64: [Int64]] = [:]
        for group in parents.keys.sorted() { same[forest.root(of: group), default: []].append(group) }
        return same.sorted { $0.key < $1.key }.map { [$0.key] + $0.value }
    }
}

/// The value by which links are compared within a profile: the key, or without a key the text.
private struct LinkOfProfile: Hashable {
    let user: Int64
    let key: String
}
