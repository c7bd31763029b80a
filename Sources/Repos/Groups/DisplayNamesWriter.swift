import Engine
import Schema

/// Names that are unique within a profile, over contacts, groups and members. Rule: docs/domain.md, "Profiles", Names.
struct DisplayNamesWriter: Writer {
    typealias Failure = GroupsError
    let tx: any WriteTransaction
    let clock: StoreClock

    /// Takes a name for something new of a profile and answers it: the name itself when it is free, otherwise the name
    /// with the next suffix, `_1`, `_2`, …
    func claim(_ base: String, of user: UserID) throws(GroupsError) -> String {
        do throws(StoreError) {
            return try claimed(base, of: user)
        } catch {
            throw .store(error)
        }
    }

    func claimed(_ base: String, of user: UserID) throws(StoreError) -> String {
        let last = try tx.first(
            """
            SELECT ldn_suffix FROM display_names
            WHERE user_id = \(user) AND ldn_base = \(base)
            ORDER BY ldn_suffix DESC LIMIT 1
            """)
        var suffix: Int64 = try last.map { row throws(StoreError) in try row.get("ldn_suffix") + 1 } ?? 0
        var name = Self.name(base, suffix)
        // Somebody may really be called alice_1.
        while try tx.first(
            "SELECT 1 AS taken FROM display_names WHERE user_id = \(user) AND local_display_name = \(name)") != nil
        {
            suffix += 1
            name = Self.name(base, suffix)
        }
        try tx.run(
            """
            INSERT INTO display_names (user_id, local_display_name, ldn_base, ldn_suffix, created_at, updated_at)
            VALUES (\(user), \(name), \(base), \(suffix), \(now), \(now))
            """)
        return name
    }

    private static func name(_ base: String, _ suffix: Int64) -> String {
        suffix == 0 ? base : "\(base)_\(suffix)"
    }
}
