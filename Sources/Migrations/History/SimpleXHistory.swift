import ChatDBSchema

/// Recognizes a store of SimpleX Chat by the names in its ledger, not by its file names.
/// Rule: docs/simplex.md, "How it is known".
package enum SimpleXHistory {
    /// The first migration of both its databases. No migration of chatdb may have this name.
    package static let firstMigration = "20220101_initial"

    /// The last migrations that are known, in their order. All that sort before the first of them are known: names
    /// begin with dates. Every other name after the first is newer, or of a branch.
    private static func lastKnown(of database: DatabaseName) -> [String] {
        switch database {
        case .chat:
            [
                "20260720_server_roles", "20260723_contact_request_rejection",
                "20260813_auto_accept_group_invitations", "20260822_forward_link", "20260828_file_expiry",
                "20260904_file_badges", "20260915_user_badges", "20260918_badge_issue_errors",
                // The last was seen on a branch only: a store may lack it and be current.
                "20260923_preferences_json", "20260924_simplex_names",
            ]
        case .agent:
            [
                "20260410_receive_attempts", "20260411_service_certs", "20260712_address_dr_rpc",
                "20260823_snd_files_entitlement", "20260919_ratchet_verify_codes", "20260929_ratchet_indexes",
                "20261005_commands_autoincrement", "20261008_rcv_switch_status",
            ]
        }
    }

    /// Whether this build knows a migration, by its name without the `m`.
    static func isKnown(_ name: String, of database: DatabaseName) -> Bool {
        let last = lastKnown(of: database)
        return last.contains(name) || last.first.map { name < $0 } == true
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
    /// Applied migrations that this build does not know: the app is newer, or made from a branch.
    public let newer: [String]

    /// The date of the schema, `2026-07-20`; empty when the name has none.
    public var date: String {
        let digits = name.prefix(8)
        guard digits.count == 8, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return "" }
        return "\(digits.prefix(4))-\(digits.dropFirst(4).prefix(2))-\(digits.suffix(2))"
    }

    init(_ ledger: [LedgerEntry], of database: DatabaseName) {
        let names = SimpleXHistory.names(ledger)
        newer = names.filter { !SimpleXHistory.isKnown($0, of: database) }
        name = names.last { SimpleXHistory.isKnown($0, of: database) } ?? ""
        count = names.count
    }
}
