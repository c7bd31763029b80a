import ChatDBKit
import Foundation

/// Hints that need the options or arguments of the command.
enum MigrationHint {
    /// Runs `body`, and gives its errors a better hint where there is one.
    /// - Parameter folder: the folder of the migrations that the command line names; nil for this build's own.
    static func adding<T>(for migrator: Migrator, in folder: String?, _ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let failure as MigrationFailure {
            throw hinted(failure, failure.error, migrator, folder) ?? failure
        } catch let error as MigrationError {
            throw hinted(error, error, migrator, folder) ?? error
        }
    }

    private static func hinted(
        _ reportable: any Reportable, _ error: MigrationError, _ migrator: Migrator, _ folder: String?
    ) -> HintedError? {
        let message = migrator.context.hasOwnMigrations ? nil : error.messageOfFolder
        switch error {
        case .needsUpgrade: return message.map { HintedError(reportable, message: $0, hint: nil) }
        case .needsDowngrade:
            guard let folder else { return nil }
            if (try? migrator.context.status())?.readable.values.contains(where: isOfThisBuild) == true {
                return HintedError(reportable, message: message, hint: ownStore)
            }
            return HintedError(
                reportable, message: message,
                hint: """
                    put their files back into \(folder), or undo them: \(.migrateRun, "--confirm", "yes-up-down")
                    """)
        case .incompleteStore(let database, _): return missing(database, reportable, migrator.context)
        case .interruptedMigration(let record, _): return interrupted(record, reportable, migrator.context)
        // The command that restores the file is better than one that creates a new file.
        case .noFile(let path) where ReplacedStore.hint(ofFile: path) != nil: return nil
        case .noFile(let path) where !migrator.options.mayCreate && !migrator.options.target.goesDown:
            return HintedError(
                reportable,
                hint: SimilarStores.suggestion(ofFile: path).map { meant -> Hint in
                    "\(meant) \(.migrateRun, "--create") creates a new database in the file"
                } ?? "check the path of --database; \(.migrateRun, "--create") creates a new database in the file")
        case .editedMigration(let names, sinceAccepted: false):
            let edits = (try? migrator.context.status())?.readable.mapValues(\.edits) ?? [:]
            let database = edits.onlyEdited ?? migrator.context.only
            return HintedError(
                reportable,
                hint: Hint.ofEditedFiles(
                    isOne: names.count == 1, in: database, accepting: acceptingEdits(migrator.options.target)))
        case .unknownTarget(let name, _):
            if let lacking = lackingMigrations(reportable, migrator.context, in: folder) { return lacking }
            let names = migrator.context.build.values.joined().map(\.name).sorted()
            if names.isEmpty {
                return HintedError(
                    reportable, message: "the folder \(folder.map { $0 + " " } ?? "")has no migrations",
                    hint: firstMigration(name, of: migrator.context.location, in: folder))
            }
            if let only = migrator.context.only, names.contains(name) {
                let other = DatabaseName.allCases.first { $0 != only } ?? only
                if migrator.context.location.hasNamedFiles {
                    return unnamed(reportable, name, of: other, migrator.context, in: folder)
                }
                return HintedError(
                    reportable,
                    message: "\(name) is a migration of the \(other) database, but --only names the \(only) database",
                    hint: "name a migration of the \(only) database, or leave --only out")
            }
            // The dates in front make all names similar: compares the words alone, and the beginning, which may be the
            // date. Completion in a shell gives a file.
            let file = fileName(of: name)
            let meant = names.first { known in
                MigrationName.words(of: known) == name || file == "\(known).up.sql" || file == "\(known).down.sql"
            }.map { "did you mean \"\($0)\"?" }
            let similar =
                DidYouMean.hint(forBeginning: name, among: names) ?? DidYouMean.hint(for: name, among: names)
            return HintedError(
                reportable, message: message,
                hint: (meant ?? similar).map(Hint.init(text:))
                    ?? "\(.migrateStatus) lists what is applied and pending")
        case .differentHistory(let database, _, _):
            let part = (try? migrator.context.status())?.readable[database]
            if let part, let lacking = lackingFiles(error, reportable, part, migrator.context, in: folder) {
                return lacking
            }
            if let lost = lostMigrations(reportable, database, migrator) { return lost }
            guard message != nil || !migrator.options.target.goesDown, let part else {
                return message.map { HintedError(reportable, message: $0, hint: nil) }
            }
            return outOfOrder(reportable, part, message)
                ?? message.map { HintedError(reportable, message: $0, hint: nil) }
        case .noDownMigration(let database, let names):
            let own = Set((migrator.context.build[database] ?? []).map(\.name))
            guard names.allSatisfy(own.contains) else {
                // Nobody asked to go down if the target is the last migration of the folder.
                let isAll = migrator.options.target.goesDown
                if let lacking = lackingMigrations(reportable, migrator.context, in: folder, isAll: isAll) {
                    return lacking
                }
                let part = (try? migrator.context.status())?.readable[database]
                return part.flatMap { lackingFiles(error, reportable, $0, migrator.context, in: folder) }
            }
            if let adopted = undoneAdoption(reportable, database, names, migrator) { return adopted }
            let files = names.map { $0 + ".down.sql" }.joined(separator: ", ")
            return HintedError(reportable, hint: "write \(files), or restore an earlier backup")
        case .lostRows(let database, let migration, _, _, _), .lostColumn(let database, let migration, _, _, false):
            return undeclared(reportable, database, migration, migrator, in: folder)
        case .undeclaredLoss(let database, let loss):
            return undeclared(reportable, database, loss.migration, migrator, in: folder)
        case .mismatchedPair: return separatelyAdopted(reportable, migrator.context)
        case .notOurs:
            if let separate = separatelyAdopted(reportable, migrator.context) { return separate }
            let isNamed = migrator.context.location.hasNamedFiles
            return (try? migrator.context.status())?.misplacedHint(isNamed: isNamed).map {
                HintedError(reportable, hint: $0)
            }
        case .alreadyAdopted(let database, _, _):
            return separatelyAdopted(reportable, migrator.context) ?? lostRows(reportable, migrator.context)
                ?? ownStore(reportable, database, migrator.context)
                ?? renamed(reportable, database, migrator.context, in: folder)
                ?? wholePair(reportable, migrator.context)
        case .foreignMark(_, let path, _)
        where (migrator.context.engine as? SQLiteEngine)?.isEncrypted(path) == true:
            return HintedError(
                reportable,
                hint: """
                    if no program needs that number, remove it with the shell of SQLCipher, after PRAGMA key, and try \
                    again: PRAGMA application_id = 0
                    """)
        case .otherSchema(let database, _, let version, _, nil):
            if let other = exchanged(reportable, at: version, migrator.context) { return other }
            if let lost = lostRows(reportable, migrator.context) { return lost }
            guard migrator.context.build[database]?.isEmpty != false else {
                return pendingFirst(reportable, at: version, migrator.context)
            }
            return HintedError(
                reportable, hint: firstMigration(version, of: migrator.context.location, only: database, in: folder))
        case .hasLedger: return lostRows(reportable, migrator.context)
        case .database(_, _, let error)
        where error.kind == .notADatabase && migrator.context.location.hasNamedFiles
            && migrator.context.location.databases.count == 1:
            // The command check would end with the same error.
            return HintedError(reportable, hint: "check the path of --database")
        case .unknownTrigger(let database, _):
            return lostMigrations(reportable, database, migrator) ?? editedTrigger(reportable, database, migrator)
        // A schema causes no error of syntax.
        case .migrationFailed(let failed)
        where failed.cause.kind == .sql && !failed.isOfSyntax:
            return lostMigrations(reportable, failed.database, migrator)
                ?? otherSchema(reportable, failed, migrator)
        case .migrationFailed(let failed) where failed.cause.kind == .uniqueViolation:
            return equalValues(reportable, failed, migrator.context)
        case .lostMigrations(let database):
            let part = (try? migrator.context.status())?.readable[database]
            return part?.isOfOtherMigrations == true ? lostRows(reportable, migrator.context) : nil
        case .notEnoughSpace(_, _, let path):
            return HintedError(reportable, hint: space(path, migrator.options.backup))
        case .backupFailed:
            guard case .folder(let folder) = migrator.options.backup else { return nil }
            return backupFailed(reportable, folder ?? migrator.context.location.backupsPath)
        default:
            return nil
        }
    }

    /// The hint for a baseline of a store of chatdb's own. It is nil for a database that was adopted.
    private static func ownStore(
        _ reportable: any Reportable, _ database: DatabaseName, _ context: StoreContext
    ) -> HintedError? {
        guard let part = (try? context.status())?.readable[database], !part.isOfOtherMigrations else { return nil }
        return HintedError(
            reportable,
            hint: """
                a store of chatdb's own needs no adoption, and \(.inspect) shows what it is; to adopt a database of \
                another program, name its file with --database
                """)
    }

    /// The hint for a baseline of an adopted database whose migrations the folder lacks, as after a file was renamed. It
    /// is nil for any other database.
    private static func renamed(
        _ reportable: any Reportable, _ database: DatabaseName, _ context: StoreContext, in folder: String?
    ) -> HintedError? {
        guard let folder, let names = (try? context.status())?.readable[database]?.unknown.sorted(), !names.isEmpty
        else { return nil }
        let files = names.joined(separator: ", ")
        guard let backup = context.backupBeforeAdoption else {
            return HintedError(
                reportable, hint: "give the files of \(files) in \(folder)/\(database) their old names back")
        }
        return HintedError(
            reportable,
            hint: """
                give the files of \(files) in \(folder)/\(database) their old names back; or undo the adoption, and adopt \
                the database again: \(.restore, backup)
                """)
    }

    /// The hint for two databases that were adopted together. It is nil for a database that was adopted alone, which the
    /// user may want to make a pair with another.
    private static func wholePair(_ reportable: any Reportable, _ context: StoreContext) -> HintedError? {
        context.location.databases.count == 2 ? HintedError(reportable, hint: "\(.migrateRun) migrates both") : nil
    }

    /// The command that accepts edited files on the way to a target.
    private static func acceptingEdits(_ target: MigrationTarget) -> HintedCommand {
        switch target {
        case .build, .up(nil): HintedCommand(.migrateRun, ["--accept-edited"])
        case .up(let name?): HintedCommand(.migrateUp, ["--to", name, "--accept-edited"])
        case .down(let name): HintedCommand(.migrateDown, ["--to", name, "--accept-edited"])
        case .downSteps(let count): HintedCommand(.migrateDown, ["--steps", String(count), "--accept-edited"])
        }
    }

    /// Whether a folder contains chat/ or agent/.
    static func hasMigrations(_ folder: String) -> Bool {
        DatabaseName.allCases.contains { FileState(at: "\(folder)/\($0)") != .missing }
    }

    /// Whether a folder contains files of migrations itself.
    static func hasFiles(_ folder: String) -> Bool {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.contains { $0.hasSuffix(".up.sql") }
    }

    /// Whether a folder is the folder chat/ or agent/ of another one, with files of migrations.
    static func isFolderOfDatabase(_ folder: String) -> Bool {
        let name = URL(fileURLWithPath: folder).standardizedFileURL.lastPathComponent
        return DatabaseName(rawValue: name) != nil && hasFiles(folder)
    }

    /// `did you mean --migrations-dir migrations?`, for a folder that does not exist; nil if there is no folder of
    /// migrations beside it with a similar name.
    static func similarFolder(to folder: String) -> String? {
        let name = fileName(of: folder)
        let typed = folder.hasSuffix("/") ? String(folder.dropLast()) : folder
        let parent = typed.hasSuffix(name) ? String(typed.dropLast(name.count)) : ""
        let beside = (try? FileManager.default.contentsOfDirectory(atPath: parentFolder(of: folder))) ?? []
        let others = beside.filter { $0 != name && hasMigrations(parent + $0) }.sorted()
        let meant = DidYouMean.suggestions(for: name, among: others, atMost: 1).first
        return meant.map { "did you mean --migrations-dir \(ShellWord.quoted(parent + $0))?" }
    }

    /// The folder that contains another one, as the command line would name it.
    static func parent(of folder: String) -> String {
        var parts = folder.split(separator: "/", omittingEmptySubsequences: true)
        if parts.last.map({ [".", ".."].contains($0) }) ?? true { return folder + "/.." }
        parts.removeLast()
        let isAbsolute = folder.hasPrefix("/")
        if parts.isEmpty { return isAbsolute ? "/" : "." }
        return (isAbsolute ? "/" : "") + parts.joined(separator: "/")
    }

    /// The hint for a folder without migrations, from which databases are to be adopted.
    /// - Parameters:
    ///   - only: the database of which the folder has none; nil if it has none at all.
    ///   - folder: the folder, as the command line names it; nil if it names none.
    static func firstMigration(
        _ name: String, of location: StoreLocation, only: DatabaseName? = nil, in folder: String?
    ) -> Hint {
        let databases = only.map { [$0] } ?? location.databases
        let first = MigrationName.first(called: name, on: Date())
        let named = first == name ? "" : ", and name it with --to \(first)"
        let lines = databases.map { database in
            let file = "--database " + ShellWord.quoted("\(database)=\(location.path(of: database))")
            return FirstMigration(first, of: database, in: folder ?? "DIR").line(file)
        }
        let place =
            databases.count == 1 ? "the database into the first migration" : "each database into its first migration"
        return "write the schema of \(place)\(named): \(lines.joined(separator: "; "))"
    }

    /// The error for migrations that sort before one that is applied; nil for a database without such.
    static func outOfOrder(_ reportable: any Reportable, _ part: FoundDatabase, _ message: String?) -> HintedError? {
        let names = part.outOfOrder
        guard !names.isEmpty, let last = part.version else { return nil }
        return HintedError(
            reportable, message: message,
            hint: """
                \(names.joined(separator: ", ")) \(names.count == 1 ? "sorts" : "sort") before \(last), which is \
                applied. \(Hint.ofOutOfOrder(isOne: names.count == 1, after: last))
                """)
    }

    /// The hint for a way down below the migration of an adoption: SQL that undoes it would delete the tables that the
    /// database had before. It is nil for other migrations.
    private static func undoneAdoption(
        _ reportable: any Reportable, _ database: DatabaseName, _ names: [String], _ migrator: Migrator
    ) -> HintedError? {
        guard let first = (try? migrator.context.status())?.readable[database]?.applied.first,
            first.note == Ledger.adopted, names.contains(first.name),
            let backup = migrator.context.backupBeforeAdoption
        else { return nil }
        return HintedError(
            reportable,
            hint: """
                the database was adopted with the tables of \(first.name), so write no SQL that deletes them; to undo \
                the adoption: \(.restore, backup)
                """)
    }

    /// The hint for a migration that does not declare what it loses, with the file that has to. Only the store has the SQL
    /// of a migration without files.
    private static func undeclared(
        _ reportable: any Reportable, _ database: DatabaseName, _ migration: String, _ migrator: Migrator,
        in folder: String?
    ) -> HintedError {
        let part = (try? migrator.context.status())?.readable[database]
        if let part, part.unknown.contains(migration) {
            let hint: Hint = "only the store has the SQL, which declares no loss: use a build that has \(migration)"
            return HintedError(reportable, hint: folder.map { putBack(part, migrator.context, $0) } ?? hint)
        }
        // Nothing was changed: the run was to revert applied migrations.
        let applied = part?.applied.contains { $0.name == migration } ?? false
        return HintedError(
            reportable,
            hint: """
                if that is intended, \(migration).\(applied ? "down" : "up").sql must declare it in a line before its \
                first statement: -- chatdb: data-loss
                """)
    }

    /// The hint for a database whose ledger has lost rows, so that the run applies migrations a second time. It is nil
    /// for any other database.
    private static func lostMigrations(
        _ reportable: any Reportable, _ database: DatabaseName, _ migrator: Migrator
    ) -> HintedError? {
        guard let lost = try? migrator.context.lostMigrations(of: database), !lost.isEmpty else { return nil }
        return HintedError(reportable, hint: Hint.lostMigrations(of: database))
    }

    /// The hint for a baseline of databases of chatdb whose ledgers have lost rows. It names the baseline that writes them
    /// again only if that works. It is nil for other databases.
    private static func lostRows(_ reportable: any Reportable, _ context: StoreContext) -> HintedError? {
        guard let status = try? context.status() else { return nil }
        // A list without any migration of the folder has another hint: the database may have those of another folder.
        let lost = DatabaseName.allCases.first { database in
            status.readable[database]?.kind == .chatdb && (try? context.lostMigrations(of: database))?.isEmpty == false
        }
        guard let database = lost else { return nil }
        guard let version = context.versionOfBaseline else {
            return HintedError(reportable, hint: Hint.lostMigrations(of: database))
        }
        return HintedError(
            reportable,
            hint: """
                the schema is already that of \(version), and the list of migrations of the \(database) database lacks \
                rows: \(.migrateBaseline, "--to", version) writes them
                """)
    }

    /// A backup that failed before anything was changed, with its folder.
    static func backupFailed(_ error: any Reportable, _ folder: String, hint: Hint? = nil) -> HintedError {
        let report = error.report
        return HintedError(
            error, message: report.namesPath ? nil : "\(folder): \(report.message)",
            state: report.state ?? "Nothing was changed.", hint: hint)
    }

    /// The hint when a path has too little space.
    static func space(_ path: String, _ backup: MigrationOptions.Backup) -> Hint {
        switch backup {
        case .none: "free some space there"
        case .folder(nil): "free some space, or put the backup on another disk with --backup-dir"
        case .folder(let folder?) where folder == path:
            "free some space there, or name another folder with --backup-dir"
        // The backup is elsewhere already: the disk of the store is too small.
        case .folder: "free some space there; the migrations themselves need it"
        }
    }
}
