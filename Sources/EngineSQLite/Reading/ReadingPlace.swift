import Engine

/// Where a database is read so that nothing of it changes and nothing of it is missed, chosen by looking at the files
/// before SQLite does.
enum ReadingPlace {
    /// Read-only where it is: nothing to recover, or a program that has it open keeps it in order.
    case inPlace(String)
    /// Where it is, declared immutable: in WAL mode without a log SQLite would otherwise make side files.
    case immutable(String)
    /// In a private copy, because a log or journal that nobody looks after has to be recovered first.
    case copy(of: String, why: String)

    /// The place for the database at a path; throws what stands in the way of reading it anywhere.
    static func choose(for path: String) throws(StoreError) -> ReadingPlace {
        let diagnosis = FileDiagnosis.examine(path)
        if let problem = diagnosis.problem { throw problem }
        let absolute = SQLitePath.absolute(path)
        let side = diagnosis.side
        if side.wal == .missing, side.shm == .missing, side.journal == .missing {
            return diagnosis.usesWriteAheadLog ? quiet(absolute) : .inPlace(absolute)
        }
        // Whoever has it open keeps its log or journal in order.
        if let holders = FileHolders.of(databaseAt: path)?.holders, !holders.isEmpty { return .inPlace(absolute) }
        if side.hasHotJournal {
            return .copy(
                of: absolute, why: "a program was interrupted while writing; its journal was rolled back in a copy")
        }
        if side.hasWAL {
            return .copy(of: absolute, why: "its write-ahead log was not folded in; it was read from a copy")
        }
        return diagnosis.usesWriteAheadLog ? quiet(absolute) : .inPlace(absolute)
    }

    /// For a database in WAL mode without a log.
    private static func quiet(_ path: String) -> ReadingPlace {
        SQLitePath.understandsURIs ? .immutable(path) : .copy(of: path, why: "it was read from a copy")
    }

    /// Opens the database in this place.
    func open(with profile: ReadingProfile) throws(StoreError) -> SQLiteConnection {
        switch self {
        case .inPlace(let path):
            return SQLiteConnection(queue: try profile.open(SQLitePath.uri(path, "mode=ro")))
        case .immutable(let path):
            return SQLiteConnection(queue: try profile.open(SQLitePath.uri(path, "mode=ro&immutable=1")))
        case .copy(let path, let why):
            let copy = try PrivateCopy.make(of: path)
            do {
                try copy.recover()
                return SQLiteConnection(queue: try profile.open(copy.path), privateCopy: copy, notes: [why])
            } catch {
                copy.remove()
                throw error
            }
        }
    }
}
