import Engine
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
    static func remove(keeping count: Int, in parent: String, of identity: StoreIdentity?, newest: String) -> [String] {
        guard let identity, count >= 1 else { return [] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
        let backups = names.compactMap { name -> (path: String, manifest: BackupManifest)? in
            let path = parent + "/" + name
            // By name: one path can be written in several ways.
            guard name != (newest as NSString).lastPathComponent, let manifest = BackupManifest.read(inFolder: path),
                manifest.identity?.storeID == identity.storeID
            else { return nil }
            return (path, manifest)
        }
        let old = backups.sorted { $0.manifest.createdAt > $1.manifest.createdAt }.dropFirst(count - 1)
        return old.map(\.path).filter(removeBackup)
    }

    /// Removes the files a backup consists of, and the folder if nothing else is in it.
    private static func removeBackup(_ path: String) -> Bool {
        guard let manifest = BackupManifest.read(inFolder: path) else { return false }
        let names = manifest.parts.values.map(\.file)
        // Whoever wrote such a name wrote no backup of ours.
        guard names.allSatisfy(BackupManifest.isFileName) else { return false }
        // Files alone: nothing goes that is a folder, or in one.
        for name in names + [BackupFolder.manifestName] { unlink(path + "/" + name) }
        return rmdir(path) == 0
    }
}
