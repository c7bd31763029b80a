package import ChatDBKit
import Foundation

/// Folders beside a store in which chatdb keeps older copies of its databases.
package enum StoreCopies {
    /// The folder of backups if it has one besides `backup`, and the folders of replaced and half-restored files;
    /// sorted.
    package static func paths(of store: StoreLocation, without backup: String?) -> [String] {
        let files = FileManager.default
        let backups = (try? files.contentsOfDirectory(atPath: store.backupsPath)) ?? []
        let own = backup.map { fileName(of: $0) }
        var found = backups.contains { $0 != own } ? [store.backupsPath] : []
        let prefix = store.keptPrefix
        let name = fileName(of: prefix)
        let beside = (try? files.contentsOfDirectory(atPath: parentFolder(of: prefix))) ?? []
        found += beside.filter { $0.hasPrefix(name + ".replaced-") || $0 == name + ".restoring" }
            .map { prefix.dropLast(name.count) + $0 }
        return found.sorted()
    }
    /// The databases in such a folder and in the folders in it, by path.
    package static func databases(in folder: String) -> [String] {
        let names = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
        return names.filter { $0.hasSuffix(".db") }.sorted().map { "\(folder)/\($0)" }
    }
}
