import ArgumentParser
import ChatDBKit

/// Options of a migration in either direction.
struct MigrationRunOptions: ParsableArguments {
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var undo: UndoOptions

    @Option(help: ArgumentHelp("Keep only this many backups of the store, including the new one.", valueName: "n"))
    var keepBackups: Int?

    @Option(help: ArgumentHelp("How long to wait for other programs, in seconds.", valueName: "seconds"))
    var lockTimeout: Double = 5

    @Flag(help: "Continue even if applied migrations were edited afterwards.")
    var acceptEdited = false

    @Flag(help: "Treat warnings as errors: drift, dangling references, edited migrations.")
    var strict = false

    @Flag(help: "Do not check the free space on the disk.")
    var skipSpaceCheck = false

    func validate() throws {
        if undo.noBackup, keepBackups != nil {
            throw ValidationError("--no-backup and --keep-backups cannot be used together")
        }
        if let keepBackups, keepBackups < 1 { throw ValidationError("--keep-backups must be at least 1") }
        guard lockTimeout >= 0, lockTimeout <= 86_400 else {
            throw ValidationError("--lock-timeout must be between 0 and 86400 seconds")
        }
    }

    /// Configures a migrator.
    func apply(to migrator: inout Migrator) {
        migrator.options.backup = undo.noBackup ? .none : .folder(undo.backupDir)
        migrator.options.keepBackups = keepBackups
        migrator.context.lockTimeout = lockTimeout
        migrator.options.acceptsEdited = acceptEdited
        migrator.options.isStrict = strict
        migrator.options.skipsSpaceCheck = skipSpaceCheck
    }
}
