import ChatDBEngine
public import ChatDBSchema

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#endif

/// The two files of a new migration without statements.
public struct NewMigration: Sendable, Hashable {
    /// `YYYYMMDD_words`.
    public let name: String
    /// The file for the statements.
    public let upPath: String
    /// The file for the statements that undo them.
    public let downPath: String

    /// Creates both files, or neither. They contain a comment that asks for the reason; loading refuses them until they
    /// contain statements.
    ///
    /// - Parameters:
    ///   - name: `YYYYMMDD_words`, or words only, which get `day` in front, and `_` for blanks and hyphens.
    ///   - folder: the folder that contains `chat` and `agent`.
    ///   - day: today.
    /// - Throws: when the name does not match the pattern or does not sort after all of that database, when a folder is
    /// missing, when a file exists or cannot be written.
    public static func write(
        _ name: String, for database: DatabaseName, in folder: String, on day: MigrationDay
    ) throws(MigrationFileError) -> NewMigration {
        let name = MigrationName.proposed(name, on: day)
        if let reason = MigrationName.problem(in: name) { throw .invalidName(name: name, reason: reason) }
        guard let parent = try MigrationFolder.open(folder) else { throw .noFolder(path: folder) }
        let path = parent.pathOf(database.rawValue)
        guard let target = try MigrationFolder.open(path) else { throw .noFolder(path: path) }

        let new = NewMigration(
            name: name, upPath: target.pathOf(name + MigrationFileSet.upSuffix),
            downPath: target.pathOf(name + MigrationFileSet.downSuffix))
        let names = try target.names()
        for file in [new.upPath, new.downPath] where names.contains(where: { target.pathOf($0) == file }) {
            throw .fileExists(path: file)
        }
        if let last = names.compactMap(migrationName).max(), last >= name {
            throw .notLast(name: name, last: last, database: database)
        }
        try create(new.upPath, upTemplate)
        do throws(MigrationFileError) {
            try create(new.downPath, downTemplate)
        } catch {
            unlink(new.upPath)
            throw error
        }
        return new
    }

    private static let upTemplate = """
        -- Why: describe here, in a sentence or two, what this migration is for.

        """

    private static let downTemplate = """
        -- Undoes the up file. Describe here what is lost, if anything. chatdb refuses a direction that deletes rows, unless
        -- a line of its own before the first statement declares it: -- chatdb: data-loss
        -- Remove this file only if the migration truly cannot be undone.

        """

    /// The migration of a file; nil for other files.
    private static func migrationName(_ fileName: String) -> String? {
        for suffix in [MigrationFileSet.upSuffix, MigrationFileSet.downSuffix] where fileName.hasSuffix(suffix) {
            let name = String(fileName.dropLast(suffix.count))
            return MigrationName.problem(in: name) == nil ? name : nil
        }
        return nil
    }

    /// Never overwrites an existing file; removes an incomplete file.
    private static func create(_ path: String, _ text: String) throws(MigrationFileError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            let code = errno
            throw code == EEXIST ? .fileExists(path: path) : .cannotWrite(path: path, reason: systemMessage(code))
        }
        var written = true
        var code: Int32 = 0
        var rest = Array(text.utf8)[...]
        while written, !rest.isEmpty {
            let count = rest.withUnsafeBytes { Self.write(descriptor, $0) }
            code = errno
            written = count > 0
            rest = rest.dropFirst(max(count, 0))
        }
        if close(descriptor) != 0, written {
            code = errno
            written = false
        }
        guard written else {
            unlink(path)
            throw .cannotWrite(path: path, reason: systemMessage(code))
        }
    }

    private static func write(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
        while true {
            let count = systemWrite(descriptor, bytes)
            if count >= 0 || errno != EINTR { return count }
        }
    }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}
