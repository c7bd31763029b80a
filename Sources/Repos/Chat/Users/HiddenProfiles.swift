import ChatDBEngine
public import ChatDBSchema

/// Which hidden profiles are among the answers. Rule: docs/domain.md, "Profiles", Hidden.
public enum HiddenProfiles: Sendable, Hashable {
    /// None, as if they were not there.
    case leftOut
    /// Those whose password was given, by `UsersRepo.unlocked(by:)`.
    case unlocked(Set<UserID>)
    /// All: they were asked for by whoever has the file.
    case shown

    /// Whether a profile is among the answers, hidden or not.
    func has(_ user: User) -> Bool {
        switch self {
        case .leftOut: !user.isHidden
        case .unlocked(let users): !user.isHidden || users.contains(user.id)
        case .shown: true
        }
    }

    /// Whether a row of `users` is among them.
    var condition: Query {
        switch self {
        case .leftOut: "view_pwd_hash IS NULL"
        case .unlocked(let users):
            "(view_pwd_hash IS NULL OR user_id IN (\(list: users.map(\.rawValue).sorted())))"
        case .shown: "1 = 1"
        }
    }
}
