import Engine
import Foundation

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
        let files = FileManager.default
        for part in manifest.parts.values where !part.file.contains("/") {
            try? files.removeItem(atPath: path + "/" + part.file)
        }
        try? files.removeItem(atPath: path + "/" + BackupFolder.manifestName)
        guard (try? files.contentsOfDirectory(atPath: path))?.isEmpty == true else { return false }
        return (try? files.removeItem(atPath: path)) != nil
    }
}
