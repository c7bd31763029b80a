import ArgumentParser
import ChatDBKit
import Foundation

/// The store of a command.
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

    /// The engine that opens all stores of the command. It is shared, so that a store that has to be copied to be read
    /// is copied once; the copies are removed with these options.
    let engine = SQLiteEngine(sharesCopies: true)

    /// The parsed options.
    private enum CodingKeys: CodingKey {
        case path
    }

    /// The options given, for commands in notes.
    var repeated: GivenOptions { GivenOptions(store: path) }

    /// Whether the command line or the environment names a store.
    var isNamed: Bool { path != nil || ProcessEnvironment.variables[Self.variable] != nil }

    /// The location of the store.
    func location() throws -> StoreLocation {
        try StoreLocation.resolve(path ?? ProcessEnvironment.variables[Self.variable] ?? Self.defaultPrefix)
    }

    /// The location of a new store. Creates the folder of the default store if it is missing.
    func locationForCreating() throws -> StoreLocation {
        if path == nil, ProcessEnvironment.variables[Self.variable] == nil {
            try DefaultFolder.make((Self.defaultPrefix as NSString).deletingLastPathComponent)
        }
        return try location()
    }

    static var defaultPrefix: String {
        let data = ProcessEnvironment.variables["XDG_DATA_HOME"].flatMap { $0.isEmpty ? nil : $0 }
        return (data ?? NSHomeDirectory() + "/.local/share") + "/chatdb/chatdb"
    }
}
