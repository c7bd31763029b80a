import ChatDBEngine
import ChatDBSchema

/// An error about something that belongs to a profile: it may be that there is no such profile.
protocol ViolationOfProfile: RuleViolation {
    static func users(_ error: UsersError) -> Self
}

extension Writer where Failure: ViolationOfProfile {
    /// The profile, hidden or not: whoever names a hidden one by its id has found it already. Throws `profileNotFound`.
    @discardableResult
    func requireProfile(_ id: UserID) throws(Failure) -> User {
        do throws(UsersError) {
            return try UsersRepo(tx).get(id, hidden: .shown)
        } catch {
            throw .users(error)
        }
    }
}

extension ChatRelaysError: ViolationOfProfile {}
extension ConnectionsError: ViolationOfProfile {}
extension ContactsError: ViolationOfProfile {}
extension FilesError: ViolationOfProfile {}
extension GroupsError: ViolationOfProfile {}
extension ServersError: ViolationOfProfile {}
