import ChatDBEngine

/// Where a database is read so that nothing of it changes and nothing of it is missed, chosen by looking at the files
/// before SQLite does.
enum ReadingPlace: Sendable {
    /// Read-only where it is: nothing to recover, or a program that has it open keeps it in order.
    case inPlace(String)
    /// Where it is, declared immutable: in WAL mode without a log SQLite would otherwise make side files.
    case immutable(String)
    /// In a private copy, because a log or journal that nobody looks after has to be recovered first.
    case copy(PrivateCopy, why: String)

    /// The place for the database at a path; throws what stands in the way of reading it anywhere.
    ///
    /// - Parameter copies: where a copy is kept for whoever opens the same database again.
    static func choose(for path: String, _ copies: PrivateCopies) throws(StoreError) -> ReadingPlace {
        let place = try OpenDatabases.whenNotOpen(path) { () throws(StoreError) in try look(at: path, copies) }
        return place ?? .inPlace(SQLitePath.absolute(path))
    }

    private static func look(at path: String, _ copies: PrivateCopies) throws(StoreError) -> ReadingPlace {
        let diagnosis = FileDiagnosis.examine(path)
        if let problem = diagnosis.problem { throw problem }
        // Side files lie beside the file itself, not beside a symbolic link to it.
        let file = SQLitePath.resolved(path)
        let side = diagnosis.side
        if side.wal == .missing, side.shm == .missing, side.journal == .missing {
            return diagnosis.usesWriteAheadLog ? try quiet(file, copies) : .inPlace(file)
        }
        // Whoever has it open keeps its log or journal in order.
        let holders = FileHolders.of(databaseAt: path)
        if holders?.holders.isEmpty == false { return .inPlace(file) }
        if let problem = diagnosis.orphanedJournal(holders) { throw problem }
        let doubt = holders?.uncertainty.map { " (\($0))" } ?? ""
        if side.hasHotJournal {
            return .copy(
                try copies.copy(of: file, isOneOfSeveral: side.superJournal != nil),
                why: "a program was interrupted while writing; its journal was rolled back in a copy\(doubt)")
        }
        if side.hasWAL {
            return .copy(
                try copies.copy(of: file, isOneOfSeveral: false),
                why:
                    "its write-ahead log was not folded in; it was read from a copy with that log, and the two files are "
                    + "one database only if they were taken together\(doubt)")
        }
        return diagnosis.usesWriteAheadLog ? try quiet(file, copies) : .inPlace(file)
    }

    /// For a database in WAL mode without a log.
    private static func quiet(_ path: String, _ copies: PrivateCopies) throws(StoreError) -> ReadingPlace {
        if SQLitePath.understandsURIs { return .immutable(path) }
        return .copy(try copies.copy(of: path, isOneOfSeveral: false), why: "it was read from a copy")
    }

    /// Opens the database in this place.
    func open(with profile: ReadingProfile) throws(StoreError) -> SQLiteConnection {
        switch self {
        case .inPlace(let path):
            let registration = OpenDatabases.Registration(path)
            let queue = try profile.open(SQLitePath.uri(path, "mode=ro"))
            return SQLiteConnection(
                queue: queue, registration: registration, patience: profile.patience, notes: profile.notes)
        case .immutable(let path):
            // No locks are taken, so none can be lost.
            let queue = try profile.open(SQLitePath.uri(path, "mode=ro&immutable=1"))
            return SQLiteConnection(queue: queue, patience: profile.patience, notes: profile.notes)
        case .copy(let copy, let why):
            try copy.recover(profile.patience)
            let queue = try profile.open(copy.path)
            return SQLiteConnection(
                queue: queue, privateCopy: copy, patience: profile.patience, notes: [why] + profile.notes)
        }
    }
}
