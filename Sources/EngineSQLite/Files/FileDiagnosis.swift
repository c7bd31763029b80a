package import ChatDBEngine

/// The facts about a file, found before SQLite opens it, and without changing the file, the files beside it or their
/// folder.
///
/// SQLite itself waits forever on a FIFO, creates missing files, and reports the same error for an encrypted file, a
/// picture and a cut download.
package struct FileDiagnosis: Sendable, Hashable {
    /// The kind of the file.
    package enum Finding: Sendable, Hashable {
        /// A database with a valid header.
        case database(DatabaseHeader)
        /// 0 bytes. SQLite takes it for a database without tables.
        case empty
        /// A cut database: its whole pages, and how many there should be; nil when even the header is cut.
        case truncated(pages: Int64, of: Int64?)
        /// Noise in whole pages: SQLCipher, or something else without a pattern.
        case encryptedOrForeign
        /// A header, and noise behind it: SQLCipher with a plain header (`cipher_plaintext_header_size`).
        case plainHeader
        /// Something else, with its article: `a ZIP file`.
        case other(kind: String)
        /// A file that begins as a database does, but has an invalid header; with the reason.
        case damagedHeader(reason: String)
        /// Nothing is there.
        case missing
        /// Not a regular file.
        case notAFile(FileKind)
        /// A file that cannot be read; with the number of the system's error.
        case unreadable(errno: Int32)
    }

    /// The stable word for a kind of finding, as scripts see it.
    package enum Code: String, Sendable, Hashable, CaseIterable {
        case notADatabase, encrypted, truncated, damaged, notAFile, missing, notReadable
    }

    /// The path, unchanged.
    package let path: String
    /// The size; nil when there is no file.
    package let bytes: Int64?
    /// Whether the file is noise, and its size is not that of whole pages. A truncated encrypted database is such a
    /// file.
    let isCutNoise: Bool
    /// The kind of the file.
    package let finding: Finding
    /// Its side files.
    package let side: SideFiles
    /// Unusual facts about it.
    package let warnings: [Warning]

    /// Examines a file. The caller must make sure that this process has no SQLite connection to it: closing a second
    /// descriptor of a file releases all its locks.
    package static func examine(_ path: String) -> FileDiagnosis {
        // While a program commits, the size and the header may differ for a moment.
        for _ in 0..<5 {
            let diagnosis = examineOnce(path)
            guard case .truncated(_, .some) = diagnosis.finding else { return diagnosis }
        }
        return examineOnce(path)
    }

    /// The same; nil for a file that this process has open by SQLite, which nothing else may read.
    package static func examineIfClosed(_ path: String) -> FileDiagnosis? {
        (try? OpenDatabases.whenNotOpen(path) { () throws(StoreError) in examine(path) }) ?? nil
    }

    private static func examineOnce(_ path: String) -> FileDiagnosis {
        let state = FileState(at: path)
        switch state {
        case .missing: return FileDiagnosis(path: path, finding: .missing)
        case .notRegular(let kind): return FileDiagnosis(path: path, finding: .notAFile(kind))
        case .unreachable(let reason): return FileDiagnosis(path: path, finding: .unreadable(errno: reason))
        case .empty, .regular: break
        }
        let side = SideFiles.examine(databaseAt: path)
        do throws(PlainReadError) {
            let file = try PlainFile.read(path, beginning: 4_096)
            let (finding, warnings) = judge(file.beginning, bytes: file.bytes, side: side)
            let isCutNoise =
                finding == .other(kind: FileKindSniffer.unknown) && FileKindSniffer.isNoise(file.beginning[...])
            return FileDiagnosis(
                path: path, bytes: file.bytes, finding: finding, side: side, warnings: warnings,
                isCutNoise: isCutNoise)
        } catch {
            let finding: Finding =
                switch error {
                case .notRegular: .notAFile(.other)
                case .system(let reason): .unreadable(errno: reason)
                }
            return FileDiagnosis(path: path, bytes: state.bytes, finding: finding, side: side)
        }
    }

    private init(
        path: String, bytes: Int64? = nil, finding: Finding, side: SideFiles = SideFiles(), warnings: [Warning] = [],
        isCutNoise: Bool = false
    ) {
        self.isCutNoise = isCutNoise
        self.path = path
        self.bytes = bytes
        self.finding = finding
        self.side = side
        self.warnings = warnings
    }

    /// Bytes that SQLCipher leaves in plain text if it is set so: usually, and so many that SQLite's header is whole.
    private static let (usualPlainHeader, longPlainHeader) = (32, 112)

    private static func judge(_ beginning: [UInt8], bytes: Int64, side: SideFiles) -> (Finding, [Warning]) {
        if bytes == 0 { return (.empty, []) }
        guard DatabaseHeader.hasMagic(beginning) else { return (withoutMagic(beginning, bytes: bytes), []) }
        if beginning.count < DatabaseHeader.length { return (.truncated(pages: 0, of: nil), []) }
        let header: DatabaseHeader
        do throws(DatabaseHeader.Problem) {
            header = try DatabaseHeader(beginning, fileBytes: bytes)
        } catch {
            let isNoise = bytes % 1_024 == 0 && FileKindSniffer.isNoise(beginning[Self.usualPlainHeader...])
            return (isNoise ? .plainHeader : .damagedHeader(reason: error.reason), [])
        }
        // SQLCipher reserves bytes at the end of each page, and a page of a plain database is no noise.
        if beginning[20] > 0, beginning.count > 512, FileKindSniffer.isNoise(beginning[Self.longPlainHeader...]) {
            return (.plainHeader, [])
        }
        // While a commit or a checkpoint is unfinished, size and header may differ; SQLite recovers them.
        let isSettled = !side.hasHotJournal && !side.hasWAL
        let whole = bytes / Int64(header.pageSize)
        if isSettled, whole < header.pageCount { return (.truncated(pages: whole, of: header.pageCount), []) }
        return (.database(header), warnings(header, beginning, bytes: bytes, side: side, isSettled: isSettled))
    }

    private static func withoutMagic(_ beginning: [UInt8], bytes: Int64) -> Finding {
        let mayBeEncrypted = bytes % 1_024 == 0 && FileKindSniffer.isNoise(beginning[...])
        if let kind = FileKindSniffer.knownKind(beginning, mayBeEncrypted: mayBeEncrypted) { return .other(kind: kind) }
        if DatabaseHeader.isCutMagic(beginning) { return .truncated(pages: 0, of: nil) }
        if DatabaseHeader.isNearlyMagic(beginning) { return .damagedHeader(reason: "its first 16 bytes were changed") }
        if mayBeEncrypted { return .encryptedOrForeign }
        return .other(kind: FileKindSniffer.generalKind(beginning))
    }

    private static func warnings(
        _ header: DatabaseHeader, _ beginning: [UInt8], bytes: Int64, side: SideFiles, isSettled: Bool
    ) -> [Warning] {
        var warnings: [Warning] = []
        let extra = bytes - header.pageCount * Int64(header.pageSize)
        if isSettled, extra > 0 {
            let pages = extra / Int64(header.pageSize)
            warnings.append(extra % Int64(header.pageSize) == 0 ? .extraPages(pages) : .extraBytes(extra))
        }
        if header.writeFormat > 2 { warnings.append(.newerWriteFormat(header.writeFormat)) }
        if header.encoding == nil { warnings.append(.unknownEncoding(header.encodingNumber)) }
        if let log = side.log,
            let reason = log.contradiction(
                of: Array(beginning.prefix(DatabaseHeader.length)), pageSize: header.pageSize)
        {
            if log.fitsDespiteHeader(beginning, bytes: bytes, pageSize: header.pageSize) {
                warnings.append(.headerUnlikeWAL(reason: reason, isInLog: log.firstPage != nil))
            } else if let size = log.pageSize, size != header.pageSize {
                warnings.append(.foreignWAL(pageSize: size))
            } else {
                warnings.append(.otherWAL(reason: reason))
            }
        } else if side.hasWAL, header.journalMode == .rollback {
            warnings.append(.unexpectedWAL)
        }
        return warnings
    }
}

extension FileDiagnosis {
    /// The stable word for the problem; nil for a database. An empty file is not a database, although SQLite opens it
    /// as one.
    package var code: Code? {
        switch finding {
        case .database: nil
        case .empty, .other: .notADatabase
        case .truncated: .truncated
        case .encryptedOrForeign, .plainHeader: .encrypted
        case .damagedHeader: .damaged
        case .missing: .missing
        case .notAFile: .notAFile
        case .unreadable: .notReadable
        }
    }

    /// One sentence without a full stop: what the file is, and what to do.
    package var message: String {
        switch finding {
        case .database(let header):
            "\(path) is a database of \(header.pageCount) \(header.pageCount == 1 ? "page" : "pages") of "
                + "\(header.pageSize) bytes"
        case .empty:
            "\(path) is an empty file (0 bytes), not a database; if somebody sent it, ask for it again"
        case .truncated(let pages, .some(let all)):
            "\(path) is truncated: \(pages) of \(all) pages; if somebody sent it, ask for it again"
        case .truncated(_, .none):
            "\(path) is truncated: \(bytes ?? 0) bytes are less than the header of a database; if somebody sent it, "
                + "ask for it again"
        case .encryptedOrForeign:
            "\(path) is encrypted (SQLCipher) or not a database, and no passphrase was given"
        case .plainHeader:
            "\(path) is encrypted and has a plain header (SQLCipher's cipher_plaintext_header_size), which chatdb does not "
                + "read; SimpleX Chat's apps write none"
        case .other where isCutNoise:
            "\(path) is noise, and its size is no multiple of 1024: it may be a truncated encrypted database "
                + "(SQLCipher); give the passphrase, or if somebody sent it, ask for it again"
        case .other(let kind):
            "\(path) is \(kind), not a database; \(Self.advice(kind))"
        case .damagedHeader(let reason):
            "\(path) has a damaged header: \(reason); restore a backup, or if somebody sent it, ask for it again"
        case .missing:
            "there is no file \(path)"
        case .notAFile(let kind):
            "\(path) is \(kind.shownName), not a file; give the path of a database"
        case .unreadable(let reason):
            "\(path) cannot be read: \(SystemError.explained(reason))"
        }
    }

    private static func advice(_ kind: String) -> String {
        if kind == "a ZIP file" { return "give the path of the archive alone, with its whole name" }
        let packed = [
            "a gzip file", "a bzip2 file", "an xz file", "a zstd file", "a 7z file", "a tar file",
        ]
        return packed.contains(kind)
            ? "unpack it and give the databases in it" : "expected the _chat.db or _agent.db of a store"
    }
}

extension FileDiagnosis {
    /// Whether the file is empty or begins with zeros, so that it need not be unpacked or decrypted either.
    package var isErased: Bool { finding == .empty || finding == .other(kind: FileKindSniffer.zeros) }

    /// The reason why the file cannot be opened; nil for a database, and for a file that may be one after recovery. A
    /// power cut can tear the first page too; then the journal or the log has a whole copy of it.
    var problem: StoreError? {
        if let problem = sideProblem { return problem }
        return mayBeRecovered ? nil : findingProblem
    }

    /// The reason why the file cannot be opened if its journal or log does not change its first page; nil for a file
    /// of which SQLite has to say that.
    var unrecoveredProblem: StoreError? { finding == .encryptedOrForeign ? findingProblem : nil }

    /// The reason in the file itself.
    private var findingProblem: StoreError? {
        guard let code else { return nil }
        let kind: StoreError.Kind =
            switch code {
            case .encrypted where finding == .plainHeader: .encryptedUnsupported
            case .notADatabase: .notADatabase
            case .encrypted: .encrypted
            case .truncated: .truncated
            case .damaged: .damaged
            case .notAFile: .notAFile
            case .missing: .missing
            case .notReadable: .inputOutput
            }
        guard case .unreadable(let reason) = finding else { return StoreError(kind, message) }
        return StoreError(kind, message, systemError: reason)
    }

    /// SQLite opens side files without checking what they are: it would wait forever on a FIFO.
    var sideProblem: StoreError? {
        for (suffix, state) in [("-wal", side.wal), ("-shm", side.shm), ("-journal", side.journal)] {
            guard case .notRegular(let kind) = state else { continue }
            return StoreError(.notAFile, "\(path)\(suffix) is \(kind.shownName), not a file; move it away")
        }
        if case .headerUnlikeWAL(let reason, isInLog: false) = headerUnlikeLog {
            return StoreError(
                .damaged,
                "the header of \(path) is damaged: its -wal \(reason), and the rest of the file fits the -wal; keep the "
                    + "two files together")
        }
        // SQLite would use the log's page size and report damage where there is none.
        guard let why = foreignLog else { return nil }
        return StoreError(.damaged, "\(path)-wal \(why): it belongs to another database; move it away\(logCost)")
    }

    /// The reason why the log does not belong to this database, a clause. It is nil if the log may belong to it.
    package var foreignLog: String? {
        for warning in warnings {
            switch warning {
            case .foreignWAL(let size): return "has another page size (\(size) bytes) than the database"
            case .otherWAL(let reason): return reason
            default: continue
            }
        }
        return nil
    }

    /// The warning that the header is damaged and the log fits the rest of the file. It is nil if the header does not
    /// contradict the log.
    var headerUnlikeLog: Warning? {
        warnings.first {
            if case .headerUnlikeWAL = $0 { return true }
            return false
        }
    }

    /// The note of a database that is read with its log.
    var logNote: String {
        if let log = side.log, log.commits == 0 {
            return "its -wal has no committed change and is ignored; removing it loses nothing"
        }
        return
            "its write-ahead log was not checkpointed; chatdb read a copy with that log\(logCost). The two files are one "
            + "database only if they were copied together"
    }

    /// The error for a log that does not fit the size of the database. SQLite would write it into the database when it
    /// opens or closes a connection that may write. It is nil while a program has the database open, because the file and
    /// the log are then read at two moments.
    func logOfOtherSize(_ holders: FileHolders?) -> StoreError? {
        guard case .database = finding, let log = side.log, holders?.holders.isEmpty == true,
            let file = try? PlainFile.read(path, beginning: DatabaseHeader.length),
            let why = log.contradictionOfSize(file.beginning, bytes: file.bytes)
        else { return nil }
        return StoreError(
            .damaged,
            "\(path)-wal \(why): it belongs to another database, or to another time of this one; move it away\(logCost)"
        )
    }

    /// The changes that are lost when the log is removed, in parentheses. Empty if the database has no log.
    private var logCost: String { side.log.map { " (\($0.cost))" } ?? "" }

    /// Whether a passphrase may fit. The size does not have to be that of whole pages, because the file may be a
    /// truncated encrypted database.
    var mayBeEncrypted: Bool {
        finding == .encryptedOrForeign || finding == .other(kind: FileKindSniffer.unknown)
    }

    /// Why an encrypted database has fewer pages than its decrypted header says; nil when it has them.
    func truncation(_ header: DatabaseHeader) -> StoreError? {
        let whole = (bytes ?? 0) / Int64(header.pageSize)
        guard !side.hasHotJournal, !side.hasWAL, whole < header.pageCount else { return nil }
        return StoreError(
            .truncated,
            "\(path) is truncated: \(whole) of \(header.pageCount) pages; if somebody sent it, ask for it again")
    }

    /// Why its journal must not be rolled back: that would leave one half of a change to two databases. Nil when it may
    /// be, and when another program has the database open, which keeps it in order.
    func orphanedJournal(_ holders: FileHolders?) -> StoreError? {
        guard side.hasHotJournal, let name = side.superJournal, !side.superJournalIsThere,
            holders?.holders.isEmpty != false
        else { return nil }
        return StoreError(
            .damaged,
            "\(path) is one of several databases that were changed together when the program was stopped, and "
                + "\(name), which tells whether the change was complete, is missing; open them once in their original place, "
                + "with the program that wrote them, and copy all their files, or restore a backup")
    }

    private var mayBeRecovered: Bool {
        switch finding {
        case .truncated, .damagedHeader, .encryptedOrForeign, .plainHeader, .other: side.hasHotJournal || side.hasWAL
        case .database, .empty, .missing, .notAFile, .unreadable: false
        }
    }

    /// The diagnosis as a `FileExamination`.
    var examination: FileExamination {
        FileExamination(problem: problem, bytes: bytes ?? 0, notes: warnings.map(\.message))
    }

    /// Whether the header says that the database keeps a write-ahead log.
    var usesWriteAheadLog: Bool {
        if case .database(let header) = finding { header.journalMode == .wal } else { false }
    }
}
