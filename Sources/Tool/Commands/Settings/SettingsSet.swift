import ArgumentParser
import ChatDBKit

struct SettingsSet: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set", abstract: "Change a setting of a profile, or the settings of the app.",
        discussion: """
            VALUE is on or off. For chatItemTtl it is a number of seconds, or with h, d or w of hours, days or weeks; \
            none keeps messages. For appSettings it is a file with a JSON object, - for standard input, or none. \
            chatdb asks for confirmation before it replaces settings of the app, and before a time after which an app \
            deletes more messages than it does now. The command itself deletes no message.

            Examples:
              chatdb settings set showNtfs off
              chatdb settings set chatItemTtl 30d --user work --yes
              chatdb settings set chatItemTtl none
              chatdb settings set appSettings settings.json --dry-run
            """)

    @Argument(help: "The setting.")
    var name: SettingName

    @Argument(help: "Its value.")
    var value: String

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var output: OutputOptions

    /// A value as it is set.
    private enum Value {
        case flag(Bool)
        case timeToLive(Int64?)
        case app(AppSettings?)
    }

    func validate() throws { if name != .appSettings { _ = try parsed() } }

    private func parsed() throws -> Value {
        switch name {
        case .chatItemTtl: return .timeToLive(value == "none" ? nil : try Self.seconds(value))
        case .appSettings: return .app(value == "none" ? nil : try Self.settings(inFile: value))
        default: return .flag(try Self.flag(value))
        }
    }

    func run() throws {
        let output = try output.output()
        let value = try parsed()
        let report = try StoreSession(profile.store, output).confirm(
            consent, output,
            plan: { chat in
                let settings = try ProfileSettings(of: try profile.profile(in: chat), in: chat)
                try check(value, for: settings.user)
                return change(settings, value, isApplied: false)
            },
            question: { planned in
                planned.isChange ? question(planned.before, value).map { .init(text: $0) } : nil
            },
            make: { planned, chat in
                let user = try UsersRepo(chat).get(planned.before.user.id, hidden: .shown)
                let before = try ProfileSettings(of: user, in: chat)
                guard before.json(name) == planned.before.json(name), before.app == planned.before.app else {
                    throw PlanOutdated()
                }
                if planned.isChange { try set(value, of: before.user, in: chat) }
                return change(before, value, isApplied: true)
            })
        try output.write(report)
    }

    /// Throws the error that setting it would throw.
    private func check(_ value: Value, for user: User) throws {
        switch value {
        case .timeToLive(let seconds?) where seconds < 1: throw SettingsError.invalidTTL(seconds)
        case .flag(true) where name == .showNtfs && user.isHidden: throw UsersError.hiddenProfileIsMuted(user)
        default: break
        }
    }

    /// The question before something is lost; nil if nothing is.
    private func question(_ old: ProfileSettings, _ value: Value) -> String? {
        switch value {
        case .flag: nil
        case .timeToLive(let seconds):
            seconds.flatMap { new in
                old.timeToLive.map { new >= $0 } == true
                    ? nil
                    : "An app will delete messages of \(old.user.name) that are older than "
                        + "\(ProfileSettings.shown(new)). Set this time?"
            }
        case .app(let new):
            old.app == nil
                ? nil
                : "\(new == nil ? "Clear" : "Replace") the settings of the app, which all profiles share "
                    + "(\(old.text(.appSettings)))?"
        }
    }

    private func set(_ value: Value, of user: User, in chat: any WriteTransaction) throws {
        let (users, settings) = (UsersWriter(chat), SettingsWriter(chat))
        switch (name, value) {
        case (.showNtfs, .flag(let isOn)): try users.setNotifications(isOn, of: user.id, hidden: .shown)
        case (.sendRcptsContacts, .flag(let isOn)): try users.setReceiptsToContacts(isOn, of: user.id, hidden: .shown)
        case (.sendRcptsSmallGroups, .flag(let isOn)):
            try users.setReceiptsToSmallGroups(isOn, of: user.id, hidden: .shown)
        case (.autoAcceptGroupInvitations, .flag(let isOn)):
            try users.setAcceptsGroupInvitations(isOn, of: user.id, hidden: .shown)
        case (_, .timeToLive(let seconds)): try settings.setChatItemTTL(seconds, of: user.id)
        case (_, .app(let document?)): try settings.setAppSettings(document)
        case (_, .app(nil)): try settings.removeAppSettings()
        case (_, .flag): break
        }
    }

    private func change(_ before: ProfileSettings, _ value: Value, isApplied: Bool) -> SettingsChangeReport {
        let change: (isChange: Bool, json: JSONValue, text: String) =
            switch value {
            case .flag(let isOn): (before.flag(name) != isOn, .bool(isOn), isOn ? "on" : "off")
            case .timeToLive(let seconds):
                (before.timeToLive != seconds, JSONValue(seconds), ProfileSettings.shown(seconds))
            case .app(let new):
                (
                    before.app?.text != new?.text, JSONValue(new?.names.count),
                    new.map { counted($0.names.count, "setting") } ?? "none stored"
                )
            }
        return SettingsChangeReport(
            name: name, before: before, isChange: change.isChange, to: change.json, text: change.text,
            isApplied: isApplied)
    }
}

extension SettingsSet {
    private static func flag(_ text: String) throws -> Bool {
        switch text.lowercased() {
        case "on", "yes", "true": return true
        case "off", "no", "false": return false
        default: throw ValidationError("\"\(TextEscaping.line(text))\" is no value of a switch; expected on or off")
        }
    }

    /// `90`, `12h`, `30d` or `4w` in seconds.
    private static func seconds(_ text: String) throws -> Int64 {
        let units: [Character: Int64] = ["s": 1, "h": 3_600, "d": 86_400, "w": 604_800]
        let unit = text.last.flatMap { units[$0] }
        let number = Int64(unit == nil ? text : String(text.dropLast()))
        if let number, case let (seconds, false) = number.multipliedReportingOverflow(by: unit ?? 1) { return seconds }
        throw ValidationError(
            "\"\(TextEscaping.line(text))\" is no time; expected a number of seconds, such a number with h, d or w, "
                + "or none")
    }

    private static func settings(inFile path: String) throws -> AppSettings {
        let bytes = try InputFile.read(path, upTo: AppSettings.largest)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw SettingsError.invalidAppSettings(.notText)
        }
        do {
            return try AppSettings(text)
        } catch {
            throw SettingsError.invalidAppSettings(error)
        }
    }
}
