public import ChatDBSchema

/// Where a store is: two databases in one folder with a common prefix, and what chatdb keeps beside them.
///
/// Only names: whether anything is there, ``state(of:)`` tells. Nothing is opened or made.
public struct StoreLocation: Sendable, Hashable {
    /// The path the names of all files of the store begin with, from the root.
    public let prefix: String

    /// The store whose files begin with this path; a relative one begins in the current folder. Every text but an
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

    /// What the prefix adds to the folder: the name of the store.
    public var name: String {
        guard let slash = prefix.utf8.lastIndex(of: UInt8(ascii: "/")) else { return prefix }
        return String(prefix[prefix.utf8.index(after: slash)...])
    }

    /// The file that is locked by whoever changes the store.
    public var lockPath: String { prefix + ".lock" }

    /// The intent record: there while a run that changes both databases has not ended.
    public var intentPath: String { prefix + ".migrating" }

    /// The folder of the backups, unless another one is asked for.
    public var backupsPath: String { prefix + ".backups" }

    /// The folder in which a restore gets its databases ready; a record in it tells of one that was interrupted.
    public var restoringPath: String { prefix + ".restoring" }

    /// What is at the path of a database now.
    public func state(of database: DatabaseName) -> FileState { FileState(at: path(of: database)) }

    /// The databases that are not there, chat first; both for a store that has not been made.
    public var missing: [DatabaseName] { DatabaseName.allCases.filter { state(of: $0) == .missing } }

    /// What to say when only one of the two databases is there; nothing when both are there, or neither.
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
