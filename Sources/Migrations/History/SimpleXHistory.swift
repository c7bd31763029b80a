package import ChatDBEngine
package import ChatDBSchema

/// Recognizes a store of SimpleX Chat by the names in its ledger, not by its file names.
/// Rule: docs/simplex.md, "How chatdb recognizes a store".
package enum SimpleXHistory {
    /// The first migration of both its databases. No migration of chatdb may have this name.
    package static let firstMigration = "20220101_initial"

    /// The second migration, which distinguishes the two databases.
    private static func second(of database: DatabaseName) -> String {
        switch database {
        case .chat: "20220122_v1_1"
        case .agent: "20220301_snd_queue_keys"
        }
    }

    /// Whether SimpleX Chat keeps this ledger, in a file or on a server.
    static func isOf(_ ledger: [LedgerEntry]) -> Bool {
        ledger.contains { $0.name == firstMigration } || serverDatabase(of: ledger) != nil
    }

    /// The database on a server that keeps this ledger; nil for another ledger.
    static func serverDatabase(of ledger: [LedgerEntry]) -> DatabaseName? {
        DatabaseName.allCases.first { database in
            ledger.contains { $0.name == SimpleXMigrations.firstOnServer(of: database) }
        }
    }

    /// The database that keeps this ledger. A ledger without the second migration of either database is that of the
    /// database with more of its names. It is nil if SimpleX Chat does not keep the ledger, or if both databases have
    /// equally many of its names.
    static func database(of ledger: [LedgerEntry]) -> DatabaseName? {
        if let database = serverDatabase(of: ledger) { return database }
        let shown = DatabaseName.allCases.first { name in ledger.contains { $0.name == second(of: name) } }
        if let shown { return shown }
        guard isOf(ledger) else { return nil }
        let names = Set(names(ledger))
        let common = DatabaseName.allCases.map { database in
            SimpleXMigrations.known(of: database).count { names.contains(withoutMark($0)) }
        }
        return common[0] == common[1] ? nil : DatabaseName.allCases[common[0] > common[1] ? 0 : 1]
    }

    /// The names of a ledger without the `m`, sorted by date. Since the middle of 2022 the agent's names begin with an
    /// `m`, and would sort after all others.
    static func names(_ ledger: [LedgerEntry]) -> [String] { ledger.map { withoutMark($0.name) }.sorted() }

    /// A name without the `m` of the agent's migrations.
    package static func withoutMark(_ name: String) -> String { name.hasPrefix("m2") ? String(name.dropFirst()) : name }

    /// The date of a migration by its name without the `m`, `2026-07-20`. It is empty if the name has no date.
    static func date(of name: String) -> String {
        let digits = name.prefix(8)
        guard digits.count == 8, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return "" }
        return "\(digits.prefix(4))-\(digits.dropFirst(4).prefix(2))-\(digits.suffix(2))"
    }
}

/// The version of the schema of one of SimpleX Chat's databases, and how its history compares with the known one. Names
/// of the agent's migrations are without their `m`, unless only the `m` differs.
public struct SimpleXVersion: Sendable, Hashable {
    /// A known migration that the database has under another name.
    public struct Renamed: Sendable, Hashable {
        /// The known name.
        public let known: String
        /// The name in the database.
        public let found: String
    }

    /// The last migration applied that this build knows.
    public let name: String
    /// The number of applied migrations.
    public let count: Int
    /// Known migrations that are not applied, although a later one is.
    public let missing: [String]
    /// Migrations that are applied under another name: with another date, or another spelling.
    public let renamed: [Renamed]
    /// Applied migrations between the known ones, or in the place of the next one, that this build does not know: the
    /// app was made from a branch. Also a second spelling of an applied migration, which differs by the `m`.
    public let unknown: [String]
    /// Applied migrations after the last known one: the app is newer than this build.
    public let newer: [String]
    /// Known migrations after the last applied one, in their order: an app that has them upgrades the database.
    public let later: [String]
    /// The first place at which an app of the newest known version finds another migration than its own. It is nil if
    /// the database has that version, an earlier one, or only newer migrations after it.
    public let difference: Difference?

    /// The names that the app shows on its screen for a different migration.
    public struct Difference: Sendable, Hashable {
        /// The name in the app's list.
        public let app: String
        /// The name in the database.
        public let database: String
    }

    /// Whether this build knows a migration of SimpleX Chat by this name, with or without the `m`.
    package static func knows(_ name: String, in database: DatabaseName) -> Bool {
        let plain = SimpleXHistory.withoutMark(name)
        return SimpleXMigrations.known(of: database).contains { SimpleXHistory.withoutMark($0) == plain }
    }

    /// Whether the database is on a server.
    public let isOnServer: Bool

    /// Whether the history differs from that of the known versions, so that no known app opens the database.
    public var isOther: Bool { !missing.isEmpty || !renamed.isEmpty || !unknown.isEmpty }

    /// All applied migrations whose names this build does not know.
    public var unknownNames: [String] { (newer + unknown + renamed.map(\.found)).sorted() }

    /// The date of the schema, `2026-07-20`; empty when the name has none.
    public var date: String { SimpleXHistory.date(of: name) }

    init(_ ledger: [LedgerEntry], of database: DatabaseName) {
        isOnServer = SimpleXHistory.serverDatabase(of: ledger) != nil
        let known = isOnServer ? SimpleXMigrations.onServer(of: database) : SimpleXMigrations.known(of: database)
        let marked = Dictionary(known.map { (SimpleXHistory.withoutMark($0), $0) }) { first, _ in first }
        // A database may have a name with the mark and without it: the known one of the two counts.
        let stored = Dictionary(ledger.map { (SimpleXHistory.withoutMark($0.name), $0.name) }) { first, second in
            marked[SimpleXHistory.withoutMark(second)] == second ? second : first
        }
        let doubled = Set(ledger.map(\.name)).subtracting(stored.values).sorted()
        let names = stored.keys.sorted()
        let order = known.map(SimpleXHistory.withoutMark)
        var others = names.filter { marked[$0] == nil }
        // The app compares the names byte by byte, so a name with the mark and the name without it differ.
        var renamed = order.compactMap { name -> Renamed? in
            guard let found = stored[name], found != marked[name] else { return nil }
            return Renamed(known: marked[name] ?? name, found: found)
        }
        // A later version may have the migration of a branch under another name.
        for name in order where stored[name] == nil && !SimpleXMigrations.ofBranches.contains(name) {
            guard let index = others.firstIndex(where: { Self.isSame($0, name, among: others, order) }) else {
                continue
            }
            renamed.append(Renamed(known: name, found: others.remove(at: index)))
        }
        let applied = Set(names).union(renamed.map { SimpleXHistory.withoutMark($0.known) })
        let last = order.lastIndex { applied.contains($0) }
        let needed = order.filter { !SimpleXMigrations.ofBranches.contains($0) }
        let lastName = last.map { order[$0] } ?? ""
        let isWhole = needed.last.map { $0 <= lastName } ?? false
        missing = order.prefix(last ?? 0).filter { !applied.contains($0) && !SimpleXMigrations.ofBranches.contains($0) }
        newer = isWhole ? others.filter { $0 > lastName } : []
        unknown = others.filter { !isWhole || $0 <= lastName } + doubled
        later = order.dropFirst(last.map { $0 + 1 } ?? 0).filter { !SimpleXMigrations.ofBranches.contains($0) }
        self.renamed = renamed
        name = names.last { marked[$0] != nil } ?? ""
        count = ledger.count
        let isDifferent = !missing.isEmpty || !unknown.isEmpty || !renamed.isEmpty
        difference = isDifferent ? Self.difference(known, ledger.map(\.name).sorted()) : nil
    }

    /// Whether an unknown name stands for a known one that is not applied. The two names have the same words or the
    /// same date, and no other unknown or known name fits equally.
    private static func isSame(_ other: String, _ name: String, among others: [String], _ known: [String]) -> Bool {
        if words(other) == words(name) { return others.count { words($0) == words(name) } == 1 }
        let date = name.prefix(8)
        return other.prefix(8) == date && others.count { $0.prefix(8) == date } == 1
            && known.count { $0.prefix(8) == date } == 1
    }

    private static func words(_ name: String) -> String {
        name.dropFirst(8).lowercased().filter { $0.isLetter || $0.isNumber }
    }

    /// The first place at which the app's list and the names of the ledger differ. The app compares them one after the
    /// other. The list of some apps lacks the names of branches, so a database may lack them too.
    private static func difference(_ known: [String], _ stored: [String]) -> Difference? {
        let names = Set(stored)
        let app = known.filter { names.contains($0) || !SimpleXMigrations.ofBranches.contains($0) }
        return zip(app, stored).first { $0 != $1 }.map { Difference(app: $0, database: $1) }
    }
}

extension SimpleXVersion {
    /// The migration that created the operators.
    private static let operators = "20241027_server_operators"

    /// Why chatdb does not write a database of this version, a clause; nil if it may.
    package func obstacleToWriting(_ database: DatabaseName) -> String? {
        func named(_ names: [String]) -> String? {
            names.first.map { names.count == 1 ? $0 : "\($0) and \(names.count - 1) more" }
        }
        if let names = named(unknownNames) {
            return "its \(database) database has migrations unknown to chatdb: \(names)"
        }
        if let names = named(missing) { return "its \(database) database lacks migrations: \(names)" }
        guard database == .chat, name < Self.operators else { return nil }
        return "its version of \(date) is older than the operators, which came in October 2024"
    }
}

extension StoreLocation {
    /// Whether the store has the name that SimpleX Chat gives its own, for databases that cannot be read.
    package var hasAppName: Bool { name.hasPrefix("simplex_v1") }
}
