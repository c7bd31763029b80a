import ChatDBKit

/// A store in the answer of `find`.
struct ListedStore {
    /// The facts about one of its databases.
    struct Database {
        enum State: String {
            /// It was read.
            case plain
            case encrypted
            case missing
            /// It is a symbolic link, which the search does not follow.
            case link
            /// It is something else, damaged, or not readable; or reading it needs a large copy.
            case unreadable
        }

        var state: State
        /// Its size; nil if it is missing.
        let bytes: Int64?
        /// The last migration that this build knows; nil when it was not read.
        var version: String?
        /// The other processes that have it open; nil where the system does not say.
        let holders: [FileHolder]?
        /// Why it was not read.
        var problem: String?
    }

    /// What the files are for.
    enum Role: String {
        /// A program uses them.
        case store
        /// Their folder has the file that completes a backup.
        case backup
        /// A restore or a change of the passphrase has replaced them.
        case replaced
        /// A restore or a change of the passphrase has prepared them, and was interrupted.
        case prepared
    }

    let place: StorePlace
    let location: StoreLocation
    /// Which program made it; unknown when no database was read.
    let kind: FoundDatabase.Kind
    /// Both databases, or those of an adopted store.
    let databases: [DatabaseName: Database]
    /// What is wrong with the pair, a clause each.
    let problems: [String]

    /// Databases with a log or journal that no program has open are read from a private copy. `find` copies none that
    /// is larger than this.
    fileprivate static let mostCopied: Int64 = 64 << 20
    /// The limits of processor time for one query, and for all stores.
    private static let limits = (query: Duration.seconds(2), all: Duration.seconds(20))

    var prefix: String { location.prefix }

    /// Whether another program made it, and chatdb adopted it.
    var isAdopted: Bool { kind == .chatdb && location.hasNamedFiles }

    /// What it is, as the file `backup.json` and the name of its folder say.
    var role: Role {
        let folder = fileName(of: location.folder)
        if FoundBackup(at: location.folder)?.manifest != nil { return .backup }
        if folder.hasPrefix(location.name + ".replaced-") { return .replaced }
        return folder == location.name + ".restoring" ? .prepared : .store
    }

    /// The store beside whose files they are kept; for replaced and prepared files.
    var keptBeside: String {
        let folder = parentFolder(of: location.folder)
        return (folder == "/" ? "" : folder) + "/" + location.name
    }

    /// Whether it is encrypted; nil when no database could be read.
    var isEncrypted: Bool? {
        let states = databases.values.map(\.state)
        return states.contains(.encrypted) ? true : states.contains(.plain) ? false : nil
    }

    /// The size of both databases.
    var bytes: Int64 { databases.values.reduce(0) { $0 + ($1.bytes ?? 0) } }

    /// The version of the chat database, or of the only database that was read.
    var version: String? { databases[.chat]?.version ?? databases[.agent]?.version }

    /// The processes that have one of the databases open; nil where the system does not say.
    var holders: [FileHolder]? {
        let known = databases.values.compactMap(\.holders)
        return known.isEmpty ? nil : Set(known.joined()).sorted()
    }
}

// MARK: - Reading

extension ListedStore {
    /// Reads the stores that a search has found, sorted by place and prefix. One that has vanished is left out.
    static func read(_ found: [StoreSearch.Found]) throws -> [ListedStore] {
        let build = try MigrationSource.build.load()
        let engine = SQLiteEngine().limited(queryTimeLimit: limits.query, budget: limits.all)
        // Before the files are opened: closing a second descriptor drops the locks of the first.
        let holders = holders(of: found)
        let order = Dictionary(uniqueKeysWithValues: StorePlace.allCases.enumerated().map { ($1, $0) })
        return found.compactMap { read($0, holders, engine, build) }
            .sorted { (order[$0.place] ?? 0, $0.prefix) < (order[$1.place] ?? 0, $1.prefix) }
    }

    /// The processes that have databases open, by path. Several stores are looked at together: nearly always they have
    /// no holders, and a look at every process takes some milliseconds.
    private static func holders(of found: [StoreSearch.Found]) -> [String: [FileHolder]] {
        let together = 16
        let paths = found.flatMap { store in
            store.location.databases.filter { !store.links.contains($0) }.map { store.location.path(of: $0) }
        }
        var holders: [String: [FileHolder]] = [:]
        for start in stride(from: 0, to: paths.count, by: together) {
            let some = Array(paths[start..<min(start + together, paths.count)])
            for (path, found) in zip(some, FileHolders.of(databasesAt: some)) { holders[path] = found?.holders }
        }
        return holders
    }

    /// Reads one store; nil when its files have vanished.
    private static func read(
        _ found: StoreSearch.Found, _ holders: [String: [FileHolder]], _ engine: SQLiteEngine,
        _ build: [DatabaseName: [Migration]]
    ) -> ListedStore? {
        let location = found.location
        var databases: [DatabaseName: Database] = [:]
        for name in location.databases {
            let path = location.path(of: name)
            databases[name] = Database(at: path, isLink: found.links.contains(name), heldBy: holders[path])
        }
        let opened = DatabaseName.allCases.filter { databases[$0]?.state == .plain }
        if databases.values.allSatisfy({ $0.state == .missing }) { return nil }
        guard let first = opened.first else {
            return ListedStore(
                place: found.place, location: location, kind: .unknown, databases: databases, problems: [])
        }
        var context = StoreContext(engine: engine, location: location, build: build)
        context.lockTimeout = 0.5
        if opened.count == 1 { context.only = first }
        guard let status = try? context.status() else { return nil }
        for name in opened {
            switch status.parts[name] {
            case .success(let part): databases[name]?.version = part.version
            case .failure(let problem): databases[name]?.fail(problem.error)
            case nil: databases[name]?.state = .missing
            }
        }
        return ListedStore(
            place: found.place, location: location, kind: status.kind, databases: databases,
            problems: status.pairWarnings)
    }
}

extension ListedStore.Database {
    /// The facts about the file that are known without opening the database. One that can be opened is plain so far.
    fileprivate init(at path: String, isLink: Bool, heldBy holders: [FileHolder]?) {
        self.holders = isLink ? nil : holders
        if isLink {
            (state, bytes, problem) = (.link, nil, "\(path) is a symbolic link, which the search does not follow")
            return
        }
        let file = FileState(at: path)
        bytes = file.bytes
        state = file == .missing ? .missing : .plain
        if holders?.isEmpty != false, let bytes, bytes > ListedStore.mostCopied {
            let side = FileDiagnosis.examine(path).side
            if side.hasHotJournal || side.hasWAL {
                state = .unreadable
                problem = "\(path) has changes in its log or journal, so it would have to be copied to be read"
            }
        }
    }

    /// Keeps why the database cannot be read.
    fileprivate mutating func fail(_ error: StoreError) {
        let isEncrypted = [.encrypted, .encryptedUnsupported].contains(error.kind) || error.isOfEncryptedLog
        state = isEncrypted ? .encrypted : .unreadable
        if state == .unreadable { problem = error.message }
    }
}
