import ChatDBEngine
import ChatDBSchema
import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Removes old backups of a store when the caller limits their number.
enum OldBackups {
    /// Keeps the newest `count` backups of this store, including the new one, and returns the folders removed. Never
    /// changes a folder that is not a complete backup of this store.
    ///
    /// - Parameters:
    ///   - count: how many to keep; nil is all.
    ///   - newest: the folder of the new backup; the others are beside it.
    static func remove(keeping count: Int?, of identity: StoreIdentity?, newest: String) -> [String] {
        guard let identity, let count, count >= 1 else { return [] }
        let parent = (newest as NSString).deletingLastPathComponent
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
        let backups = names.compactMap { name -> (path: String, manifest: BackupManifest)? in
            let path = parent + "/" + name
            // Compares names: one path can be written in several ways.
            guard name != (newest as NSString).lastPathComponent, let manifest = BackupManifest.read(inFolder: path),
                manifest.identity?.storeID == identity.storeID
            else { return nil }
            return (path, manifest)
        }
        let old = backups.sorted { isOlder($1, $0) }.dropFirst(count - 1)
        return old.map(\.path).filter(removeBackup)
    }

    /// Compares the times of the backups in milliseconds, then the store's generations, then the numbers that folders
    /// have when their names were taken.
    private static func isOlder(
        _ one: (path: String, manifest: BackupManifest), _ other: (path: String, manifest: BackupManifest)
    ) -> Bool {
        let times = [one, other].map { StoredTime(iso8601: $0.manifest.createdAt)?.microseconds ?? .min }
        if times[0] != times[1] { return times[0] < times[1] }
        let generations = [one, other].map { $0.manifest.identity?.generation ?? 0 }
        if generations[0] != generations[1] { return generations[0] < generations[1] }
        return one.path.count != other.path.count ? one.path.count < other.path.count : one.path < other.path
    }

    /// Removes the files of a backup, and the folder if it is then empty.
    private static func removeBackup(_ path: String) -> Bool {
        guard let manifest = BackupManifest.read(inFolder: path) else { return false }
        let names = manifest.files
        // chatdb writes no such names.
        guard names.allSatisfy(BackupManifest.isFileName) else { return false }
        // Removes only files in this folder: no folders, and nothing inside folders.
        for name in names + [BackupFolder.manifestName] { unlink(path + "/" + name) }
        return rmdir(path) == 0
    }
}
