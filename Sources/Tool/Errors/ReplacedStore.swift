import ChatDBKit

/// Files that a restore or a change of the passphrase has moved aside, and backups, where the store has no database any
/// more. A user may have removed the new files, and the record with which the interrupted command would have been
/// completed, or may have moved the databases away.
enum ReplacedStore {
    /// The newest folder that has all databases of the store. Nil without such a folder, and for a store that has a database
    /// in its place.
    private static func folder(of location: StoreLocation) -> String? {
        guard location.server == nil, location.isAbsent else { return nil }
        let start = location.name + ".replaced-"
        let names = (try? folderNames(location.folder, prefix: start)) ?? []
        let files = location.databases.map { fileName(of: location.path(of: $0)) }
        let whole = names.filter { name in
            files.allSatisfy { FileState(at: "\(location.folder)/\(name)/\($0)").bytes != nil }
        }
        // The time has 16 characters. A number may follow it, so of two names with one time the longer is newer.
        func order(_ name: String) -> (Substring, Int, String) {
            (name.dropFirst(start.count).prefix(16), name.count, name)
        }
        return whole.max { order($0) < order($1) }.map { "\(location.folder)/\($0)" }
    }

    /// The command that restores them; nil if there are none.
    static func hint(of location: StoreLocation) -> Hint? {
        folder(of: location).map { folder -> Hint in
            let files = location.databases.map { "\(folder)/\(fileName(of: location.path(of: $0)))" }
            return """
                \(folder) has the files of the store from before a restore or a change of the passphrase: \
                \(restore([folder, "--force"], of: location, from: files)) restores them
                """
        }
    }

    /// The same, and the command that lists the backups if there are no replaced files, or the newest backup is newer than
    /// these. Nil if the store has a database, or neither replaced files nor a complete backup.
    static func hintOfCopies(of location: StoreLocation) -> Hint? {
        hasNewerBackup(location) ? backupsHint(of: location) : hint(of: location) ?? backupsHint(of: location)
    }

    /// Whether the newest backup is newer than the newest folder of replaced files.
    private static func hasNewerBackup(_ location: StoreLocation) -> Bool {
        guard let folder = folder(of: location),
            let made = FoundBackup.complete(of: location).first?.manifest?.createdAt
        else { return false }
        // To the second: `20260920T101500` and `2026-09-20T10:15:00`.
        let replaced = fileName(of: folder).dropFirst(location.name.count + ".replaced-".count).prefix(15)
        return String(replaced) < made.prefix(19).filter { !"-:".contains($0) }
    }

    private static func restore(
        _ arguments: [String], of location: StoreLocation, named: StoreLocation? = nil, from files: [String]
    ) -> HintedCommand {
        let isEncrypted = files.contains(where: SQLiteEngine().looksEncrypted)
        return HintedCommand(
            .restore, arguments + words(of: location, named: named), passphrase: isEncrypted ? .needed : .repeated)
    }

    /// The command that lists the backups of the store; nil if it has a database, or no complete backup. Those of an
    /// adopted pair need both files.
    private static func backupsHint(of location: StoreLocation) -> Hint? {
        guard location.server == nil, location.isAbsent,
            let backup = FoundBackup.complete(of: location).first ?? FoundBackup.ofPair(with: location)
        else { return nil }
        let whole = location.withOtherFile(of: backup)
        return """
            \(parentFolder(of: backup.path)) has backups of the store: \
            \(HintedCommand(.backupList, words(of: whole, named: location))) lists them, and \
            \(restore(["FOLDER"], of: whole, named: location, from: backup.databases)) restores one
            """
    }

    /// The options that name the store. Those of the command line name the files of adopted databases.
    /// - Parameter named: the files that the command line names; nil for all of them.
    private static func words(of location: StoreLocation, named: StoreLocation? = nil) -> [String] {
        location.hasNamedFiles && (named ?? location).databases == location.databases ? [] : location.words
    }

    /// The command that restores replaced files, or lists the backups, of the prefix of a store that does not exist; nil
    /// if there are none.
    static func hint(ofPrefix path: String) -> Hint? {
        guard !ServerStore.isNamed(by: path), let location = try? StoreLocation(prefix: path) else { return nil }
        return hintOfCopies(of: location)
    }

    /// The same for a named file that does not exist.
    static func hint(ofFile path: String) -> Hint? {
        guard let location = try? StoreLocation(files: [.chat: path]) else { return nil }
        return hintOfCopies(of: location)
    }

    /// The same for a folder in which there is no store.
    static func hint(inFolder path: String) -> Hint? {
        let names = (try? folderNames(path)) ?? []
        let prefixes = Set(
            names.compactMap { name -> String? in
                let end = name.firstRange(of: ".replaced-")?.lowerBound
                return end.map { String(name[..<$0]) } ?? (name.hasSuffix(".backups") ? String(name.dropLast(8)) : nil)
            })
        let start = path.hasSuffix("/") ? path : path + "/"
        return prefixes.sorted().lazy.compactMap { hint(ofPrefix: start + $0) }.first
    }
}

extension StoreLocation {
    /// The location of both files of a pair, if only one of them was named. A restore of their backup needs both. If the
    /// file cannot be read, only the backup shows that there is another one.
    func withOtherFile(of backup: FoundBackup) -> StoreLocation {
        guard hasNamedFiles, let only = databases.first, databases.count == 1, backup.state == .complete,
            let parts = backup.manifest?.parts, parts.count == 2
        else { return self }
        // The option may name the file as the other database. A file that was renamed has no name of the backup.
        let own = parts.first { $0.value.file == fileName(of: prefix) }?.key ?? only
        let files = parts.map { name, part in (name, name == own ? prefix : joinedPath(folder, part.file)) }
        return (try? StoreLocation(files: Dictionary(uniqueKeysWithValues: files))) ?? self
    }
}
