import Engine
import Foundation
import Schema

/// Makes the backup that precedes a run: while the run's transactions hold the write locks and have changed nothing.
struct BackupMaker {
    let engine: any StorageEngine
    let location: StoreLocation
    let cancellation: Cancellation
    let progress: MigrationProgress.Handler

    /// Backs up the databases into a new folder and answers its path, when every copy is on the disk and was found to
    /// be whole: its full check passes, and each table has as many rows as the original.
    func make(
        of changes: [DatabaseChange], in parent: String?, identity: StoreIdentity?, now: Date
    ) throws -> String {
        let version = (changes.first { $0.database == .chat } ?? changes.first)?.ledger.last?.name
        let folder = try BackupFolder.make(for: location, in: parent, version: version, now: now)
        do {
            var parts: [DatabaseName: BackupManifest.Part] = [:]
            for change in changes { parts[change.database] = try copy(change, into: folder) }
            let manifest = BackupManifest(
                identity: identity, createdAt: now.formatted(.iso8601), parts: parts)
            try DurableFile.write(manifest.json.text(.pretty) + "\n", to: folder.manifestPath)
            try FileSync.folder(folder.path)
            return folder.path
        } catch {
            // Half a backup helps nobody, and would fill the disk of whoever tries again.
            try? FileManager.default.removeItem(atPath: folder.path)
            throw error
        }
    }

    private func copy(_ change: DatabaseChange, into folder: BackupFolder) throws -> BackupManifest.Part {
        let file = (location.path(of: change.database) as NSString).lastPathComponent
        let path = folder.path + "/" + file
        try change.connection.backUp(to: path) { part in
            progress(.backingUp(change.database, part))
            try cancellation.check()
        }
        let counts = try verifiedCounts(of: change, copy: path)
        return BackupManifest.Part(
            file: file, bytes: FileSpace.size(of: path), sha256: try FileHash.sha256(of: path),
            version: change.ledger.last?.name, counts: counts)
    }

    private func verifiedCounts(of change: DatabaseChange, copy path: String) throws -> [String: Int] {
        progress(.verifyingBackup(change.database))
        let copy = try engine.open(path, as: .readOnly)
        defer { try? copy.close() }
        return try cancellation.whileRegistered(copy.interrupt) {
            let problems = try copy.integrityProblems()
            guard problems.isEmpty else {
                throw StoreError(.damaged, "the copy is not whole: \(problems.first ?? "")")
            }
            var counts: [String: Int] = [:]
            for table in try change.connection.ordinaryTables() {
                let count = try copy.rowCount(of: table)
                guard count == (try change.connection.rowCount(of: table)) else {
                    throw StoreError(.damaged, "the copy has another number of rows in \(table)")
                }
                counts[table] = count
            }
            return counts
        }
    }
}
