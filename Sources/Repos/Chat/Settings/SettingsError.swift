public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// The reason why settings cannot be read or stored. Rule: docs/domain.md, "Settings and tags".
public enum SettingsError: RuleViolation, Hashable {
    /// No such profile exists.
    case profileNotFound(UserID)
    /// Messages cannot be removed after no time, or less.
    case invalidTTL(Int64)
    /// The given or stored text is no document of settings.
    case invalidAppSettings(InvalidAppSettings)
    /// The database failed.
    case store(StoreError)

    /// The kind, code, message and details of the error.
    public var info: ErrorInfo {
        switch self {
        case .profileNotFound(let id):
            .refused("profileNotFound", "there is no profile \(id) in this store", ["profile": .integer(id.rawValue)])
        case .invalidTTL(let seconds):
            .invalid(
                "invalidTTL",
                "messages cannot be removed after \(seconds) seconds; expected 1 or more, or no value to keep them",
                ["seconds": .integer(seconds)])
        case .invalidAppSettings(let problem):
            .invalid("invalidAppSettings", "the settings of the app \(problem.message)")
        case .store(let error): error.info
        }
    }

    package var storeError: StoreError? {
        if case .store(let error) = self { error } else { nil }
    }
}
