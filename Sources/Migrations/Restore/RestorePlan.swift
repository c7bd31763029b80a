import ChatDBEngine
public import ChatDBSchema

/// The plan of a restore: a pure comparison of a backup with the store, which reads no file.
public struct RestorePlan: Sendable, Hashable {
    /// A table that differs.
    public struct Difference: Sendable, Hashable {
        /// The database.
        public let database: DatabaseName
        /// The table.
        public let table: String
        /// The table in the store; nil when it is missing there.
        public let store: TableFacts?
        /// The table in the backup; nil when it is missing there.
        public let backup: TableFacts?
        /// Columns that only the store has, sorted; the restore would remove them with their values. Empty when one of
        /// the copies lacks the table, and without generated columns.
        public let columnsOnlyInStore: [String]
        /// The same of the backup; the restore would bring them back.
        public let columnsOnlyInBackup: [String]
        /// The number of rows whose primary key only the store has; the restore would remove them. Nil when one of the
        /// copies lacks the table, when its key does not tell its rows apart, and when there are too many keys.
        public let rowsOnlyInStore: Int?
        /// The same of the backup; the restore would bring them back.
        public let rowsOnlyInBackup: Int?

        init(
            database: DatabaseName, table: String, store: TableFacts?, backup: TableFacts?,
            columnsOnlyInStore: [String] = [], columnsOnlyInBackup: [String] = [], rowsOnlyInStore: Int? = nil,
            rowsOnlyInBackup: Int? = nil
        ) {
            (self.rowsOnlyInStore, self.rowsOnlyInBackup) = (rowsOnlyInStore, rowsOnlyInBackup)
            (self.database, self.table, self.store, self.backup) = (database, table, store, backup)
            (self.columnsOnlyInStore, self.columnsOnlyInBackup) = (columnsOnlyInStore, columnsOnlyInBackup)
        }

        /// Whether one copy has a column of the table that the other lacks.
        public var hasOtherColumns: Bool { !columnsOnlyInStore.isEmpty || !columnsOnlyInBackup.isEmpty }

        /// Whether the rows differ, in the columns that both copies have; nil when one of them lacks the table.
        public var isContentDifferent: Bool? {
            guard let first = store?.content, let second = backup?.content else { return nil }
            return first != second
        }

        /// Whether the store has more rows or a later time, which the restore would lose.
        public var isNewerInStore: Bool {
            guard let store else { return false }
            guard let backup else { return store.rows > 0 }
            if store.rows > backup.rows { return true }
            guard let latest = store.latest else { return false }
            return backup.latest.map { latest > $0 } ?? true
        }
    }

    /// A reason to require `force`.
    public enum Objection: Sendable, Hashable {
        /// The folder has databases without `backup.json`, so chatdb cannot check that they are unchanged.
        case unverified
        /// The backup is of another store.
        case otherStore(backup: String, store: String)
        /// One database of the store is of another store than the backup and the other database.
        case mismatchedStore(DatabaseName, backup: String, other: String)
        /// The backup is of an adopted database, and the file in its place is not adopted.
        case notAdopted(DatabaseName)
        /// The backup and the store are SimpleX Chat's, and none of their profiles was created at the same time.
        case noCommonProfile
        /// The database has another passphrase than the given one, so nothing says whether the backup is of this store.
        case locked(DatabaseName)
        /// The store was moved to this place. A restore would make a second store of the same conversations.
        case moved(to: String)
        /// The backup has migrations that this build does not have: it is newer, or of another history.
        case newerVersion([String])
    }

    /// The absolute path of the backup's folder.
    public let backup: String
    /// The time of the backup, ISO 8601; nil when it is unknown.
    public let createdAt: String?
    /// The program whose store it is.
    public let kind: FoundDatabase.Kind
    /// The id and generation in the backup; nil for SimpleX Chat's.
    public let identity: StoreIdentity?
    /// The interrupted migration in the backup, which the restored store would have too; nil without one.
    public let interrupted: IntentRecord?
    /// The versions of the backup; nil is the empty history.
    public let versions: [DatabaseName: String?]
    /// Migrations of this build that the backup does not have; 0 for databases of other programs.
    public let pending: Int
    /// Those of them that come before one that the backup has. A run applies them only on request.
    package let outOfOrder: [String]
    /// The existing databases, which would be moved aside.
    public let replaces: [DatabaseName]
    /// Whether chatdb could read all of these.
    package let isCompared: Bool
    /// Whether the store is adopted, and the backup is from before the adoption.
    public let undoesAdoption: Bool
    /// Whether the adoption of this store made the backup.
    package let isOfThisAdoption: Bool
    /// The differences, by database and table.
    public let differences: [Difference]
    /// The store's generation after the restore, or after the completion of an interrupted migration; nil for SimpleX
    /// Chat's. If chatdb cannot read what the store had, it comes from the clock, and the restore takes a later one.
    public private(set) var generation: Int64?
    /// Whether the generation comes from the clock.
    private let isGenerationOfClock: Bool
    /// Reasons to require `force`, the most serious first; empty without any.
    public let objections: [Objection]
    /// Notes, a clause each.
    public var notes: [String] { notesOnReading + notesOnUnread }
    /// How chatdb reads the databases of the store.
    private var notesOnReading: [String]
    /// What chatdb could not compare.
    private let notesOnUnread: [String]

    /// Whether chatdb could not compare some tables or databases.
    package var leavesOutTables: Bool { !notesOnUnread.isEmpty }

    /// Whether the backup is of an earlier version of this build's history.
    public var isOlder: Bool {
        let isOther = objections.contains { if case .newerVersion = $0 { true } else { false } }
        return pending > 0 && !isOther
    }

    /// Whether a consent to this plan is one to another plan too. How chatdb reads the databases makes no difference: it
    /// depends on the programs that have the files open at that moment. Nor does the time of a plan.
    func isConsent(to other: RestorePlan) -> Bool {
        var (own, other) = (self, other)
        (own.notesOnReading, other.notesOnReading) = ([], [])
        if own.isGenerationOfClock, other.isGenerationOfClock { (own.generation, other.generation) = (nil, nil) }
        return own == other
    }
}

extension RestorePlan {
    /// - Parameters:
    ///   - store: the existing databases: the facts about each, or why it cannot be read.
    ///   - hasNamedFiles: whether the store is an adopted one. Its migrations are never this build's.
    ///   - now: the time of the plan.
    init(
        _ backup: BackupContents, store: [DatabaseName: Result<DatabaseContents, StoreError>],
        build: [DatabaseName: [Migration]], hasNamedFiles: Bool, now: StoredTime
    ) {
        let readable = store.compactMapValues { try? $0.get() }
        self.backup = backup.folder
        kind = backup.kind
        createdAt = backup.manifest?.createdAt
        identity = backup.identity
        interrupted = backup.interrupted
        versions = backup.facts.mapValues(\.found.version)
        replaces = DatabaseName.allCases.filter { store[$0] != nil }
        isCompared = readable.count == store.count
        undoesAdoption = backup.kind == .unknown && readable.values.contains { $0.found.kind == .chatdb }
        isOfThisAdoption = readable.values.contains { store in
            store.found.identity.map { $0.storeID == backup.manifest?.adoptedAs } ?? false
        }
        let generations = readable.values.compactMap(\.found.identity?.generation)
        let isClock = backup.identity != nil && generations.count < backup.facts.count
        isGenerationOfClock = isClock
        generation = backup.identity.map { identity in
            // Between two commits there are two generations, and both must be new.
            let next = ((generations + [identity.generation]).max() ?? 0) &+ (backup.interrupted == nil ? 1 : 2)
            // The store had more runs and restores than the backup shows, but not one in each millisecond.
            return isClock ? max(next, now.microseconds / 1000) : next
        }
        differences = readable.sorted { $0.key.rawValue < $1.key.rawValue }.flatMap { database, facts in
            Self.differences(facts, backup.facts[database], in: database)
        }
        let moved = DatabaseName.allCases.compactMap { readable[$0]?.found.movedTo }.first
        let alien = DatabaseName.allCases.filter { readable[$0]?.found.kind == .unknown }
        var objections = Self.otherStore(backup, readable)
        let locked = DatabaseName.allCases.first { database in
            guard case .failure(let error) = store[database] else { return false }
            return [.encrypted, .wrongPassphrase].contains(error.kind)
        }
        objections += locked.map { [.locked($0)] } ?? []
        if backup.kind == .chatdb { objections += alien.map { .notAdopted($0) } }
        objections += moved.map { [.moved(to: $0)] } ?? []
        // The app upgrades its own stores, and asks before it goes down.
        let unknown = backup.kind != .chatdb || hasNamedFiles ? [] : Self.unknown(backup, build)
        if !unknown.isEmpty { objections.append(.newerVersion(unknown.sorted())) }
        if backup.manifest == nil { objections.append(.unverified) }
        self.objections = objections
        // Without its folder, nothing is known of the migrations of an adopted database.
        let isKnown = !hasNamedFiles || Self.unknown(backup, build).isEmpty
        let missing = backup.kind == .chatdb && isKnown ? Self.pending(backup, build) : [:]
        pending = missing.values.reduce(0) { $0 + $1.count }
        outOfOrder = missing.flatMap { database, names -> [String] in
            let last = backup.facts[database]?.found.applied.map(\.name).max() ?? ""
            return names.filter { $0 < last }
        }
        .sorted()
        notesOnReading = DatabaseName.allCases.flatMap { database in
            (readable[database]?.found.notes ?? []).map { "the \(database) database: \($0)" }
        }
        notesOnUnread = DatabaseName.allCases.flatMap { database in
            Self.unread(store[database], of: database)
                + Self.unread(readable[database], of: database, in: "store")
                + Self.unread(backup.facts[database], of: database, in: "backup")
        }
    }

    /// The objection that the backup is of another store; empty if it is of this one, or if the store is not known.
    private static func otherStore(
        _ backup: BackupContents, _ store: [DatabaseName: DatabaseContents]
    ) -> [Objection] {
        guard let identity = backup.identity else {
            let profiles = (store[.chat]?.profiles ?? [], backup.facts[.chat]?.profiles ?? [])
            let isOther = !profiles.0.isEmpty && !profiles.1.isEmpty && profiles.0.isDisjoint(with: profiles.1)
            return isOther ? [.noCommonProfile] : []
        }
        let ids = store.compactMapValues(\.found.identity?.storeID)
        let others = DatabaseName.allCases.filter { ids[$0] != nil && ids[$0] != identity.storeID }
        guard let first = others.first, let id = ids[first] else { return [] }
        return others.count < ids.count
            ? [.mismatchedStore(first, backup: identity.storeID, other: id)]
            : [.otherStore(backup: identity.storeID, store: id)]
    }

    /// The migrations of the backup that the build does not have.
    private static func unknown(_ backup: BackupContents, _ build: [DatabaseName: [Migration]]) -> [String] {
        backup.facts.flatMap { database, facts in
            facts.found.applied.map(\.name).filter { name in build[database]?.contains { $0.name == name } != true }
        }
    }

    /// The migrations of the build that the backup does not have.
    private static func pending(
        _ backup: BackupContents, _ build: [DatabaseName: [Migration]]
    ) -> [DatabaseName: [String]] {
        var missing: [DatabaseName: [String]] = [:]
        for (database, migrations) in build {
            let applied = Set(backup.facts[database]?.found.applied.map(\.name) ?? [])
            missing[database] = migrations.map(\.name).filter { !applied.contains($0) }
        }
        return missing
    }

    private static func differences(
        _ store: DatabaseContents, _ backup: DatabaseContents?, in database: DatabaseName
    ) -> [Difference] {
        let unread = Set(store.unread.keys).union(backup.map { Set($0.unread.keys) } ?? [])
        let tables = backup?.tables ?? [:]
        return Set(store.tables.keys).union(tables.keys).subtracting(unread).sorted().compactMap { name in
            var (first, second): (Set<String>, Set<String>) = ([], [])
            if store.tables[name] != nil, tables[name] != nil {
                (first, second) = (store.columns[name] ?? [], backup?.columns[name] ?? [])
            }
            guard store.tables[name] != tables[name] || first != second else { return nil }
            let (keys, others) = (store.keys[name], backup?.keys[name])
            return Difference(
                database: database, table: name, store: store.tables[name], backup: tables[name],
                columnsOnlyInStore: first.subtracting(second).sorted(),
                columnsOnlyInBackup: second.subtracting(first).sorted(),
                rowsOnlyInStore: others.flatMap { keys?.count(missingFrom: $0) },
                rowsOnlyInBackup: keys.flatMap { others?.count(missingFrom: $0) })
        }
    }

    /// The tables of which nothing can be said, a clause each.
    private static func unread(
        _ contents: DatabaseContents?, of database: DatabaseName, in place: String
    ) -> [String] {
        (contents?.unread ?? [:]).sorted { $0.key < $1.key }.map { name, error in
            "chatdb did not compare the table \(name) of the \(database) database: in the \(place), \(error.message)"
        }
    }

    private static func unread(
        _ contents: Result<DatabaseContents, StoreError>?, of database: DatabaseName
    ) -> [String] {
        guard case .failure(let error) = contents else { return [] }
        return ["chatdb cannot read what is in the \(database) database now: \(error.message)"]
    }
}
