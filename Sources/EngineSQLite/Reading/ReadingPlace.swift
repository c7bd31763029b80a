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
        let diagnosis = FileDiagnosis.of(path)
        if let problem = diagnosis.examination.problem { throw problem }
        let absolute = SQLitePath.absolute(path)
        let isOpenElsewhere = FileHolders.of(path).map { !$0.isEmpty } ?? false
        if isOpenElsewhere { return .inPlace(absolute) }
        if diagnosis.hasHotJournal {
            return .copy(of: absolute, why: "a program was interrupted while writing; its journal was rolled back in a copy")
        }
        guard diagnosis.usesWriteAheadLog else { return .inPlace(absolute) }
        if diagnosis.hasWriteAheadLog {
            return .copy(of: absolute, why: "its write-ahead log was not folded in; read from a copy")
        }
        return SQLitePath.understandsURIs
            ? .immutable(absolute) : .copy(of: absolute, why: "read from a copy")
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
