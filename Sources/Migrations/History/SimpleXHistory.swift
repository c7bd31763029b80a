import ChatDBSchema

/// Recognizes a store of SimpleX Chat by the names in its ledger, not by its file names.
/// Rule: docs/simplex.md, "How it is known".
package enum SimpleXHistory {
    /// The first migration of both its databases. No migration of chatdb may have this name.
    package static let firstMigration = "20220101_initial"

    /// The last known migration of each database. Names begin with dates: a name that sorts after it is newer.
    static func lastKnown(of database: DatabaseName) -> String {
        switch database {
        case .chat: "20260720_server_roles"
        case .agent: "20260410_receive_attempts"
        }
    }

    /// The second migration, which distinguishes the two databases.
    private static func second(of database: DatabaseName) -> String {
        switch database {
        case .chat: "20220122_v1_1"
        case .agent: "20220301_snd_queue_keys"
        }
    }

    /// Whether SimpleX Chat keeps this ledger.
    static func isOf(_ ledger: [LedgerEntry]) -> Bool { ledger.contains { $0.name == firstMigration } }

    /// The database that keeps this ledger; nil when the ledger does not show it.
    static func database(of ledger: [LedgerEntry]) -> DatabaseName? {
        DatabaseName.allCases.first { name in ledger.contains { $0.name == second(of: name) } }
    }

    /// The names of a ledger, sorted. Since the middle of 2022 the agent's names begin with an `m`, by which they would
    /// sort after all others.
    static func names(_ ledger: [LedgerEntry]) -> [String] {
        ledger.map { $0.name.hasPrefix("m2") ? String($0.name.dropFirst()) : $0.name }.sorted()
    }
}

/// The version of the schema of one of SimpleX Chat's databases.
public struct SimpleXVersion: Sendable, Hashable {
    /// The last migration applied that this build knows.
    public let name: String
    /// The number of applied migrations.
    public let count: Int
    /// Applied migrations that this build does not know: the app is newer.
    public let newer: [String]

    /// The date of the schema, `2026-07-20`; empty when the name has none.
    public var date: String {
        let digits = name.prefix(8)
        guard digits.count == 8, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return "" }
        return "\(digits.prefix(4))-\(digits.dropFirst(4).prefix(2))-\(digits.suffix(2))"
    }

    init(_ ledger: [LedgerEntry], of database: DatabaseName) {
        let names = SimpleXHistory.names(ledger)
        newer = names.filter { $0 > SimpleXHistory.lastKnown(of: database) }
        name = names.last { $0 <= SimpleXHistory.lastKnown(of: database) } ?? ""
        count = names.count
    }
}
