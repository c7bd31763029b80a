import ChatDBEncryption
import ChatDBEngine
import ChatDBPOSIX
import Synchronization

/// An encrypted database that a passphrase has opened.
struct UnlockedDatabase: Sendable {
    /// The header, decrypted.
    let header: DatabaseHeader
    /// A clause about how the passphrase fits; usually nil.
    let note: String?
    fileprivate let salt: [UInt8]
    let codec: PageCodec
    private let registration: CodecVFS.Registration

    fileprivate init(_ codec: PageCodec, _ header: DatabaseHeader, salt: [UInt8], note: String?) {
        (self.header, self.salt, self.note, self.codec) = (header, salt, note, codec)
        registration = DecryptingVFS.registration(codec, showsRollbackMode: header.journalMode == .wal)
    }

    /// The page that did not fit when SQLite read last; nil if all fitted. Asking clears it.
    var changedPage: UInt32? { registration.changedPage }

    /// The URI with which SQLite reads the database at a path.
    func uri(_ path: String) -> String { SQLitePath.uri(path, registration.parameters) }
}

/// The passphrase of the databases of a store. Deriving a key takes a tenth of a second, so the keys are kept.
final class DatabaseKeys: Sendable {
    private let passphrase: Passphrase
    /// The passphrase of a database that the first one does not open; nil for usual stores, which have one passphrase.
    private let other: Passphrase?
    private let unlocked: Mutex<[String: UnlockedDatabase]>
    /// The codecs of new databases, by salt.
    private let new = Mutex<[[UInt8]: PageCodec]>([:])

    init(_ passphrase: Passphrase) {
        (self.passphrase, other) = (passphrase, nil)
        unlocked = Mutex([:])
    }

    /// The same keys, and another passphrase for what they do not open.
    init(_ keys: DatabaseKeys, other: Passphrase) {
        (passphrase, self.other) = (keys.passphrase, other)
        let known = keys.unlocked.withLock { $0 }
        unlocked = Mutex(known)
    }

    /// Whether the first passphrase is this one.
    func isOf(_ passphrase: Passphrase) -> Bool { self.passphrase.isSame(as: passphrase) }

    /// The database at a path, if this process has opened it before.
    func known(_ path: String) -> UnlockedDatabase? {
        unlocked.withLock { $0[SQLitePath.resolved(path)] }
    }

    /// Opens a database with the passphrase. The caller must make sure that SQLite does not have it open in this
    /// process.
    func unlock(_ diagnosis: FileDiagnosis) throws(StoreError) -> UnlockedDatabase {
        do throws(StoreError) {
            return try unlock(diagnosis.path)
        } catch {
            // Nothing but the passphrase could show that it is an encrypted database.
            if error.kind == .wrongPassphrase, diagnosis.finding != .encryptedOrForeign, let problem = diagnosis.problem
            {
                throw problem
            }
            throw error
        }
    }

    /// Why an unlocked database has fewer pages than its header says; nil when it has them. The caller must make sure
    /// that SQLite does not have it open in this process.
    func truncation(_ diagnosis: FileDiagnosis, _ unlocked: UnlockedDatabase) -> StoreError? {
        guard let problem = diagnosis.truncation(unlocked.header) else { return nil }
        // A program may have committed since the size was read. While chatdb has a lock, none does.
        let file: EncryptedFile
        do throws(FileReadingError) {
            file = try EncryptedFile(diagnosis.path, locked: true)
        } catch {
            return StoreError(encrypted: error, diagnosis.path)
        }
        guard let page = try? file.firstPage(unlocked.codec),
            let header = try? DatabaseHeader(page, fileBytes: file.size)
        else { return problem }
        let isWhole = file.size / Int64(header.pageSize) >= header.pageCount
        return isWhole || SideFiles.examine(databaseAt: diagnosis.path).hasHotJournal ? nil : problem
    }

    /// The damaged pages of a database that the passphrase has opened, and that SQLite does not have open in this
    /// process; nil for every other file.
    func damagedPages(
        of path: String, stoppedWhen isStopped: @escaping @Sendable () -> Bool
    ) throws(StoreError) -> DamagedPages? {
        guard let known = known(path), let file = try? EncryptedFile(path), file.salt == known.salt else { return nil }
        return try PageVerification(
            of: file, at: path, known.codec, pages: known.header.pageCount, stoppedWhen: isStopped
        ).run()
    }

    private func unlock(_ path: String) throws(StoreError) -> UnlockedDatabase {
        try Self.requireVFS(DecryptingVFS.isRegistered, path)
        let file = try Self.file(path)
        // The header of a database in WAL mode is read again each time, because a connection that writes changes the
        // mode.
        if let known = known(path), known.salt == file.salt, known.header.journalMode == .rollback { return known }
        let database = try unlock(file, path)
        unlocked.withLock { $0[SQLitePath.resolved(path)] = database }
        return database
    }

    private func unlock(_ file: EncryptedFile, _ path: String) throws(StoreError) -> UnlockedDatabase {
        if let copy = copy(file) { return copy }
        switch try open(file, path) {
        case .unlocked(let codec, let firstPage, let note):
            do throws(DatabaseHeader.Problem) {
                let header = try DatabaseHeader(firstPage, fileBytes: file.size)
                return UnlockedDatabase(codec, header, salt: file.salt, note: note)
            } catch {
                throw StoreError(.damaged, "\(path) has a damaged header: \(error.reason)")
            }
        case .truncated(let codec):
            let pages = file.size / Int64(codec.pageSize)
            throw StoreError(
                .truncated,
                "\(path) is truncated after \(pages == 1 ? "1 page" : "\(pages) pages"); the passphrase is right; ask for "
                    + "the file again")
        case .firstPageDamaged:
            throw StoreError(
                .damaged, "the first page of \(path) was changed; the passphrase is right; restore a backup")
        case .wrongPassphrase:
            throw wrongPassphrase(path)
        }
    }

    /// A database that has the salt, and so the key, of one that the passphrase has opened or that this process has
    /// made. Nil for any other file.
    private func copy(_ file: EncryptedFile) -> UnlockedDatabase? {
        var known = unlocked.withLock { $0.values.filter { $0.salt == file.salt }.map { ($0.codec, $0.note) } }
        if let made = new.withLock({ $0[file.salt] }) { known.append((made, nil)) }
        for (codec, note) in known where file.size % Int64(codec.pageSize) == 0 {
            guard let page = try? file.firstPage(codec), let header = try? DatabaseHeader(page, fileBytes: file.size)
            else { continue }
            return UnlockedDatabase(codec, header, salt: file.salt, note: note)
        }
        return nil
    }

    /// The codec of a database that SQLite is to write, and whether the file is empty, which SQLite takes for a new
    /// database. The caller must make sure that SQLite does not have it open in this process.
    ///
    /// A journal is rolled back first, without a key. Pages that the journal has may be torn in the file. After a
    /// change of the passphrase that was interrupted, pages of the file have the new key, and those of the journal the
    /// old one.
    ///
    /// A database in WAL mode is then put into rollback mode.
    ///
    /// - Parameter patience: how long the rollback, and the end of WAL mode, each wait for a lock of another program, in
    ///   seconds.
    func codec(forWriting path: String, patience: Double) throws(StoreError) -> (codec: PageCodec, isNew: Bool) {
        try Self.requireVFSToWrite(path)
        let diagnosis = FileDiagnosis.examine(path)
        if let problem = diagnosis.sideProblem { throw problem }
        if diagnosis.side.hasWAL { throw .encryptedLog(of: path) }
        if diagnosis.side.hasHotJournal {
            if let problem = diagnosis.orphanedJournal(FileHolders.of(databaseAt: path)) { throw problem }
            do throws(StoreError) {
                try EncryptedRollback.run(at: SQLitePath.resolved(path), patience: patience)
            } catch {
                throw error.naming(holdersOf: path)
            }
        }
        guard let database = try unlockLocked(path) else { return (try codecOfNew(path), true) }
        if let problem = truncation(FileDiagnosis.examine(path), database) { throw problem }
        if database.header.journalMode == .wal {
            try endWALMode(path, database.codec, patience)
            _ = try unlockLocked(path)
        }
        return (database.codec, false)
    }

    /// The codec of a database that is to be written, and that this process has open; nil if these keys have not opened
    /// it. Only SQLite looks at the file: closing it in another way would end the locks of this process.
    func codec(forWritingOpened path: String, patience: Double) throws(StoreError) -> PageCodec? {
        guard let known = known(path) else { return nil }
        try Self.requireVFSToWrite(path)
        if known.header.journalMode == .wal {
            // The connection that has it open may be closed meanwhile.
            let registration = OpenDatabases.Registration(path)
            defer { registration.end() }
            try endWALMode(path, known.codec, patience)
        }
        return known.codec
    }

    private func endWALMode(_ path: String, _ codec: PageCodec, _ patience: Double) throws(StoreError) {
        let hasEnded: Bool
        do throws(StoreError) {
            hasEnded = try EncryptedWALMode.end(at: SQLitePath.resolved(path), codec, patience: patience)
        } catch {
            throw error.naming(holdersOf: path)
        }
        if !hasEnded { throw .encryptedLog(of: path) }
    }

    /// Opens a database that is to be written; nil for an empty file. With a lock, because another program may be
    /// writing. The lock ends before SQLite takes its own.
    private func unlockLocked(_ path: String) throws(StoreError) -> UnlockedDatabase? {
        let file = try Self.file(path, locked: true)
        if file.size == 0 { return nil }
        let database = try unlock(file, path)
        // A second connection, as for a backup, reads the file while the first one has it open.
        unlocked.withLock { $0[SQLitePath.resolved(path)] = database }
        return database
    }

    /// The codec of a new database, with a salt of its own.
    ///
    /// - Parameter other: the codec whose format and page size the new one has; nil for those of SimpleX Chat.
    func codecOfNew(_ path: String, like other: PageCodec? = nil) throws(StoreError) -> PageCodec {
        try Self.requireVFSToWrite(path)
        let (format, salt) = (other?.format ?? .version4, CipherFormat.newSalt(for: passphrase))
        let pageSize = other?.pageSize ?? format.pageSizes[0]
        guard let codec = PageCodec(passphrase, salt: salt, format, pageSize: pageSize) else {
            throw StoreError(.other, "no key can be derived for \(path)")
        }
        new.withLock { $0[salt] = codec }
        return codec
    }

    /// A connection that writes makes backups through a second one, which reads.
    private static func requireVFSToWrite(_ path: String) throws(StoreError) {
        try requireVFS(EncryptingVFS.isRegistered && DecryptingVFS.isRegistered, path)
    }

    private static func requireVFS(_ isRegistered: Bool, _ path: String) throws(StoreError) {
        guard SQLitePath.understandsURIs, isRegistered else {
            throw StoreError(
                .engineTooOld, "this SQLite reads no URIs, so chatdb cannot read \(path), which is encrypted")
        }
    }

    private static func file(_ path: String, locked isLocked: Bool = false) throws(StoreError) -> EncryptedFile {
        do throws(FileReadingError) {
            return try EncryptedFile(path, locked: isLocked)
        } catch {
            throw StoreError(encrypted: error, path)
        }
    }

    private func open(_ file: EncryptedFile, _ path: String) throws(StoreError) -> EncryptedFile.Opening {
        do throws(FileReadingError) {
            let opening = try file.open(with: passphrase)
            if let other, case .wrongPassphrase = opening { return try file.open(with: other) }
            return opening
        } catch {
            throw StoreError(encrypted: error, path)
        }
    }

    private func wrongPassphrase(_ path: String) -> StoreError {
        if other != nil {
            return StoreError(
                .wrongPassphrase,
                "neither passphrase opens \(path); or the first 16 bytes of the file were changed")
        }
        if let other = unlocked.withLock({ $0.keys.first { isPartner($0, of: path) } }) {
            return .otherPassphrase(
                "the passphrase opens \(other), and not \(path): a change of the passphrase was probably interrupted, "
                    + "or the first 16 bytes of the file were changed; try the passphrase from before that change")
        }
        return StoreError(
            .wrongPassphrase,
            "the passphrase does not open \(path); or the first 16 bytes of the file were changed")
    }
}

extension StoreError {
    /// Why an encrypted database with a log is not read, and what to do: the last program that closes the database writes
    /// the log into it.
    static func encryptedLog(of path: String) -> StoreError {
        // A program that only reads the database does not have the log open.
        let holders = FileHolders.of(databaseAt: path + "-wal")?.holders ?? []
        let more =
            holders.isEmpty
            ? "open the store once in the app, and close the app"
            : "it is open in \(holders.map(\.description).joined(separator: ", "))"
        return .encryptedLog(
            "\(path) has a write-ahead log, and chatdb reads none of an encrypted database; \(more)",
            isOpen: !holders.isEmpty)
    }

    /// The error of reading an encrypted file without SQLite.
    init(encrypted error: FileReadingError, _ path: String) {
        if error.errno == EAGAIN {
            self = StoreError(.busy, "\(path) is locked\(LockHolders.clause(path))")
        } else {
            self = StoreError(
                .inputOutput, "\(path) cannot be read: \(SystemError.explained(error.errno))",
                systemError: error.errno)
        }
    }
}

/// Whether two files are the two databases of one store, by their names.
private func isPartner(_ one: String, of other: String) -> Bool {
    let other = SQLitePath.resolved(other)
    let endings = ["_chat.db", "_agent.db"]
    guard let ending = endings.first(where: one.hasSuffix), let partner = endings.first(where: other.hasSuffix) else {
        return false
    }
    return ending != partner && one.dropLast(ending.count) == other.dropLast(partner.count)
}

extension FileDiagnosis {
    /// The examination of an encrypted file with the keys; nil for any other file.
    func examination(unlockedWith keys: DatabaseKeys) -> FileExamination? {
        guard mayBeEncrypted else { return nil }
        var problem: StoreError?
        var notes = warnings.map(\.message)
        do throws(StoreError) {
            if let side = sideProblem { throw side }
            let unlocked = try keys.unlock(self)
            if let truncation = keys.truncation(self, unlocked) { throw truncation }
            if side.hasWAL { throw .encryptedLog(of: path) }
            if let note = unlocked.note { notes.append(note) }
        } catch {
            problem = error
        }
        return FileExamination(problem: problem, bytes: bytes ?? 0, notes: notes)
    }
}
