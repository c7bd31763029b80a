import ArgumentParser
import ChatDBKit

struct BackupCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Make, list, verify and prune backups of a store.",
        discussion: """
            The word make may be left out.

            Examples:
              chatdb backup make
              chatdb backup list
              chatdb backup verify
              chatdb backup prune --keep 7
            """,
        subcommands: [BackupMake.self, BackupList.self, BackupVerify.self, BackupPrune.self],
        defaultSubcommand: BackupMake.self)
}

/// The folder in which backups are looked for.
struct BackupsOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The folder of the backups.", discussion: "Default: <store>.backups, beside the store.", valueName: "dir"),
        completion: .directory)
    var dir: String?

    @OptionGroup var store: StoreOptions

    func validate() throws {
        if dir?.isEmpty == true { throw ValidationError("the name of the backup folder is empty") }
    }

    /// The store, whose id the backups have.
    /// - Parameter engine: the engine that opens it; nil for that with its passphrase.
    func context(_ engine: SQLiteEngine? = nil) throws -> StoreContext {
        let location = try store.location()
        var context = StoreContext(
            engine: try engine ?? store.fileEngine(), location: location, build: try MigrationSource.build.load())
        context.cancellation = Signals.cancellation
        return context
    }

    /// The folder, and the backups in it. A folder that was named has to exist.
    func backups(of location: StoreLocation) throws -> (folder: String, found: [FoundBackup]) {
        let folder = dir.map(RestoreCommandLine.absolute) ?? location.backupsPath
        if dir != nil, FileState(at: folder) == .missing {
            try store.refuseHalfOfPair()
            throw RestoreError.notThere(folder)
        }
        return (folder, try FoundBackup.all(in: folder))
    }
}

extension StoreOptions {
    /// Refuses one file of an adopted pair, before the error that a folder of backups does not exist: the backups may be
    /// beside the other file, and one file alone cannot be backed up. Asks for no passphrase.
    func refuseHalfOfPair() throws {
        let engine = try passphrase.isGiven ? engineOfList(and: []) : engineWithoutPassphrase()
        try StoreContext(engine: engine, location: try location(), build: [:]).refuseHalfOfPair()
    }
}

extension StoreLocation {
    /// Refuses a store of which nothing exists, so that its path may be a mistyped one: neither a database, nor the
    /// folder of its backups, nor the record of an interrupted restore.
    func requireStoreOrBackups() throws {
        guard isAbsent, FileState(at: backupsPath) == .missing, (try? RestoreRecord.refuse(at: self)) != nil
        else { return }
        throw HintedError(
            MigrationError.absent(self),
            hint: ReplacedStore.hintOfCopies(of: self)
                ?? SimilarStores.suggestion(ofMissing: self).map(Hint.init(text:)))
    }
}
