public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// Settings of profiles, and those of the app's screens, which are for all profiles.
/// Rule: docs/domain.md, "Settings and tags".
public struct SettingsRepo: Repository {
    package typealias Failure = SettingsError
    package let tx: any ReadTransaction

    /// Asks in a transaction of the chat database.
    public init(_ chat: any ReadTransaction) {
        tx = chat
    }

    /// After how many seconds the messages of a profile are removed, where nothing else is set for the chat; nil keeps
    /// them, as does a profile without settings.
    public func chatItemTTL(of user: UserID) throws(SettingsError) -> Int64? {
        do throws(StoreError) {
            return try tx.first("SELECT chat_item_ttl FROM settings WHERE user_id = \(user)")?.get("chat_item_ttl")
        } catch {
            throw .store(error)
        }
    }

    /// The settings of the app's screens, or nil when none were kept. Throws `invalidAppSettings` when what is stored is
    /// no document, which only another program can have written.
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
