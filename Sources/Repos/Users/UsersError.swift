public import Engine
public import Schema

/// Why something cannot be done with a profile.
public enum UsersError: RuleViolation, Hashable {
    /// There is no such profile, or it is hidden.
    case profileNotFound(Named<UserID>)
    /// Another profile, perhaps a hidden one, has the name.
    case duplicateProfileName(String)
    /// The text is no name.
    case invalidProfileName(NameProblem)
    /// The database failed.
    case store(StoreError)

    /// A stable word.
    public var code: String {
        switch self {
        case .profileNotFound: "profileNotFound"
        case .duplicateProfileName: "duplicateProfileName"
        case .invalidProfileName: "invalidProfileName"
        case .store(let error): error.kind.rawValue
        }
    }

    /// The whole sentence, without a full stop.
    public var message: String {
        switch self {
        case .profileNotFound(let named): "there is no profile \(named) in this store"
        case .duplicateProfileName(let name):
            "the profile \"\(name)\" cannot be made: another profile has that name; give another name"
        case .invalidProfileName(let problem): "the name of the profile \(problem.message)"
        case .store(let error): error.message
        }
    }

    /// A command that helps, or nil.
    public var hint: String? {
        switch self {
        case .profileNotFound: "chatdb user list"
        case .duplicateProfileName, .invalidProfileName, .store: nil
        }
    }

    package var details: JSONValue {
        switch self {
        case .profileNotFound(let named): ["profile": named.json]
        case .duplicateProfileName(let name): ["name": .string(name)]
        case .invalidProfileName, .store: [:]
        }
    }

    package var storeError: StoreError? {
        if case .store(let error) = self { error } else { nil }
    }
}
