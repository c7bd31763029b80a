import ChatDBKit
import ChatDBRequests

extension MigrationFileError: Hinted {
    var hint: Hint? {
        switch self {
        case .noMigrationFolders(let path) where MigrationHint.hasMigrations("\(path)/sqlite"):
            "the folder \(path)/sqlite contains them: --migrations-dir \(ShellWord.quoted("\(path)/sqlite"))"
        case .noMigrationFolders(let path) where MigrationHint.isFolderOfDatabase(path):
            """
            \(path) has the migrations of one database; did you mean --migrations-dir \
            \(ShellWord.quoted(MigrationHint.parent(of: path)))?
            """
        case .noMigrationFolders(let path) where MigrationHint.hasFiles(path):
            "move the migrations of \(path) into a folder chat or agent in it"
        case .noFolder(let path):
            MigrationHint.similarFolder(to: path).map(Hint.init(text:))
                ?? "--migrations-dir names the folder that contains chat/ and agent/"
        case .noMigrationFolders, .notAFolder:
            "--migrations-dir names the folder that contains chat/ and agent/"
        case .cannotWrite: "make the folder writable, or free some space there"
        case .invalid(let invalid) where invalid.usesOwnTable:
            "if the table is one of the program's own, rename it in the database, in the program and in the migration"
        case .invalid(let invalid) where invalid.areAll("there is no file "):
            "put the missing file back; or, if no store has applied the migration, remove its down file too"
        case .invalid(let invalid) where invalid.areAll("a migration's file ends in "):
            "move the file out of the folder; or, if it is a migration, name it as \(.migrateNew, "--help") says"
        case .cannotRead(let path, _):
            "make \(path) readable for this user, or name another folder with --migrations-dir"
        case .notLast(_, _, let database, let proposal?): "\(.migrateNew, proposal, "--only", database.rawValue)"
        case .fileExists: "write into the file that exists, or give the new migration another name"
        case .invalid, .invalidName, .notLast: nil
        }
    }
}

extension InvalidMigrations {
    /// Whether the reason of each problem begins with this text.
    fileprivate func areAll(_ reason: String) -> Bool { problems.allSatisfy { $0.reason.hasPrefix(reason) } }
}

extension MigrationFailure: Hinted {
    var hint: Hint? { error.hint }
}

extension MigrationError: Hinted {
    var hint: Hint? {
        switch self {
        case .needsUpgrade:
            "\(.migratePlan) shows the changes and deletions; \(.migrateRun, "--yes") applies them"
        case .needsDowngrade: "use a newer chatdb, or: \(.migrateRun, "--confirm", "yes-up-down")"
        case .noDownMigration: "use the newer chatdb that made this version"
        case .differentHistory(let database, _, let there) where Self.isOfThisBuild(there, database):
            """
            the list of migrations lacks rows before one that it has, as after a salvage: \(.restore, "FOLDER") restores \
            a backup; \(.check) says what to do without one
            """
        case .differentHistory: "use a build whose migrations the store has; \(.migrateStatus) lists both"
        case .lostMigrations(let database): Hint.lostMigrations(of: database)
        case .editedMigration(_, sinceAccepted: true):
            "accept the files as they are with --accept-edited, or restore the text that was accepted"
        case .editedMigration(let names, _): Hint.ofEditedFiles(isOne: names.count == 1, in: nil)
        case .emptiedMigration: Hint.ofEmptiedMigration
        case .otherTables, .editedVersion: hintOfEdits
        case .invalidMigration(let error): error.hint
        case .noStore(let path) where path.lowercased().hasSuffix(".zip"):
            SimilarStores.suggestion(ofArchive: path).map(Hint.init(text:))
                ?? "check the path; \(.find) lists the stores in the usual places"
        case .noStore(let path) where !ServerStore.isNamed(by: path) && StoreFolder.isFile(of: path):
            StoreFolder.ofFile(of: path)
        case .noStore(let path) where ReplacedStore.hint(ofPrefix: path) != nil: ReplacedStore.hint(ofPrefix: path)
        case .noStore(let path)
        where SimilarStores.fileOfProgram(meantBy: path) != nil && StoreFolder.exists(of: path)
            && !StoreFolder.hasLog(of: path):
            SimilarStores.optionOfProgram("--database", meantBy: path).map { option -> Hint in
                "\(option); for a new store with this name: \(.migrateRun, "--create", "-d", path)"
            }
        case .noStore(let path) where !StoreFolder.hasLog(of: path) && SimilarStores.suggestion(ofPrefix: path) != nil:
            SimilarStores.suggestion(ofPrefix: path).map(Hint.init(text:))
        case .noStore(let path) where SimilarStores.isUnnamed(path) && !StoreFolder.hasLog(of: path):
            "\(StoreFolder.unnamed). For a new store in the default place: \(.migrateRun)"
        // The error may be about another store than the command line names.
        case .noStore(let path) where !ServerStore.isNamed(by: path) && !StoreFolder.exists(of: path):
            "check the path; for a new store: \(StoreFolder.creation(of: path)) && \(StoreFolder.newStore(path))"
        case .noStore(let path) where StoreFolder.hasLog(of: path):
            """
            \(path)_chat.db-wal or \(path)_agent.db-wal is there without its database: a log has only the newest \
            changes, so ask for the database too
            """
        case .noStore(let path): "check the path; \(.migrateRun, "-d", path) creates a new store"
        case .noFile(let path) where ReplacedStore.hint(ofFile: path) != nil: ReplacedStore.hint(ofFile: path)
        case .noFile(let path):
            SimilarStores.suggestion(ofFile: path).map(Hint.init(text:)) ?? "check the path of --database"
        case .noFolder(let path) where StoreFolder.isFile(path): StoreFolder.ofFile(path)
        case .noFolder(let path) where !SimilarStores.isTyped(folder: path):
            SimilarStores.ofPresentFolder.map(Hint.init(text:))
                ?? """
                \(StoreFolder.unnamed), and --database chat=FILE names the database of a program. For a new store in the \
                default place, create the folder first: mkdir -p \(ShellWord.quoted(path))
                """
        case .noFolder(let path):
            "create the folder first (mkdir -p \(ShellWord.quoted(path))), or name another place with --store"
        case .incompleteStore: "bring the missing file back; \(.check) says what is left without it"
        case .wouldNotBelong:
            """
            restore both from a backup with \(.restore, "FOLDER"); \(.check) says what is left without one. Without \
            --only, chatdb creates a new pair where neither exists
            """
        case .strayFile: "bring its database back, or move the file away: a new store would destroy it"
        case .hasLedger(let database, let path, let table):
            """
            if \(table) is the program's own, rename it in the database and in the program, write the first migration \
            again with chatdb schema dump --database \(ShellWord.quoted("\(database)=\(path)")), and try again; or keep \
            the tool with which the program migrates the database. Do not rename it if chatdb made it: \(.inspect) shows \
            what the file is
            """
        case .alreadyAdopted:
            """
            \(.migrateRun) migrates it. To make two databases a pair that were adopted alone, restore the backup of each \
            from before its adoption, and adopt both together
            """
        case .foreignMark(_, let path, _):
            """
            if no program needs that number, remove it, and try again: sqlite3 \(ShellWord.quoted(path)) \
            'PRAGMA application_id = 0'
            """
        case .otherSchema(_, _, _, _, let fitting?): "the database has the schema of \(fitting): --to \(fitting)"
        case .otherSchema(let database, let path, _, _, _):
            """
            make the migrations create what the database has; its schema as SQL: chatdb schema dump --database \
            \(ShellWord.quoted("\(database)=\(path)"))
            """
        case .otherMigrations:
            """
            this command knows chatdb's own tables only; \(.inspect), \(.check), \(.query, "SQL"), \(.backupMake) and \
            the migrate commands work on this store
            """
        case .halfOfPair(let database, let path, let partner):
            "name both: \(Self.both(database, path, partner))"
        case .notOurs(_, let path) where ServerStore.isNamed(by: path):
            "another program made the schemas of this name: give another one with store=NAME"
        case .notOurs:
            "\(.inspect) shows what the file is; \(.migrateBaseline, "--to", "NAME") adopts a database of another program"
        case .mismatchedPair(let chat, let agent) where (chat == nil) != (agent == nil):
            "\(.restore, "FOLDER") restores both files from a backup; \(.check) says what to do without one"
        case .mismatchedPair: "restore both files from one backup"
        case .lostStoreRow:
            """
            \(.restore, "FOLDER") restores a backup from before the loss; \(.check) says how to write the row again \
            without one
            """
        case .interruptedMigration(let record, _) where record.copiedFrom != nil:
            "run the same copy again: it removes what is incomplete, or completes the copy"
        case .interruptedMigration(let record, .comesFirst): "\(record.completion) completes or undoes it"
        case .interruptedMigration(let record, .concernsBoth): "\(record.completion.ofBoth) completes or undoes it"
        case .interruptedMigration(_, .foreignFile):
            "move that file away; or, if both databases are whole, remove the file beside them that ends with .migrating"
        case .interruptedMigration(let record, .lacksMigrations) where record.isOfOtherMigrations:
            hintOfFolder(record)
        case .interruptedMigration(let record, _):
            if let backup = record.backup {
                "use the chatdb that began it, or restore the backup: \(.restore, backup)"
            } else {
                "use the chatdb that began it, or restore the backup"
            }
        case .interruptedRestore(let record): "\(record.completion) completes it"
        case .unreadableIntentRecord: "restore the backup, or look at the file and remove it if it is not needed"
        // The message of other errors says what to do.
        case .database(_, _, let error)
        where error.kind == .inputOutput && error.systemError.flatMap({ SystemTrouble($0).advice }) == nil:
            "check that the disk works and has free space, then try again"
        case .database(_, let path, let error)
        where [.notADatabase, .truncated].contains(error.kind) && !ServerStore.isNamed(by: path):
            "\(.check) shows more"
        case .database(_, _, let error), .system(let error): error.hint
        case .moved(let place): "use the store there: \(.inspect, "-d", place)"
        case .storeLocked, .inUse: "close the other program and try again"
        case .damaged: "keep the file as it is; \(.check) names the damaged parts and what to do"
        case .unknownTrigger:
            """
            \(.schemaDiff) shows them; find out which program created or changed them, drop them, create again what the \
            version has in their place, and try again
            """
        case .notEnoughSpace: "free some space, or put the backup elsewhere with --backup-dir"
        case .noBackupFolder: "name another folder for the backup: \(.backupMake, "DIR")"
        case .backupFailed(let error) where [.accessDenied, .clientLibraryMissing].contains(error.kind): error.hint
        case .backupFailed: "put the backup elsewhere with --backup-dir"
        case .migrationFailed(let failed)
        where failed.cause.kind == .busy && failed.cause.message.contains("than the server allows"):
            failed.cause.hint
        case .migrationFailed(let failed) where failed.cause.kind == .busy: "close the other program and try again"
        case .migrationFailed(let failed) where failed.cause.kind == .diskFull: "free some space and try again"
        case .migrationFailed(let failed) where [.inputOutput, .outOfMemory].contains(failed.cause.kind):
            "check that the disk works and has free space, then try again"
        case .migrationFailed(let failed) where failed.cause.kind == .unreachable:
            "check whether the server runs, then try again"
        case .migrationFailed(let failed) where failed.cause.isOfModule: StoreError.withoutModule
        case .migrationFailed(let failed)
        where [.uniqueViolation, .foreignKeyViolation, .constraintViolation].contains(failed.cause.kind)
            // SQLite gives ALTER TABLE no code of a constraint.
            || failed.cause.kind == .sql && failed.cause.message.hasSuffix("constraint failed"):
            "rows of the database do not fit what the migration requires: change these rows, or correct its file"
        case .wrongResult(_, _, let differences) where differences.adviceOnForms != nil:
            "correct the file of the migration, or report it to its author. \(StructureDifference.adviceOnForms)"
        case .migrationFailed(let failed) where failed.lacksRebuild:
            """
            a migration that makes a table again needs the line -- chatdb: rebuild before its first statement; any other \
            must first drop the view or trigger, or correct it
            """
        case .migrationFailed(let failed) where failed.leavesReference:
            """
            correct the file of the migration: create the table, or refer to another one; a migration that makes a table \
            again needs the line -- chatdb: rebuild before its first statement
            """
        case .madeDanglingReferences:
            """
            correct the file of the migration, or report it to its author. A run does not enforce foreign keys, so ON \
            DELETE has no effect: a migration that deletes rows must also delete or change the rows that refer to them
            """
        case .migrationFailed, .wrongResult:
            "this is a fault of the migration: correct its file, or report it to its author"
        case .brokenDefinitions:
            """
            correct the trigger or view, if a migration makes it; a migration that removes or renames the table or column \
            must also drop the trigger or view, or write it again; one that makes the table again needs the line \
            -- chatdb: rebuild before its first statement
            """
        case .lostColumn(_, _, _, _, isDrift: true):
            "the column is not part of the store's version: copy its values elsewhere, drop it, and try again"
        case .lostMore:
            "migrate in smaller steps; --confirm and --yes also accept the loss of rows that no plan counts"
        case .lostRows, .lostColumn, .undeclaredLoss:
            "if that is intended, the migration must declare it: -- chatdb: data-loss"
        case .interrupted: "run the command again"
        case .readOnlyStore: "make any other change in the app"
        case .unknownTarget, .tooManySteps, .wrongDirection, .declined, .drift, .danglingReferences: nil
        }
    }
}

extension MigrationError {
    /// The hint for an interrupted run of migrations that are not chatdb's own. Their folder completes the run, and a
    /// restore would go back for no reason.
    private func hintOfFolder(_ record: IntentRecord) -> Hint {
        let complete: Hint =
            "name the folder that has the migrations of the store: \(record.completion) completes it"
        guard let backup = record.backup else { return complete }
        return "\(complete). Only if the folder is lost, \(.restore, backup) goes back to before the run"
    }

    /// Whether this build has a migration. The list of a store that only has known ones lacks some in between.
    private static func isOfThisBuild(_ name: String, _ database: DatabaseName) -> Bool {
        (try? MigrationSource.build.load())?[database]?.contains { $0.name == name } == true
    }

    /// The options that name both databases of an adopted pair. The other one is where it was adopted, if it is beside.
    private static func both(_ database: DatabaseName, _ path: String, _ partner: String) -> String {
        let folder = parentFolder(of: path)
        let other = folder == "/" ? "/\(partner)" : "\(folder)/\(partner)"
        return DatabaseName.allCases.map { name in
            "--database " + ShellWord.quoted("\(name)=\(name == database ? path : other)")
        }.joined(separator: " ")
    }
}

/// The folder of a store that does not exist.
enum StoreFolder {
    /// What to do if no store is named, and none is in the default place. A new store would hide the mistake.
    static let unnamed: Hint = """
        neither -d nor CHATDB_STORE names a store, so this is the default place; \(.find, "--below", "FOLDER") searches a \
        folder for stores, and -d names the one that you mean
        """

    /// Whether a write-ahead log lies there without its database.
    static func hasLog(of prefix: String) -> Bool {
        ["_chat", "_agent"].contains { name in
            FileState(at: "\(prefix)\(name).db") == .missing
                && (FileState(at: "\(prefix)\(name).db-wal").bytes ?? 0) > 0
        }
    }

    /// Whether a file is in the place of the folder of a store.
    static func isFile(of prefix: String) -> Bool { isFile(folder(of: prefix)) }

    /// Whether a file is in the place of a folder.
    static func isFile(_ folder: String) -> Bool { FileState(at: folder).bytes != nil }

    static func ofFile(of prefix: String) -> Hint { ofFile(folder(of: prefix)) }

    static func ofFile(_ path: String) -> Hint {
        "\(path) is a file, and not a folder: name another place with --store"
    }

    static func exists(of prefix: String) -> Bool {
        FileState(at: folder(of: prefix)) == .notRegular(.directory)
    }

    /// The command that creates it, with the folders above it.
    static func creation(of prefix: String) -> String { "mkdir -p \(ShellWord.quoted(folder(of: prefix)))" }

    /// The command that makes the store.
    static func newStore(_ prefix: String) -> HintedCommand {
        let isNamedByProgram = SimilarStores.fileOfProgram(meantBy: prefix) != nil
        return HintedCommand(.migrateRun, (isNamedByProgram ? ["--create"] : []) + ["-d", prefix])
    }

    private static func folder(of prefix: String) -> String {
        (try? StoreLocation(prefix: prefix).folder) ?? prefix
    }
}
