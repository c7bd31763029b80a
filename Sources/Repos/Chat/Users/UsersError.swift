public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// Errors of operations on a profile. Rule: docs/domain.md, "Profiles".
public enum UsersError: RuleViolation, Hashable {
    /// No such profile exists, or it is hidden.
    case profileNotFound(Named<UserID>)
    /// Another profile, perhaps a hidden one, has the name.
    case duplicateProfileName(String)
    /// The agent database would give a new profile a number that another profile has there.
    case agentUserTaken(AgentUserID)
    /// Rows refer to profiles that the chat database lost. A new profile might get their rows.
    case profilesLost([UserID])
    /// The text is no name.
    case invalidProfileName(NameProblem)
    /// A contact, group or member of the profile has the name that the profile should get.
    case nameTaken(String, of: User)
    /// A part of the profile besides its name is not valid.
    case invalidProfileDetail(ProfileProblem)
    /// The text is no document of colours.
    case invalidThemes(DocumentProblem)
    /// The password is empty.
    case invalidPassword
    /// The profile is hidden already.
    case profileAlreadyHidden(User)
    /// The profile is not hidden, so it has no password.
    case profileNotHidden(User)
    /// The active profile cannot be hidden.
    case activeProfileCannotBeHidden(User)
    /// No visible profile would be left.
    case lastProfileCannotBeHidden(User)
    /// A hidden profile raises no notifications.
    case hiddenProfileIsMuted(User)
    /// Another profile is the chat relay of the store.
    case otherChatRelay(User, than: User)
    /// The profile serves groups as a chat relay, or has requests that wait.
    case chatRelayInUse(User, groups: Int)
    /// The database failed.
    case store(StoreError)

    /// The kind, code, message and details of the error.
    public var info: ErrorInfo {
        switch self {
        case .profileNotFound(let named):
            .refused("profileNotFound", "there is no profile \(named) in this store", ["profile": named.json])
        case .duplicateProfileName(let name):
            .refused(
                "duplicateProfileName",
                // It may be the name of a hidden profile, so the message does not say whose it is.
                "the profile cannot be named \"\(name)\": that name is taken in this store; give another name",
                ["name": .string(name)])
        case .agentUserTaken(let id):
            .refused(
                "agentUserTaken",
                "the profile cannot be created: the agent database gives it the number \(id), which another profile has; "
                    + "the two databases do not belong together; restore both from one backup",
                ["agentUser": .integer(id.rawValue)])
        case .profilesLost(let ids):
            .refused(
                "profilesLost",
                "the profile cannot be created: the chat database has rows of profiles that it lost "
                    + "(\(Self.numbers(ids))); restore a backup from before the loss",
                ["profiles": .array(ids.map { .integer($0.rawValue) })])
        case .invalidProfileName(let problem):
            .invalid("invalidProfileName", "the name of the profile \(problem.message)")
        case .invalidProfileDetail(let problem): .invalid("invalidProfileDetail", problem.message, problem.details)
        case .invalidThemes(let problem): .invalid("invalidThemes", "the themes of the profile \(problem.message)")
        case .nameTaken(let name, let user):
            .refused(
                "nameTaken",
                "the profile \(user.label) cannot be renamed: it has a contact, group or member called \"\(name)\"; "
                    + "give another name", ["name": .string(name), "user": user.named])
        case .invalidPassword: .invalid("invalidPassword", "the password is empty; expected at least one character")
        case .profileAlreadyHidden(let user):
            .refused(
                "profileAlreadyHidden", "the profile \(user.label) is hidden already; unhide it first",
                ["user": user.named])
        case .profileNotHidden(let user):
            .refused("profileNotHidden", "the profile \(user.label) is not hidden", ["user": user.named])
        case .activeProfileCannotBeHidden(let user):
            .refused(
                "activeProfileCannotBeHidden",
                "the profile \(user.label) cannot be hidden while it is active; activate another first",
                ["user": user.named])
        case .lastProfileCannotBeHidden(let user):
            .refused(
                "lastProfileCannotBeHidden",
                "the profile \(user.label) cannot be hidden: no other visible profile would remain; add another first",
                ["user": user.named])
        case .hiddenProfileIsMuted(let user):
            .refused(
                "hiddenProfileIsMuted",
                "the profile \(user.label) is hidden, so its notifications stay off; unhide it first",
                ["user": user.named]
            )
        case .otherChatRelay(let other, let user):
            // The other profile may be hidden, so the message does not have its name.
            .refused(
                "otherChatRelay",
                "the profile \(user.label) cannot become a chat relay: another profile of the store is one",
                ["user": user.named, "other": other.isHidden ? .null : other.named])
        case .chatRelayInUse(let user, let groups):
            .refused(
                "chatRelayInUse",
                "the profile \(user.label) stays a chat relay: it serves, or was asked to serve, "
                    + (groups == 1 ? "1 group" : "\(groups) groups"),
                ["user": user.named, "groups": .integer(Int64(groups))])
        case .store(let error): error.info
        }
    }

    /// The numbers of profiles, of many the first ten: `1, 4`.
    private static func numbers(_ ids: [UserID]) -> String {
        let shown = ids.prefix(10).map { String($0.rawValue) }.joined(separator: ", ")
        return ids.count > 10 ? shown + ", …" : shown
    }

    package var storeError: StoreError? {
        if case .store(let error) = self { error } else { nil }
    }
}

extension User {
    /// The profile in a sentence: its name and number.
    var label: String { "\"\(name)\" (id \(id))" }

    var named: JSONValue { ["userId": .integer(id.rawValue), "name": .string(name)] }
}

/// An error of a subject that belongs to a profile, which may not exist.
protocol ProfileScopedError: RuleViolation {
    static func users(_ error: UsersError) -> Self
}

extension Writer where Failure: ProfileScopedError {
    /// The profile, hidden or not: a caller that has the id of a hidden one has found it already. Throws
    /// `profileNotFound`.
    @discardableResult
    func requireProfile(_ id: UserID) throws(Failure) -> User {
        do throws(UsersError) {
            return try UsersRepo(tx).get(id, hidden: .shown)
        } catch {
            throw .users(error)
        }
    }
}
