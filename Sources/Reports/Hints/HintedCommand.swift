package import ChatDBKit
import Foundation

/// A command of chatdb with arguments, which can be typed as shown.
package struct HintedCommand: Sendable, Hashable {
    /// The command.
    package let name: CommandName
    /// Its arguments and options: `id:3`, or a word such as `FOLDER` that the reader replaces.
    package let arguments: [String]
    private let passphrase: PassphraseUse
    /// Whether the command needs both databases, also if the command line names one of them with `--only`.
    private let needsBoth: Bool

    package init(
        _ name: CommandName, _ arguments: [String] = [], passphrase: PassphraseUse = .repeated, needsBoth: Bool = false
    ) {
        self.name = name
        self.arguments = arguments
        self.passphrase = passphrase
        self.needsBoth = needsBoth
    }

    /// The same command with other arguments.
    package func with(arguments: [String]) -> HintedCommand {
        HintedCommand(name, arguments, passphrase: passphrase, needsBoth: needsBoth)
    }

    /// The same command, for both databases.
    package var ofBoth: HintedCommand {
        HintedCommand(name, arguments, passphrase: passphrase, needsBoth: true)
    }

    /// The passphrase of a command that takes one.
    package enum PassphraseUse: Sendable, Hashable {
        /// The one that was given, if one was.
        case repeated
        /// The one that was given; without one, the word `FILE`: the command reads encrypted files.
        case needed
        /// None: the command reads plain files.
        case omitted
    }

    /// The option for the folder of a store's migrations, with a word that the reader replaces. It gives way to the folder
    /// that the command line names.
    package static let unnamedFolder = ["--migrations-dir", "DIR"]

    /// The command that adopts a database of another program.
    package static let adopting = HintedCommand(.migrateBaseline, ["--to", "NAME"])

    /// The command line, with those of the given options that the command takes and its arguments do not name. An
    /// adoption without a folder of migrations gets a word for it that the reader replaces, and a dump that needs a store
    /// one for the store. Lost rows of lists of chatdb's own migrations need no folder. A change of two passphrases gets
    /// a word for the file of the new one, and a command on encrypted files one for theirs.
    package func text(_ given: GivenOptions = .none) -> String {
        let arguments = arguments(given)
        let added = GivenOptions.Name.allCases.flatMap { option -> [String] in
            guard name.takes.contains(option), !option.spellings.contains(where: arguments.contains) else { return [] }
            // A plain store, which is to get a new passphrase, has none.
            let isPlain = passphrase == .omitted || name == .passphraseSet && namesNewPassphrase
            if option == .passphrase, isPlain { return [] }
            // The given profile is one of the given store, and not of another one that the command names.
            let namesStore = GivenOptions.Name.store.spellings.contains(where: arguments.contains)
            if option == .user, namesStore { return [] }
            // `--only` is about the given store too: another one, as a new one, needs both databases.
            if option == .only, namesStore || isOfBoth(given) { return [] }
            // With a folder of migrations, it writes their schema, not that of the store.
            if option == .migrationsDir, name == .schemaDump { return [] }
            // A help reads no store.
            if arguments.contains("--help") { return [] }
            // With the path of a store that does not exist, it makes one, and takes a passphrase only with --encrypt.
            if option == .passphrase, name == .migrateRun, arguments.contains("-d"), given.passphrase != nil,
                !given.encrypts
            {
                return ["--encrypt"] + given.words(for: option)
            }
            return given.words(for: option)
        }
        let isAdoption =
            name == .migrateBaseline && arguments.contains("--to")
            && !arguments.contains(where: MigrationSource.ownNames.contains)
        let folder = isAdoption && given.migrationsDir == nil ? Self.unnamedFolder : []
        let present = lacksPassphrase(given) ? ["--passphrase-file", "FILE"] : []
        let isUnnamed = name == .schemaDump && given.migrationsDir != nil && given.words(for: .store).isEmpty
        let store = isUnnamed ? ["-d", "STORE"] : []
        let needed = folder + store + present + (lacksNewPassphrase(given) ? ["--new-passphrase-file", "NEW"] : [])
        return (name.words + (arguments + needed + added).map(ShellWord.quoted)).joined(separator: " ")
    }

    /// The arguments, without the word for a folder if the command line names the folder.
    private func arguments(_ given: GivenOptions) -> [String] {
        guard given.migrationsDir != nil, let place = arguments.firstRange(of: Self.unnamedFolder) else {
            return arguments
        }
        return Array(arguments[..<place.lowerBound] + arguments[place.upperBound...])
    }

    /// Whether the command works on both databases. A pair is adopted together, and a salvage copies what it can.
    private func isOfBoth(_ given: GivenOptions) -> Bool {
        needsBoth || name == .salvage || name == .migrateBaseline && given.files.count > 1
    }

    private func lacksPassphrase(_ given: GivenOptions) -> Bool {
        passphrase == .needed && given.words(for: .passphrase).isEmpty
            && !GivenOptions.Name.passphrase.spellings.contains(where: arguments.contains)
    }

    private var namesNewPassphrase: Bool {
        GivenOptions.Name.newPassphrase.spellings.contains(where: arguments.contains)
    }

    /// Whether the command gives both databases one passphrase, and the command line does not say which. A script has no
    /// terminal on which chatdb could ask for it.
    private func lacksNewPassphrase(_ given: GivenOptions) -> Bool {
        name == .passphraseChange && arguments.contains("--other-passphrase-file") && !namesNewPassphrase
            && given.words(for: .newPassphrase).isEmpty
    }
}

extension Note {
    /// A note with commands. On a terminal, each has a line of its own if the note needs several.
    package static func note(_ hint: Hint, _ given: GivenOptions) -> Note { Note(.note, hint, given) }

    /// A warning with commands.
    package static func warning(_ hint: Hint, _ given: GivenOptions) -> Note { Note(.warning, hint, given) }

    private init(_ kind: Kind, _ hint: Hint, _ given: GivenOptions) {
        self.init(kind: kind, text: hint.text(given), commands: hint.commands.map { $0.text(given) })
    }
}

/// The options of a command line for store, profile and migrations, for the commands in hints and notes: typed as
/// shown, they work on the same data and on no other database, and accept what the command line accepts. A command with
/// `--password-stdin` needs the password on standard input again, because without it the hidden profile does not exist.
package struct GivenOptions: Sendable, Equatable {
    package var store: String?
    /// The named files of adopted databases: `chat=FILE`.
    package var files: [String] = []
    package var passphrase: GivenPassphrase?
    /// The file with the passphrase of the other database.
    package var otherPassphrase: GivenPassphrase?
    /// The passphrase that the store is to have.
    package var newPassphrase: GivenPassphrase?
    package var user: String?
    package var migrationsDir: String?
    /// The only database that the command line uses; nil for both.
    package var only: DatabaseName?
    package var showsHidden = false
    /// Whether a password on standard input selected the profile.
    package var takesPassword = false
    /// Whether edited migrations are accepted.
    package var acceptsEdited = false
    /// Why migrations may be applied out of order; nil if they may not.
    package var outOfOrderReason: String?
    /// Whether a new store is encrypted.
    package var encrypts = false

    package init(
        store: String? = nil, files: [String] = [], passphrase: GivenPassphrase? = nil, user: String? = nil,
        migrationsDir: String? = nil, only: DatabaseName? = nil, showsHidden: Bool = false, takesPassword: Bool = false
    ) {
        self.store = store
        self.files = files
        self.passphrase = passphrase
        self.user = user
        self.migrationsDir = migrationsDir
        self.only = only
        self.showsHidden = showsHidden
        self.takesPassword = takesPassword
    }

    /// No options.
    package static let none = GivenOptions()

    /// A hint, with these options in its commands.
    package func text(_ hint: Hint) -> String { hint.text(self) }

    /// With the full stop of a sentence, `.` would name the parent folder, so such a path is repeated as an absolute one.
    private var storeWords: [String] {
        guard let store else { return [] }
        return ["-d", store.hasSuffix(".") ? URL(fileURLWithPath: store).standardizedFileURL.path : store]
    }

    /// The words that repeat an option; empty if it was not given.
    package func words(for name: Name) -> [String] {
        switch name {
        case .store: files.isEmpty ? storeWords : files.flatMap { ["--database", $0] }
        case .passphrase: passphrase?.words() ?? []
        case .otherPassphrase: otherPassphrase?.words("--other-passphrase") ?? []
        case .newPassphrase: newPassphrase?.words("--new-passphrase") ?? []
        case .user: user.map { ["-u", $0] } ?? []
        case .migrationsDir: migrationsDir.map { ["--migrations-dir", $0] } ?? []
        case .only: only.map { ["--only", $0.rawValue] } ?? []
        case .showHidden: showsHidden ? ["--show-hidden"] : []
        case .passwordStdin: takesPassword ? ["--password-stdin"] : []
        case .acceptEdited: acceptsEdited ? ["--accept-edited"] : []
        case .allowOutOfOrder: outOfOrderReason.map { ["--allow-out-of-order", $0] } ?? []
        case .encrypt: encrypts ? ["--encrypt"] : []
        }
    }
}

/// The option by which a command line gives the passphrase of an encrypted store. The variable for the file needs no
/// repetition.
package enum GivenPassphrase: Sendable, Equatable {
    case file(String)
    case standardInput

    /// The words that repeat it; empty for a descriptor of the process, as of `<(pass show x)`, which no other process
    /// can read.
    /// - Parameter option: the beginning of the option.
    package func words(_ option: String = "--passphrase") -> [String] {
        switch self {
        case .file(let path): path.hasPrefix("/dev/fd/") || path.hasPrefix("/proc/") ? [] : ["\(option)-file", path]
        case .standardInput: ["\(option)-stdin"]
        }
    }
}

extension GivenOptions {
    /// The options, in the order of repetition.
    package enum Name: Sendable, Hashable, CaseIterable {
        case store
        case passphrase
        case otherPassphrase
        case newPassphrase
        case user
        case migrationsDir
        case only
        case showHidden
        case passwordStdin
        case acceptEdited
        case allowOutOfOrder
        case encrypt

        /// Their spellings on a command line.
        package var spellings: [String] {
            switch self {
            case .store: ["-d", "--store", "--database"]
            case .passphrase: ["--passphrase-stdin", "--passphrase-file"]
            case .otherPassphrase: ["--other-passphrase-file"]
            case .newPassphrase: ["--new-passphrase-stdin", "--new-passphrase-file"]
            case .user: ["-u", "--user"]
            case .migrationsDir: ["--migrations-dir"]
            case .only: ["--only"]
            case .showHidden: ["--show-hidden"]
            case .passwordStdin: ["--password-stdin"]
            case .acceptEdited: ["--accept-edited"]
            case .allowOutOfOrder: ["--allow-out-of-order"]
            case .encrypt: ["--encrypt"]
            }
        }
    }
}
