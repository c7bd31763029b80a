import Engine
import Foundation

extension Migrator {
    /// Backs the store up into a new folder and answers its path: what every run does first, for its own sake. Waits for
    /// others that write; the store is not changed.
    ///
    /// Throws `storeNotFound`, `incompleteStore`, `storeLocked`, `inUse`, `backupFailed`.
    public func backUp() throws -> String {
        let view = try StoreView.read(self)
        if view.isAbsent { throw MigrationError.noStore(path: location.prefix) }
        try view.refuseStrangers(databases)
        let lock = try StoreLock.take(
            location.lockPath, .alone, timeout: options.lockTimeout, cancellation: cancellation)
        defer { withExtendedLifetime(lock) {} }
        let changes = try databases.map { try DatabaseChange($0, path: location.path(of: $0), engine: engine) }
        defer { changes.forEach { $0.connection.close() } }
        var folder: String?
        if case .folder(let path) = options.backup { folder = path }
        return try BackupMaker(engine: engine, location: location, cancellation: cancellation, progress: progress)
            .make(of: changes, in: folder, identity: changes.first?.identity, now: Date())
    }
}
