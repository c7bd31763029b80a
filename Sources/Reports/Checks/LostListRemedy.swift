import ChatDBKit

/// The remedy for databases of chatdb whose lists of migrations lost rows, with the command that writes the rows again.
/// Rule: docs/migrations.md, "A list that lost rows".
enum LostListRemedy {
    /// The remedy for the finding `lostMigrations`; nil if the command refuses the store, or another program made it.
    static func remedy(for found: CheckedStore) -> Hint? {
        guard found.status.kind == .chatdb, let version = found.context.versionOfBaseline else { return nil }
        return """
            The database lost rows of its table migrations. Do not migrate it, and do not start an app with it: \
            migrations would be applied a second time. \(.restore, "FOLDER") restores a backup from before the loss. \
            Without one, \(.migrateBaseline, "--to", version) makes a backup and writes the rows again, because the \
            schema of each database is exactly that of this version. Until then, commands that change a store refuse this one, and \
            \(.query, "SQL") still reads its rows.
            """
    }
}
