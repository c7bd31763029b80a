import ChatDBKit

/// The store with which an archive is compared.
struct ComparedStore {
    let prefix: String
    /// Its databases that exist.
    let parts: [DatabaseName: FoundDatabase]
    let kind: FoundDatabase.Kind

    /// Reads the versions of a store. Throws if one of its databases cannot be read.
    init(_ location: StoreLocation, with engine: SQLiteEngine) throws {
        let context = StoreContext(
            engine: engine.limited(queryTimeLimit: CheckedStore.timeLimit), location: location,
            build: try MigrationSource.build.load())
        let status = try context.status()
        if let problem = status.problems.first {
            var report = problem.error.report(of: problem.path)
            if [.encrypted, .wrongPassphrase].contains(problem.error.kind) {
                report.hint = "--other-passphrase-file FILE gives the passphrase of the store of --against"
            }
            throw report
        }
        (prefix, parts, kind) = (location.prefix, status.readable, status.kind)
    }
}

/// The versions of an archive beside those of a store.
struct ArchiveComparison {
    /// What the version of the archive is, seen from the store.
    enum Relation: String {
        case same, newer, older
        /// Each has a migration that the other lacks, or one database is newer and the other older.
        case otherHistory
        case otherKind
    }

    let store: ComparedStore
    /// Of each database that both have and that could be read.
    let relations: [DatabaseName: Relation]

    init(of databases: CheckedArchive.Databases, with store: ComparedStore) {
        self.store = store
        var relations: [DatabaseName: Relation] = [:]
        for (database, found) in databases.each {
            guard let there = store.parts[database], let kind = found.kind else { continue }
            let isComparable = kind == there.kind && kind != .unknown
            relations[database] =
                isComparable ? Self.relation(Set(found.applied), Set(there.applied.map(\.name))) : .otherKind
        }
        self.relations = relations
    }

    private static func relation(_ archive: Set<String>, _ store: Set<String>) -> Relation {
        if archive == store { return .same }
        if archive.isSuperset(of: store) { return .newer }
        return archive.isSubset(of: store) ? .older : .otherHistory
    }

    /// Of the archive as a whole; nil if no database could be compared.
    var relation: Relation? {
        let found = Set(relations.values)
        if found.isEmpty { return nil }
        if found.contains(.otherKind) { return .otherKind }
        for one in [Relation.newer, .older] where found.subtracting([.same]) == [one] { return one }
        return found == [.same] ? .same : .otherHistory
    }

    /// Whether the program of the store knows the versions of the archive.
    var isKnownThere: Bool {
        store.kind == .simplex && relations.count == DatabaseName.allCases.count
            && relations.values.allSatisfy { [.same, .older].contains($0) }
    }

    var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init("store", .string(store.prefix)), .init("kind", .string(store.kind.rawValue)),
            .init("relation", JSONValue(relation?.rawValue)),
        ]
        for database in DatabaseName.allCases {
            let there = store.parts[database]
            members.append(
                .init(
                    database.rawValue,
                    there.map {
                        [
                            "version": JSONValue($0.version),
                            "relation": JSONValue(relations[database]?.rawValue),
                        ]
                    } ?? .null))
        }
        return .object(members)
    }

    /// The answer for people, a clause about the archive.
    var sentence: String {
        switch relation {
        case .same: "the same version"
        case .newer: "the archive is newer"
        case .older: "the archive is older"
        case .otherHistory: "another history"
        case .otherKind: "databases of another program"
        case nil: "unknown"
        }
    }

    /// What follows for the import.
    var note: Note? {
        switch relation {
        case .newer:
            .note("the app must know the newer version: update the app of that store before it imports the archive")
        case .older: .note("the app migrates the databases when it imports the archive")
        case .otherHistory:
            .note("one database is newer and the other older, or each has migrations that the other lacks")
        case .otherKind: .note("the app of that store cannot open the databases of the archive")
        case .same, nil: nil
        }
    }
}
