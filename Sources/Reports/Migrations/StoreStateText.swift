package import ChatDBKit

extension StoreState {
    /// The state of the store, in a sentence or two.
    package var sentence: String {
        switch self {
        case .unchanged:
            "Nothing was changed."
        case .unchangedWithBackup(let path):
            "Nothing was changed. The backup from before is in \(path)."
        case .interrupted(let record):
            "The agent database is at \(record.courses[.agent]?.to ?? "no version"), the chat database still at "
                + "\(record.courses[.chat]?.from ?? "no version"). The next run completes the migration."
                + Self.place(of: record.backup)
        case .completed(let record):
            "The run of \(record.startedAt) that was interrupted was completed. Nothing else was changed."
        case .partlyMade:
            "The new store is incomplete; the next chatdb migrate run removes it."
        case .migrated(let record):
            "Both databases are at the new version. The next chatdb migrate run finishes the work; until then, chatdb "
                + "refuses to write."
                + Self.place(of: record.backup)
        case .migratedAlone(let database, let version, let backup):
            "The \(database.rawValue) database is nevertheless at \(version ?? "no version")." + Self.place(of: backup)
        case .adopted(let databases, let all, let backup):
            (databases.count == all.count
                ? "The adoption is nevertheless complete."
                : "Only the \(databases.map(\.rawValue).joined()) database was adopted. The same command completes it.")
                + Self.place(of: backup)
        case .unknown(let backup):
            "chatdb cannot determine whether anything was changed; chatdb migrate status shows it."
                + Self.place(of: backup)
        }
    }

    private static func place(of backup: String?) -> String { backup.map { " The backup is in \($0)." } ?? "" }
}
