import ChatDBEngine
import ChatDBReposKit
import ChatDBSchema

/// An error of a subject that belongs to a profile, which may not exist.
protocol ProfileScopedError: RuleViolation {
    static func users(_ error: UsersError) -> Self
}

extension Writer where Failure: ProfileScopedError {
    /// The profile, hidden or not: a caller that has the id of a hidden one has found it already. Throws `profileNotFound`.
    @discardableResult
    func requireProfile(_ id: UserID) throws(Failure) -> User {
        do throws(UsersError) {
            return try UsersRepo(tx).get(id, hidden: .shown)
        } catch {
            throw .users(error)
        }
    }
}
