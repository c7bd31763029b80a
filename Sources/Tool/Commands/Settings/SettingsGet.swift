import ArgumentParser
import ChatDBKit

struct SettingsGet: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get", abstract: "Show the settings of a profile, or one of them.",
        discussion: """
            NAME is one of showNtfs, sendRcptsContacts, sendRcptsSmallGroups, autoAcceptGroupInvitations, chatItemTtl \
            (seconds) and appSettings. The settings of the app may be personal: only appSettings as NAME shows them.

            Examples:
              chatdb settings get
              chatdb settings get chatItemTtl --user work
              chatdb settings get appSettings --format json
            """)

    @Argument(help: "The setting (default: all).")
    var name: SettingName?

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let report = try StoreSession(profile.store, output.output()).read { store in
            try store.read { chat in
                SettingsReport(
                    settings: try ProfileSettings(of: try profile.profile(in: chat), in: chat), name: name)
            }
        }
        try output.write(report)
    }
}

/// Settings, all or one.
struct SettingsReport: Report {
    let settings: ProfileSettings
    /// The setting that was named; nil for all.
    let name: SettingName?

    private var names: [SettingName] { name.map { [$0] } ?? SettingName.allCases }

    var json: JSONValue {
        let members = names.map { one in
            // A list does not show them, so it has their number under another name.
            one == .appSettings && name == nil
                ? JSONValue.Member("appSettingsCount", settings.json(one)) : .init(one.rawValue, value(one))
        }
        return ["user": settings.user.reference, "settings": .object(members)]
    }

    /// The whole document of the app.
    private func value(_ one: SettingName) -> JSONValue {
        guard one == .appSettings, let app = settings.app else { return settings.json(one) }
        return (try? JSONValue(parsing: app.text)) ?? .string(app.text)
    }

    var document: Document {
        if name == .appSettings, let app = settings.app { return [.verbatim(app.text, language: "json")] }
        return [table.map { .table($0) } ?? .paragraph(settings.text(name ?? .showNtfs))]
    }

    /// Nil for a single setting, which is shown alone.
    private var table: Table? { name == nil ? rows : nil }

    private var rows: Table {
        Table(
            [Column("Setting", key: "name"), Column("Value", shrinking: .end)],
            rows: names.map { one in
                [.text(one.rawValue), .text(settings.text(one))]
            }, whenEmpty: "")
    }

    var csvTable: Table {
        Table(
            [Column("name"), Column("value")],
            rows: names.map { one in
                let isWhole = one == .appSettings && name != nil
                switch one {
                case .chatItemTtl: return [.text(one.rawValue), .number(settings.timeToLive)]
                case .appSettings:
                    return [
                        .text(one.rawValue), isWhole ? .text(settings.app?.text) : .number(settings.app?.names.count),
                    ]
                default: return [.text(one.rawValue), .yesNo(settings.flag(one))]
                }
            }, whenEmpty: "")
    }
}
