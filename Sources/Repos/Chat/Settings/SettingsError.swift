public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// Why settings cannot be read or kept. Rule: docs/domain.md, "Settings and tags".
public enum SettingsError: RuleViolation, Hashable {
    /// There is no such profile.
    case profileNotFound(UserID)
    /// Messages cannot be removed after no time, or less.
    case invalidTTL(Int64)
    /// The text is no document of settings, be it given or stored.
    case invalidAppSettings(InvalidAppSettings)
    /// The database failed.
    case store(StoreError)

    /// A stable word.
    public var code: String {
        switch self {
        case .profileNotFound: "profileNotFound"
        case .invalidTTL: "invalidTTL"
        case .invalidAppSettings: "invalidAppSettings"
        case .store(let error): error.kind.rawValue
        }
    }

    /// The whole sentence, without a full stop.
    public var message: String {
        switch self {
        case .profileNotFound(let id): "there is no profile \(id) in this store"
        case .invalidTTL(let seconds):
            "messages cannot be removed after \(seconds) seconds; expected 1 or more, or nothing to keep them"
        case .invalidAppSettings(let problem): "the settings of the app \(problem.message)"
        case .store(let error): error.message
        }
    }

    /// A command that helps, or nil.
    public var hint: String? {
        if case .profileNotFound = self { "chatdb user list" } else { nil }
    }

    package var details: JSONValue {
        switch self {
        case .profileNotFound(let id): ["profile": .integer(id.rawValue)]
        case .invalidTTL(let seconds): ["seconds": .integer(seconds)]
        case .invalidAppSettings, .store: [:]
        }
    }

    package var storeError: StoreError? {
        if case .store(let error) = self { error } else { nil }
    }
}
