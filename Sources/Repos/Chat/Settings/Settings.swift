public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// Settings of profiles, and those of the user interface, which all profiles share. Rule: docs/domain.md, "Settings and
/// tags".
public struct SettingsRepo: Repository {
    package typealias Failure = SettingsError
    package let tx: any ReadTransaction

    /// Reads in a transaction of the chat database.
    public init(_ chat: any ReadTransaction) {
        tx = chat
    }

    /// The number of seconds after which messages of a profile are removed, in chats without a setting of their own.
    /// Nil means that they are kept; a profile without settings has nil.
    public func chatItemTTL(of user: UserID) throws(SettingsError) -> Int64? {
        do throws(StoreError) {
            return try tx.first("SELECT chat_item_ttl FROM settings WHERE user_id = \(user)")?.get("chat_item_ttl")
        } catch {
            throw .store(error)
        }
    }

    /// The settings of the user interface, or nil when none are stored. Throws `invalidAppSettings` when the stored
    /// text is no JSON document; only another program can have written it.
    public func appSettings() throws(SettingsError) -> AppSettings? {
        let text: String?
        do throws(StoreError) {
            text = try tx.first("SELECT app_settings FROM app_settings WHERE app_settings_id = 1")?.get("app_settings")
        } catch {
            throw .store(error)
        }
        guard let text else { return nil }
        do throws(InvalidAppSettings) {
            return try AppSettings(text)
        } catch {
            throw .invalidAppSettings(error)
        }
    }
}

/// Changes to settings. Rule: docs/domain.md, "Settings and tags".
public struct SettingsWriter: Writer {
    package typealias Failure = SettingsError
    package let tx: any WriteTransaction
    package let clock: StoreClock

    /// Writes in a transaction of the chat database.
    public init(_ chat: any WriteTransaction, clock: StoreClock = .system) {
        tx = chat
        self.clock = clock
    }

    /// Sets the number of seconds after which messages of a profile are removed; nil keeps them. The call itself
    /// removes no message. Throws `invalidTTL` for less than a second, and `profileNotFound`.
    public func setChatItemTTL(_ seconds: Int64?, of user: UserID) throws(SettingsError) {
        if let seconds, seconds < 1 { throw .invalidTTL(seconds) }
        let kept = try run(
            """
            INSERT INTO settings (user_id, chat_item_ttl, created_at, updated_at)
            SELECT user_id, \(seconds), \(now), \(now) FROM users WHERE user_id = \(user)
            ON CONFLICT (user_id) DO UPDATE
            SET chat_item_ttl = excluded.chat_item_ttl, updated_at = excluded.updated_at
            """)
        if kept == 0 { throw .profileNotFound(user) }
    }

    /// Replaces the settings of the user interface.
    public func setAppSettings(_ settings: AppSettings) throws(SettingsError) {
        try run(
            """
            INSERT INTO app_settings (app_settings_id, app_settings, created_at, updated_at)
            VALUES (1, \(settings.text), \(now), \(now))
            ON CONFLICT (app_settings_id) DO UPDATE
            SET app_settings = excluded.app_settings, updated_at = excluded.updated_at
            """)
    }

    /// Stores a text as the settings of the user interface. Throws `invalidAppSettings`; the stored settings then stay.
    public func setAppSettings(text: String) throws(SettingsError) {
        let settings: AppSettings
        do throws(InvalidAppSettings) {
            settings = try AppSettings(text)
        } catch {
            throw .invalidAppSettings(error)
        }
        try setAppSettings(settings)
    }

    /// Removes the settings of the user interface, so that the app uses its defaults.
    public func removeAppSettings() throws(SettingsError) {
        try run("DELETE FROM app_settings WHERE app_settings_id = 1")
    }
}

/// The reason why settings cannot be read or stored. Rule: docs/domain.md, "Settings and tags".
public enum SettingsError: RuleViolation, Hashable {
    /// No such profile exists.
    case profileNotFound(UserID)
    /// The time after which messages are removed is zero or negative.
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
