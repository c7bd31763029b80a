package import ChatDBKit

/// Settings, all or one.
package struct SettingsReport: Report {
    package let settings: ProfileSettings
    /// The setting that was named; nil for all.
    package let name: SettingName?

    package init(settings: ProfileSettings, name: SettingName?) {
        self.settings = settings
        self.name = name
    }

    private var names: [SettingName] { name.map { [$0] } ?? SettingName.allCases }

    package var json: JSONValue {
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

    package var document: Document {
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

    package var csvTable: Table {
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

/// A setting that was changed, or had that value already.
package struct SettingsChangeReport: Report {
    package let name: SettingName
    package let before: ProfileSettings
    package let isChange: Bool
    /// The new value.
    package let to: JSONValue
    package let text: String
    package let isApplied: Bool

    package init(
        name: SettingName, before: ProfileSettings, isChange: Bool, to: JSONValue, text: String, isApplied: Bool
    ) {
        self.name = name
        self.before = before
        self.isChange = isChange
        self.to = to
        self.text = text
        self.isApplied = isApplied
    }

    package var json: JSONValue {
        let change: JSONValue = ["from": before.json(name), "to": to]
        return [
            "user": before.user.reference, "changed": .bool(isChange),
            "fields": .object(isChange ? [.init(name.rawValue, change)] : []), "applied": .bool(isApplied),
        ]
    }

    package var document: Document {
        let whose = name == .appSettings ? "all profiles" : before.user.name
        if !isChange { return [.paragraph("\(name.rawValue) of \(whose) is \(text) already; nothing was changed.")] }
        let now = isApplied ? "is now" : "would be"
        return [.paragraph("\(name.rawValue) of \(whose) \(now) \(text). It was \(before.text(name)).")]
    }
}
