import ArgumentParser
import ChatDBKit

/// Options of a migration in either direction.
struct MigrationRunOptions: ParsableArguments {
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var undo: UndoOptions

    @OptionGroup var kept: KeepBackupsOptions

    @OptionGroup var lock: LockTimeoutOptions

    @Flag(help: "Accept applied migrations that were edited afterwards. The store records their files as they are now.")
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
