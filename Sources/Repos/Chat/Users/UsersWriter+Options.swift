import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// What a profile lets others know, and what it is told. Rule: docs/domain.md, "Profiles", Receipts and notifications.
extension UsersWriter {
    /// Says whether messages of a profile may raise notifications. Throws `profileNotFound`, and
    /// `hiddenProfileIsMuted` for a hidden one that should.
    @discardableResult
    public func setNotifications(
        _ isOn: Bool, of id: UserID, hidden: HiddenProfiles = .leftOut
    ) throws(UsersError) -> User {
        let user = try UsersRepo(tx).get(id, hidden: hidden)
        if isOn, user.isHidden { throw .hiddenProfileIsMuted(user) }
        try run("UPDATE users SET show_ntfs = \(isOn), updated_at = \(now) WHERE user_id = \(id)")
        return try UsersRepo(tx).get(id, hidden: hidden)
    }

    /// Says whether contacts of a profile get delivery receipts. What was set for a contact of its own stays, unless
    /// `clearingOverrides`. Throws `profileNotFound`.
    @discardableResult
    public func setReceiptsToContacts(
        _ isOn: Bool, of id: UserID, clearingOverrides: Bool = false, hidden: HiddenProfiles = .leftOut
    ) throws(UsersError) -> User {
        _ = try UsersRepo(tx).get(id, hidden: hidden)
        try run("UPDATE users SET send_rcpts_contacts = \(isOn), updated_at = \(now) WHERE user_id = \(id)")
        if clearingOverrides {
            try run(
                """
                UPDATE contacts SET send_rcpts = NULL, updated_at = \(now)
                WHERE user_id = \(id) AND send_rcpts IS NOT NULL
                """)
        }
        return try UsersRepo(tx).get(id, hidden: hidden)
    }

    /// Says whether members of small groups of a profile get delivery receipts. What was set for a group of its own
    /// stays, unless `clearingOverrides`. Throws `profileNotFound`.
    @discardableResult
    public func setReceiptsToSmallGroups(
        _ isOn: Bool, of id: UserID, clearingOverrides: Bool = false, hidden: HiddenProfiles = .leftOut
    ) throws(UsersError) -> User {
        _ = try UsersRepo(tx).get(id, hidden: hidden)
        try run("UPDATE users SET send_rcpts_small_groups = \(isOn), updated_at = \(now) WHERE user_id = \(id)")
        if clearingOverrides {
            try run(
                """
                UPDATE groups SET send_rcpts = NULL, updated_at = \(now)
                WHERE user_id = \(id) AND send_rcpts IS NOT NULL
                """)
        }
        return try UsersRepo(tx).get(id, hidden: hidden)
    }
}
