package import ChatDBKit

/// A store whose two files contain the same database: one file was copied over the other, and the other database is
/// missing. The finding says what each file contains, and where the missing database may be.
package struct MisplacedFiles {
    /// The database whose file contains the other one.
    package let missing: DatabaseName
    /// The database that both files contain.
    package let copied: DatabaseName
    /// Databases of the missing kind in the folder of the store and among its backups that are of this store, by path.
    package let candidates: [String]

    /// The most files that are examined, and the most that are named.
    private static let (mostFiles, mostNamed) = (200, 5)

    /// Answers nil for a store whose files do not contain the same database.
    package init?(_ status: StoreStatus, _ context: StoreContext) {
        guard status.exchanged.count == 1, let missing = status.exchanged.first,
            let copied = DatabaseName.allCases.first(where: { $0 != missing }), let other = status.readable[copied]
        else { return nil }
        self.missing = missing
        self.copied = copied
        candidates = Self.candidates(for: missing, of: other, context)
    }

    /// What was found, a clause each.
    package var names: [String] {
        let file =
            "\(missing): its file contains \(copied == .chat ? "a chat" : "an agent") database, as the other file does"
        let kind = "\(missing == .chat ? "a chat" : "an agent") database of this store"
        if candidates.isEmpty { return ["\(file); chatdb knows of no other file of the folder that it is \(kind)"] }
        return ["\(file); \(kind) is \(candidates.prefix(Self.mostNamed).joined(separator: ", "))"]
    }

    /// The remedy for the only file of a store that was adopted as the other database; nil for other findings.
    static func remedy(for finding: Finding, _ status: StoreStatus, at location: StoreLocation) -> Hint? {
        guard finding.id == StoreCheck.exchangedFiles, location.databases.count == 1,
            let name = location.databases.first, let held = status.readable[name]?.database
        else { return nil }
        let file = ShellWord.quoted("\(held)=\(location.path(of: name))")
        return "The file contains a database that was adopted as \(held): name it with --database \(file)."
    }

    /// - Parameter other: the database that is in its place.
    private static func candidates(
        for missing: DatabaseName, of other: FoundDatabase, _ context: StoreContext
    ) -> [String] {
        let location = context.location
        let own = DatabaseName.allCases.map { location.path(of: $0) }
        let folder = location.prefix.lastIndex(of: "/").map { String(location.prefix[..<$0]) } ?? "."
        var paths = names(in: folder)
        for backup in folders(in: location.backupsPath) { paths += names(in: backup) }
        return paths.prefix(mostFiles).filter { path in
            !own.contains(path) && kind(of: path, context.engine) == missing
                && isOfStore(path, missing, other, context)
        }
    }

    /// Whether a database is of the store of the other one: both have the same id. The rows of SimpleX Chat's databases,
    /// which have no id, refer to each other.
    private static func isOfStore(
        _ path: String, _ database: DatabaseName, _ other: FoundDatabase, _ context: StoreContext
    ) -> Bool {
        guard let location = try? StoreLocation(files: [database: path]),
            let found = try? StoreContext(engine: context.engine, location: location, build: [:]).find(database),
            found.kind == other.kind
        else { return false }
        if other.kind != .simplex { return found.identity != nil && found.identity?.storeID == other.identity?.storeID }
        return agrees([database: path, other.name: other.path], context.engine)
    }

    private static func agrees(_ paths: [DatabaseName: String], _ engine: any StorageEngine) -> Bool {
        guard let chat = try? engine.open(paths[.chat] ?? "", as: .untrusted) else { return false }
        defer { try? chat.close() }
        guard let agent = try? engine.open(paths[.agent] ?? "", as: .untrusted) else { return false }
        defer { try? agent.close() }
        let agreement = try? chat.read { chat in
            try agent.read { agent in try PairAgreement(chat: chat, agent: agent) }
        }
        return agreement?.isOneStore == true
    }

    /// The files of a folder that may be databases, by path.
    private static func names(in folder: String) -> [String] {
        ((try? folderNames(folder.isEmpty ? "/" : folder)) ?? []).sorted().map { "\(folder)/\($0)" }.filter { path in
            let isSide = ["-wal", "-shm", "-journal"].contains(where: path.hasSuffix)
            return !isSide && (FileState(at: path).bytes ?? 0) > 0
        }
    }

    private static func folders(in folder: String) -> [String] {
        ((try? folderNames(folder)) ?? []).sorted().map { "\(folder)/\($0)" }.filter {
            FileState(at: $0) == .notRegular(.directory)
        }
    }

    /// The database that a file contains. It is nil if the file cannot be read, or contains no database of a store.
    private static func kind(of path: String, _ engine: any StorageEngine) -> DatabaseName? {
        guard engine.examine(path).problem == nil, let connection = try? engine.open(path, as: .untrusted) else {
            return nil
        }
        defer { try? connection.close() }
        if let mark = try? connection.applicationMark() {
            return DatabaseName.allCases.first { StoreMark.of($0) == mark }
        }
        // SimpleX Chat's databases have no mark.
        let tables = Set((try? connection.tableNames()) ?? [])
        if tables.isSuperset(of: ["rcv_queues", "snd_queues"]) { return .agent }
        return tables.isSuperset(of: ["chat_items", "groups"]) ? .chat : nil
    }
}

extension StoreStatus {
    /// The hint for a file that contains the other database of the store, as `check` reports it: the two files were
    /// exchanged, or one was copied over the other. It is nil if each file contains the database of its name.
    /// - Parameter isNamed: whether the command line names the files of the store.
    package func misplacedHint(isNamed: Bool) -> Hint? {
        guard let name = exchanged.first, let held = readable[name]?.database else { return nil }
        if exchanged.count == DatabaseName.allCases.count {
            if isNamed, let chat = readable[.agent]?.path, let agent = readable[.chat]?.path {
                let files = [("chat", chat), ("agent", agent)].map { "--database " + ShellWord.quoted("\($0)=\($1)") }
                return "each file contains the other database: name them with \(files.joined(separator: " "))"
            }
            return """
                the two files were exchanged: close all programs that use the store, and give each file the name of the \
                database that it contains; \(.check) shows more
                """
        }
        let kind = held == .chat ? "a chat" : "an agent"
        if readable[held] == nil {
            if isNamed, let path = readable[name]?.path {
                let file = ShellWord.quoted("\(held)=\(path)")
                return "the file contains \(kind) database: name it with --database \(file)"
            }
            return "the file contains \(kind) database: give it the name of that database; \(.check) shows more"
        }
        return """
            one file was copied over the other: both contain \(kind) database. Do not rename or overwrite either file; \
            \(.check) names the files that contain the missing database
            """
    }
}
