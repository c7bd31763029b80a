public import ChatDBSchema

/// The location of a store: two databases in one folder with a common prefix, and the files of chatdb beside them.
///
/// It holds names only, and opens and makes nothing. ``state(of:)`` finds out what is there.
///
/// ```swift
/// let location = try StoreLocation(prefix: "/data/chat")
/// print(location.path(of: .agent))  // /data/chat_agent.db
/// ```
public struct StoreLocation: Sendable, Hashable {
    /// The absolute path with which the names of all files of the store begin.
    public let prefix: String

    /// The store whose files begin with this path; a relative path begins in the current folder. Every text but an
    /// empty one is a plain name: `file:x`, `:memory:` and `-x` too.
    public init(prefix: String) throws(StoreLocationError) {
        if prefix.isEmpty { throw .emptyPath }
        if prefix.utf8.contains(0) { throw .nulInPath }
        guard let path = absolutePath(prefix) else { throw .noCurrentFolder }
        self.prefix = path
    }

    /// The path of a database: the prefix with `_chat.db` or `_agent.db`.
    public func path(of database: DatabaseName) -> String { prefix + Self.suffix(of: database) }

    /// The folder of the store, without a slash at its end unless it is the root.
    public var folder: String {
        let parts = prefix.utf8.lastIndex(of: UInt8(ascii: "/"))
        guard let slash = parts, slash > prefix.startIndex else { return "/" }
        return String(prefix[..<slash])
    }

    /// The name of the store: the prefix without the folder.
    public var name: String {
        guard let slash = prefix.utf8.lastIndex(of: UInt8(ascii: "/")) else { return prefix }
        return String(prefix[prefix.utf8.index(after: slash)...])
    }

    /// The lock file: a process that changes the store holds a lock on it.
    public var lockPath: String { prefix + ".lock" }

    /// The intent record: it exists while a run that changes both databases is unfinished.
    public var intentPath: String { prefix + ".migrating" }

    /// The default folder of backups.
    public var backupsPath: String { prefix + ".backups" }

    /// The folder in which a restore prepares its databases. It holds a record of a restore that was interrupted.
    public var restoringPath: String { prefix + ".restoring" }

    /// The state of the path of a database now.
    public func state(of database: DatabaseName) -> FileState { FileState(at: path(of: database)) }

    /// The databases that are missing, chat first; both for a store that has not been made.
    public var missing: [DatabaseName] { DatabaseName.allCases.filter { state(of: $0) == .missing } }

    /// The message that one of the two databases is missing; nil when both are there, or neither.
    public var loneDatabaseNote: String? {
        let missing = missing
        guard missing.count == 1, let name = missing.first else { return nil }
        return "the \(name) database of this store is missing (\(path(of: name)))"
    }

    static func suffix(of database: DatabaseName) -> String {
        switch database {
        case .chat: "_chat.db"
        case .agent: "_agent.db"
        }
    }
}

extension StoreLocation {
    /// The store that a path from the command line means.
    ///
    /// The path is, in this order: the prefix of existing databases; the path of one of the two files, existing or not;
    /// a folder with exactly one pair, or, without any pair, exactly one single database; otherwise the prefix of a new
    /// store. A single database is a store: see ``missing``.
    public static func resolve(_ given: String) throws(StoreLocationError) -> StoreLocation {
        let asPrefix = try StoreLocation(prefix: given)
        if DatabaseName.allCases.contains(where: { asPrefix.state(of: $0) != .missing }), !given.hasSuffix("/") {
            return asPrefix
        }
        for database in DatabaseName.allCases where asPrefix.prefix.hasSuffix(suffix(of: database)) {
            return try StoreLocation(prefix: String(asPrefix.prefix.dropLast(suffix(of: database).count)))
        }
        switch FileState(at: asPrefix.prefix) {
        case .notRegular(.directory):
            return try onlyStore(in: asPrefix.prefix)
        case .missing:
            if given.hasSuffix("/") { throw .noSuchFolder(asPrefix.prefix) }
            return asPrefix
        case .empty, .regular, .notRegular:
            throw .notAStore(asPrefix.prefix)
        case .unreachable(let reason):
            throw .unreadable(asPrefix.prefix, errno: reason)
        }
    }

    private static func onlyStore(in folder: String) throws(StoreLocationError) -> StoreLocation {
        let path = folder.hasSuffix("/") ? folder : folder + "/"
        var found: [String: Int] = [:]
        do throws(FolderError) {
            for name in try folderNames(folder) {
                for database in DatabaseName.allCases where name.hasSuffix(suffix(of: database)) {
                    guard FileState(at: path + name) != .notRegular(.directory) else { continue }
                    found[String(name.dropLast(suffix(of: database).count)), default: 0] += 1
                }
            }
        } catch {
            throw .unreadable(folder, errno: error.errno)
        }
        let pairs = found.filter { $0.value == 2 }.keys.sorted()
        let candidates = pairs.isEmpty ? found.keys.sorted() : pairs
        guard let only = candidates.first else { throw .noStoreInFolder(folder) }
        if candidates.count > 1 { throw .severalStores(folder, prefixes: candidates.map { path + $0 }) }
        return try StoreLocation(prefix: path + only)
    }
}
