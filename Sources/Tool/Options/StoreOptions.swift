import ArgumentParser
import ChatDBKit
import Foundation

/// Which store a command works on.
struct StoreOptions: ParsableArguments {
    static let variable = "CHATDB_STORE"

    @Option(
        name: [.customShort("d"), .customLong("store"), .customLong("database")],
        help: ArgumentHelp(
            "The store: a prefix (x means x_chat.db and x_agent.db), one of its files, or their folder.",
            discussion: "Default: the value of \(variable), or chatdb/chatdb in the user's data folder.",
            valueName: "path"),
        completion: .file())
    var path: String?

    /// What the command opens stores with. One for all it does, so that a store that has to be copied to be read is
    /// copied once; the copies go with these options.
    let engine = SQLiteEngine(sharesCopies: true)

    /// What is parsed.
    private enum CodingKeys: CodingKey {
        case path
    }

    /// The options given, for commands in notes.
    var repeated: GivenOptions { GivenOptions(store: path) }

    /// Whether the command line or the environment names a store.
    var isNamed: Bool { path != nil || ProcessEnvironment.variables[Self.variable] != nil }

    /// Where the store is.
    func location() throws -> StoreLocation {
        try StoreLocation.resolve(path ?? ProcessEnvironment.variables[Self.variable] ?? Self.defaultPrefix)
    }

    /// Where a new store may be made: the folder of the default store is made when it is missing.
    func locationForCreating() throws -> StoreLocation {
        if path == nil, ProcessEnvironment.variables[Self.variable] == nil {
            try DefaultFolder.make((Self.defaultPrefix as NSString).deletingLastPathComponent)
        }
        return try location()
    }

    private static var defaultPrefix: String {
        let data = ProcessEnvironment.variables["XDG_DATA_HOME"].flatMap { $0.isEmpty ? nil : $0 }
        return (data ?? NSHomeDirectory() + "/.local/share") + "/chatdb/chatdb"
    }
}
