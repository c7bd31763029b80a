import ChatDBEngine
import ChatDBSchema

/// Checks the disk space for a backup and for the run itself.
/// Rule: docs/migrations.md, "Room on the disk".
enum SpaceCheck {
    /// Bytes free on the file system of a path; nil when the system does not report it.
    typealias Measure = @Sendable (String) -> Int64?

    /// A rebuild of a table takes up to four times its size (*measured*): the new table, its journal or log, and the
    /// overwriting of deleted data.
    private static let factor: Int64 = 4

    /// Throws `notEnoughSpace` when a backup of these databases and their steps need more space than is free.
    /// - Parameter other: the database that the backup includes although the run does not change it.
    static func check(
        _ databases: [(connection: any MigrationConnection, steps: [MigrationStep])], other: DatabaseName? = nil,
        backup: MigrationOptions.Backup, location: StoreLocation
    ) throws {
        var forBackup: Int64 = 0
        var forRun: Int64 = 0
        if case .folder = backup, let other { forBackup += bytes(of: other, at: location) }
        for (connection, steps) in databases {
            if case .folder = backup { forBackup += try connection.size().total }
            forRun += try bytesForRun(steps, in: connection)
        }
        if case .folder(let path?) = backup, !FileSpace.isShared(path, location.folder) {
            try require(forBackup, at: path)
            try require(forRun, at: location.folder)
        } else {
            try require(forBackup + forRun, at: location.folder)
        }
    }

    /// The space that a copy of a database may need: its file and its log. 0 if it does not exist.
    static func bytes(of database: DatabaseName, at location: StoreLocation) -> Int64 {
        ["", "-wal"].reduce(0) { $0 + FileSpace.size(of: location.path(of: database) + $1) }
    }

    /// The space that the migrations of one database may need beside the database.
    static func bytesForRun(_ steps: [MigrationStep], in connection: any MigrationConnection) throws -> Int64 {
        let tables = try rewrittenTables(steps, in: connection)
        return tables.isEmpty ? 0 : factor * (try connection.bytes(of: tables))
    }

    /// Throws `notEnoughSpace` when the file system of a path has less free space.
    static func require(_ needed: Int64, at path: String, free: Measure = FileSpace.free(at:)) throws {
        guard let free = free(path), free < needed else { return }
        throw MigrationError.notEnoughSpace(needed: needed, free: free, path: path)
    }

    /// Tables named in statements that write many rows. The estimate is generous: running out of space during a run
    /// costs more than asking for too much.
    private static func rewrittenTables(
        _ steps: [MigrationStep], in connection: any MigrationConnection
    ) throws -> Set<String> {
        var named: Set<String> = []
        for statement in try steps.flatMap({ try $0.script.facts }) { named.formUnion(statement.names) }
        return try connection.ordinaryTables().filter { named.contains(steps.syntax.key($0)) }
    }
}
