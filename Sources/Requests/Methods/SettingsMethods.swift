import ChatDBKit
import ChatDBReports

/// `settings`: the settings of a profile.
enum SettingsMethods {
    private static let flagName = Parameter<Flag>.word("name", "The setting.")
    private static let isOn = Parameter.flag("value", "Whether it is on.")
    private static let seconds = Parameter.integer(
        "seconds", "Seconds after which an app deletes items; null keeps them."
    ).optional

    /// The settings that are on or off.
    enum Flag: String, CaseIterable, Sendable {
        case showNtfs
        case sendRcptsContacts
        case sendRcptsSmallGroups
        case autoAcceptGroupInvitations
    }

    private static let changed = Shape.members([
        "user": Shapes.profile, "changed": .flag, "fields": Shapes.changedFields, "applied": .flag,
    ])

    static let all: [RequestMethod] = [
        .ofProfile(
            "settings.get", "Shows the settings of a profile.",
            result: .members([
                "user": Shapes.profile,
                "settings": .members([
                    "showNtfs": .flag, "sendRcptsContacts": .flag, "sendRcptsSmallGroups": .flag,
                    "autoAcceptGroupInvitations": .flag, "chatItemTtl": .nullable(.integer),
                    "appSettingsCount": .nullable(.integer),
                ]),
            ])
        ) { _, user, chat in SettingsReport(settings: try ProfileSettings(of: user, in: chat), name: nil) },
        .changing("settings.set", "Switches a setting of a profile on or off.", [flagName, isOn], result: changed) {
            call, user, chat in
            let (name, isOn) = (try call[flagName], try call[isOn])
            let before = try ProfileSettings(of: user, in: chat)
            let setting = SettingName(rawValue: name.rawValue) ?? .showNtfs
            let isChange = before.flag(setting) != isOn
            if isChange { try set(name, isOn, of: user, UsersWriter(chat)) }
            return SettingsChangeReport(
                name: setting, before: before, isChange: isChange, to: .bool(isOn), text: isOn ? "on" : "off",
                isApplied: true
            ).json
        },
        .changing(
            "settings.setTimeToLive", "Sets the time after which an app deletes items. The method deletes none.",
            [seconds], result: changed
        ) { call, user, chat in
            let seconds = try call[seconds]
            let before = try ProfileSettings(of: user, in: chat)
            let isChange = before.timeToLive != seconds
            if isChange { try SettingsWriter(chat).setChatItemTTL(seconds, of: user.id) }
            return SettingsChangeReport(
                name: .chatItemTtl, before: before, isChange: isChange, to: JSONValue(seconds),
                text: ProfileSettings.shown(seconds), isApplied: true
            ).json
        },
    ]

    private static func set(_ name: Flag, _ isOn: Bool, of user: User, _ writer: UsersWriter) throws {
        // The profile was found by its id.
        switch name {
        case .showNtfs: _ = try writer.setNotifications(isOn, of: user.id, hidden: .shown)
        case .sendRcptsContacts: _ = try writer.setReceiptsToContacts(isOn, of: user.id, hidden: .shown)
        case .sendRcptsSmallGroups: _ = try writer.setReceiptsToSmallGroups(isOn, of: user.id, hidden: .shown)
        case .autoAcceptGroupInvitations:
            _ = try writer.setAcceptsGroupInvitations(isOn, of: user.id, hidden: .shown)
        }
    }
}
