import ArgumentParser

/// The option of commands that make a backup, and then may remove older ones.
struct KeepBackupsOptions: ParsableArguments {
    @Option(
        name: .customLong("keep-backups"),
        help: ArgumentHelp("Keep only this many backups of the store, including the new one.", valueName: "n"))
    var count: Int?

    func validate() throws {
        if let count, count < 1 { throw ValidationError("--keep-backups must be at least 1") }
    }
}
