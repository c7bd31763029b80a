import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema
import Crypto
import Foundation

/// The hidden profiles that a query includes. Rule: docs/domain.md, "Profiles", Hidden.
public enum HiddenProfiles: Sendable, Hashable {
    /// None: the query answers as if they did not exist.
    case leftOut
    /// Those that a password unlocks; see `UsersRepo.unlocked(by:)`.
    case unlocked(Set<UserID>)
    /// All of them, for a caller that can read the file itself.
    case shown

    /// Whether the query includes a profile, which may be hidden or not.
    func has(_ user: User) -> Bool {
        switch self {
        case .leftOut: !user.isHidden
        case .unlocked(let users): !user.isHidden || users.contains(user.id)
        case .shown: true
        }
    }

    /// The condition that the query includes a row of `users`.
    var condition: Query {
        switch self {
        case .leftOut: "view_pwd_hash IS NULL"
        case .unlocked(let users):
            "(view_pwd_hash IS NULL OR user_id IN (\(list: users.map(\.rawValue).sorted())))"
        case .shown: "1 = 1"
        }
    }
}

/// Hidden profiles by their password. Rule: docs/domain.md, "Profiles", Hidden.
extension UsersRepo {
    /// The hidden profiles that have this password, for `HiddenProfiles.unlocked`. Usually there is at most one, but
    /// several profiles may have the same password. An empty password unlocks none.
    public func unlocked(by password: String) throws(UsersError) -> Set<UserID> {
        if password.isEmpty { return [] }
        let hidden: [ProtectedUser] = try all(
            "SELECT user_id, view_pwd_hash, view_pwd_salt FROM users WHERE view_pwd_hash IS NOT NULL")
        return Set(hidden.filter { $0.password.matches(password) }.map(\.id))
    }

    /// Whether a hidden profile has this password. Throws `profileNotFound`, and `profileNotHidden` for a visible
    /// profile.
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

    /// The profile, if it may be hidden. Call this before the app asks for a password.
    ///
    /// Throws `profileNotFound`, `profileAlreadyHidden`, `lastProfileCannotBeHidden` for the only visible profile, and
    /// `activeProfileCannotBeHidden`.
    public func hideable(_ id: UserID, hidden: HiddenProfiles = .leftOut) throws(UsersError) -> User {
        let user = try get(id, hidden: hidden)
        if user.isHidden { throw .profileAlreadyHidden(user) }
        if try all().count == 1 { throw .lastProfileCannotBeHidden(user) }
        if user.isActive { throw .activeProfileCannotBeHidden(user) }
        return user
    }
}

/// Hiding profiles. Rule: docs/domain.md, "Profiles", Hidden.
extension UsersWriter {
    /// Hides a profile behind a password, and mutes it.
    ///
    /// Throws `profileNotFound`, `profileAlreadyHidden`, `invalidPassword` for an empty password,
    /// `activeProfileCannotBeHidden`, and `lastProfileCannotBeHidden` for the only visible profile.
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

    /// Unhides the profile that has this password, and turns its notifications on. If no profile is active, the
    /// unhidden one becomes active. This is so after the deletion of the last visible profile.
    ///
    /// Throws `profileNotHidden`, and `profileNotFound`: also for a wrong password, so that the error does not reveal
    /// that the profile exists.
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

/// The hash and salt of a hidden profile. They never leave this target.
///
/// Rule: docs/domain.md, "Profiles", Hidden: SHA-512 over the password followed by a salt of 16 random bytes, as
/// SimpleX Chat has it.
struct ViewPassword {
    let hash: [UInt8]
    let salt: [UInt8]

    private static let saltLength = 16

    /// The hash to store for a password, with a new salt.
    init(_ password: String) {
        var generator = SystemRandomNumberGenerator()
        salt = (0..<Self.saltLength).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        hash = Array(Self.digest(password, salt))
    }

    init(hash: [UInt8], salt: [UInt8]) {
        self.hash = hash
        self.salt = salt
    }

    /// Whether a password is correct. The time of the comparison does not depend on how much of the hash is equal.
    func matches(_ password: String) -> Bool { Self.digest(password, salt) == hash }

    private static func digest(_ password: String, _ salt: [UInt8]) -> SHA512.Digest {
        SHA512.hash(data: Array(password.utf8) + salt)
    }
}

/// A hidden profile and what protects it.
struct ProtectedUser: RowRecord {
    let id: UserID
    let password: ViewPassword

    init(row: ResultRow) throws(StoreError) {
        id = try row.get("user_id")
        password = ViewPassword(hash: try row.get("view_pwd_hash"), salt: try row.get("view_pwd_salt") ?? [])
    }
}
