package import ChatDBKit

/// Views that show databases of other versions as this build's.
package enum VersionPlans {
    /// For both databases. The tables of this build are those of its files, for a store on a server too: their columns are
    /// the same, and a role that only reads cannot make them there.
    package static func all(_ context: StoreContext) throws -> [DatabaseName: ViewPlan] {
        var plans: [DatabaseName: ViewPlan] = [:]
        for database in try migrations(context).keys { plans[database] = try plan(of: database, context) }
        return plans
    }

    /// For one database; nil if the build has no migrations for it.
    static func plan(of database: DatabaseName, _ context: StoreContext) throws -> ViewPlan? {
        guard let migrations = try migrations(context)[database] else { return nil }
        return VersionViews.plan(
            of: database, as: try SchemaText.structure(of: migrations, engine: SQLiteEngine()))
    }

    private static func migrations(_ context: StoreContext) throws -> [DatabaseName: [Migration]] {
        context.location.server == nil ? context.build : try MigrationSource.build.load()
    }
}

extension FoundDatabase.Kind {
    /// The program's name.
    package var program: String {
        switch self {
        case .chatdb: "chatdb"
        case .simplex: "SimpleX Chat"
        case .unknown: "unknown"
        }
    }
}

extension FoundDatabase {
    /// Whether this build knows the meaning of its tables: chatdb's, or SimpleX Chat's database of the same name.
    package func isReadable(as name: DatabaseName) -> Bool {
        switch kind {
        case .chatdb: !isOfOtherMigrations
        case .simplex: database == nil || database == name
        case .unknown: false
        }
    }

    /// Whether this build's queries can read it as it is. A newer version is tried.
    package var isAsThisBuild: Bool { kind == .chatdb && !isOfOtherMigrations && pending.isEmpty }
}

extension StoreContext {
    /// Opens a database of another version so that this build's queries can read it.
    package func openAsThisBuild(_ name: DatabaseName) throws -> any StorageConnection {
        let path = location.path(of: name)
        guard let plan = try VersionPlans.plan(of: name, self) else { return try engine.open(path, as: .untrusted) }
        return try engine.open(path, through: plan)
    }
}

extension Hint {
    /// What to do about the empty file of an applied migration. A store has the down SQL of its migrations alone.
    package static let ofEmptiedMigration: Hint = """
        restore the text of the file from the place where you keep the migrations, because the store does not have this \
        SQL; if you have no copy, write the statements again from what \(.schemaDump) shows, leave out what later \
        migrations add, and accept the file with \(.migrateRun, "--accept-edited")
        """

    /// What to do about a database that has none of the tables that its migrations create.
    package static let ofOtherTables: Hint = """
        name the folder with the migrations of this database with --migrations-dir; if this is the folder, restore the \
        files as they were
        """

    /// What to do about edited files by which the schema fits a later version better.
    package static let ofEditedVersion: Hint = """
        restore the files as they were; \(.check) then says whether the list of migrations lost rows
        """

    /// What to do about files that were edited after the database applied them.
    /// - Parameters:
    ///   - isOne: whether it is one file.
    ///   - database: the database that applied them; nil if both did.
    ///   - accepting: the command that accepts them.
    package static func ofEditedFiles(
        isOne: Bool, in database: DatabaseName?,
        accepting: HintedCommand = HintedCommand(.migrateRun, ["--accept-edited"])
    ) -> Hint {
        """
        chatdb does not apply \(isOne ? "it" : "them") again: to change the schema, restore \
        \(isOne ? "the file as it was" : "the files as they were"), and write another migration: \
        \(.migrateNew, "WORDS", "--only", database?.rawValue ?? "DATABASE"); \(.schemaDiff) shows whether the database \
        lacks what the edit changed; if the database is as it should be: \(accepting)
        """
    }

    /// What to do about a schema that differs from that of its version, if edits of applied migrations can explain it;
    /// nil for a database without edits.
    package static func ofExplainedDifferences(of part: FoundDatabase) -> Hint? {
        let edited = part.explainingEdits
        guard let first = edited.first else { return nil }
        let names = edited.count == 1 ? first : "\(first) and \(edited.count - 1) more"
        // After an accepted edit, the restored text differs from the one that the store knows.
        let isAccepted = part.applied.contains(where: \.isAcceptedEdit)
        let last: Hint = isAccepted ? ". Then accept the restored text: \(.migrateRun, "--accept-edited")" : ""
        return """
            \(.schemaDiff) shows the differences. The edit of \(names) explains them if they are what it changed: the \
            database has the schema of the text from before the edit. Restore that text, and put the change into \
            another migration: \(.migrateNew, "WORDS", "--only", part.name.rawValue)\(last)
            """
    }

    /// What to do about migrations that are not applied, although a later one is. The files of a migration that another
    /// store has applied keep their names.
    /// - Parameters:
    ///   - isOne: whether it is one migration.
    ///   - last: the last applied migration.
    ///   - isBuild: whether a build has the migrations, and no folder was named.
    package static func ofOutOfOrder(isOne: Bool, after last: String, isBuild: Bool = false) -> Hint {
        let date = isOne ? "give it a date" : "give them dates"
        let own = "no other store has applied \(isOne ? "it" : "them")"
        let later =
            isBuild
            ? "Use a build without \(isOne ? "it" : "them") or, if \(own), \(date)"
            : "If \(own), rename \(isOne ? "its" : "their") files to \(date)"
        return """
            \(later) after \(last). If one has, as after a merge of branches, apply \
            \(isOne ? "it as it is" : "them as they are"): \(.migrateUp, "--allow-out-of-order", "REASON")
            """
    }

    /// What to do about a database whose list of migrations lost rows; `check` says the same.
    package static func lostMigrations(of database: DatabaseName) -> Hint {
        """
        the schema of the \(database) database is newer than its list of migrations, which lost rows, or somebody \
        changed the schema by hand: do not migrate it; \(.check) shows more
        """
    }

    /// What to do about a database that has lost its row of `store`; `check` says the same.
    package static func lostStoreRow(of database: DatabaseName) -> Hint {
        """
        the \(database) database has lost the row of its table store, so commands that change a store refuse it; \
        \(.check) shows more
        """
    }
}

extension Dictionary where Key == DatabaseName, Value == EditedNames {
    /// The database that applied migrations whose files were edited later; nil if no database did, or both did.
    package var onlyEdited: DatabaseName? {
        let edited = filter { !$0.value.others.isEmpty }
        return edited.count == 1 ? edited.keys.first : nil
    }
}

extension MigrationError {
    /// What to do about edited files that no run accepts; nil for other errors.
    package var hintOfEdits: Hint? {
        switch self {
        case .otherTables: .ofOtherTables
        case .editedVersion: .ofEditedVersion
        default: nil
        }
    }
}
