import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// Hiding profiles. Rule: docs/domain.md, "Profiles", Hidden.
extension UsersWriter {
    /// Hides a profile behind a password, and mutes it.
    ///
    /// Throws `profileNotFound`, `profileAlreadyHidden`, `invalidPassword` for an empty one,
    /// `activeProfileCannotBeHidden`, and `lastProfileCannotBeHidden` when no other would be left to see.
    @discardableResult
    public func hide(
        _ id: UserID, password: String, hidden: HiddenProfiles = .leftOut
    ) throws(UsersError) -> User {
        let users = UsersRepo(tx)
        _ = try users.hideable(id, hidden: hidden)
        if password.isEmpty { throw .invalidPassword }
        let protection = ViewPassword(password)
        try run(
            """
            UPDATE users
            SET view_pwd_hash = \(protection.hash), view_pwd_salt = \(protection.salt), show_ntfs = 0,
                updated_at = \(now)
            WHERE user_id = \(id)
            """)
        return try users.get(id, hidden: .shown)
    }

    /// Shows a hidden profile again, for whoever knows its password, with notifications on. When none is active, as
    /// after the last visible one was deleted, it becomes active.
    ///
    /// Throws `profileNotHidden`, and `profileNotFound`: also for a wrong password, which tells nobody that there is
    /// such a profile.
    @discardableResult
    public func unhide(_ id: UserID, password: String) throws(UsersError) -> User {
        let users = UsersRepo(tx)
        guard try users.verify(password, of: id) else { throw .profileNotFound(.id(id)) }
        try run(
            """
            UPDATE users
            SET view_pwd_hash = NULL, view_pwd_salt = NULL, show_ntfs = 1, updated_at = \(now)
            WHERE user_id = \(id)
            """)
        return try users.active(hidden: .shown) == nil ? try activate(id) : try users.get(id)
    }
}
