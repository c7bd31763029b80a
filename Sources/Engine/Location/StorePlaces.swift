import ChatDBSchema

/// A place where programs keep their stores.
package enum StorePlace: String, Sendable, Hashable, CaseIterable {
    /// SimpleX Chat's desktop app for Linux and macOS.
    case desktop
    /// The same app, installed with Flatpak, which gives it a folder of its own.
    case flatpak
    /// SimpleX Chat's terminal client.
    case terminal
    /// chatdb's default store.
    case chatdb
    /// The store of the environment or of the configuration file.
    case named
    /// A folder that the caller named.
    case below
}

/// The usual places of a user's stores. Rule: docs/support.md, "Where is the store?".
package struct StorePlaces: Sendable, Hashable {
    /// The name with which all files of SimpleX Chat's stores begin.
    static let simplexName = "simplex_v1"

    private let home: String
    private let data: String
    private let own: String
    private let named: String?

    /// The places of a user.
    /// - Parameters:
    ///   - home: the home folder.
    ///   - data: the value of `XDG_DATA_HOME`; nil or empty for its default.
    ///   - own: the prefix of chatdb's default store.
    ///   - named: the prefix of the store that commands use without `-d`; nil if it is the default store.
    package init(home: String, data: String?, own: String, named: String? = nil) {
        self.home = home
        self.own = own
        self.named = named
        self.data = data.flatMap { $0.isEmpty ? nil : $0 } ?? home + "/.local/share"
    }

    /// The prefix of the store at a place; nil for a place where the store can lie in any folder, and if no store is named.
    package func prefix(at place: StorePlace) -> String? {
        switch place {
        case .desktop: "\(data)/simplex/\(Self.simplexName)"
        case .terminal: "\(home)/.simplex/\(Self.simplexName)"
        case .chatdb: own
        case .named: named
        case .flatpak, .below: nil
        }
    }

    /// The folder that Flatpak gives to the app.
    package var flatpakFolder: String { home + "/.var/app/chat.simplex.simplex" }
}

extension StoreSearch {
    /// Looks at all usual places. A place without a store, or without its folder, is not in the result.
    package mutating func look(at places: StorePlaces) {
        for place in StorePlace.allCases {
            if let prefix = places.prefix(at: place) {
                look(at: prefix, as: place)
            } else if place == .flatpak {
                do throws(FolderError) {
                    try look(below: places.flatpakFolder, as: place, name: StorePlaces.simplexName)
                } catch {
                    note(error, of: places.flatpakFolder)
                }
            }
        }
    }
}
