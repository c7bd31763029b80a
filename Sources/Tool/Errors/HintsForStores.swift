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
        case .busy, .inUse: "close the other program, or try again when it is done"
        case .beyondLimits where message.contains("safety limits"):
            "docs/errors.md lists the limits; remove what exceeds them, or read the file with sqlite3, which has wider ones"
        case .diskFull where message.contains("TMPDIR"): "free some space there, or set TMPDIR to a folder with more"
        case .diskFull: "free some space and try again"
        // The schema of a version is built from the migrations, without a store.
        case _ where isOfModule && message.hasPrefix("migration "): Self.withoutModule
        case _ where isOfModule:
            "keep the tool with which the program migrates the database, or put the rows of the table into a plain table"
        case .sql where message.hasPrefix("migration ") && message.contains("duplicate column name: "),
            .sql where message.hasPrefix("migration ") && message.hasSuffix(" already exists"):
            "correct the file of the migration, or an earlier file that was edited, if that one makes the same already"
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

    static let withoutModule: Hint =
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
            "write -d \(ShellWord.quoted("chat=\(path)")) for a database of any name, or name a store with -d"
        case .noStoreInFolder(let path) where ReplacedStore.hint(inFolder: path) != nil:
            ReplacedStore.hint(inFolder: path)
        default: "name the store with --store"
        }
    }

    /// Whether the path leads to a file that may be a database. False for a text file.
    static func mayBeDatabase(_ path: String) -> Bool {
        FileState(at: path).bytes != nil && SQLiteEngine().examine(path).problem?.kind != .notADatabase
    }
}

extension ErrorReport {
    /// The same for a command that needs the existing store, and cannot use a new one: without a hint to create one.
    func forExistingStore() -> ErrorReport {
        guard code == "storeNotFound", hint?.commands.contains(where: { $0.name == .migrateRun }) == true else {
            return self
        }
        var report = self
        let isUnnamed = hint?.commands.contains { $0.name == .find } == true
        report.hint = isUnnamed ? StoreFolder.unnamed : "check the path; \(.find) lists the stores in the usual places"
        return report
    }
}

extension RestoreError: Hinted {
    var hint: Hint? {
        switch self {
        case .notThere: "name a folder that \(.backupMake) created"
        case .noBackup(let folder):
            if let newest = FoundBackup.newest(in: folder) {
                "the folder contains backups: \(.restore, newest.path) restores the newest of them"
            } else {
                "name a folder that \(.backupMake) created"
            }
        case .incomplete: "close all programs that use the store, and copy the one file by hand"
        case .otherFileNames(_, let files) where files.count > 1:
            """
            name two files of the same names with --database chat=FILE and --database agent=FILE; in another folder, the \
            restore creates them
            """
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
        case .refused(let folder, .locked):
            "\(.restore, folder, "--force") restores it, compares nothing, and keeps the encrypted files beside the store"
        case .refused: "--force restores it anyway"
        case .linked: "name the store by the path of its files"
        case .unfinished: "open the store with the app and close the app again; it completes what was interrupted"
        case .planOutdated: "run the command again"
        case .originalsChanged(let kind, _): "\(kind.command) begins again"
        case .originalMissing(let record, _, _, _, let new):
            """
            put the old file back at one of these paths; or, if it is lost, move the other old database away too. Both \
            new databases are whole in \(new), and \(record.completion) then continues
            """
        case .notFinished(let record, _): "remove the cause, then \(record.completion) continues"
        }
    }
}

extension FoundBackup {
    /// The newest complete backup in a folder that is not from the middle of a migration, with both databases if there is
    /// one, else the newest complete one; nil if there is none.
    fileprivate static func newest(in folder: String) -> FoundBackup? {
        let complete = ((try? all(in: folder)) ?? []).filter { $0.state == .complete }
        let ended = complete.filter { !$0.isOfInterrupted }
        let whole = ended.first { $0.manifest?.parts.count == DatabaseName.allCases.count }
        return whole ?? ended.first ?? complete.first
    }
}

extension CopyError: Hinted {
    var hint: Hint? {
        switch self {
        case .sameKind(let source, _) where ServerStore.isNamed(by: source): "--to names the prefix of new files"
        case .sameKind(_, let target): Self.copyOfFiles(HintedCommand(.restore, ["FOLDER", "-d", target]))
        case .notAPair: "name the store by the prefix of both databases"
        case .targetExists: "give the copy another place"
        case .notCopyable(let problems) where problems.allSatisfy(\.isText):
            "--replace-bad-text writes U+FFFD in the place of these bytes"
        case .notCopyable(let problems) where problems.contains(where: \.isOfServer):
            "change these numbers with psql: a file has no NaN and no negative zero"
        case .notCopyable(let problems) where problems.contains(where: \.isText):
            """
            \(.check) shows what refers to missing rows and how to repair it; --replace-bad-text writes U+FFFD in the \
            place of the other bytes
            """
        case .notCopyable: "\(.check) shows what refers to missing rows and how to repair it"
        case .refused(_, _, let cause) where cause.kind == .beyondLimits:
            "in the store, make the longest value of the row, or of the columns of the index, shorter"
        case .refused: "\(.check) shows whether the store breaks a rule"
        case .differs: "this is a defect in chatdb; please report it with the command you ran"
        case .notMarked: "write neither of them, and run the same command again: it compares the rows and sets the mark"
        case .changedSince: "use one of the two from now on, and move the other one away"
        case .otherTables, .otherColumns: "use the chatdb that made the store"
        }
    }

    /// What to do instead of a copy from files to files.
    ///
    /// - Parameter restore: the command that writes a backup to the other place.
    static func copyOfFiles(_ restore: HintedCommand) -> Hint {
        """
        --to names a store on a server. To copy files, \(.backupMake) makes a verified copy, and \(restore) writes it to \
        another place. Let apps use only one of the two
        """
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
        case .missing: SimilarStores.suggestion(ofArchive: path).map(Hint.init(text:))
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

extension ConfigurationError: Hinted {
    var hint: Hint? {
        switch self {
        case .version, .schema, .lacks, .unsound: "make the change in the app"
        case .unreadable: "\(.check) says how to correct them (unreadableInApp)"
        case .startNow: "start the app: if it starts, correct the entry there; if not, import an earlier archive"
        case .file: "open the store with the app and close the app again, or make the change in the app"
        case .serverTaken: .command(.serverList)
        case .presetEntry: "disable the preset instead: \(.serverDisable, "SERVER") or \(.relayDisable, "RELAY")"
        case .presetAddress:
            "\(.serverEnable, "SERVER") or \(.relayEnable, "RELAY") enables the preset, once the app has added it"
        case .noServers: "enable other servers first, or accept that with --allow-fallback"
        case .conditions: "accept the conditions in the app, and enable the operator there"
        case .relayName: .command(.relayList)
        case .unused: "if the app lists the entry, enable it there; otherwise add or enable another one"
        case .operatorDomain, .operatorData, .relayDomains, .relayLink, .start, .unexpected, .host: nil
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
