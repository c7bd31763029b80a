import ChatDBKit

/// The remedies for databases that have lost the row of their table `store`. chatdb does not write the row again: no fact
/// in two files proves that they are of one moment. Rule: docs/checks.md, "A lost row of the table store".
enum LostStoreRowRemedy {
    /// The remedy for the finding `mismatchedPair`; nil if it has another cause.
    static func remedy(for status: StoreStatus, in context: StoreContext) -> Hint? {
        if let database = status.withoutIdentity { return ofOneOfTwo(database) }
        guard let database = status.withoutStoreRow.first, let part = status.readable[database] else { return nil }
        guard context.location.hasNamedFiles, context.location.databases.count == 1 else { return ofBoth }
        let insert = "INSERT INTO store (store_id, generation) VALUES ('ID', 1)"
        let isEncrypted = (context.engine as? SQLiteEngine)?.isEncrypted(part.path) == true
        let statement =
            isEncrypted
            ? "in the shell of SQLCipher, after PRAGMA key: \(insert)"
            : "sqlite3 \(ShellWord.quoted(part.path)) \"\(insert)\""
        return """
            The \(database) database has lost the row of its table store, by which chatdb knows it and its backups, and \
            more rows may be lost. \(.restore, "FOLDER") restores a backup from before the loss. Without one, close all \
            programs that use the database, and write a new row: \(statement). ID is the storeId of its backups, \
            which \(.backupList, "--format", "json") shows, or any other text. If the database was adopted together \
            with another one, name both files instead.
            """
    }

    private static func ofOneOfTwo(_ database: DatabaseName) -> Hint {
        """
        The \(database) database has lost the row of its table store, by which chatdb knows the two databases of a store. \
        Nothing says whether the two belong together, and more rows may be lost. \(.restore, "FOLDER") restores both from \
        a backup. Until then, no command changes the store, and \(.query, "SQL") reads its rows. If there is no backup, \
        and both files certainly belong together, docs/checks.md has the statement that copies the row of the other \
        database.
        """
    }

    private static let ofBoth: Hint = """
        Every database has lost the row of its table store, by which chatdb knows the databases of a store, and more rows \
        may be lost. \(.restore, "FOLDER") restores a backup from before the loss. Until then, no command changes the \
        store, and \(.query, "SQL") reads its rows. If there is no backup, and the files certainly belong together, \
        docs/checks.md has the statements that write the rows again.
        """
}

/// The remedy for databases of chatdb whose lists of migrations lost rows. In files, a command writes the rows again.
/// Rule: docs/migrations.md, "A list that lost rows".
enum LostListRemedy {
    /// The remedy for the finding `lostMigrations`; nil if another program made the store, or if the command refuses
    /// the files for another reason than differences of an adopted database.
    static func remedy(for found: CheckedStore) -> Hint? {
        guard found.status.kind == .chatdb else { return nil }
        if found.context.location.server != nil { return onServer }
        let parts = found.status.readable.values
        let isAdopted = parts.contains(where: \.isOfOtherMigrations)
        guard let version = found.context.versionOfBaseline else {
            let lacksTheEnd = parts.allSatisfy { !$0.applied.isEmpty && $0.outOfOrder.isEmpty }
            return isAdopted && lacksTheEnd && found.status.withoutStoreRow.isEmpty ? ofDifferingAdopted : nil
        }
        if isAdopted { return ofAdopted(version) }
        return """
            \(loss) \(.restore, "FOLDER") restores a backup from before the loss. Without one, \
            \(.migrateBaseline, "--to", version) makes a backup and writes the rows again, because the schema of each \
            database is exactly that of this version. Until then, commands that change a store refuse this one, and \
            \(.query, "SQL") still reads its rows.
            """
    }

    /// The program of an adopted database may change the schema itself, and nothing is lost then.
    private static func ofAdopted(_ version: String) -> Hint {
        """
        The schema is already that of \(version), and the table migrations lacks rows: somebody changed the schema by \
        hand, or rows of this table were lost. Do not migrate the database until it has them. \
        \(.migrateBaseline, "--to", version) makes a backup and writes them. If rows of other tables are lost too, \
        \(.restore, "FOLDER") restores a backup from before the loss.
        """
    }

    /// A restore would lose the rows of a change that was made by hand, so it comes last.
    private static let ofDifferingAdopted: Hint = """
        The schema is newer than the table migrations: somebody changed the schema by hand, or this table lost rows. Do \
        not migrate the database until it has them. If a pending migration was written for a change by hand, let its \
        file make exactly what the database has, which \(.schemaDiff) shows; \(.migrateBaseline, "--to", "NAME") then \
        writes the migration to the list, and keeps the data. If the table lost rows, \(.restore, "FOLDER") restores a \
        backup from before the loss, and loses what was written since.
        """

    private static let onServer: Hint = """
        \(loss) docs/postgresql.md has the command that restores a backup from before the loss. Without one, commands \
        that change a store refuse this one. chatdb writes the rows again only in files; docs/migrations.md says how \
        to write them with psql.
        """

    private static let loss = """
        The schema is newer than the table migrations: this table lost rows, or somebody changed the schema by hand. Do \
        not migrate the database, and do not start an app with it: migrations would be applied a second time.
        """
}
