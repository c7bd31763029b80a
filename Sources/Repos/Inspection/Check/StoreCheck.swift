import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

/// A check of a store. docs/checks.md lists all checks.
public struct StoreCheck: Sendable {
    /// Its stable name.
    public let id: String
    /// The severity of a finding.
    public let severity: CheckSeverity
    /// The things that it finds, in the plural.
    public let sentence: String
    /// The databases that it reads.
    public let databases: [DatabaseName]
    /// Whether it holds for stores of SimpleX Chat too. The others are rules that only chatdb keeps.
    public let isGeneral: Bool
    /// The repair, as the predicate of a sentence: `removes them`. It is nil for checks whose findings only a person
    /// can decide on.
    public var repairAct: String? { repair?.act }
    /// Whether its repair removes rows. ``StoreRepair`` does not make such a repair while rows are lost.
    package var isRepairRemoval: Bool { repair?.removesRows == true }

    let question: CheckQuestion
    let repair: Repair?
    /// Whether it checks each of its databases alone, and so also runs when one is missing.
    package var isOfEachDatabase = false

    /// The checks whose findings may only come from damage of these databases: those of their rows and schemas.
    package static func doubtful(damaged: [DatabaseName]) -> Set<String> {
        let checks = all.filter { check in
            let isOfPair = check.isGiven && check.databases.count > 1
            return !isOfPair && check.databases.contains(where: damaged.contains)
        }
        let damage = damaged.flatMap { [damageID($0), damagedPageID($0)] }
        return Set(checks.map(\.id)).subtracting(damage)
    }

    /// Whether the check reads rows of tables.
    package var readsRows: Bool {
        if case .rows = question { true } else { false }
    }

    /// Whether it compares rows of the two databases. In a mismatched pair, its findings only follow from the mismatch.
    package var isOfPairedRows: Bool {
        guard readsRows else { return false }
        return databases.count > 1 && !isOfEachDatabase
    }

    /// Whether the caller finds it out when it opens the store.
    package var isGiven: Bool { if case .given = question { true } else { false } }

    /// The checks whose findings show that rows were lost, or that the file no longer says to what a row belongs.
    package static let ofLoss: Set<String> = Set(
        ["chatDanglingReference", "agentDanglingReference", "profileWithoutOwnContact", "sharedAgentProfile"]
            + ["unreadableValue"] + DatabaseName.allCases.flatMap { [schemaMissing($0), duplicateRow($0)] })

    /// The way in which a check finds rows.
    enum CheckQuestion: Sendable {
        /// From the file itself, outside any transaction.
        case file(@Sendable (any StorageConnection, inout FoundRows) throws -> Void)
        /// From the rows of its database, or of both, in one transaction each.
        case rows(@Sendable (CheckContext, inout FoundRows) throws -> Void)
        /// The caller found it out when it opened the store.
        case given
    }

    /// The way in which a repair is made.
    struct Repair: Sendable {
        let act: String
        /// Whether it removes rows because no other row refers to them. After a loss of rows they may be all that is
        /// left, so the repair is not made while the checks find such a loss.
        var removesRows = false
        /// Returns the number of changed rows.
        let work: @Sendable (RepairContext) throws -> Int
    }
}

/// The input of checks: a transaction of each database. Only a check of both databases gets both.
///
/// In a database of another program, the name of a table stands for the view of this build, and `Dialect.ofFile` for
/// the table of the file.
struct CheckContext {
    let chat: (any ReadTransaction)?
    let agent: (any ReadTransaction)?
    /// The schemas of the files themselves, as far as they could be read.
    var structures: [DatabaseName: DatabaseStructure] = [:]
    /// The tables that have values which their own definitions forbid.
    var forbidding: [DatabaseName: Set<String>] = [:]

    func transaction(_ name: DatabaseName) throws(StoreError) -> any ReadTransaction {
        guard let transaction = name == .chat ? chat : agent else {
            throw StoreError(.missing, "the \(name) database of the store is missing")
        }
        return transaction
    }

    /// The schema of a file. A check that needs it is left out without it.
    func structure(_ name: DatabaseName) throws(StoreError) -> DatabaseStructure {
        guard let structure = structures[name] else {
            throw StoreError(.other, "the schema of the \(name) database cannot be read")
        }
        return structure
    }

    /// Throws the error of a missing table unless the file has the table with these columns.
    func require(_ table: String, _ columns: String..., in name: DatabaseName) throws(StoreError) {
        let found = try structure(name).tables[table]?.columnNames ?? []
        if found.isEmpty || !found.isSuperset(of: columns) {
            throw StoreError(.sql, "the \(name) database has another form of the table \(table)")
        }
    }

    /// The name by which a query finds a table of the file, and no view in its place.
    func file(_ table: String, in name: DatabaseName = .chat) throws(StoreError) -> Query {
        try transaction(name).dialect.ofFile(table)
    }

    /// The rows of a table of the file, under the table's name, each with its number in the column `place`. Without the
    /// schema of the file, every number is 0.
    func numbered(_ table: String, in name: DatabaseName = .chat) throws(StoreError) -> Query {
        let dialect = try transaction(name).dialect
        return structures[name]?.numbered(table, of: dialect.ofFile(table), in: dialect)
            ?? "(SELECT *, 0 AS place FROM \(dialect.ofFile(table))) AS \(identifier: table)"
    }

    /// Runs `body`. Other checks can go on after a statement of it that failed: where that ends a transaction, the two
    /// databases share one.
    func attempt<T>(_ body: () throws -> T) throws -> T { try (chat ?? agent)?.attempt(body) ?? body() }

    /// Calls `body` with each row of an answer. A row with a value that cannot be read is skipped.
    func forEach(
        _ query: Query, in name: DatabaseName = .chat, _ found: inout FoundRows,
        _ body: (ResultRow, inout FoundRows) throws -> Void
    ) throws {
        try transaction(name).forEach(query) { row in
            do {
                try body(row, &found)
            } catch let error as StoreError {
                guard let value = error.value else { throw error }
                found.skip((name == .agent ? "agent: " : "") + UnreadableRow(row, value, by: nil).name)
            }
        }
    }
}

extension DatabaseStructure {
    /// The rows of a table, under its name, each with its number in the column `place`. In a table whose rows have no
    /// number, it is the place of the row in the order of the primary key. A table without a primary key is ordered by
    /// all its columns.
    ///
    /// Such a place takes time for every row of the table, whatever condition a query has.
    ///
    /// - Parameter source: where the rows are, of the table or of a view in its place.
    func numbered(_ table: String, of source: Query, in dialect: Dialect) -> Query {
        let known = tables[table] ?? TableStructure(columns: [])
        let place: Query
        if let number = dialect.rowNumber(known) {
            place = number
        } else {
            let key = known.primaryKey.isEmpty ? known.columns.map { SQLName.quoted($0.name) } : known.primaryKey
            place = "row_number() OVER (ORDER BY \(Query.unchecked(sql: key.joined(separator: ", "))))"
        }
        return "(SELECT *, \(place) AS place FROM \(source)) AS \(identifier: table)"
    }
}

/// The transactions in which repairs are made.
struct RepairContext {
    let chat: any WriteTransaction
    let agent: any WriteTransaction
    let clock: StoreClock
    /// The parts of their schemas that the databases have lost.
    let lost: [DatabaseName: [SchemaPart]]

    func transaction(_ name: DatabaseName) -> any WriteTransaction { name == .chat ? chat : agent }

    /// Now, as a piece of SQL.
    var now: Query { clock.now(in: chat) }
}

extension StoreCheck {
    /// A check of rows of one database. Each query has one column: the number of the row, a text that no person wrote,
    /// or NULL for rows that are only counted.
    ///
    /// - Parameter tables: the tables to which other rows refer. If another program's file lacks such a table, the view
    ///   in its place has no rows, and every other row would be a finding. The check is then left out.
    init(
        _ id: String, _ severity: CheckSeverity, _ sentence: String, in database: DatabaseName = .chat,
        isGeneral: Bool = false, needs tables: [String] = [], rows: [Query], repair: Repair? = nil
    ) {
        self.init(id, severity, sentence, in: [database], isGeneral: isGeneral, repair: repair) { checked, found in
            for table in tables { try checked.require(table, in: database) }
            let transaction = try checked.transaction(database)
            for query in rows { try found.add(query, in: transaction) }
        }
    }

    /// A check of rows that needs more than SQL.
    init(
        _ id: String, _ severity: CheckSeverity, _ sentence: String, in databases: [DatabaseName] = [.chat],
        isGeneral: Bool = false, repair: Repair? = nil,
        walk: @escaping @Sendable (CheckContext, inout FoundRows) throws -> Void
    ) {
        self.init(
            id: id, severity: severity, sentence: sentence, databases: databases,
            isGeneral: isGeneral, question: .rows(walk), repair: repair)
    }
}

extension StoreCheck.Repair {
    /// A statement on one database.
    static func statement(_ act: String, in database: DatabaseName = .chat, _ sql: Query) -> Self {
        Self(act: act) { try $0.transaction(database).run(sql) }
    }

    /// Removes the rows of a table for which the condition holds.
    static func removing(
        _ condition: Query, from table: String, in database: DatabaseName = .chat, act: String = "removes them"
    ) -> Self {
        removing(from: table, in: database, act: act) { _ in condition }
    }

    /// The same with a condition in the SQL of the engine.
    static func removing(
        from table: String, in database: DatabaseName = .chat, act: String = "removes them",
        _ condition: @escaping @Sendable (Dialect) -> Query
    ) -> Self {
        Self(act: act, removesRows: true) { rows in
            let transaction = rows.transaction(database)
            return try transaction.run("DELETE FROM \(identifier: table) WHERE \(condition(transaction.dialect))")
        }
    }
}

extension StoreCheck {
    /// All checks, in the order of findings of one severity.
    public static let all: [StoreCheck] =
        ofFiles + ofValues + ofTexts + ofVersions + ofBothDatabases + ofProfiles + ofNames + ofReferences + ofRelays
        + ofGroupRelays
        + ofGroups + ofRelayService + ofLinks + ofConnections + ofAgentConnections + ofServersAndSettings + ofMessages
        + ofContent + ofLeftovers + ofLostSchema
}

/// The severity of a finding, the most severe first.
public enum CheckSeverity: String, Sendable, Hashable, Codable, CaseIterable, Comparable {
    /// Something does not work, or will fail later: the store is not in order.
    case error
    /// Something is wrong, but nothing fails because of it yet.
    case warning
    /// A leftover that needs no action.
    case info

    /// The most severe first.
    public static func < (left: Self, right: Self) -> Bool {
        let order = allCases
        return (order.firstIndex(of: left) ?? 0) < (order.firstIndex(of: right) ?? 0)
    }
}
