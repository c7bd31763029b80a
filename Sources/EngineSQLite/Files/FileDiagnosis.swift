package import ChatDBEngine

/// What a file is, found out before SQLite opens it, and without changing it, its neighbours or their folder.
///
/// SQLite itself waits for ever on a FIFO, makes files that are not there, and says of an encrypted file, a picture
/// and a cut download the same thing: that they are not databases.
package struct FileDiagnosis: Sendable, Hashable {
    /// What the file is.
    package enum Finding: Sendable, Hashable {
        /// A database whose header is right, with what it says.
        case database(DatabaseHeader)
        /// 0 bytes. SQLite takes it for a database without tables.
        case empty
        /// So many whole pages of so many; of an unknown number when even the header is cut.
        case truncated(pages: Int64, of: Int64?)
        /// Noise of the size of pages: SQLCipher, or something else without a pattern.
        case encryptedOrForeign
        /// Something else, with its article: `a ZIP file`.
        case other(kind: String)
        /// It begins as a database does, and its header cannot be right: why.
        case damagedHeader(reason: String)
        /// Nothing is there.
        case missing
        /// No file of data.
        case notAFile(FileKind)
        /// It cannot be read; the number of the system's error.
        case unreadable(errno: Int32)
    }

    /// The stable word for a kind of finding, as scripts see it.
    package enum Code: String, Sendable, Hashable, CaseIterable {
        case notADatabase, encrypted, truncated, damaged, notAFile, missing, notReadable
    }

    /// Something that SQLite takes in silence.
    package enum Warning: Sendable, Hashable {
        /// Bytes after the last page: somebody appended something.
        case extraBytes(Int64)
        /// SQLite will read the file and refuse to write it.
        case newerWriteFormat(UInt8)
        /// A number that stands for no text encoding.
        case unknownEncoding(UInt32)
        /// The `-wal` has pages of another size: it is of another database, and would replace this one's content.
        case foreignWAL(pageSize: Int)
        /// There is a `-wal` with content, and the database is not in WAL mode.
        case unexpectedWAL
    }

    /// The path as it was given.
    package let path: String
    /// The size; none when there is no file.
    package let bytes: Int64?
    /// What the file is.
    package let finding: Finding
    /// What SQLite keeps beside it.
    package let side: SideFiles
    /// What is odd about it.
    package let warnings: [Warning]

    /// Looks at a file. Whoever calls makes sure that this process has no SQLite connection to it: closing a
    /// second descriptor of a file drops all its locks.
    package static func examine(_ path: String) -> FileDiagnosis {
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
            return FileDiagnosis(path: path, bytes: file.bytes, finding: finding, side: side, warnings: warnings)
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
        path: String, bytes: Int64? = nil, finding: Finding, side: SideFiles = SideFiles(), warnings: [Warning] = []
    ) {
        self.path = path
        self.bytes = bytes
        self.finding = finding
        self.side = side
        self.warnings = warnings
    }

    private static func judge(_ beginning: [UInt8], bytes: Int64, side: SideFiles) -> (Finding, [Warning]) {
        if bytes == 0 { return (.empty, []) }
        guard DatabaseHeader.hasMagic(beginning) else { return (withoutMagic(beginning, bytes: bytes), []) }
        if beginning.count < DatabaseHeader.length { return (.truncated(pages: 0, of: nil), []) }
        let header: DatabaseHeader
        do throws(DatabaseHeader.Problem) {
            header = try DatabaseHeader(beginning, fileBytes: bytes)
        } catch {
            // SQLCipher can leave the first 32 bytes plain: then all that follows them is noise.
            let isNoise = bytes % 1_024 == 0 && FileKindSniffer.isNoise(beginning[32...])
            return (isNoise ? .encryptedOrForeign : .damagedHeader(reason: error.reason), [])
        }
        // While a commit or a checkpoint is unfinished, size and header may differ: SQLite puts them right.
        let isSettled = !side.hasHotJournal && !side.hasWAL
        let whole = bytes / Int64(header.pageSize)
        if isSettled, whole < header.pageCount { return (.truncated(pages: whole, of: header.pageCount), []) }
        return (.database(header), warnings(header, bytes: bytes, side: side, isSettled: isSettled))
    }

    private static func withoutMagic(_ beginning: [UInt8], bytes: Int64) -> Finding {
        if let kind = FileKindSniffer.knownKind(beginning) { return .other(kind: kind) }
        if DatabaseHeader.isCutMagic(beginning) { return .truncated(pages: 0, of: nil) }
        if DatabaseHeader.isNearlyMagic(beginning) { return .damagedHeader(reason: "its first 16 bytes were changed") }
        if bytes % 1_024 == 0, FileKindSniffer.isNoise(beginning[...]) { return .encryptedOrForeign }
        return .other(kind: FileKindSniffer.generalKind(beginning))
    }

    private static func warnings(
        _ header: DatabaseHeader, bytes: Int64, side: SideFiles, isSettled: Bool
    ) -> [Warning] {
        var warnings: [Warning] = []
        let extra = bytes - header.pageCount * Int64(header.pageSize)
        if isSettled, extra > 0 { warnings.append(.extraBytes(extra)) }
        if header.writeFormat > 2 { warnings.append(.newerWriteFormat(header.writeFormat)) }
        if header.encoding == nil { warnings.append(.unknownEncoding(header.encodingNumber)) }
        if let size = side.walPageSize, size != header.pageSize {
            warnings.append(.foreignWAL(pageSize: size))
        } else if side.hasWAL, header.journalMode == .rollback {
            warnings.append(.unexpectedWAL)
        }
        return warnings
    }
}
