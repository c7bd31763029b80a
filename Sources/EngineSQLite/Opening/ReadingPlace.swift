import ChatDBEngine
import GRDB

/// The place where a database is read so that nothing of it changes and nothing of it is missed, chosen by looking at
/// the files before SQLite does.
enum ReadingPlace: Sendable {
    /// The file in place, read-only: there is nothing to recover, or a program that has the database open keeps it in
    /// order.
    case inPlace(String)
    /// The encrypted file in place, read-only, decrypted page by page, with the locks of rollback mode.
    case encrypted(String, UnlockedDatabase)
    /// The file in place, opened as immutable: in WAL mode without a log SQLite would otherwise create side files.
    case immutable(String)
    /// A private copy, because a log or journal that no program has open must be recovered first; with the error if it
    /// is no database even then.
    case copy(PrivateCopy, why: String, otherwise: StoreError? = nil)
    /// A private copy of an encrypted file, whose journal must be rolled back first. The copy stays encrypted.
    case encryptedCopy(PrivateCopy, UnlockedDatabase, why: String)

    /// Chooses the place for the database at a path; throws when it cannot be read anywhere.
    ///
    /// - Parameters:
    ///   - copies: where a copy is kept for the next time the same database is opened.
    ///   - keys: those of encrypted databases; nil when no passphrase was given.
    static func choose(
        for path: String, _ copies: PrivateCopies, _ keys: DatabaseKeys?
    ) throws(StoreError) -> ReadingPlace {
        let place = try OpenDatabases.whenNotOpen(path) { () throws(StoreError) in try look(at: path, copies, keys) }
        if let place { return place }
        let path = SQLitePath.absolute(path)
        return keys?.known(path).map { .encrypted(path, $0) } ?? .inPlace(path)
    }

    private static func look(
        at path: String, _ copies: PrivateCopies, _ keys: DatabaseKeys?
    ) throws(StoreError) -> ReadingPlace {
        let diagnosis = FileDiagnosis.examine(path)
        if let keys, diagnosis.mayBeEncrypted { return try encrypted(diagnosis, copies, keys) }
        if let problem = diagnosis.problem { throw problem }
        // Side files lie beside the file itself, not beside a symbolic link to it.
        let file = SQLitePath.resolved(path)
        let side = diagnosis.side
        if side.wal == .missing, side.shm == .missing, side.journal == .missing {
            return diagnosis.usesWriteAheadLog ? try withoutLog(file, copies) : .inPlace(file)
        }
        // A program that has the database open keeps its log or journal in order.
        let holders = FileHolders.of(databaseAt: path)
        if holders?.holders.isEmpty == false {
            if let problem = diagnosis.unrecoveredProblem { throw problem }
            return .inPlace(file)
        }
        if let problem = diagnosis.orphanedJournal(holders) { throw problem }
        let doubt = holders?.uncertainty.map { " (\($0))" } ?? ""
        if side.hasHotJournal {
            return .copy(
                try copies.copy(of: file, isOneOfSeveral: side.superJournal != nil),
                why: side.hasUselessJournal
                    ? "its journal does not begin as a journal does and is ignored; removing it loses nothing"
                    : "a program was interrupted while writing; its journal was rolled back in a copy\(doubt)",
                otherwise: diagnosis.unrecoveredProblem)
        }
        if side.hasWAL {
            return .copy(
                try copies.copy(of: file, isOneOfSeveral: false),
                why: diagnosis.logNote + doubt,
                otherwise: diagnosis.unrecoveredProblem)
        }
        return diagnosis.usesWriteAheadLog ? try withoutLog(file, copies) : .inPlace(file)
    }

    /// Whether an encrypted database that is read in place is in WAL mode.
    var isInWALMode: Bool {
        if case .encrypted(_, let unlocked) = self { unlocked.header.journalMode == .wal } else { false }
    }

    /// The place for an encrypted database.
    private static func encrypted(
        _ diagnosis: FileDiagnosis, _ copies: PrivateCopies, _ keys: DatabaseKeys
    ) throws(StoreError) -> ReadingPlace {
        let (path, side) = (diagnosis.path, diagnosis.side)
        if let problem = diagnosis.sideProblem { throw problem }
        let holders = side.hasHotJournal ? FileHolders.of(databaseAt: path) : nil
        let isInterrupted = side.hasHotJournal && holders?.holders.isEmpty != false
        let doubt = holders?.uncertainty.map { " (\($0))" } ?? ""
        let unlocked: UnlockedDatabase
        do throws(StoreError) {
            unlocked = try keys.unlock(diagnosis)
        } catch {
            if isInterrupted, let place = try? rolledBack(diagnosis, copies, keys, doubt) { return place }
            guard side.hasHotJournal, !isInterrupted else { throw error }
            // The journal may have the page that is damaged, and the size of the file. It may also have the salt of the
            // passphrase, unless it is the journal of a program that is writing now, whose file is whole.
            let mayBeInJournal =
                [.damaged, .truncated].contains(error.kind)
                || error.kind == .wrongPassphrase && LockHolders.isNone(path)
            throw mayBeInJournal ? SQLiteErrors.unrecovered(nil) : error
        }
        if let problem = keys.truncation(diagnosis, unlocked) { throw problem }
        // SQLite reads a log only with a database whose header says so, and this header is encrypted.
        if side.hasWAL { throw .encryptedLog(of: path) }
        let file = SQLitePath.resolved(path)
        guard isInterrupted else { return .encrypted(file, unlocked) }
        if let problem = diagnosis.orphanedJournal(holders) { throw problem }
        return .encryptedCopy(
            try copies.copy(of: file, isOneOfSeveral: side.superJournal != nil), unlocked, why: Self.why + doubt)
    }

    private static let why = "a program was interrupted while writing; its journal was rolled back in a copy"

    /// The place for a database that the passphrase opens only after the rollback of its journal: a power cut may tear
    /// the first page, and the journal has it. The journal of a new database leaves an empty file.
    private static func rolledBack(
        _ diagnosis: FileDiagnosis, _ copies: PrivateCopies, _ keys: DatabaseKeys, _ doubt: String
    ) throws(StoreError) -> ReadingPlace? {
        let side = diagnosis.side
        guard !side.hasWAL, diagnosis.orphanedJournal(FileHolders.of(databaseAt: diagnosis.path)) == nil else {
            return nil
        }
        let copy = try copies.copy(
            of: SQLitePath.resolved(diagnosis.path), isOneOfSeveral: side.superJournal != nil)
        try copy.rollBackEncrypted()
        let after = FileDiagnosis.examine(copy.path)
        if after.finding == .empty { return .copy(copy, why: why + doubt) }
        return .encryptedCopy(copy, try keys.unlock(after), why: why + doubt)
    }

    /// The place for a database in WAL mode without a log.
    private static func withoutLog(_ path: String, _ copies: PrivateCopies) throws(StoreError) -> ReadingPlace {
        if SQLitePath.understandsURIs { return .immutable(path) }
        return .copy(try copies.copy(of: path, isOneOfSeveral: false), why: "it was read from a copy")
    }

    /// Opens the database in this place. In place, the connection waits `patience` seconds for a lock of another
    /// program; no other program locks the other places.
    func open(with profile: ReadingProfile, patience: Double) throws(StoreError) -> OpenedDatabase {
        switch self {
        case .inPlace(let path):
            let registration = OpenDatabases.Registration(path)
            let queue: DatabaseQueue
            do throws(StoreError) {
                queue = try profile.open(SQLitePath.uri(path, "mode=ro"), patience: patience)
            } catch {
                throw error.naming(holdersOf: path)
            }
            return OpenedDatabase(
                queue, registration: registration, timeLimit: profile.timeLimit, notes: profile.notes)
        case .encrypted(let path, let unlocked):
            let registration = OpenDatabases.Registration(path)
            let queue = try Self.open(path, unlocked, profile, patience)
            try CodecVFS.requireUse(of: DecryptingVFS.name, by: queue)
            return OpenedDatabase(
                queue, registration: registration, timeLimit: profile.timeLimit,
                notes: (unlocked.note.map { [$0] } ?? []) + profile.notes, isEncrypted: true)
        case .encryptedCopy(let copy, let unlocked, let why):
            try copy.rollBackEncrypted()
            let queue = try Self.open(copy.path, unlocked, profile, patience)
            try CodecVFS.requireUse(of: DecryptingVFS.name, by: queue)
            return OpenedDatabase(
                queue, privateCopy: copy, timeLimit: profile.timeLimit,
                notes: [why] + (unlocked.note.map { [$0] } ?? []) + profile.notes, isEncrypted: true)
        case .immutable(let path):
            // SQLite takes no locks on an immutable file, so none can be lost.
            let queue = try profile.open(SQLitePath.uri(path, "mode=ro&immutable=1"))
            return OpenedDatabase(queue, timeLimit: profile.timeLimit, notes: profile.notes)
        case .copy(let copy, let why, let otherwise):
            do throws(StoreError) {
                try copy.recover(profile.timeLimit)
            } catch {
                throw error.kind == .notADatabase ? otherwise ?? error : error
            }
            let queue = try profile.open(copy.path)
            return OpenedDatabase(
                queue, privateCopy: copy, timeLimit: profile.timeLimit, notes: [why] + profile.notes)
        }
    }

    private static func open(
        _ path: String, _ unlocked: UnlockedDatabase, _ profile: ReadingProfile, _ patience: Double
    ) throws(StoreError) -> DatabaseQueue {
        do throws(StoreError) {
            return try profile.open(unlocked.uri(path), patience: patience)
        } catch {
            guard error.kind == .damaged, let page = unlocked.changedPage else { throw error.naming(holdersOf: path) }
            throw SQLiteErrors.changedPage(page, error.engineCode)
        }
    }
}
