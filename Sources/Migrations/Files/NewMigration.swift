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
    /// `YYYYMMDD_HHMM_words`, or the complete name that was given.
    public let name: String
    /// The file for the statements.
    public let upPath: String
    /// The file for the statements that undo them.
    public let downPath: String
    /// The folders that did not exist and were made, the outer ones first; empty without any.
    public let madeFolders: [String]

    /// Creates both files and the folders that are missing, or nothing. The files contain a comment that asks for the
    /// reason; loading refuses them until they contain statements.
    ///
    /// - Parameters:
    ///   - name: a name that begins with a day, or words only. Words get `minute` in front, and `_` for blanks and
    ///   hyphens. If the last migration is of the same minute, they get the minute after that one's.
    ///   - folder: the folder that contains `chat` and `agent`.
    ///   - minute: the time now.
    /// - Throws: when the name does not match the pattern or does not sort after all of that database, when a file
    /// exists, when a folder or file cannot be written.
    public static func write(
        _ name: String, for database: DatabaseName, in folder: String, at minute: MigrationMinute
    ) throws(MigrationFileError) -> NewMigration {
        let target = MigrationFolder(path: MigrationFolder(path: folder).pathOf(database.rawValue))
        if folder.isEmpty { throw .noFolder(path: folder) }
        var names: [String] = []
        if try MigrationFolder.open(folder) != nil, try MigrationFolder.open(target.path) != nil {
            names = try target.names()
        }
        let last = names.compactMap(migrationName).max()
        let isComplete = MigrationName.beginsWithDay(name)
        let name = isComplete ? name : MigrationName.proposed(name, at: minute, after: last)
        if let reason = MigrationName.problem(in: name) { throw .invalidName(name: name, reason: reason) }

        let upPath = target.pathOf(name + MigrationFileSet.upSuffix)
        let downPath = target.pathOf(name + MigrationFileSet.downSuffix)
        // Words get another minute if they are in use, so the error of their order is better, which has a proposal.
        let isBefore = last.map { name < $0 } ?? false
        if isComplete || !isBefore {
            for file in [upPath, downPath] where names.contains(where: { target.pathOf($0) == file }) {
                throw .fileExists(path: file)
            }
        }
        if let last, last >= name {
            throw .notLast(
                name: name, last: last, database: database, proposal: MigrationName.proposed(like: name, after: last))
        }
        let made = try NewFolders.make(target.path)
        do throws(MigrationFileError) {
            try create(upPath, upTemplate)
            do throws(MigrationFileError) {
                try create(downPath, downTemplate)
            } catch {
                unlink(upPath)
                throw error
            }
        } catch {
            NewFolders.remove(made)
            throw error
        }
        return NewMigration(name: name, upPath: upPath, downPath: downPath, madeFolders: made)
    }

    private static let upTemplate = """
        -- Why: describe here, in a sentence or two, what this migration is for.

        """

    private static let downTemplate = """
        -- Undoes the up file. Describe here what is lost, if anything. A run rolls back if this file deletes rows, or drops a
        -- table with rows, unless a line of its own before the first statement declares it: -- chatdb: data-loss
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

/// The folders of a first migration.
private enum NewFolders {
    /// Makes a folder and those above it that are missing; returns the ones made, the outer ones first.
    static func make(_ path: String) throws(MigrationFileError) -> [String] {
        var missing: [String] = []
        var rest = path
        while !rest.isEmpty, try MigrationFolder.open(rest) == nil {
            missing.insert(rest, at: 0)
            rest = parent(of: rest)
        }
        var made: [String] = []
        for folder in missing {
            guard mkdir(folder, 0o777) == 0 else {
                let code = errno
                remove(made)
                throw .cannotWrite(path: folder, reason: systemMessage(code))
            }
            made.append(folder)
        }
        return made
    }

    /// Removes the folders that are empty. Another program has used a folder with files, and it stays.
    static func remove(_ made: [String]) {
        for folder in made.reversed() { rmdir(folder) }
    }

    /// Empty for a name in the current folder.
    private static func parent(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "" }
        var parent = path[..<slash]
        while parent.count > 1, parent.hasSuffix("/") { parent.removeLast() }
        return parent.isEmpty ? "/" : String(parent)
    }
}

private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}
