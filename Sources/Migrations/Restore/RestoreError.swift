public import ChatDBEngine
public import ChatDBSchema

/// The reason why a backup was not restored, or the passphrase not changed. Every case but `notFinished` leaves the store
/// as it was.
public enum RestoreError: Error, Sendable, Hashable {
    /// The folder does not exist.
    case notThere(String)
    /// The folder holds no backup.
    case noBackup(String)
    /// The backup lacks a database.
    case incomplete(String, missing: DatabaseName)
    /// The backup changed after it was made.
    case damaged(String, problems: [String])
    /// The backup is from before the adoption of databases with these file names, and the store has other names.
    case otherFileNames(String, files: [String])
    /// The two databases of the backup do not belong together.
    case mismatched(String)
    /// The restore requires `force`.
    case refused(String, RestorePlan.Objection)
    /// A database of the store is a symbolic link.
    case linked(String)
    /// A database of SimpleX Chat's store has a journal or log with content: an app was interrupted.
    case unfinished(String)
    /// The store was changed after the plan was made.
    case planOutdated
    /// A database was changed after a change of the passphrase had copied it. The new files were removed. `kept` has the
    /// databases that another program made in the place of old ones, in the folder of the replaced files.
    case originalsChanged(RestoreRecord.Rewriting.Kind, kept: [String])
    /// An old file of an interrupted change of the passphrase is at neither of these paths. The folder `new` has both
    /// new files.
    case originalMissing(RestoreRecord, DatabaseName, place: String, aside: String, new: String)
    /// Files could not be moved to their places; the next restore of the same backup continues.
    case notFinished(RestoreRecord, StoreError)
}

extension RestoreError: ChatDBError {
    /// The error in a report.
    public var info: ErrorInfo {
        switch self {
        case .notThere(let folder):
            info(.noInput, "backupNotFound", "there is no folder \(folder)", ["path": .string(folder)])
        case .noBackup(let folder):
            info(
                .noInput, "notABackup",
                "\(folder) contains no backup: neither backup.json nor the databases of such a store",
                ["path": .string(folder)])
        case .incomplete(let folder, let missing):
            info(
                .noInput, "incompleteBackup",
                "the backup \(folder) has no \(missing) database, and the store needs it",
                ["path": .string(folder), "missing": .string(missing.rawValue)])
        case .damaged(let folder, let problems):
            info(
                .noInput, "damagedBackup", "the backup \(folder) is damaged: \(problems.first ?? "")",
                ["path": .string(folder), "problems": JSONValue(problems)])
        case .otherFileNames(let folder, let files):
            info(
                .refused, "otherFileNames",
                "the backup \(folder) is of \(files.joined(separator: " and ")) from before the adoption, and such a "
                    + "backup is only restored to files of the same name",
                ["path": .string(folder), "files": JSONValue(files)])
        case .mismatched(let folder):
            info(
                .noInput, "mismatchedBackup", "the two databases in \(folder) do not belong together",
                ["path": .string(folder)])
        case .refused(let folder, .unverified):
            info(
                .refused, "unverifiedBackup",
                "\(folder) has no backup.json, so chatdb cannot verify that the databases in it are unchanged",
                ["path": .string(folder)])
        case .refused(let folder, .otherStore(let backup, let store)):
            info(
                .refused, "otherStore", "the backup \(folder) is of another store (\(backup), this one is \(store))",
                ["path": .string(folder), "backup": .string(backup), "store": .string(store)])
        case .refused(let folder, .mismatchedStore(let database, let backup, let other)):
            info(
                .refused, "otherStore",
                "the \(database) database of the store is of another store (\(other)) than the backup \(folder) and the "
                    + "other database (\(backup))",
                ["path": .string(folder), "backup": .string(backup), "store": .string(other)])
        case .refused(let folder, .notAdopted(let database)):
            info(
                .refused, "notAdopted",
                "the \(database) database is not adopted, and the backup \(folder) is of an adopted one",
                ["path": .string(folder), "database": .string(database.rawValue)])
        case .refused(let folder, .noCommonProfile):
            info(
                .refused, "otherStore", "the backup \(folder) and the store have no profile in common",
                ["path": .string(folder)])
        case .refused(let folder, .locked(let database)):
            info(
                .refused, "lockedStore",
                "chatdb has no passphrase that opens the store, so it cannot tell whether the backup \(folder) is of this "
                    + "store", ["path": .string(folder), "database": .string(database.rawValue)])
        case .refused(_, .moved(let place)):
            info(
                .refused, "storeMoved",
                "the store was moved to \(place), and both stores would change after a restore",
                ["movedTo": .string(place)])
        case .refused(let folder, .newerVersion(let names)):
            info(
                .wrongVersion, "newerBackup",
                "the backup \(folder) has migrations that this build does not have: "
                    + names.prefix(6).joined(separator: ", ") + (names.count > 6 ? " and more" : ""),
                ["path": .string(folder), "migrations": JSONValue(names)])
        case .linked(let path):
            info(
                .refused, "linkedStore",
                "\(path) is a symbolic link, and moving it aside would not move the file it leads to",
                ["path": .string(path)])
        case .unfinished(let path):
            info(
                .refused, "simplexJournal", "\(path) has content: a program was interrupted", ["path": .string(path)])
        case .planOutdated: info(.tryAgain, "planOutdated", "the store was changed after the plan was shown")
        case .originalsChanged(_, let kept):
            info(
                .tryAgain, "passphraseChangeUndone",
                "a program changed the store after the change of the passphrase had begun, so the change was undone"
                    + kept.map { "; chatdb kept a database that another program made meanwhile as \($0)" }.joined(),
                ["kept": JSONValue(kept)])
        case .originalMissing(_, let database, let place, let aside, let new):
            info(
                .noInput, "originalMissing",
                "the \(database) database from before the change of the passphrase is neither \(place) nor \(aside)",
                [
                    "database": .string(database.rawValue), "paths": .array([.string(place), .string(aside)]),
                    "new": .string(new),
                ])
        case .notFinished(let record, let error) where record.rewriting != nil:
            ErrorInfo(
                .inputOutput, "passphraseChangeNotFinished",
                "the change of the passphrase could not be finished: \(error.message)",
                ["replaced": .string(record.aside), "cause": .string(error.code)],
                state: "Some of the replaced files are in \(record.aside), beside the store.")
        case .notFinished(let record, let error):
            ErrorInfo(
                .inputOutput, "restoreNotFinished",
                "the restore of \(record.backup) could not be finished: \(error.message)",
                [
                    "backup": .string(record.backup), "replaced": .string(record.aside), "cause": .string(error.code),
                ], state: "Some of the replaced files are in \(record.aside), beside the store.")
        }
    }

    /// An error that left the store unchanged.
    private func info(
        _ kind: ErrorInfo.Kind, _ code: String, _ message: String, _ details: JSONValue = [:]
    ) -> ErrorInfo {
        ErrorInfo(kind, code, message, details, state: ErrorInfo.unchanged)
    }
}
