import ChatDBKit
import Foundation

/// Files that no output may replace: databases, and the files kept beside them. `--force` does not permit it.
struct KeptFiles {
    /// The store that the command reads; nil for none.
    let store: StoreLocation?

    /// Endings of the files that SQLite keeps beside a database.
    private static let side = ["-wal", "-shm", "-journal"]
    /// Endings of the files that chatdb keeps beside a store.
    private static let beside = [".lock", ".migrating", ".restoring"]

    /// Describes the file at this path, or the file that chatdb would take it for, as a clause; nil if an output is
    /// permitted.
    ///
    /// Compares paths and inodes of the store being read, and does not open its files: closing a second descriptor
    /// drops the locks of the first.
    func meaning(of path: String) -> String? {
        let path = Self.canonical(path)
        if ShownPaths.isArchive(path) { return "it is the archive that is read" }
        if let store {
            for database in DatabaseName.allCases {
                let file = store.path(of: database)
                if isSame(path, file) { return "it is the \(database) database of the store" }
                if Self.side.contains(where: { isSame(path, file + $0) }) { return "it belongs to \(file)" }
            }
            let kept = [store.lockPath, store.intentPath, store.restoringPath]
            if kept.contains(where: { isSame(path, $0) }) { return "it belongs to the store \(store.prefix)" }
        }
        return Self.meaningToOthers(path)
    }

    /// The same without a store.
    private static func meaningToOthers(_ path: String) -> String? {
        for ending in side where path.hasSuffix(ending) {
            let database = String(path.dropLast(ending.count))
            if FileState(at: database).bytes != nil { return "it belongs to \(database)" }
        }
        for ending in beside where path.hasSuffix(ending) {
            let prefix = String(path.dropLast(ending.count))
            if isStore(prefix) { return "it belongs to the store \(prefix)" }
        }
        guard FileState(at: path).bytes != nil else { return nil }
        if endings.contains(where: path.hasSuffix) { return "it is named like a database of a store" }
        return beginsLikeDatabase(path) ? "it is a database" : nil
    }

    private static let endings = ["_chat.db", "_agent.db"]

    private static func isStore(_ prefix: String) -> Bool {
        endings.contains { FileState(at: prefix + $0) != .missing }
    }

    /// Recognizes a database by the header that SQLite writes into every file that is not encrypted.
    private static func beginsLikeDatabase(_ path: String) -> Bool {
        guard let bytes = try? InputFile.read(path, upTo: 16) else { return false }
        return bytes.prefix(15).elementsEqual("SQLite format 3".utf8)
    }

    /// By name, for a file that does not exist; and by inode, for links of every kind.
    private func isSame(_ path: String, _ kept: String) -> Bool {
        if path == Self.canonical(kept) { return true }
        return FileIdentity(at: path).map { $0 == FileIdentity(at: kept) } ?? false
    }

    private static func canonical(_ path: String) -> String {
        let url = URL(fileURLWithPath: path)
        let folder = url.deletingLastPathComponent().resolvingSymlinksInPath().path
        return folder + (folder.hasSuffix("/") ? "" : "/") + url.lastPathComponent
    }
}
