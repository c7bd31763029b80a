public import ChatDBSchema

/// Why a path names no store. Nothing was opened or made.
public enum StoreLocationError: ChatDBError, Hashable, Sendable, CustomStringConvertible {
    /// The path is an empty text.
    case emptyPath
    /// The path has a zero byte in it, which no file's name has.
    case nulInPath
    /// The path is relative, and the current folder does not exist or cannot be read.
    case noCurrentFolder
    /// The path ends with a slash, and there is no such folder.
    case noSuchFolder(String)
    /// The folder has neither a chat nor an agent database.
    case noStoreInFolder(String)
    /// The folder has more than one store; the prefixes are those that could be meant, sorted.
    case severalStores(String, prefixes: [String])
    /// There is something at the path, and its name is not that of a chat or agent database.
    case notAStore(String)
    /// Both databases were named with one path.
    case sameFile(String)
    /// The two named databases are in two folders.
    case twoFolders([String])
    /// The address of a store on a server is not valid; the reason, a clause.
    case invalidServer(String)
    /// The address of a store on a server has a password.
    case passwordInAddress
    /// The folder, or what the path leads through, cannot be read; the number of the system's error.
    case unreadable(String, errno: Int32)

    /// The kind, code, message and details of the error.
    public var info: ErrorInfo {
        switch self {
        case .emptyPath:
            ErrorInfo(
                .noInput, "invalidPath",
                "the path of the store is empty; give its prefix, one of its two files, or its folder")
        case .nulInPath:
            ErrorInfo(
                .noInput, "invalidPath",
                "the path of the store has a zero byte in it; give a path that a file can have")
        case .noCurrentFolder:
            ErrorInfo(
                .noInput, "notReadable",
                "the current folder cannot be found out; give the path of the store from the root")
        case .noSuchFolder(let folder):
            ErrorInfo(
                .noInput, "storeNotFound",
                "there is no folder \(folder); give a folder that is there, or a prefix without a slash at its end")
        case .noStoreInFolder(let folder):
            ErrorInfo(
                .noInput, "storeNotFound",
                "the folder \(folder) has no store in it; expected files that end with _chat.db and _agent.db")
        case .severalStores(let folder, let prefixes):
            ErrorInfo(
                .noInput, "severalStores",
                "the folder \(folder) has \(prefixes.count) stores in it; give one of them: \(Self.list(prefixes))")
        case .notAStore(let path):
            ErrorInfo(
                .noInput, "notAStore",
                "\(path) is not named like a database of a store; expected a name that ends with _chat.db or "
                    + "_agent.db")
        case .sameFile(let path):
            ErrorInfo(.noInput, "sameFile", "\(path) was named as both databases; name two files, or only one database")
        case .twoFolders(let paths):
            ErrorInfo(
                .noInput, "twoFolders",
                "\(paths.joined(separator: " and ")) are in two folders; the databases of a store are in one")
        case .invalidServer(let reason):
            ErrorInfo(
                .usage, "invalidServer",
                "the address of the store is not valid: \(reason)"
                    + " (the form is postgres://user@host/database?store=NAME)")
        case .passwordInAddress:
            ErrorInfo(
                .usage, "passwordInAddress",
                "the address of the store has a password, which other users of this machine could see; put it into the"
                    + " file ~/.pgpass or the environment variable PGPASSWORD")
        case .unreadable(let path, let reason):
            ErrorInfo(
                .noInput, "notReadable",
                "\(path) cannot be read: \(systemMessage(reason)); check its permissions and those of its folders")
        }
    }

    /// The same as ``message``.
    public var description: String { message }

    private static func list(_ prefixes: [String]) -> String {
        let shown = prefixes.prefix(10).joined(separator: ", ")
        return prefixes.count > 10 ? "\(shown), and \(prefixes.count - 10) more" : shown
    }
}
