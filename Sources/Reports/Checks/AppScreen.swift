/// The screens, menu items and buttons of SimpleX Chat's app that remedies name, by their English names. All are in the
/// apps for Android, iOS and the desktop. docs/simplex.md lists them.
package enum AppScreen: String, CaseIterable, CustomStringConvertible {
    case appVersion = "App version"
    case chatConsole = "Chat console"
    case chatDatabase = "Database passphrase & export"
    case chatProfiles = "Your chat profiles"
    case currentProfile = "Your current profile"
    case deleteContact = "Delete contact"
    case deleteGroup = "Delete group"
    case fixConnection = "Fix connection"
    case leaveGroup = "Leave group"
    case networkAndServers = "Network & servers"
    case simplexAddress = "Your SimpleX address"
    case stopFile = "Stop file"

    /// Where the app has it.
    package var place: String {
        switch self {
        case .appVersion, .chatDatabase, .networkAndServers: "Settings"
        case .chatConsole: "Settings, Developer tools"
        case .chatProfiles, .simplexAddress: "the menu that the profile picture opens"
        case .currentProfile: "the menu that the profile picture opens, the name of the profile"
        case .deleteContact: "the page about a contact"
        case .deleteGroup, .leaveGroup: "the page about a group"
        case .fixConnection: "the page about a contact or a group member"
        case .stopFile: "the menu of a message with a file"
        }
    }

    /// The name, after the names of the screens that lead to it: `Settings, Network & servers`.
    package var description: String { place.hasPrefix("Settings") ? "\(place), \(rawValue)" : rawValue }
}
