import ChatDBEngine
import ChatDBSchema
import Foundation

extension StoreContext {
    /// The name of the file in the folder of a backup of a store on a server.
    package static let dumpName = "store.dump"

    /// Backs up both databases of a store on a server by the server's own program, and returns the folder. Throws
    /// `noBackupFolder` or `backupFailed` before anything has changed. Rule: docs/postgresql.md, "Backups".
    ///
    /// - Parameters:
    ///   - folder: the folder of all backups; nil is that of the location.
    ///   - version: the version of the chat database, for the name; nil for that of the build.
    package func backUpServer(to folder: String?, version: String? = nil) throws -> String {
        let version = version ?? build[.chat]?.last?.name ?? "empty"
        let parent = folder ?? location.backupsPath
        if parent.isEmpty {
            throw MigrationError.noBackupFolder(
                StoreError(.missing, "a backup of a store on a server needs a folder, and none was named"))
        }
        progress(.backingUp(.chat, 0))
        let made: BackupFolder
        do throws(StoreError) {
            made = try BackupFolder.make(for: location, in: parent, version: version, now: Date())
        } catch {
            throw MigrationError.noBackupFolder(error)
        }
        do throws(StoreError) {
            try engine.makeDump(of: location, to: made.path + "/" + Self.dumpName)
        } catch {
            made.remove()
            throw MigrationError.backupFailed(error)
        }
        progress(.backingUp(.chat, 1))
        return made.path
    }
}
