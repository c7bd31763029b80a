package import ChatDBKit

/// A setting, by its name in answers.
package enum SettingName: String, Sendable, CaseIterable {
    case showNtfs
    case sendRcptsContacts
    case sendRcptsSmallGroups
    case autoAcceptGroupInvitations
    case chatItemTtl
    case appSettings
}

/// The settings of a profile, and those of the app.
package struct ProfileSettings {
    package let user: User
    /// Seconds; nil keeps messages.
    package let timeToLive: Int64?
    package let app: AppSettings?

    package init(of user: User, in chat: any ReadTransaction) throws {
        self.user = user
        timeToLive = try SettingsRepo(chat).chatItemTTL(of: user.id)
        app = try SettingsRepo(chat).appSettings()
    }

    /// A switch; nil for a setting of another kind.
    package func flag(_ name: SettingName) -> Bool? {
        switch name {
        case .showNtfs: user.showsNotifications
        case .sendRcptsContacts: user.sendsReceiptsToContacts
        case .sendRcptsSmallGroups: user.sendsReceiptsToSmallGroups
        case .autoAcceptGroupInvitations: user.acceptsGroupInvitations
        case .chatItemTtl, .appSettings: nil
        }
    }

    /// A setting in JSON; the settings of the app as their number.
    package func json(_ name: SettingName) -> JSONValue {
        switch name {
        case .chatItemTtl: JSONValue(timeToLive)
        case .appSettings: JSONValue(app?.names.count)
        default: JSONValue(flag(name))
        }
    }

    /// A setting for people.
    package func text(_ name: SettingName) -> String {
        switch name {
        case .chatItemTtl: Self.shown(timeToLive)
        case .appSettings: app.map { counted($0.names.count, "setting") } ?? "none stored"
        default: flag(name) == true ? "on" : "off"
        }
    }

    /// `2592000 seconds (30 days)`, or `none (messages are kept)`.
    package static func shown(_ seconds: Int64?) -> String {
        guard let seconds else { return "none (messages are kept)" }
        let day: Int64 = 86_400
        return counted(Int(seconds), "second") + (seconds % day == 0 ? " (\(counted(Int(seconds / day), "day")))" : "")
    }
}
