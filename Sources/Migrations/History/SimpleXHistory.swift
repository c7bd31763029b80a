import ChatDBSchema

/// How a store of SimpleX Chat is known: by the names in its ledger, not by those of its files.
/// Rule: docs/simplex.md, "How it is known".
package enum SimpleXHistory {
    /// The first migration of both its databases. None of ours may bear this name.
    package static let firstMigration = "20220101_initial"

    /// The last migration known of each. Names begin with dates: what sorts behind is newer.
    static func lastKnown(of database: DatabaseName) -> String {
        switch database {
        case .chat: "20260720_server_roles"
        case .agent: "20260410_receive_attempts"
        }
    }

    /// The second migration, which tells the two apart.
    private static func second(of database: DatabaseName) -> String {
        switch database {
        case .chat: "20220122_v1_1"
        case .agent: "20220301_snd_queue_keys"
        }
    }

    /// Whether SimpleX Chat keeps this ledger.
    static func isOf(_ ledger: [LedgerEntry]) -> Bool { ledger.contains { $0.name == firstMigration } }

    /// Which of its databases keeps this ledger; nil when that cannot be told.
    static func database(of ledger: [LedgerEntry]) -> DatabaseName? {
        DatabaseName.allCases.first { name in ledger.contains { $0.name == second(of: name) } }
    }

    /// The names of a ledger in their order. The agent's have had an `m` in front since the middle of 2022, by which
    /// they would sort behind all without.
    static func names(_ ledger: [LedgerEntry]) -> [String] {
        ledger.map { $0.name.hasPrefix("m2") ? String($0.name.dropFirst()) : $0.name }.sorted()
    }
}

/// The version of the schema of one of SimpleX Chat's databases.
public struct SimpleXVersion: Sendable, Hashable {
    /// The last migration applied that this build knows.
    public let name: String
    /// How many were applied.
    public let count: Int
    /// Those applied that this build does not know: the app is newer.
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
