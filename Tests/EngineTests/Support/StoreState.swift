import ChatDBKit
import Foundation
import Testing

/// The states of a database that chatdb can find. SQLite's shell makes each, and each has a known number of rows.
enum StoreState: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case cleanRollback = "clean, rollback journal"
    case cleanWAL = "clean, WAL"
    case hotWAL = "hot WAL of a killed process"
    case hotWALWithoutIndex = "hot WAL without its index"
    case hotJournal = "hot journal of a killed process"
    case emptyWAL = "WAL mode with an empty log"

    var testDescription: String { rawValue }

    /// A transaction that reaches the file before it ends.
    static let spilling = "PRAGMA cache_size = 2; PRAGMA cache_spill = 2; BEGIN; UPDATE t SET b = 'uncommitted' || b;"

    /// Makes `x_chat.db` in the folder.
    func make(in folder: DatabaseFolder) throws -> String {
        let path = try folder.database(
            "x_chat.db", (isWAL ? "PRAGMA journal_mode = wal;" : "") + sampleTables + folder.markTable)
        switch self {
        case .cleanRollback, .cleanWAL: break
        case .hotWAL: try folder.crash("x_chat.db", "INSERT INTO t(b) SELECT b FROM t LIMIT 200;")
        case .hotWALWithoutIndex:
            try folder.crash("x_chat.db", "INSERT INTO t(b) SELECT b FROM t LIMIT 200;")
            try FileManager.default.removeItem(atPath: path + "-shm")
        case .hotJournal: try folder.crash("x_chat.db", Self.spilling)
        case .emptyWAL: try folder.write("x_chat.db-wal", [])
        }
        return path
    }

    var rows: Int {
        switch self {
        case .cleanRollback, .cleanWAL, .hotJournal, .emptyWAL: 500
        case .hotWAL, .hotWALWithoutIndex: 700
        }
    }

    /// Whether it must be read from a copy.
    var needsCopy: Bool {
        switch self {
        case .cleanRollback, .cleanWAL, .emptyWAL: false
        case .hotWAL, .hotWALWithoutIndex, .hotJournal: true
        }
    }

    private var isWAL: Bool {
        switch self {
        case .cleanRollback, .hotJournal: false
        case .cleanWAL, .hotWAL, .hotWALWithoutIndex, .emptyWAL: true
        }
    }
}

extension DatabaseFolder {
    /// Runs statements in SQLite's shell and kills it before it can checkpoint or roll back.
    func crash(_ name: String, _ sql: String) throws {
        let shell = try HelperProcess("sqlite3", ["-batch", file(name)])
        shell.say(sql)
        shell.say("SELECT 're' || 'ady';")
        try shell.wait(for: "ready")
        shell.crash()
    }

    /// Everything in the folder, and when each file was changed.
    func image() throws -> [String: FileImage] {
        var image: [String: FileImage] = [:]
        for name in try names() {
            var info = stat()
            guard stat(file(name), &info) == 0 else { continue }
            let bytes = info.st_mode & S_IFMT == S_IFREG ? try read(name) : []
            image[name] = FileImage(bytes: bytes, mode: UInt32(info.st_mode), changed: changeTime(info))
        }
        return image
    }

    /// A table by which the private copies of this folder's database are known: other tests make copies meanwhile.
    fileprivate var markTable: String { "CREATE TABLE \"\(mark)\"(a);" }

    private var mark: String { URL(fileURLWithPath: path).lastPathComponent }

    /// The names in the temporary folder of private copies of a database that `StoreState` made in this folder.
    func privateCopies() -> Set<String> {
        let temporary = NSTemporaryDirectory()
        let names = (try? FileManager.default.contentsOfDirectory(atPath: temporary)) ?? []
        return Set(
            names.filter { name in
                guard name.hasPrefix("chatdb-copy-") || name.hasPrefix("chatdb-new-copy-") else { return false }
                let copy = try? Data(contentsOf: URL(fileURLWithPath: "\(temporary)/\(name)/copy.db"))
                return copy?.range(of: Data(mark.utf8)) != nil
            })
    }

    private func changeTime(_ info: stat) -> [Int] {
        #if canImport(Glibc)
            [info.st_mtim.tv_sec, info.st_mtim.tv_nsec]
        #else
            [info.st_mtimespec.tv_sec, info.st_mtimespec.tv_nsec]
        #endif
    }
}

/// A file byte for byte.
struct FileImage: Equatable, CustomStringConvertible {
    let bytes: [UInt8]
    let mode: UInt32
    let changed: [Int]

    /// Short, for the message of a test.
    var description: String { "\(bytes.count) bytes, mode \(String(mode, radix: 8)), changed \(changed)" }
}
