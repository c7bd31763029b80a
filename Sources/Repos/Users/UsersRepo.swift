public import Engine
public import Schema

/// Whether hidden profiles are among the answers. Rule: docs/domain.md, "Profiles", Hidden.
public enum HiddenProfiles: Sendable, Hashable {
    /// As if they were not there.
    case leftOut
    /// They were asked for by whoever has the file.
    case shown

    var condition: Query {
        switch self {
        case .leftOut: "view_pwd_hash IS NULL"
        case .shown: "1 = 1"
        }
    }
}

/// The profiles of a store. Rule: docs/domain.md, "Profiles".
public struct UsersRepo: Repository {
    typealias Failure = UsersError
    let tx: any ReadTransaction

    /// Asks in a transaction of the chat database.
    public init(_ chat: any ReadTransaction) {
        tx = chat
    }

    /// All profiles, the one used last first. None is an empty list.
    public func all(hidden: HiddenProfiles = .leftOut) throws(UsersError) -> [User] {
        try all(
            """
            SELECT \(User.columns) FROM users WHERE \(hidden.condition)
            ORDER BY active_order DESC, user_id
            """)
    }

    /// How many profiles are hidden.
    public func hiddenCount() throws(UsersError) -> Int {
        try count("SELECT count(*) FROM users WHERE view_pwd_hash IS NOT NULL")
    }

    /// The profile in use, or nil: there is none in a store without profiles.
    public func active(hidden: HiddenProfiles = .leftOut) throws(UsersError) -> User? {
        try first("SELECT \(User.columns) FROM users WHERE active_user = 1 AND \(hidden.condition)")
    }

    /// The profile with a number, or nil.
    public func find(_ id: UserID, hidden: HiddenProfiles = .leftOut) throws(UsersError) -> User? {
        try first("SELECT \(User.columns) FROM users WHERE user_id = \(id) AND \(hidden.condition)")
    }

    /// The profile with exactly this name, or nil.
    public func find(named name: String, hidden: HiddenProfiles = .leftOut) throws(UsersError) -> User? {
        try first("SELECT \(User.columns) FROM users WHERE local_display_name = \(name) AND \(hidden.condition)")
    }

    /// The profile with a number. Throws `profileNotFound`.
    public func get(_ id: UserID, hidden: HiddenProfiles = .leftOut) throws(UsersError) -> User {
        guard let user = try find(id, hidden: hidden) else { throw .profileNotFound(.id(id)) }
        return user
    }
}
