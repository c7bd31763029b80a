import ArgumentParser
import ChatDBKit

/// Options of a migration in either direction.
struct MigrationRunOptions: ParsableArguments {
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var undo: UndoOptions

    @OptionGroup var kept: KeepBackupsOptions

    @OptionGroup var lock: LockTimeoutOptions

    @Flag(
        help: """
            Accept applied migrations that were edited afterwards. The store records their files as they are now. If \
            no migration is pending, migrate run needs no --yes for this.
            """)
    var acceptEdited = false

    @Flag(help: "Treat warnings as errors: drift, dangling references, edited migrations.")
    var strict = false

    @Flag(help: "Do not check the free space on the disk.")
    var skipSpaceCheck = false

    func validate() throws {
        if undo.noBackup, kept.count != nil {
            throw ValidationError("--no-backup and --keep-backups cannot be used together")
        }
    }

    /// Configures a migrator.
    func apply(to migrator: inout Migrator) {
        migrator.options.backup = undo.noBackup ? .none : .folder(undo.backupDir)
        migrator.options.keepBackups = kept.count
        migrator.context.lockTimeout = lock.seconds
        migrator.options.acceptsEdited = acceptEdited
        migrator.options.isStrict = strict
        migrator.options.skipsSpaceCheck = skipSpaceCheck
    }
}

/// The options of commands that create a store. A misspelt name of a file that `--database` names would make a new
/// database beside the one that was meant, and so would `--store` with the name of a program's database. So the command
/// creates these only with the consent.
struct CreationOptions: ParsableArguments {
    @Flag(
        help: """
            Create the file that --database chat=FILE names, or a store with the name of a database file, if it does \
            not exist.
            """)
    var create = false

    @Flag(help: "Encrypt a new store. On a terminal, chatdb asks for the passphrase twice.")
    var encrypt = false

    /// The store that the command makes if none exists.
    /// - Parameters:
    ///   - isPlanned: whether the command only shows what it would do.
    ///   - name: the command.
    ///   - only: the database that it makes alone; nil for both.
    ///   - arguments: its arguments, with which it also makes an encrypted store.
    func newStore(
        isPlanned: Bool, by name: CommandName, only: DatabaseName?, _ arguments: [String] = []
    ) -> NewStore {
        NewStore(
            isPlanned: isPlanned, createsFiles: create, isEncrypted: encrypt,
            encrypting: NewStore.encrypting(name, only: only, (create ? ["--create"] : []) + arguments))
    }

    /// Configures a migrator.
    func apply(to migrator: inout Migrator) {
        migrator.options.mayCreate = create || !Self.isNeeded(for: migrator.context.location)
    }

    /// Whether a command creates the store at a location only with `--create`.
    static func isNeeded(for location: StoreLocation) -> Bool {
        location.hasNamedFiles || SimilarStores.fileOfProgram(meantBy: location.prefix) != nil
    }
}

/// A store that a command makes if none exists.
struct NewStore {
    /// Whether the command only shows what it would do.
    let isPlanned: Bool
    /// Whether the command also creates what needs `--create`.
    var createsFiles = false
    /// Whether the store is to be encrypted.
    var isEncrypted = false
    /// The command that makes an encrypted store.
    let encrypting: HintedCommand

    /// The command that makes an encrypted store, with the options that decide which files it makes.
    static func encrypting(
        _ name: CommandName, only: DatabaseName?, _ arguments: [String] = []
    ) -> HintedCommand {
        let only = only.map { ["--only", $0.rawValue] } ?? []
        return HintedCommand(name, ["--encrypt"] + only + arguments)
    }
}

/// The consent to apply migrations out of order, for commands that go up.
struct OutOfOrderOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Apply migrations that are missing before later ones, as after a merge of branches.",
            discussion: "The store notes the reason.", valueName: "reason"))
    var allowOutOfOrder: String?

    func validate() throws {
        guard let allowOutOfOrder else { return }
        guard allowOutOfOrder.contains(where: { !$0.isWhitespace }) else {
            throw ValidationError("--allow-out-of-order needs a reason, which the store notes")
        }
        // The word of the hints, which the reader replaces.
        if allowOutOfOrder == "REASON" {
            throw ValidationError("write the reason in the place of REASON: the store notes it")
        }
        // The reason is shown in one line.
        guard !allowOutOfOrder.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw ValidationError("the reason of --allow-out-of-order must be one line without control characters")
        }
    }

    /// Configures a migrator.
    func apply(to migrator: inout Migrator) {
        migrator.options.outOfOrderReason = allowOutOfOrder
    }
}
