import ChatDBEngine
import ChatDBSchema
import Foundation

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Removes old backups of a store, when somebody asked to keep only so many.
enum OldBackups {
    /// Keeps the newest `count` backups of this store, the one just made among them, and answers the folders removed.
    /// A folder that is no complete backup of this very store is never touched.
    ///
    /// - Parameters:
    ///   - count: how many to keep; nil is all.
    ///   - newest: the folder of the backup just made, beside which the others are.
    static func remove(keeping count: Int?, of identity: StoreIdentity?, newest: String) -> [String] {
        guard let identity, let count, count >= 1 else { return [] }
        let parent = (newest as NSString).deletingLastPathComponent
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
        let backups = names.compactMap { name -> (path: String, manifest: BackupManifest)? in
            let path = parent + "/" + name
            // By name: one path can be written in several ways.
            guard name != (newest as NSString).lastPathComponent, let manifest = BackupManifest.read(inFolder: path),
                manifest.identity?.storeID == identity.storeID
            else { return nil }
            return (path, manifest)
        }
        let old = backups.sorted { isOlder($1, $0) }.dropFirst(count - 1)
        return old.map(\.path).filter(removeBackup)
    }

    /// By the time of the backup, to the millisecond; then by the store's generation; then by the number that a folder got
    /// because its name was taken.
    private static func isOlder(
        _ one: (path: String, manifest: BackupManifest), _ other: (path: String, manifest: BackupManifest)
    ) -> Bool {
        let times = [one, other].map { StoredTime(iso8601: $0.manifest.createdAt)?.microseconds ?? .min }
        if times[0] != times[1] { return times[0] < times[1] }
        let generations = [one, other].map { $0.manifest.identity?.generation ?? 0 }
        if generations[0] != generations[1] { return generations[0] < generations[1] }
        return one.path.count != other.path.count ? one.path.count < other.path.count : one.path < other.path
    }

    /// Removes the files a backup consists of, and the folder if nothing else is in it.
    private static func removeBackup(_ path: String) -> Bool {
        guard let manifest = BackupManifest.read(inFolder: path) else { return false }
        let names = manifest.files
        // Whoever wrote such a name wrote no backup of ours.
        guard names.allSatisfy(BackupManifest.isFileName) else { return false }
        // Files alone: nothing goes that is a folder, or in one.
        for name in names + [BackupFolder.manifestName] { unlink(path + "/" + name) }
        return rmdir(path) == 0
    }
}
