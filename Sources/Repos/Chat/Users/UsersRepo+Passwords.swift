import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// Hidden profiles by their password. Rule: docs/domain.md, "Profiles", Hidden.
extension UsersRepo {
    /// The hidden profiles that a password unlocks: one or none, unless several have the same. An empty password unlocks
    /// none. Take the answer for `HiddenProfiles.unlocked`.
    public func unlocked(by password: String) throws(UsersError) -> Set<UserID> {
        if password.isEmpty { return [] }
        let hidden: [ProtectedUser] = try all(
            "SELECT user_id, view_pwd_hash, view_pwd_salt FROM users WHERE view_pwd_hash IS NOT NULL")
        return Set(hidden.filter { $0.password.matches(password) }.map(\.id))
    }

    /// Whether a password is that of a hidden profile. Throws `profileNotFound`, and `profileNotHidden` for one that
    /// has no password.
    public func verify(_ password: String, of id: UserID) throws(UsersError) -> Bool {
        let user = try get(id, hidden: .shown)
        let hidden: ProtectedUser? = try first(
            """
            SELECT user_id, view_pwd_hash, view_pwd_salt FROM users
            WHERE user_id = \(id) AND view_pwd_hash IS NOT NULL
            """)
        guard let hidden else { throw .profileNotHidden(user) }
        return hidden.password.matches(password)
    }

    /// The profile, when it may be hidden: a question to ask before anybody is asked for a password.
    ///
    /// Throws `profileNotFound`, `profileAlreadyHidden`, `lastProfileCannotBeHidden` when no other would be left to see,
    /// and `activeProfileCannotBeHidden`.
    public func hideable(_ id: UserID, hidden: HiddenProfiles = .leftOut) throws(UsersError) -> User {
        let user = try get(id, hidden: hidden)
        if user.isHidden { throw .profileAlreadyHidden(user) }
        if try all().count == 1 { throw .lastProfileCannotBeHidden(user) }
        if user.isActive { throw .activeProfileCannotBeHidden(user) }
        return user
    }
}
