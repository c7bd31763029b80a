import ArgumentParser

/// A command of chatdb with arguments, which can be typed as it is shown.
struct HintedCommand: Sendable, Hashable {
    /// The words of the command: `chatdb relay show`.
    let words: [String]
    /// Its arguments and options: `id:3`, or a word such as `FOLDER` that the reader replaces.
    let arguments: [String]
    /// Which of the options that say where to work the command takes.
    let takes: Set<GivenOptions.Name>

    init(_ type: any ParsableCommand.Type, _ arguments: [String] = []) {
        words = Self.words(of: type, below: Chatdb.self) ?? [Chatdb._commandName, type._commandName]
        self.arguments = arguments
        takes = GivenOptions.Name.taken(by: type)
    }

    /// The command line, with those of the given options that the command takes and its arguments do not name.
    func text(_ given: GivenOptions = .none) -> String {
        let added = GivenOptions.Name.allCases.flatMap { name -> [String] in
            guard takes.contains(name), !name.spellings.contains(where: arguments.contains) else { return [] }
            return given.words(for: name)
        }
        return (words + (arguments + added).map(ShellWord.quoted)).joined(separator: " ")
    }

    private static func words(
        of wanted: any ParsableCommand.Type, below type: any ParsableCommand.Type
    ) -> [String]? {
        if ObjectIdentifier(type) == ObjectIdentifier(wanted) { return [type._commandName] }
        for command in type.configuration.subcommands {
            if let words = words(of: wanted, below: command) { return [type._commandName] + words }
        }
        return nil
    }
}

/// The options of a command line that say where to work, for the commands in hints and notes: typed as they are shown,
/// they work on the same store, profile and migrations. `--password-stdin` is never repeated: standard input has been
/// read.
struct GivenOptions: Sendable, Equatable {
    var store: String?
    var user: String?
    var migrationsDir: String?
    var showsHidden = false

    /// The command line named nothing.
    static let none = GivenOptions()

    /// A hint, with these options in its commands.
    func text(_ hint: Hint) -> String { hint.text(self) }

    /// The words that repeat an option; empty when it was not given.
    func words(for name: Name) -> [String] {
        switch name {
        case .store: store.map { ["-d", $0] } ?? []
        case .user: user.map { ["-u", $0] } ?? []
        case .migrationsDir: migrationsDir.map { ["--migrations-dir", $0] } ?? []
        case .showHidden: showsHidden ? ["--show-hidden"] : []
        }
    }
}

extension GivenOptions {
    /// Reads a command line, whether or not it can be parsed. The last of each option counts.
    init(arguments: [String]) {
        let options = arguments.prefix { $0 != "--" }
        for (index, argument) in options.enumerated() {
            let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
            let value = argument.hasPrefix("--") && parts.count == 2 ? parts[1] : options.dropFirst(index + 1).first
            switch parts.first ?? "" {
            case "-d", "--store", "--database", "--data": store = value
            case "-u", "--user": user = value
            case "--migrations-dir": migrationsDir = value
            case "--show-hidden": showsHidden = true
            default: break
            }
        }
    }

    /// The options, in the order in which they are repeated.
    enum Name: Sendable, Hashable, CaseIterable {
        case store
        case user
        case migrationsDir
        case showHidden

        /// How they are written on a command line.
        var spellings: [String] {
            switch self {
            case .store: ["-d", "--store"]
            case .user: ["-u", "--user"]
            case .migrationsDir: ["--migrations-dir"]
            case .showHidden: ["--show-hidden"]
            }
        }

        /// Those that a command declares, itself or in a group of options.
        static func taken(by type: any ParsableArguments.Type) -> Set<Name> {
            if ObjectIdentifier(type) == ObjectIdentifier(StoreOptions.self) { return [.store] }
            var taken: Set<Name> = []
            for property in Mirror(reflecting: type.init()).children {
                if let group = Swift.type(of: property.value) as? any ArgumentGroup.Type {
                    taken.formUnion(Self.taken(by: group.arguments))
                } else if property.value is Option<String?> {
                    if property.label == "_user" { taken.insert(.user) }
                    if property.label == "_migrationsDir" { taken.insert(.migrationsDir) }
                } else if property.value is Flag<Bool>, property.label == "_showHidden" {
                    taken.insert(.showHidden)
                }
            }
            return taken
        }
    }
}

/// Options and arguments that a command shares with others.
private protocol ArgumentGroup {
    static var arguments: any ParsableArguments.Type { get }
}

extension OptionGroup: ArgumentGroup {
    fileprivate static var arguments: any ParsableArguments.Type { Value.self }
}
