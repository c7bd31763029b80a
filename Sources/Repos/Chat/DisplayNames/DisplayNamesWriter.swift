import ChatDBEngine
import ChatDBReposKit
import ChatDBSchema

/// Names that are unique within a profile, over contacts, groups and members. Rule: docs/domain.md, "Profiles", Names.
struct DisplayNamesWriter {
    let tx: any WriteTransaction
    let clock: StoreClock

    /// Takes a name for a new row of a profile and returns it: the name itself when it is free, otherwise the name
    /// with the next suffix, `_1`, `_2`, … A name that a row has is not free, even if its row of `display_names` is
    /// lost.
    func claim(_ base: String, of user: UserID) throws(StoreError) -> String {
        // The next suffix is after the highest one, and after names that only look like a suffix: a person may really
        // be called alice_1. A suffix that counting cannot reach is ignored, so that a next one always exists.
        let candidate: Query = "\(base) || CASE suffix WHEN 0 THEN '' ELSE '_' || suffix END"
        let isTaken = Query.joined(
            (["display_names"] + Self.tables).map {
                "EXISTS (SELECT 1 FROM \(identifier: $0) WHERE user_id = \(user) AND local_display_name = \(candidate))"
            }, by: " OR ")
        let free = try tx.first(
            """
            WITH RECURSIVE candidates (suffix) AS (
                SELECT coalesce((
                    SELECT max(ldn_suffix) + 1 FROM display_names
                    WHERE user_id = \(user) AND ldn_base = \(base) AND ldn_suffix BETWEEN 0 AND \(Self.highest)), 0)
                UNION ALL
                SELECT suffix + 1 FROM candidates WHERE \(isTaken)
            )
            SELECT max(suffix) AS suffix FROM candidates
            """)
        let suffix: Int64 = try free?.get("suffix") ?? 0
        let name = Self.name(base, suffix)
        try tx.run(
            """
            INSERT INTO display_names (user_id, local_display_name, ldn_base, ldn_suffix, created_at, updated_at)
            VALUES (\(user), \(name), \(base), \(suffix), \(now), \(now))
            """)
        return name
    }

    private static let highest: Int64 = 1_000_000_000

    /// The tables whose rows have names.
    private static let tables = ["contacts", "contact_requests", "groups", "group_members", "users"]

    private static func name(_ base: String, _ suffix: Int64) -> String {
        suffix == 0 ? base : "\(base)_\(suffix)"
    }

    /// Releases those of the given names of a profile that are no longer in use. A contact and a member who are the
    /// same person share their name. Call it after the rows with these names were removed or renamed.
    func releaseUnused(_ names: [String], of user: UserID) throws(StoreError) {
        let isUnused = Query.joined(
            Self.tables.map { "NOT EXISTS (SELECT 1 FROM \(identifier: $0) WHERE \(isOfSame($0)))" }, by: " AND ")
        for some in names.inParts {
            try tx.run(
                """
                DELETE FROM display_names
                WHERE user_id = \(user) AND local_display_name IN (\(list: some)) AND \(isUnused)
                """)
        }
    }

    private func isOfSame(_ table: String) -> Query {
        """
        \(identifier: table).user_id = display_names.user_id
        AND \(identifier: table).local_display_name = display_names.local_display_name
        """
    }

    private var now: Query { clock.now(in: tx) }
}
