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
            let drift = try? migrator.context.driftAsApplied(of: database), !drift.isEmpty
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
                differs from that of its version, which may be the cause: \(.schemaDiff) shows how. \
                \(keeping(failed, status)). Otherwise, make a backup with \(.backupMake), and drop by hand, in SQL, what \
                was added
                """)
    }

    /// How the database keeps what another program added, and what a failed migration makes too.
    private static func keeping(_ failed: FailedStatement, _ status: StoreStatus) -> Hint {
        // A baseline records no migration before the last applied one.
        if let part = status.readable[failed.database], let last = part.version,
            part.outOfOrder.contains(failed.migration)
        {
            return """
                If the schema is to have what was added, and no other store has applied the migration, rename its files \
                to give it a date after \(last), and try again
                """
        }
        // A baseline is about the versions of both databases.
        let name = max(failed.migration, status.readable.values.compactMap(\.version).max() ?? "")
        let before = Hint.applying(pendingBefore: failed.migration, of: failed.database, status)
        let next: Hint = before.map { "\($0); after that, " } ?? "then "
        return """
            If the schema is to have what was added, let the migration add the same; \(next)\
            \(.migrateBaseline, "--to", name) writes the migration to the list and keeps the data
            """
    }

    /// The hint for a baseline of a database with migrations of its folder that lacks earlier ones. It is nil without
    /// such.
    static func pendingFirst(_ reportable: any Reportable, at version: String, _ context: StoreContext) -> HintedError?
    {
        guard !context.hasOwnMigrations, let status = try? context.status(), status.kind == .chatdb,
            let database = DatabaseName.allCases.first(where: { database in
                status.readable[database]?.pending.contains { $0 < version } == true
            }),
            let before = Hint.applying(pendingBefore: version, of: database, status)
        else { return nil }
        return HintedError(
            reportable,
            hint: """
                \(before), if the database lacks only what these make; then try again. Otherwise, make the migrations \
                create what the database has; its schema as SQL: \(.schemaDump)
                """)
    }
}

extension Hint {
    /// The run that applies the pending migrations before another one of a database, a clause; nil without such. A
    /// baseline records the other one only after it.
    fileprivate static func applying(
        pendingBefore name: String, of database: DatabaseName, _ status: StoreStatus
    ) -> Hint? {
        let parts = status.readable.values
        guard parts.contains(where: { part in part.pending.contains { $0 < name } }) else { return nil }
        // A version before one that is applied would be a way down.
        let earlier = parts.flatMap { $0.pending + $0.applied.map(\.name) }.filter { $0 < name }
        let isOtherLater = parts.contains { $0.name != database && ($0.version ?? "") > name }
        let only = isOtherLater ? ["--only", database.rawValue] : []
        return earlier.max().map { last in
            "\(HintedCommand(.migrateUp, ["--to", last] + only)) applies the pending migrations that come before it"
        }
    }
}
