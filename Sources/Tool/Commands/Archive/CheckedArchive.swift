import ChatDBKit

/// An archive and what was found in its databases.
struct CheckedArchive {
    /// The facts about one database.
    struct Database {
        enum State: String {
            /// A full check found no damage.
            case whole
            case damaged
            /// No passphrase was given, or it does not open this database.
            case encrypted
            /// The file is something else, or it cannot be read.
            case unreadable
        }

        let state: State
        let isEncrypted: Bool
        /// Which program made it; nil when it cannot be read.
        let kind: FoundDatabase.Kind?
        /// The last migration that this build knows; nil when it cannot be read.
        let version: String?
        /// The names of all applied migrations.
        var applied: [String] = []
        /// Migrations that this build does not know.
        let newer: [String]
        /// The first results of the check, or the reason why the database cannot be read.
        let problems: [String]
    }

    /// Whether an app would import an archive.
    enum Verdict {
        case yes
        case no(String)
        /// chatdb cannot find out, for this reason.
        case unknown(String)
    }

    let path: String
    let bytes: Int64
    let contents: ArchiveContents
    /// What was found in the databases that the archive has.
    let databases: Databases
    /// The names of damaged files, escaped and shortened.
    let damagedFiles: [String]
    /// The comparison with a store; nil if none was given.
    let comparison: ArchiveComparison?

    /// Both databases of an archive.
    struct Databases {
        let each: [DatabaseName: Database]
        /// Those whose files have each other's names, chat first.
        let exchanged: [DatabaseName]
        /// Whether the two can be of one store; nil if that is unknown.
        let isOneStore: Bool?
    }

    private static let mostProblems = 10

    /// Reads the databases that were unpacked into a private folder.
    static func databases(
        in folder: LockedFolder, of contents: ArchiveContents, with engine: SQLiteEngine
    ) throws -> Databases {
        let location = try StoreLocation(prefix: ArchiveUnpacking.prefix(in: folder.path))
        let encrypted = DatabaseName.allCases.filter { engine.looksEncrypted(location.path(of: $0)) }
        let context = StoreContext(
            engine: engine.limited(queryTimeLimit: CheckedStore.timeLimit), location: location,
            build: try MigrationSource.build.load())
        let (status, connections) = try context.openStatus()
        let store = Store(location, connections)
        defer { try? store.close() }
        var each: [DatabaseName: Database] = [:]
        var isOneStore: Bool?
        try Signals.cancellation.whileRegistered(store.interrupt) {
            for database in DatabaseName.allCases where contents.databases[database] != nil {
                let isEncrypted = encrypted.contains(database)
                if let found = status.readable[database], let connection = connections[database] {
                    each[database] = try checked(found, connection, isEncrypted)
                } else if case .failure(let problem) = status.parts[database] {
                    each[database] = try unreadable(problem, in: folder, isEncrypted, engine)
                }
            }
            let isReadable = each.count == DatabaseName.allCases.count && each.values.allSatisfy { $0.state == .whole }
            if isReadable, status.exchanged.isEmpty, status.kind == .simplex {
                isOneStore = try agree(store)
            }
        }
        return Databases(each: each, exchanged: status.exchanged, isOneStore: isOneStore)
    }

    /// Whether the two databases can be of one store; nil if their tables do not show it.
    private static func agree(_ store: Store) throws -> Bool? {
        do {
            return try store.readBoth { try PairAgreement(chat: $0, agent: $1).isOneStore }
        } catch let error as StoreError where error.kind == .sql {
            return nil
        }
    }

    private static func checked(
        _ found: FoundDatabase, _ connection: any StorageConnection, _ isEncrypted: Bool
    ) throws -> Database {
        var (pages, problems): ([String], [String]) = ([], [])
        do throws(StoreError) {
            let damaged = try connection.damagedPages()
            if damaged.count > 0 { pages = [sentence(about: damaged)] }
            problems = try connection.integrityProblems()
        } catch {
            guard [.damaged, .beyondLimits].contains(error.kind) else { throw error }
            problems = [error.message]
        }
        problems = pages + KnownNames.shown(Array(problems.prefix(mostProblems - pages.count)))
        return Database(
            state: problems.isEmpty ? .whole : .damaged, isEncrypted: isEncrypted, kind: found.kind,
            version: found.version, applied: found.applied.map(\.name), newer: found.simplexVersion?.unknownNames ?? [],
            problems: problems)
    }

    /// A sentence with the numbers of the first damaged pages.
    private static func sentence(about damaged: DamagedPages) -> String {
        let named = damaged.first.prefix(mostProblems).map(\.name)
        let rest = damaged.count > named.count ? ", and \(damaged.count - named.count) more" : ""
        return "pages that were changed or overwritten with zeros: \(named.joined(separator: ", "))\(rest)"
    }

    /// A database that cannot be opened. Throws when that is not the fault of the file.
    private static func unreadable(
        _ problem: StoreStatus.Problem, in folder: LockedFolder, _ isEncrypted: Bool, _ engine: SQLiteEngine
    ) throws -> Database {
        let error = problem.error
        let state: Database.State
        switch error.kind {
        case .encrypted, .wrongPassphrase: state = .encrypted
        case .damaged, .truncated: state = .damaged
        case .notADatabase, .beyondLimits, .sql, .unexpectedRow: state = .unreadable
        default: throw error
        }
        // The private copy has another place on every run.
        let message = error.message.replacing(folder.path + "/", with: "")
        let damaged = try engine.damagedPages(ofUnreadable: problem.path, cancellation: Signals.cancellation)
        let pages = damaged.flatMap { $0.count > 0 ? [sentence(about: $0)] : nil } ?? []
        return Database(
            state: state, isEncrypted: isEncrypted, kind: nil, version: nil, newer: [],
            problems: pages + [message])
    }

    /// Whether an app would import the archive. Rule: docs/support.md, "An archive".
    var verdict: Verdict {
        if let missing = contents.missing.first { return .no("the \(missing) database is missing") }
        for database in DatabaseName.allCases {
            switch databases.each[database]?.state {
            case .damaged: return .no("the \(database) database is damaged")
            case .unreadable: return .no("the \(database) database cannot be read")
            case .whole, .encrypted, nil: break
            }
        }
        let encrypted = DatabaseName.allCases.filter { databases.each[$0]?.isEncrypted == true }
        if let one = encrypted.first, encrypted.count == 1 {
            return .no("only the \(one) database is encrypted: the app uses one passphrase for both")
        }
        let locked = encrypted.filter { databases.each[$0]?.state == .encrypted }
        if let one = locked.first, locked.count == 1 {
            return .no("the passphrase does not open the \(one) database: the app uses one passphrase for both")
        }
        if !damagedFiles.isEmpty {
            return .no(damagedFiles.count == 1 ? "a file is damaged" : "\(damagedFiles.count) files are damaged")
        }
        if !locked.isEmpty {
            return .unknown("the databases are encrypted, and chatdb cannot look into them without the passphrase")
        }
        return ofReadable
    }

    /// The same for two databases that were read.
    private var ofReadable: Verdict {
        if !databases.exchanged.isEmpty { return .no("a database has the name of the other one") }
        let kinds = Set(databases.each.values.map(\.kind))
        guard kinds == [.simplex] else {
            return .no("a database is not SimpleX Chat's: the app would replace its data with one that it cannot open")
        }
        if databases.isOneStore == false {
            return .no(
                "the databases are of two stores: the agent database has none of the profiles, or none of the connections"
            )
        }
        if databases.each.values.contains(where: { !$0.newer.isEmpty }), comparison?.isKnownThere != true {
            return .unknown("the databases are newer than this build knows; the app must not be older than they are")
        }
        return .yes
    }
}
