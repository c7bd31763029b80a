public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// Why something cannot be done with a profile.
/// Rule: docs/domain.md, "Profiles".
public enum UsersError: RuleViolation, Hashable {
    /// There is no such profile, or it is hidden.
    case profileNotFound(Named<UserID>)
    /// Another profile, perhaps a hidden one, has the name.
    case duplicateProfileName(String)
    /// The agent database would give a new profile a number that another profile has there.
    case agentUserTaken(AgentUserID)
    /// The text is no name.
    case invalidProfileName(NameProblem)
    /// A contact, group or member of the profile has the name that the profile should get.
    case nameTaken(String, of: User)
    /// A password has a character at least.
    case invalidPassword
    /// The profile is hidden as it is.
    case profileAlreadyHidden(User)
    /// The profile has no password to be unlocked by.
    case profileNotHidden(User)
    /// Hiding the profile in use would hide nothing.
    case activeProfileCannotBeHidden(User)
    /// No profile would be left to see.
    case lastProfileCannotBeHidden(User)
    /// A hidden profile raises no notifications.
    case hiddenProfileIsMuted(User)
    /// The database failed.
    case store(StoreError)

    /// A stable word.
    public var code: String {
        switch self {
        case .profileNotFound: "profileNotFound"
        case .duplicateProfileName: "duplicateProfileName"
        case .agentUserTaken: "agentUserTaken"
        case .invalidProfileName: "invalidProfileName"
        case .nameTaken: "nameTaken"
        case .invalidPassword: "invalidPassword"
        case .profileAlreadyHidden: "profileAlreadyHidden"
        case .profileNotHidden: "profileNotHidden"
        case .activeProfileCannotBeHidden: "activeProfileCannotBeHidden"
        case .lastProfileCannotBeHidden: "lastProfileCannotBeHidden"
        case .hiddenProfileIsMuted: "hiddenProfileIsMuted"
        case .store(let error): error.kind.rawValue
        }
    }

    /// The whole sentence, without a full stop.
    public var message: String {
        switch self {
        case .profileNotFound(let named): "there is no profile \(named) in this store"
        case .duplicateProfileName(let name):
            "the profile cannot be named \"\(name)\": another profile has that name; give another name"
        case .agentUserTaken(let id):
            "the profile cannot be made: the agent database gives it the number \(id), which another profile has; "
                + "the two databases do not belong together, bring back two of one backup"
        case .invalidProfileName(let problem): "the name of the profile \(problem.message)"
        case .nameTaken(let name, let user):
            "the profile \(user.label) cannot be renamed: it has a contact, group or member called \"\(name)\"; give "
                + "another name"
        case .invalidPassword: "the password is empty; expected a character at least"
        case .profileAlreadyHidden(let user): "the profile \(user.label) is hidden already; unhide it first"
        case .profileNotHidden(let user): "the profile \(user.label) is not hidden"
        case .activeProfileCannotBeHidden(let user):
            "the profile \(user.label) cannot be hidden while it is active; activate another first"
        case .lastProfileCannotBeHidden(let user):
            "the profile \(user.label) cannot be hidden: no other would be left to see; add another first"
        case .hiddenProfileIsMuted(let user):
            "the profile \(user.label) is hidden and raises no notifications; unhide it first"
        case .store(let error): error.message
        }
    }

    /// A command that helps, or nil.
    public var hint: String? {
        switch self {
        case .profileNotFound, .duplicateProfileName, .profileNotHidden: "chatdb user list"
        case .agentUserTaken: "chatdb check"
        case .activeProfileCannotBeHidden: "chatdb user activate USER"
        case .lastProfileCannotBeHidden: "chatdb user add NAME"
        case .profileAlreadyHidden(let user), .hiddenProfileIsMuted(let user): "chatdb user unhide id:\(user.id)"
        case .invalidProfileName, .nameTaken, .invalidPassword, .store: nil
        }
    }

    package var details: JSONValue {
        switch self {
        case .profileNotFound(let named): ["profile": named.json]
        case .duplicateProfileName(let name): ["name": .string(name)]
        case .agentUserTaken(let id): ["agentUser": .integer(id.rawValue)]
        case .nameTaken(let name, let user): ["name": .string(name), "user": user.named]
        case .profileAlreadyHidden(let user), .profileNotHidden(let user), .activeProfileCannotBeHidden(let user),
            .lastProfileCannotBeHidden(let user), .hiddenProfileIsMuted(let user):
            ["user": user.named]
        case .invalidProfileName, .invalidPassword, .store: [:]
        }
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
