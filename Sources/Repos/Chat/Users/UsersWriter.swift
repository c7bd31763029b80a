public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// Changes to the profiles of a store. Rule: docs/domain.md, "Profiles".
public struct UsersWriter: Writer {
    package typealias Failure = UsersError
    package let tx: any WriteTransaction
    package let clock: StoreClock

    /// Writes in a transaction of the chat database.
    public init(_ chat: any WriteTransaction, clock: StoreClock = .system) {
        tx = chat
        self.clock = clock
    }

    /// Makes a profile the one in use, and no other; it becomes the first of all lists. Throws `profileNotFound`.
    @discardableResult
    public func activate(_ id: UserID, hidden: HiddenProfiles = .leftOut) throws(UsersError) -> User {
        let users = UsersRepo(tx)
        _ = try users.get(id, hidden: hidden)
        try run("UPDATE users SET active_user = 0, updated_at = \(now) WHERE active_user = 1 AND user_id <> \(id)")
        try makeRoomInOrder()
        try run(
            """
            UPDATE users
            SET active_user = 1, updated_at = \(now),
                active_order = (SELECT coalesce(max(every.active_order), 0) + 1 FROM users every)
            WHERE user_id = \(id)
            """)
        return try users.get(id, hidden: hidden)
    }

    /// After the highest number comes none: in a store that has it, profiles are numbered anew, in their order.
    private func makeRoomInOrder() throws(UsersError) {
        if try UsersRepo(tx).count("SELECT count(*) FROM users WHERE active_order = \(Int64.max)") == 0 { return }
        try run(
            """
            UPDATE users SET active_order = places.place, updated_at = \(now)
            FROM (SELECT user_id, row_number() OVER (ORDER BY active_order, user_id DESC) AS place FROM users) places
            WHERE places.user_id = users.user_id
            """)
    }
}
