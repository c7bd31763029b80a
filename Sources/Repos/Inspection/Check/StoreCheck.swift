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
    /// The repair, as the predicate of a sentence: `removes them`; nil when only a person can decide.
    public var repairAct: String? { repair?.act }

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

    /// Whether the caller finds it out when it opens the store.
    package var isGiven: Bool { if case .given = question { true } else { false } }

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
        /// Returns the number of changed rows.
        let work: @Sendable (RepairContext) throws -> Int
    }
}

/// The input of checks: a transaction of each database. Only a check of both databases gets both.
struct CheckContext {
    let chat: (any ReadTransaction)?
    let agent: (any ReadTransaction)?

    func transaction(_ name: DatabaseName) throws(StoreError) -> any ReadTransaction {
        guard let transaction = name == .chat ? chat : agent else {
            throw StoreError(.missing, "the \(name) database of the store is missing")
        }
        return transaction
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
    init(
        _ id: String, _ severity: CheckSeverity, _ sentence: String, in database: DatabaseName = .chat,
        isGeneral: Bool = false, rows: [Query], repair: Repair? = nil
    ) {
        self.init(id, severity, sentence, in: [database], isGeneral: isGeneral, repair: repair) { checked, found in
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
    static func removing(_ condition: Query, from table: String, in database: DatabaseName = .chat) -> Self {
        statement("removes them", in: database, "DELETE FROM \(identifier: table) WHERE \(condition)")
    }
}

extension StoreCheck {
    /// All checks, in the order of findings of one severity.
    public static let all: [StoreCheck] =
        ofFiles + ofValues
        + ofVersions + ofBothDatabases + ofProfiles + ofNames + ofReferences + ofRelays + ofGroupRelays
        + ofGroups + ofRelayService + ofLinks + ofConnections + ofServersAndSettings + ofMessages + ofLeftovers
        + ofLostSchema
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
