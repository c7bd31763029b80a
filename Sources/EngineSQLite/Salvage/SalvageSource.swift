import ChatDBEngine
import ChatDBPOSIX
import ChatDBSalvage
import GRDBSQLite

/// The file whose pages a salvage reads: the database itself, or a private copy to which SQLite has applied the journal
/// or the log. The original never changes.
struct SalvageSource {
    let file: PageFile
    /// Notes about how the file is read, a clause each.
    let notes: [String]
    /// The use made of the log or the journal beside the database. It is nil if neither has content.
    let sideFile: SalvagedDatabase.SideFile?
    /// The private copy, which is kept as long as the file is read. It is nil if the database itself is read.
    private let copy: PrivateCopy?
    /// The state of the database before the first page was read. It is nil if a private copy is read.
    private let stamp: FileStamp?

    /// Throws if another program has written the database since it was opened, because the pages are then not of one
    /// moment.
    func requireUnchanged() throws(StoreError) {
        guard let stamp, !stamp.isValid || stamp.hasLog else { return }
        throw StoreError(.busy, "another program wrote the database while chatdb read it")
    }

    /// What was found at a path, before a page is read.
    private struct Examined {
        let diagnosis: FileDiagnosis
        let readPath: String
        var copy: PrivateCopy?
        var stamp: FileStamp?
        var notes: [String] = []
        var sideFile: SalvagedDatabase.SideFile?
    }

    /// Opens the database at a path. Throws if the file is not a database, or is encrypted.
    static func open(_ path: String, _ cancellation: Cancellation) throws -> SalvageSource {
        var examined = try whenNotOpen(path) { () throws(StoreError) in try examine(path) }
        if let reason = try foreignReason(examined, path, cancellation) {
            examined = try whenNotOpen(path) { [examined] () throws(StoreError) in
                try withoutSideFile(examined, path, reason)
            }
        }
        let file = try PageFile(examined.readPath)
        if file.looksLikeDatabase {
            return SalvageSource(
                file: file, notes: examined.notes, sideFile: examined.sideFile, copy: examined.copy,
                stamp: examined.stamp)
        }
        let diagnosis = examined.diagnosis
        if diagnosis.finding == .encryptedOrForeign {
            throw StoreError(
                .encryptedUnsupported,
                "\(path) is encrypted or not a database, and chatdb salvages only databases that are not encrypted")
        }
        throw diagnosis.problem ?? StoreError(.notADatabase, "\(path) is not a database")
    }

    /// The reason why the log or the journal of a database belongs to another one, a clause. It is nil if no such file
    /// has changes, if it may belong to this database, and while a program has the database open.
    static func foreignSideFile(of path: String, _ cancellation: Cancellation) throws -> String? {
        let examined = try whenNotOpen(path) { () throws(StoreError) -> Examined? in
            let side = FileDiagnosis.examine(path).side
            guard side.hasHotJournal || side.hasWAL && side.log?.commits != 0,
                FileHolders.of(databaseAt: path)?.holders.isEmpty != false
            else { return nil }
            return try examine(path)
        }
        return try examined.flatMap { try foreignReason($0, path, cancellation) }
    }

    private static func foreignReason(
        _ examined: Examined, _ path: String, _ cancellation: Cancellation
    ) throws -> String? {
        guard examined.sideFile == .applied, let copy = examined.copy, examined.diagnosis.headerUnlikeLog == nil else {
            return nil
        }
        return try ForeignSideFile.reason(copy, of: path, cancellation)
    }

    private static func whenNotOpen<T: Sendable>(
        _ path: String, _ body: () throws(StoreError) -> T
    ) throws(StoreError) -> T {
        guard let result = try OpenDatabases.whenNotOpen(path, body) else {
            throw StoreError(.busy, "\(path) is open in this process")
        }
        return result
    }

    private static func examine(_ path: String) throws(StoreError) -> Examined {
        let diagnosis = FileDiagnosis.examine(path)
        switch diagnosis.finding {
        case .missing, .notAFile, .unreadable, .empty, .plainHeader:
            if let problem = diagnosis.problem { throw problem }
        case .database, .truncated, .encryptedOrForeign, .other, .damagedHeader: break
        }
        let damagedHeader = diagnosis.headerUnlikeLog
        if damagedHeader == nil, let problem = diagnosis.sideProblem { throw problem }
        let holders = FileHolders.of(databaseAt: path)
        if let problem = diagnosis.orphanedJournal(holders) { throw problem }
        let original = SQLitePath.resolved(path)
        let side = diagnosis.side
        guard side.hasHotJournal || side.hasWAL || holders?.holders.isEmpty == false else {
            return Examined(diagnosis: diagnosis, readPath: original, stamp: FileStamp(of: original))
        }
        let copy = try PrivateCopy.make(of: original, isOneOfSeveral: side.superJournal != nil)
        var notes = [note(side, path)]
        if let damagedHeader, let size = diagnosis.side.log?.pageSize {
            notes.append(damagedHeader.message)
            // SQLite takes the page size of the header before it reads the log.
            try copy.setPageSize(size)
        }
        let isRecovered = copy.recoverDamaged()
        if !isRecovered {
            notes.append(
                "SQLite could not apply the journal or the log of the database; chatdb read the database without it")
        }
        let hasChanges = side.hasHotJournal && !side.hasUselessJournal || side.hasWAL && side.log?.commits != 0
        return Examined(
            diagnosis: diagnosis, readPath: copy.path, copy: copy, notes: notes,
            sideFile: hasChanges ? isRecovered ? .applied : .leftOut : nil)
    }

    /// The reason why chatdb reads a private copy.
    private static func note(_ side: SideFiles, _ path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        if side.hasHotJournal, !side.hasUselessJournal {
            return "chatdb read a private copy, in which SQLite rolled back \(name)-journal"
        }
        if side.hasWAL, let log = side.log, log.commits > 0 {
            return "chatdb read a private copy with the changes of \(name)-wal: \(log.cost)"
        }
        return side.hasHotJournal || side.hasWAL
            ? "chatdb read a private copy; the \(side.hasWAL ? "-wal" : "-journal") of the database has no change"
            : "chatdb read a private copy, because a program has the database open"
    }

    /// A copy of the database alone, because its log or its journal belongs to another one.
    private static func withoutSideFile(
        _ found: Examined, _ path: String, _ reason: String
    ) throws(StoreError) -> Examined {
        let side = found.diagnosis.side
        let name = side.hasHotJournal ? "-journal" : "-wal"
        let cost = side.hasHotJournal ? nil : side.log?.cost
        let note =
            "chatdb read the database without its \(name), which belongs to another database or to another time of this "
            + "one: \(reason)\(cost.map { "; \($0)" } ?? "")"
        let copy = try PrivateCopy.make(of: SQLitePath.resolved(path), hasSideFiles: false)
        return Examined(
            diagnosis: found.diagnosis, readPath: copy.path, copy: copy, notes: [note], sideFile: .leftOut)
    }
}

extension PrivateCopy {
    /// Writes a page size into the header of the copy.
    fileprivate func setPageSize(_ size: Int) throws(StoreError) {
        let file = open(path, O_WRONLY | O_CLOEXEC)
        guard file >= 0 else { throw SystemError.current("the private copy cannot be written") }
        defer { close(file) }
        // The header has 1 for 65536, which has no place in two bytes.
        let stated = size == 65_536 ? 1 : size
        guard pwrite(file, [UInt8(stated >> 8), UInt8(stated & 0xFF)], 2, 16) == 2 else {
            throw SystemError.current("the private copy cannot be written")
        }
    }

    /// Makes SQLite roll back the journal, or checkpoint the log, of a copy whose schema may be damaged; returns
    /// whether neither has content afterwards.
    func recoverDamaged() -> Bool {
        var connection: OpaquePointer?
        defer { sqlite3_close(connection) }
        guard sqlite3_open_v2(path, &connection, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK else { return false }
        // The first read rolls back a journal and opens a log, before SQLite reads the schema.
        sqlite3_exec(connection, "SELECT 1 FROM sqlite_master", nil, nil, nil)
        sqlite3_wal_checkpoint_v2(connection, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
        return ["-wal", "-journal"].allSatisfy { FileSpace.size(of: path + $0) == 0 }
    }
}
