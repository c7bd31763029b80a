package import ChatDBEngine
import ChatDBPOSIX

/// The files SQLite keeps beside a database: `-wal`, `-shm`, `-journal`. They lie beside the file itself, not beside a
/// symbolic link to it.
package struct SideFiles: Sendable, Hashable {
    /// The write-ahead log.
    package var wal = FileState.missing
    /// The shared-memory index of the log.
    package var shm = FileState.missing
    /// The rollback journal.
    package var journal = FileState.missing
    /// The journal has content that SQLite will roll back, unless a process is writing at this moment.
    package var hasHotJournal = false
    /// The journal has content, and does not begin as a journal does: SQLite finds nothing in it to roll back.
    package var hasUselessJournal = false
    /// The content of the log. It is nil if the database has no log, or an empty one.
    package var log: LogFile?
    /// The path of the super-journal that the journal names, when a commit over several databases was interrupted.
    package var superJournal: String?
    /// Whether there is a file at the path of the super-journal.
    package var superJournalIsThere = false

    /// The page size of the log. It is nil if the database has no log, or if the file does not begin with the header of
    /// a log.
    package var walPageSize: Int? { log?.pageSize }

    /// The log has content. It may hold commits that the database itself does not have.
    package var hasWAL: Bool { (wal.bytes ?? 0) > 0 }

    /// What SQLite adds to the path of a database for the files beside it.
    package static let suffixes = ["-wal", "-shm", "-journal"]

    /// Removes a database that this process has made, with the files beside it.
    package static func removeDatabase(at path: String) {
        for suffix in [""] + suffixes { unlink(path + suffix) }
    }

    static let journalMagic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
    /// The longest path SQLite takes.
    private static let longestPath = 4_096

    /// No side files.
    init() {}

    static func examine(databaseAt path: String) -> SideFiles {
        var side = SideFiles()
        let real = realpath(path, nil).map { pointer in
            defer { free(pointer) }
            return String(cString: pointer)
        }
        let file = real ?? path
        side.wal = FileState(at: file + "-wal")
        side.shm = FileState(at: file + "-shm")
        side.journal = FileState(at: file + "-journal")
        if side.hasWAL { side.log = LogFile.read(file + "-wal", of: file) }
        if case .regular = side.journal {
            side.readJournal(file + "-journal")
        }
        return side
    }

    private mutating func readJournal(_ path: String) {
        guard let file = try? PlainFile.read(path, beginning: 8, end: Self.longestPath + 16) else {
            // The journal cannot be read, so it may be hot.
            hasHotJournal = true
            return
        }
        // SQLite's own rule: it rolls back a journal whose first byte is not zero, even one that a power cut left torn.
        hasHotJournal = file.beginning.first.map { $0 != 0 } ?? false
        hasUselessJournal = hasHotJournal && file.beginning != Self.journalMagic
        guard file.beginning == Self.journalMagic, let name = Self.superJournal(file.end) else { return }
        superJournal = name
        superJournalIsThere = FileState(at: name) != .missing
    }

    /// The end of a journal: the name, its length (4 bytes), the sum of its bytes (4), the magic (8).
    static func superJournal(_ end: [UInt8]) -> String? {
        guard end.count > 16, Array(end.suffix(8)) == journalMagic else { return nil }
        let length = number(end.dropLast(12).suffix(4))
        guard length > 0, length <= UInt32(longestPath), Int(length) <= end.count - 16 else { return nil }
        let name = end.dropLast(16).suffix(Int(length))
        // SQLite adds signed characters.
        let sum = name.reduce(UInt32(0)) { $0 &+ UInt32(bitPattern: Int32(Int8(bitPattern: $1))) }
        guard sum == number(end.dropLast(8).suffix(4)), !name.contains(0) else { return nil }
        return String(decoding: name, as: UTF8.self)
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> UInt32 {
        bytes.reduce(0) { $0 << 8 | UInt32($1) }
    }
}
