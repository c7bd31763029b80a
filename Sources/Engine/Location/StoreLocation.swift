public import ChatDBSchema

/// The location of a store: its databases, and the files of chatdb beside them. The databases are two files with a
/// common prefix, or, in an adopted store, one or two files of any name; on a server they are two schemas.
///
/// A store on a server has no files. What is done with them (locks, records, backups) is the server's, and the paths of
/// such a location are the URIs by which the engine of the server knows its databases.
///
/// It holds names only, and opens and makes nothing. ``state(of:)`` finds out what is there.
///
/// ```swift
/// let location = try StoreLocation(prefix: "/data/chat")
/// print(location.path(of: .agent))  // /data/chat_agent.db
/// let app = try StoreLocation(files: [.chat: "/data/app.sqlite"])
/// print(app.lockPath)  // /data/app.sqlite.lock
/// ```
public struct StoreLocation: Sendable, Hashable {
    /// The absolute path with which the names of chatdb's files begin: the common prefix, or the chat database of named
    /// files, or the only one.
    public let prefix: String

    /// The paths of databases that do not have the names of the prefix; nil for a store that has them.
    private let files: [DatabaseName: String]?

    /// The store on a server; nil for files.
    public let server: ServerStore?

    /// The store whose files begin with this path; a relative path begins in the current folder. Every text but an
    /// empty one is a plain name: `file:x`, `:memory:` and `-x` too.
    public init(prefix: String) throws(StoreLocationError) {
        if prefix.isEmpty { throw .emptyPath }
        if prefix.utf8.contains(0) { throw .nulInPath }
        guard let path = absolutePath(prefix) else { throw .noCurrentFolder }
        self.prefix = path
        files = nil
        server = nil
    }

    /// A store on a server.
    public init(server: ServerStore) {
        prefix = server.description
        files = nil
        self.server = server
    }

    /// The store of databases with names of their own, one or both. Both have to be in one folder, because their files
    /// are moved together; throws `twoFolders` or `sameFile` otherwise.
    public init(files: [DatabaseName: String]) throws(StoreLocationError) {
        var paths: [DatabaseName: String] = [:]
        for (database, path) in files { paths[database] = try StoreLocation(prefix: path).prefix }
        guard let first = paths[.chat] ?? paths[.agent] else { throw .emptyPath }
        if paths.count > 1, paths[.chat] == paths[.agent] { throw .sameFile(first) }
        if Set(paths.values.map(parentFolder)).count > 1 { throw .twoFolders(paths.values.sorted()) }
        prefix = first
        self.files = paths
        server = nil
    }

    /// The databases of the store, chat first: both, or those whose files were named.
    public var databases: [DatabaseName] { DatabaseName.allCases.filter { files == nil || files?[$0] != nil } }

    /// Whether the databases have names of their own.
    public var hasNamedFiles: Bool { files != nil }

    /// The path of a database: the prefix with `_chat.db` or `_agent.db`, or that of the named file. For a database that
    /// is not one of ``databases``, there is never a file at the path. On a server it is the URI with the database.
    public func path(of database: DatabaseName) -> String {
        if server != nil { return prefix + Self.parameter + database.rawValue }
        guard let files else { return prefix + Self.suffix(of: database) }
        // A file is no folder, so nothing has such a path.
        return files[database] ?? prefix + "/" + database.rawValue
    }

    /// The folder of the store, without a slash at its end unless it is the root.
    public var folder: String {
        let parts = prefix.utf8.lastIndex(of: UInt8(ascii: "/"))
        guard let slash = parts, slash > prefix.startIndex else { return "/" }
        return String(prefix[..<slash])
    }

    /// The name of the store: the prefix without the folder.
    public var name: String {
        if let server { return server.name }
        guard let slash = prefix.utf8.lastIndex(of: UInt8(ascii: "/")) else { return prefix }
        return String(prefix[prefix.utf8.index(after: slash)...])
    }

    /// The lock file: a process that changes the store holds a lock on it.
    public var lockPath: String { prefix + ".lock" }

    /// The intent record: it exists while a run that changes both databases is unfinished.
    public var intentPath: String { prefix + ".migrating" }

    /// The default folder of backups; empty for a store on a server without one.
    public var backupsPath: String { keptPrefix.isEmpty ? "" : keptPrefix + ".backups" }

    /// The path with which the names of files begin that chatdb keeps for the store: the prefix. That of a store on a
    /// server is empty unless the caller has set it.
    public var keptPrefix: String { server.map { $0.keptPrefix ?? "" } ?? prefix }

    /// The folder in which a restore prepares its databases. It holds a record of a restore that was interrupted.
    public var restoringPath: String { prefix + Self.restoring }

    /// The end of the name of that folder.
    private static let restoring = ".restoring"
    /// The name of the record in it.
    package static let restoreRecordName = "restore.json"

    /// The state of the file of a database now; `missing` for a store on a server, whose engine knows more.
    public func state(of database: DatabaseName) -> FileState {
        server == nil ? FileState(at: path(of: database)) : .missing
    }

    /// The databases of the store whose files are missing, chat first; all for a store that has not been made.
    public var missing: [DatabaseName] { databases.filter { state(of: $0) == .missing } }

    /// Whether no database of the store has a file.
    public var isAbsent: Bool { databases.allSatisfy { state(of: $0) == .missing } }

    /// The message that one of the two databases is missing; nil when both are there, or neither.
    public var loneDatabaseNote: String? {
        let missing = missing
        guard missing.count == 1, databases.count > 1, let name = missing.first else { return nil }
        return "the \(name) database of this store is missing (\(path(of: name)))"
    }

    /// The parameter of a URI with the database.
    private static let parameter = "&database="

    static func suffix(of database: DatabaseName) -> String {
        switch database {
        case .chat: "_chat.db"
        case .agent: "_agent.db"
        }
    }
}

extension StoreLocation {
    /// The SQL of its engine.
    public var syntax: SQLSyntax { server == nil ? .sqlite : .postgres }

    /// Where the files of this store are after they were moved into a folder: under the same names, or, for a store with
    /// a prefix, the only store of the folder.
    package func moved(to folder: String) throws(StoreLocationError) -> StoreLocation {
        guard let files else { return try Self.resolve(folder + "/") }
        return try StoreLocation(files: files.mapValues { folder + "/" + fileName(of: $0) })
    }

    /// The store that a path from the command line means.
    ///
    /// The path is a URI of a store on a server, or, in this order: the prefix of existing databases; the path of one of
    /// the two files, existing or not; a folder with exactly one pair, or, without any pair, exactly one single
    /// database; otherwise the prefix of a new store. A single database is a store: see ``missing``. A store whose
    /// restore or change of the passphrase was interrupted counts as a pair: its files may be in other folders.
    public static func resolve(_ given: String) throws(StoreLocationError) -> StoreLocation {
        if ServerStore.isNamed(by: given) { return StoreLocation(server: try ServerStore(given)) }
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
                if let store = interruptedStore(path, name) { found[store] = DatabaseName.allCases.count }
                for database in DatabaseName.allCases where name.hasSuffix(suffix(of: database)) {
                    guard FileState(at: path + name) != .notRegular(.directory) else { continue }
                    found[String(name.dropLast(suffix(of: database).count)), default: 0] += 1
                }
            }
        } catch {
            throw .unreadable(folder, errno: error.errno)
        }
        let pairs = found.filter { $0.value >= 2 }.keys.sorted()
        let candidates = pairs.isEmpty ? found.keys.sorted() : pairs
        guard let only = candidates.first else { throw .noStoreInFolder(folder) }
        if candidates.count > 1 { throw .severalStores(folder, prefixes: candidates.map { path + $0 }) }
        return try StoreLocation(prefix: path + only)
    }

    /// The name of the store of which a folder in this path has prepared databases, and the record of a restore that has
    /// begun to move files; nil for any other name, and for databases with names of their own.
    private static func interruptedStore(_ path: String, _ name: String) -> String? {
        guard name.hasSuffix(restoring), name != restoring,
            FileState(at: path + name + "/" + restoreRecordName) != .missing
        else { return nil }
        let store = String(name.dropLast(restoring.count))
        let isPrepared = DatabaseName.allCases.contains { database in
            FileState(at: path + name + "/" + store + suffix(of: database)) != .missing
        }
        return isPrepared ? store : nil
    }
}
