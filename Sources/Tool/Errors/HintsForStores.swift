import ChatDBKit
import ChatDBRequests

extension StoreError: Hinted {
    var hint: Hint? {
        switch kind {
        case _ where message.hasPrefix("the new file cannot get the owner or group of "):
            "run chatdb as a user who may give files that owner and group"
        // The message says which path: the files or their folder. The disk is no cause.
        case _ where systemError.map({ SystemTrouble($0) }) == .permission:
            "run chatdb as the owner of the files, or change the permissions of the files and of their folder"
        case .busy where message.contains("than the server allows"):
            "try again, or raise the limit: statement_timeout, or idle_in_transaction_session_timeout, of the role"
        case .busy, .inUse: "try again when the other program is done"
        case .beyondLimits where message.contains("safety limits"):
            "docs/errors.md lists the limits; remove what exceeds them, or read the file with sqlite3, which has wider ones"
        case .diskFull where message.contains("TMPDIR"): "free some space there, or set TMPDIR to a folder with more"
        case .diskFull: "free some space and try again"
        // The schema of a version is built from the migrations, without a store.
        case _ where isOfModule && message.hasPrefix("migration "): Self.withoutModule
        case _ where isOfModule:
            "keep the tool with which the program migrates the database, or put the rows of the table into a plain table"
        case .sql where message.hasPrefix("migration "), .denied where message.hasPrefix("migration "):
            "this is a fault of the migration: correct its file, or report it to its author"
        case .sql: "\(.check) shows whether the store lacks something"
        case .encrypted:
            "give the passphrase with --passphrase-file FILE or --passphrase-stdin; on a terminal, chatdb asks for it"
        // No command changes an archive.
        case .wrongPassphrase where opensOtherDatabase && ShownPaths.text(message) == message:
            """
            \(.passphraseChange, "--other-passphrase-file", "FILE") takes the passphrase of that database from a file, and \
            gives both the new one
            """
        case .unexpectedRow where namesRow: "\(.check) shows which rows are missing; restore a backup"
        case .unexpectedRow:
            "\(.check) shows whether more is wrong; correct the value with the program that wrote it, or restore a backup"
        case .uniqueViolation, .foreignKeyViolation, .constraintViolation:
            "\(.check) shows whether rows are missing, or in the way"
        case .engineTooOld: "install a newer version"
        case .clientLibraryMissing where missingClient == .library:
            "install libpq (on Debian and Ubuntu: apt-get install libpq5)"
        case .clientLibraryMissing where missingClient == .programs:
            "install PostgreSQL's client programs (on Debian and Ubuntu: apt-get install postgresql-client)"
        case .accessDenied:
            "use another role, or grant this one the rights that docs/postgresql.md lists"
        case .readOnly where message.contains("the server is a replica"):
            "name the server that the replica follows"
        case .commitUnknown: "look whether the change is there before you try again"
        case .unreachable: "check the address, and whether the server runs"
        case .moved where movedTo != nil: "use the store there: \(.inspect, "-d", movedTo ?? "")"
        case .otherEncoding: "create another database: createdb -E UTF8 -T template0 NAME"
        default: nil
        }
    }

    fileprivate static let withoutModule: Hint =
        "write the migration with plain tables and indexes, or with a full-text index of FTS5"
}

extension StoreLocationError: Hinted {
    var hint: Hint? {
        switch self {
        case .twoFolders: "put both into one folder, or adopt each alone"
        case .sameFile, .invalidServer, .passwordInAddress: nil
        case .severalStores(_, let prefixes):
            "name one of them: \(prefixes.map { "-d " + ShellWord.quoted($0) }.joined(separator: " or "))"
        case .notAStore(let path) where Self.mayBeDatabase(path):
            "name the store with --store, or a database of any name with --database \(ShellWord.quoted("chat=\(path)"))"
        default: "name the store with --store"
        }
    }

    /// Whether a path is that of a file that may be a database of any name. A text file, for example, is none.
    static func mayBeDatabase(_ path: String) -> Bool {
        FileState(at: path).bytes != nil && SQLiteEngine().examine(path).problem?.kind != .notADatabase
    }
}

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
        case .noFolder, .noMigrationFolders, .notAFolder:
            "--migrations-dir names the folder that contains chat/ and agent/"
        case .cannotWrite: "make the folder writable, or free some space there"
        case .invalid(let invalid) where invalid.usesOwnTable:
            "if the table is one of the program's own, rename it in the database, in the program and in the migration"
        case .cannotRead(let path, _):
            "make \(path) readable for this user, or name another folder with --migrations-dir"
        case .invalid, .invalidName, .notLast, .fileExists: nil
        }
    }
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
        case .editedMigration: "restore the files as they were, or accept them with --accept-edited"
        case .invalidMigration(let error): error.hint
        case .noStore(let path) where path.lowercased().hasSuffix(".zip"):
            "check the path; \(.find) lists the stores in the usual places"
        case .noStore(let path) where !ServerStore.isNamed(by: path) && StoreFolder.isFile(of: path):
            StoreFolder.ofFile(of: path)
        // The error may be about another store than the command line names.
        case .noStore(let path) where !ServerStore.isNamed(by: path) && !StoreFolder.exists(of: path):
            "check the path; for a new store: \(StoreFolder.creation(of: path)) && \(.migrateRun, "-d", path)"
        case .noStore(let path) where StoreFolder.hasLog(of: path):
            """
            \(path)_chat.db-wal or \(path)_agent.db-wal is there without its database: a log has only the newest \
            changes, so ask for the database too
            """
        case .noStore(let path): "check the path; \(.migrateRun, "-d", path) creates a new store"
        case .noFile(let path):
            SimilarStores.suggestion(ofFile: path).map(Hint.init(text:)) ?? "check the path of --database"
        case .noFolder(let path) where StoreFolder.isFile(path): StoreFolder.ofFile(path)
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
        case .interruptedMigration(_, let reason) where MigrationError.isCompletable(reason):
            "\(.migrateRun) completes it"
        case .interruptedMigration(let record, _) where record.creates:
            "move that file away; or, if both databases are whole, remove the file beside them that ends with .migrating"
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
            "\(.schemaDiff) shows them; find out which program created them, drop them, and try again"
        case .notEnoughSpace: "free some space, or put the backup elsewhere with --backup-dir"
        case .noBackupFolder: "name another folder for the backup: \(.backupMake, "DIR")"
        case .backupFailed(let error) where [.accessDenied, .clientLibraryMissing].contains(error.kind): error.hint
        case .backupFailed: "put the backup elsewhere with --backup-dir"
        case .migrationFailed(let failed) where failed.cause.kind == .diskFull: "free some space and try again"
        case .migrationFailed(let failed) where [.inputOutput, .outOfMemory].contains(failed.cause.kind):
            "check that the disk works and has free space, then try again"
        case .migrationFailed(let failed) where failed.cause.kind == .unreachable:
            "check whether the server runs, then try again"
        case .migrationFailed(let failed) where failed.cause.isOfModule: StoreError.withoutModule
        case .migrationFailed(let failed)
        where [.uniqueViolation, .foreignKeyViolation, .constraintViolation].contains(failed.cause.kind):
            "rows of the database do not fit what the migration requires: change these rows, or correct its file"
        case .migrationFailed, .madeDanglingReferences, .wrongResult:
            "this is a fault of the migration: correct its file, or report it to its author"
        case .brokenDefinitions:
            "the migration that removes or renames the table or column must also drop the trigger or view, or write it again"
        case .lostColumn(_, _, _, _, isDrift: true):
            "the column is not part of the store's version: copy its values elsewhere, drop it, and try again"
        case .lostMore:
            "migrate in smaller steps; --confirm and --yes also accept the loss of rows that no plan counts"
        case .lostRows, .lostColumn, .undeclaredLoss:
            "if that is intended, the migration must declare it: -- chatdb: data-loss"
        case .interrupted: "run the command again"
        case .unknownTarget, .tooManySteps, .wrongDirection, .declined, .readOnlyStore, .drift, .danglingReferences: nil
        }
    }
}

extension MigrationError {
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

extension ErrorReport {
    /// The same for a command that needs the existing store, and cannot use a new one: without a hint to create one.
    func forExistingStore() -> ErrorReport {
        guard code == "storeNotFound", hint?.commands.contains(where: { $0.name == .migrateRun }) == true else {
            return self
        }
        var report = self
        report.hint = "check the path; \(.find) lists the stores in the usual places"
        return report
    }
}

extension RestoreError: Hinted {
    var hint: Hint? {
        switch self {
        case .notThere: "name a folder that \(.backupMake) created"
        case .noBackup(let folder):
            if let newest = (try? FoundBackup.all(in: folder))?.first(where: { $0.state == .complete }) {
                "the folder contains backups: \(.restore, newest.path) restores the newest of them"
            } else {
                "name a folder that \(.backupMake) created"
            }
        case .incomplete: "close all programs that use the store, and copy the one file by hand"
        case .otherFileNames: "name a file of the same name with --database; in another folder, the restore creates it"
        case .damaged, .mismatched: "use another backup"
        case .refused(_, .newerVersion):
            "--force restores it anyway; --migrations-dir names the migrations of a store that are not chatdb's"
        case .refused(_, .moved(let place)):
            "use the store there: \(.inspect, "-d", place); --force restores the backup here anyway"
        case .refused(_, .notAdopted):
            """
            if the adoption was undone, --force replaces the database with the adopted one of the backup, and keeps it \
            beside the store; otherwise check the path of the store
            """
        case .refused(_, .locked):
            "--force restores it, compares nothing, and keeps the encrypted files beside the store"
        case .refused: "--force restores it anyway"
        case .linked: "name the store by the path of its files"
        case .unfinished: "open the store with the app and close the app again; it completes what was interrupted"
        case .planOutdated: "run the command again"
        case .originalsChanged(let kind): "\(kind.command) begins again"
        case .originalMissing(let record, _, _, _, let new):
            """
            put the old file back at one of these paths; or, if it is lost, move the other old database away too. Both \
            new databases are whole in \(new), and \(record.completion) then continues
            """
        case .notFinished(let record, _): "remove the cause, then \(record.completion) continues"
        }
    }
}

extension ArchiveError: Hinted {
    var hint: Hint? {
        switch problem {
        case .endMissing, .bytesMissing, .damaged, .damagedEntry:
            "copy the archive again, or ask for it again: it was changed on its way"
        case .noDatabases(nil): "name the archive that the app has exported"
        case .noDatabases: "unpack the archive with another program, and name its database: \(.inspect, "-d", "FILE")"
        case .journal: "unpack the archive with another program, and name the folder: \(.inspect, "-d", "FOLDER")"
        default: nil
        }
    }
}

extension UnpackingError: Hinted {
    var hint: Hint? {
        switch self {
        case .notEmpty, .notAFolder: "name a new folder with --to"
        case .cannotCreate: "make the folder writable, or free some space there"
        case .invalidPath: nil
        }
    }
}

/// The folder of a store that does not exist.
private enum StoreFolder {
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

    private static func folder(of prefix: String) -> String {
        (try? StoreLocation(prefix: prefix).folder) ?? prefix
    }
}

extension ConfigurationError: Hinted {
    var hint: Hint? {
        switch self {
        case .version, .schema, .lacks, .unsound: "make the change in the app"
        case .startNow: "start the app: if it starts, correct the entry there; if not, \(.check) shows what is wrong"
        case .file: "open the store with the app and close the app again, or make the change in the app"
        case .serverTaken: .command(.serverList)
        case .presetEntry: "disable the preset instead: \(.serverDisable, "SERVER") or \(.relayDisable, "RELAY")"
        case .presetAddress:
            "\(.serverEnable, "SERVER") or \(.relayEnable, "RELAY") enables the preset, once the app has added it"
        case .noServers: "enable other servers first, or accept that with --allow-fallback"
        case .conditions: "accept the conditions in the app, and enable the operator there"
        case .relayName: .command(.relayList)
        case .operatorDomain, .operatorData, .relayDomains, .relayLink, .start, .unused, .unexpected, .host: nil
        }
    }
}

extension TransportError: Hinted {
    var hint: Hint? {
        switch self {
        case .socketPathTooLong, .cannotListen: "name another path; the folder must exist and be writable"
        case .socketInUse: "end that program, or name another path"
        case .socketPathTaken: "name another path, or remove the file"
        case .noDescriptors: nil
        }
    }
}
