import ChatDBKit

// The hints for a statement that fails because the schema is not that of the version.
extension MigrationHint {
    /// The hint for a statement that failed, if an edited file or another program may be the cause; nil otherwise.
    static func otherSchema(
        _ reportable: any Reportable, _ failed: FailedStatement, _ migrator: Migrator
    ) -> HintedError? {
        earlierEdit(reportable, failed, migrator) ?? drift(reportable, failed, migrator)
    }

    /// The hint for triggers or views that differ from those of the version, if the edit of an applied migration may be the
    /// cause. The database's own migrations made them then, so nobody should drop them. It is nil for other databases.
    static func editedTrigger(
        _ reportable: any Reportable, _ database: DatabaseName, _ migrator: Migrator
    ) -> HintedError? {
        guard migrator.context.isOfFolder, let part = (try? migrator.context.status())?.readable[database] else {
            return nil
        }
        return Hint.ofExplainedDifferences(of: part).map {
            HintedError(
                reportable,
                hint: "\($0). Otherwise another program changed the schema: drop nothing that a migration creates")
        }
    }

    /// The hint for an applied migration that fails after an edited one, which may make the same already. It is nil for
    /// any other migration.
    private static func earlierEdit(
        _ reportable: any Reportable, _ failed: FailedStatement, _ migrator: Migrator
    ) -> HintedError? {
        guard failed.direction == .up, let part = (try? migrator.context.status())?.readable[failed.database],
            part.applied.contains(where: { $0.name == failed.migration })
        else { return nil }
        let earlier = Set(part.explainingEdits).filter { $0 < failed.migration }.sorted()
        guard !earlier.isEmpty else { return nil }
        return HintedError(
            reportable,
            hint: """
                correct the file of \(failed.migration), or an earlier file that was edited \
                (\(earlier.joined(separator: ", "))), if that one makes the same already
                """)
    }

    /// The hint for a statement that failed in a database with drift, which may be the cause. It is nil for a database
    /// without drift.
    private static func drift(
        _ reportable: any Reportable, _ failed: FailedStatement, _ migrator: Migrator
    ) -> HintedError? {
        let database = failed.database
        // A database that is not adopted has no version from which it could differ.
        guard let status = try? migrator.context.status(), status.kind == .chatdb,
            let drift = try? migrator.context.drift(of: database), !drift.isEmpty
        else { return nil }
        let edits = status.readable[database]?.explainingEdits ?? []
        if !edits.isEmpty {
            return HintedError(
                reportable,
                hint: """
                    correct the file of the migration, if the fault is there; the schema of the \(database) database \
                    also differs from that of its version, which may be the cause: \(.schemaDiff) shows how. The edit of \
                    \(edits.joined(separator: ", ")) explains that if the differences are what it changed: restore the \
                    text from before the edit, and accept it: \(.migrateRun, "--accept-edited")
                    """)
        }
        if migrator.context.hasOwnMigrations {
            return HintedError(
                reportable,
                hint: """
                    the schema of the \(database) database differs from that of its version, which may be the cause: \
                    \(.schemaDiff) shows how; if it is, make a backup with \(.backupMake), and undo the change of the \
                    schema
                    """)
        }
        return HintedError(
            reportable,
            hint: """
                correct the file of the migration, if the fault is there; the schema of the \(database) database also \
                differs from that of its version, which may be the cause: \(.schemaDiff) shows how. If the schema is to \
                have what was added, let the migration add the same; then \(.migrateBaseline, "--to", failed.migration) \
                writes the migration to the list and keeps the data. Otherwise, make a backup with \(.backupMake), and \
                drop by hand, in SQL, what was added
                """)
    }
}
