public import ArgumentParser
public import ChatDBKit

/// `chat` or `agent`, as `--only` takes them.
extension DatabaseName: WordArgument {}

/// A protocol on the command line: `smp` or `xftp`.
extension ServerProtocol: WordArgument {}

/// Roles on the command line are the stored texts; a text that no build knows is a typing mistake.
extension GroupMemberRole: ExpressibleByArgument {
    /// The role with this stored text, in any case; nil for any other text.
    public init?(argument: String) {
        guard let role = Self.known.first(where: { $0.text == argument.lowercased() }) else { return nil }
        self = role
    }

    /// For help and completions, from the fewest rights to the most.
    public static var allValueStrings: [String] { known.map(\.text) }
}

extension PresetFormat: WordArgument {}
extension SettingName: WordArgument {}
extension PresetImportOptions.Mode: WordArgument {}
extension PresetImportOptions.OnConflict: WordArgument {}

/// Roles by name, separated by commas; `none` for none.
enum RoleList {
    static func parse(_ text: String) throws -> ServerRoles { try parse(text, or: "none alone") }

    /// - Parameter others: the other words that are possible, for the error.
    static func parse(_ text: String, or others: String) throws -> ServerRoles {
        var roles = ServerRoles(storage: false, proxy: false)
        let names = text.lowercased().split(separator: ",", omittingEmptySubsequences: false)
            .map { $0.filter { !$0.isWhitespace } }
        for name in names == ["none"] ? [] : names {
            switch ServerRole(rawValue: name) {
            case .storage?: roles.storage = true
            case .proxy?: roles.proxy = true
            case .names?: roles.names = true
            case nil:
                throw ValidationError(
                    "\"\(name)\" is not a role; expected storage, proxy or names, or \(others)")
            }
        }
        return roles
    }
}

/// Classes of columns that are shown on request.
enum ShownClass: String, ExpressibleByArgument, CaseIterable {
    case personal
}

/// Columns that a query shows on request.
enum QueriedClass: String, ExpressibleByArgument, CaseIterable {
    case personal
    /// Columns that the catalogue does not describe.
    case unknown
}

/// The result of a test of a relay or server.
enum TestOutcome: String, WordArgument {
    case passed
    case failed
    case unknown

    /// Whether it passed; nil for an unknown result.
    var passed: Bool? {
        switch self {
        case .passed: true
        case .failed: false
        case .unknown: nil
        }
    }
}

/// The group or channel of a command, and its profile.
struct GroupArgument: ParsableArguments {
    @Argument(help: "The group or channel, by name or id. A name takes precedence; id:3 and name:3 are explicit.")
    var group: String

    @OptionGroup var profile: ProfileOptions
}
