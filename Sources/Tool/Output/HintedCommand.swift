/// A command of chatdb with arguments, which can be typed as shown.
struct HintedCommand: Sendable, Hashable {
    /// The command.
    let name: CommandName
    /// Its arguments and options: `id:3`, or a word such as `FOLDER` that the reader replaces.
    let arguments: [String]

    init(_ name: CommandName, _ arguments: [String] = []) {
        self.name = name
        self.arguments = arguments
    }

    /// The command that adopts a database of another program.
    init(adopting given: GivenOptions) {
        self.init(
            .migrateBaseline, ["--to", "NAME"] + (given.migrationsDir == nil ? ["--migrations-dir", "DIR"] : []))
    }

    /// The command line, with those of the given options that the command takes and its arguments do not name.
    func text(_ given: GivenOptions = .none) -> String {
        let added = GivenOptions.Name.allCases.flatMap { option -> [String] in
            guard name.takes.contains(option), !option.spellings.contains(where: arguments.contains) else { return [] }
            // The stores that it makes are plain, and a passphrase would promise something else.
            if option == .passphrase, name == .migrateRun { return [] }
            return given.words(for: option)
        }
        return (name.words + (arguments + added).map(ShellWord.quoted)).joined(separator: " ")
    }
}

/// The options of a command line for store, profile and migrations, for the commands in hints and notes: typed as
/// shown, they work on the same data. A command with `--password-stdin` needs the password on standard input again,
/// because without it the hidden profile does not exist.
struct GivenOptions: Sendable, Equatable {
    var store: String?
    /// The named files of adopted databases: `chat=FILE`.
    var files: [String] = []
    var passphrase: GivenPassphrase?
    var user: String?
    var migrationsDir: String?
    var showsHidden = false
    /// Whether a password on standard input selected the profile.
    var takesPassword = false

    /// No options.
    static let none = GivenOptions()

    /// A hint, with these options in its commands.
    func text(_ hint: Hint) -> String { hint.text(self) }

    /// The words that repeat an option; empty if it was not given.
    func words(for name: Name) -> [String] {
        switch name {
        case .store: files.isEmpty ? store.map { ["-d", $0] } ?? [] : files.flatMap { ["--database", $0] }
        case .passphrase: passphrase?.words ?? []
        case .user: user.map { ["-u", $0] } ?? []
        case .migrationsDir: migrationsDir.map { ["--migrations-dir", $0] } ?? []
        case .showHidden: showsHidden ? ["--show-hidden"] : []
        case .passwordStdin: takesPassword ? ["--password-stdin"] : []
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
            case "-d", "--store", "--database", "--data":
                if let value, NamedFiles.parts(value) != nil { files.append(value) } else { store = value }
            case "-u", "--user": user = value
            case "--migrations-dir": migrationsDir = value
            case "--passphrase-file": passphrase = value.map(GivenPassphrase.file)
            case "--passphrase-stdin": passphrase = .standardInput
            case "--show-hidden": showsHidden = true
            case "--password-stdin": takesPassword = !Self.setsPassword(options)
            default: break
            }
        }
    }

    /// Whether the command line is one of `user hide` or `user unhide`: their password selects no profile.
    private static func setsPassword(_ arguments: some Collection<String>) -> Bool {
        zip(arguments, arguments.dropFirst()).contains { $0 == "user" && ["hide", "unhide"].contains($1) }
    }

    /// The options, in the order of repetition.
    enum Name: Sendable, Hashable, CaseIterable {
        case store
        case passphrase
        case user
        case migrationsDir
        case showHidden
        case passwordStdin

        /// Their spellings on a command line.
        var spellings: [String] {
            switch self {
            case .store: ["-d", "--store", "--database"]
            case .passphrase: ["--passphrase-stdin", "--passphrase-file"]
            case .user: ["-u", "--user"]
            case .migrationsDir: ["--migrations-dir"]
            case .showHidden: ["--show-hidden"]
            case .passwordStdin: ["--password-stdin"]
            }
        }
    }
}

/// The option by which a command line gives the passphrase of an encrypted store. The variable for the file needs no
/// repetition.
enum GivenPassphrase: Sendable, Equatable {
    case file(String)
    case standardInput

    /// The words that repeat it; empty for a descriptor of the process, as of `<(pass show x)`, which no other process
    /// can read.
    var words: [String] {
        switch self {
        case .file(let path): path.hasPrefix("/dev/fd/") || path.hasPrefix("/proc/") ? [] : ["--passphrase-file", path]
        case .standardInput: ["--passphrase-stdin"]
        }
    }
}
