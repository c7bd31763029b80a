import ArgumentParser
import ChatDBKit

/// How a migration goes about it, whichever its direction.
struct MigrationRunOptions: ParsableArguments {
    @Flag(help: "Show what would be done, and do nothing.")
    var dryRun = false

    @Option(
        help: ArgumentHelp(
            "Put the backup into this folder instead of <store>.backups beside the store.", valueName: "dir"),
        completion: .directory)
    var backupDir: String?

    @Flag(help: "Make no backup.")
    var noBackup = false

    @Option(help: ArgumentHelp("Keep only so many backups of this store, the new one among them.", valueName: "n"))
    var keepBackups: Int?

    @Option(help: ArgumentHelp("How long to wait for other programs.", valueName: "seconds"))
    var lockTimeout: Double = 5

    @Flag(help: "Go on although applied migrations were edited afterwards.")
    var acceptEdited = false

    @Flag(help: "Refuse what is otherwise a warning: drift, rows that refer to nothing, edited migrations.")
    var strict = false

    @Flag(help: "Do not ask whether there is room on the disk.")
    var skipSpaceCheck = false

    @Flag(help: "Answer y to every question, but never to going down with run.")
    var yes = false

    func validate() throws {
        if backupDir?.isEmpty == true { throw ValidationError("the folder of the backup has an empty name") }
        if noBackup, backupDir != nil { throw ValidationError("--no-backup and --backup-dir cannot be used together") }
        if noBackup, keepBackups != nil { throw ValidationError("--no-backup and --keep-backups cannot be used together") }
        if let keepBackups, keepBackups < 1 { throw ValidationError("--keep-backups must be at least 1") }
        guard lockTimeout >= 0, lockTimeout <= 86_400 else {
            throw ValidationError("--lock-timeout must be between 0 and 86400 seconds")
        }
    }

    /// Sets a migrator up.
    func apply(to migrator: inout Migrator) {
        migrator.options.backup = noBackup ? .none : .folder(backupDir)
        migrator.options.keepBackups = keepBackups
        migrator.context.lockTimeout = lockTimeout
        migrator.options.acceptsEdited = acceptEdited
        migrator.options.isStrict = strict
        migrator.options.skipsSpaceCheck = skipSpaceCheck
    }
}
