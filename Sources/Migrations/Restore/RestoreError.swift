public import ChatDBEngine
public import ChatDBSchema

/// Why a backup was not restored. Every case but `notFinished` leaves the store as it was.
public enum RestoreError: Error, Sendable, Hashable {
    /// There is no such folder.
    case notThere(String)
    /// The folder holds no backup.
    case noBackup(String)
    /// The backup lacks a database.
    case incomplete(String, missing: DatabaseName)
    /// The backup is not what it was when it was made.
    case damaged(String, problems: [String])
    /// The two databases of the backup do not belong together.
    case mismatched(String)
    /// It could be restored only by `force`.
    case refused(String, RestorePlan.Objection)
    /// A database of the store is a symbolic link.
    case linked(String)
    /// The store was changed after the plan was made.
    case planOutdated
    /// Files could not be put in their places; the next restore of the same backup goes on.
    case notFinished(RestoreRecord, StoreError)
}

extension RestoreError {
    /// The stable name of the error, as scripts see it.
    public var code: String {
        switch self {
        case .notThere: "backupNotFound"
        case .noBackup: "notABackup"
        case .incomplete: "incompleteBackup"
        case .damaged: "damagedBackup"
        case .mismatched: "mismatchedBackup"
        case .refused(_, .unverified): "unverifiedBackup"
        case .refused(_, .otherStore): "otherStore"
        case .refused(_, .newerVersion): "newerBackup"
        case .linked: "linkedStore"
        case .planOutdated: "planOutdated"
        case .notFinished: "restoreNotFinished"
        }
    }

    /// What went wrong, in one sentence with the names in it.
    public var message: String {
        switch self {
        case .notThere(let folder): "there is no folder \(folder)"
        case .noBackup(let folder):
            "\(folder) holds no backup: neither backup.json nor one chat and one agent database"
        case .incomplete(let folder, let missing):
            "the backup \(folder) has no \(missing) database, and both are needed"
        case .damaged(let folder, let problems): "the backup \(folder) is damaged: \(problems.first ?? "")"
        case .mismatched(let folder): "the two databases in \(folder) do not belong together"
        case .refused(let folder, .unverified):
            "\(folder) has two databases and no backup.json, so nothing tells whether they are what they were"
        case .refused(let folder, .otherStore(let backup, let store)):
            "the backup \(folder) is of another store (\(backup), this one is \(store))"
        case .refused(let folder, .newerVersion(let names)):
            "the backup \(folder) has migrations that this build has not: "
                + names.prefix(6).joined(separator: ", ") + (names.count > 6 ? " and more" : "")
        case .linked(let path): "\(path) is a symbolic link, and moving it aside would not move the file it leads to"
        case .planOutdated: "the store was changed after this was asked"
        case .notFinished(let record, let error):
            "the restore of \(record.backup) could not be finished: \(error.message)"
        }
    }

    /// What to do, or nil.
    public var hint: String? {
        switch self {
        case .notThere, .noBackup: "name the folder that chatdb backup made"
        case .incomplete: "with no program using the store, copy the one file by hand"
        case .damaged, .mismatched: "use another backup"
        case .refused(_, .newerVersion):
            "--force restores it all the same; --migrations-dir names the migrations of a store that are not chatdb's"
        case .refused: "--force restores it all the same"
        case .linked: "name the store where its files are"
        case .planOutdated: "run the command again"
        case .notFinished(let record, _): "chatdb restore \(record.backup) goes on when the cause is gone"
        }
    }
}
