import ArgumentParser
import ChatDBKit
import Foundation

/// The passphrase of an encrypted store: from a file, from standard input, or typed on the terminal; never from an
/// argument or the value of a variable, which other programs can see. Rule: docs/encryption.md, "Passphrases".
struct PassphraseOptions: ParsableArguments {
    static let variable = "CHATDB_PASSPHRASE_FILE"

    @Option(
        help: ArgumentHelp(
            "Read the passphrase of an encrypted store from this file (default: the file that \(variable) names).",
            valueName: "file"),
        completion: .file())
    var passphraseFile: String?

    @Flag(help: "Read the passphrase of an encrypted store from standard input, one line.")
    var passphraseStdin = false

    func validate() throws {
        if passphraseFile?.isEmpty == true { throw ValidationError("the name of the passphrase file is empty") }
        if passphraseFile != nil, passphraseStdin {
            throw ValidationError("--passphrase-file and --passphrase-stdin cannot be used together")
        }
    }

    /// The option given, for commands in notes.
    var repeated: GivenPassphrase? { passphraseStdin ? .standardInput : passphraseFile.map(GivenPassphrase.file) }

    /// The file from which the command line or the environment gives the passphrase; nil without one.
    var file: String? {
        passphraseStdin ? nil : passphraseFile ?? ProcessEnvironment.variables[Self.variable]
    }

    /// What a hint calls the place from which the command line or the environment gives the passphrase.
    var source: String { file ?? "the line on standard input" }

    /// Far more than the length of a passphrase.
    private static let mostBytes = 4096

    /// The passphrase that the command line gives; nil if it gives none.
    func given() throws -> Passphrase? {
        if passphraseStdin { return try piped() }
        return try passphraseFile.map(read)
    }

    /// Whether the environment names a file with a passphrase.
    static var isInEnvironment: Bool { ProcessEnvironment.variables[variable]?.isEmpty == false }

    /// Whether the command line or the environment gives a passphrase, so that chatdb asks for none.
    var isGiven: Bool { repeated != nil || Self.isInEnvironment }

    /// The passphrase in the file that the environment names; nil if it names none.
    func fromEnvironment() throws -> Passphrase? {
        guard let file = ProcessEnvironment.variables[Self.variable], !file.isEmpty else { return nil }
        return try read(file)
    }

    /// Warns if the environment names a passphrase, for a new store that does not get it.
    func warnOfPlainStore() {
        guard Self.isInEnvironment else { return }
        Self.warn(
            "\(Self.variable) names a passphrase, and the new store is not encrypted; --encrypt makes an encrypted one")
    }

    /// Says that the passphrase of the command line opens nothing, because no database is encrypted: people who give
    /// one believe that theirs is.
    func noteUnused() {
        Self.warn("the passphrase is not used, because no database that this command opens is encrypted")
    }

    static func warn(_ text: String) {
        Output.forErrors(arguments: CommandLine.arguments, environment: ProcessEnvironment.variables).warn(text)
    }

    /// The passphrase typed on the terminal; nil without a terminal.
    /// - Parameter note: what the question says behind the name.
    func typed(for name: String, note: String = "") throws -> Passphrase? {
        guard isatty(STDIN_FILENO) == 1 else { return nil }
        do {
            let line = try PasswordInput.typed("Passphrase of \(TextEscaping.line(name))\(note)")
            return try checked(Array(line.utf8))
        } catch PasswordError.nothingTyped {
            throw PassphraseError.notTyped(name)
        }
    }

    /// The passphrase of a new store, from the command line or from the environment; nil if neither gives one.
    func givenForNew() throws -> Passphrase? {
        guard let passphrase = try given() ?? fromEnvironment() else { return nil }
        return try NewPassphraseOptions.checked(passphrase, of: source)
    }

    /// The passphrase of a new store, typed twice on the terminal. Throws `passphraseNeeded` without a terminal.
    func typedForNew(_ name: String) throws -> Passphrase {
        try NewPassphraseOptions.typed(for: name, orBy: "--passphrase")
    }

    private func read(_ file: String) throws -> Passphrase {
        var info = stat()
        if stat(file, &info) == 0, info.st_mode & S_IFMT == S_IFREG, info.st_mode & 0o044 != 0 {
            Self.warn("other users can read the passphrase in \(file); protect it: chmod 600 \(ShellWord.quoted(file))")
        }
        // `-` is a name here: --passphrase-stdin reads standard input.
        let bytes = try InputFile.read(file == "-" ? "./-" : file, upTo: Self.mostBytes)
        do {
            return try checked(bytes)
        } catch {
            guard error == .empty else { throw error }
            throw HintedError(
                error, message: "the passphrase in \(file) is empty, and an empty one encrypts nothing", hint: nil)
        }
    }

    private func piped() throws -> Passphrase {
        if isatty(STDIN_FILENO) == 1 { throw PassphraseError.notPiped }
        return try checked(InputFile.firstLine(upTo: Self.mostBytes))
    }

    private func checked(_ given: [UInt8]) throws(PassphraseError) -> Passphrase {
        var bytes = given
        defer { for index in bytes.indices { bytes[index] = 0 } }
        if bytes.count > Self.mostBytes { throw .tooLong(Self.mostBytes) }
        let passphrase = Passphrase(bytes)
        if passphrase.isEmpty { throw .empty }
        return passphrase
    }
}

/// The passphrase of a second store, with which a command compares its own.
struct OtherPassphraseOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Read the passphrase of the other store from this file (default: chatdb tries the same passphrase).",
            valueName: "file"),
        completion: .file())
    var otherPassphraseFile: String?

    func validate() throws {
        if otherPassphraseFile?.isEmpty == true { throw ValidationError("the name of the passphrase file is empty") }
    }

    /// Throws if there is no other store.
    /// - Parameter option: the option that names it.
    func require(_ other: String?, _ option: String) throws {
        if otherPassphraseFile != nil, other == nil {
            throw ValidationError("--other-passphrase-file requires \(option)")
        }
    }

    /// The options of the other store, if it has a passphrase of its own.
    func passphrase() throws -> PassphraseOptions? {
        try otherPassphraseFile.map { try PassphraseOptions.parse(["--passphrase-file=\($0)"]) }
    }
}

/// The passphrase is invalid, or was not given.
enum PassphraseError: Reportable, Equatable {
    case empty
    /// It has more than this number of bytes.
    case tooLong(Int)
    /// `--passphrase-stdin`, and standard input is a terminal.
    case notPiped
    /// The terminal was closed at the question for the passphrase of this store.
    case notTyped(String)
    /// A passphrase was given for a store that does not exist, and not that it is to be encrypted.
    case ofNoStore(String, encrypting: HintedCommand)
    /// A store that exists is to be made encrypted.
    case ofPlainStore(String)
    /// A store on a server is to be made encrypted.
    case onServer(ServerStore)

    var report: ErrorReport {
        switch self {
        case .empty:
            ErrorReport(
                "invalidPassphrase", "the passphrase is empty, and an empty one encrypts nothing",
                state: "Nothing was done.", exit: .invalidData)
        case .tooLong(let most):
            ErrorReport(
                "invalidPassphrase", "the passphrase is too long; expected at most \(most) bytes",
                state: "Nothing was done.", exit: .invalidData)
        case .notPiped:
            ErrorReport(
                "usage", "--passphrase-stdin takes the passphrase from a program or a file, not from a terminal",
                state: "Nothing was done.", hint: "without that option, chatdb asks for the passphrase", exit: .usage)
        case .notTyped(let name):
            ErrorReport(
                "encrypted", "\(name) is encrypted, and no passphrase was typed", state: "Nothing was done.",
                exit: .usage)
        case .ofNoStore(let store, let command):
            ErrorReport(
                "usage", "there is no store at \(store), and without --encrypt chatdb makes one that is not encrypted",
                state: "Nothing was done.",
                hint: "\(command) makes an encrypted store; without a passphrase, the store is plain",
                exit: .usage)
        case .ofPlainStore(let store):
            ErrorReport(
                "usage", "--encrypt is for a new store, and the store at \(store) exists and is not encrypted",
                state: "Nothing was done.", hint: "leave --encrypt out, or name another place with --store",
                exit: .usage)
        case .onServer(let server):
            ErrorReport(
                "usage", "--encrypt is for a store of files, and \(server) is on a server", state: "Nothing was done.",
                hint: "leave --encrypt out, or name the prefix of new files with --store", exit: .usage)
        }
    }
}
