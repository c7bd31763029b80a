package import ChatDBEngine
import ChatDBReposKit
import ChatDBSchema

/// A value that SimpleX Chat cannot read. It reads all of them at every start, and does not start with such a value.
package struct AppValue: Sendable, Hashable {
    package let table: String
    package let row: Int64
    package let column: String

    /// As a finding names it: `protocol_servers 6 key_hash`.
    package var name: String { "\(table) \(row) \(column)" }

    /// The same in words.
    package var words: String { "the column \(column) of the row \(row) of \(table)" }

    /// All such values of a store: of the conditions of use, operators, servers and relays.
    package static func unreadable(in chat: any ReadTransaction) throws -> [AppValue] {
        try AppConditions.unreadable(in: chat) + AppRows(in: chat).unreadable(try AppPresets.known.get().tags)
    }
}

/// The values that SimpleX Chat must be able to read, or it does not start. The types of the values are checked by
/// `AppSchema`.
extension AppRows {
    /// The values that the app cannot read.
    /// - Parameter tags: the tags of operators that the app knows.
    func unreadable(_ tags: Set<String>) -> [AppValue] {
        var found: [AppValue] = []
        func require(_ isReadable: Bool, _ table: AppTable, _ row: Int64, _ column: String) {
            if !isReadable { found.append(AppValue(table: table.rawValue, row: row, column: column)) }
        }
        func requireChoices(_ table: AppTable, _ row: Int64, _ values: Values, isNeeded: (String) -> Bool) {
            for column in Self.choices where !lacks(column, in: table) {
                require(Self.isChoice(values[column], isNeeded: isNeeded(column)), table, row, column)
            }
        }
        for stored in operators {
            require(stored.tag.map { tags.contains($0) } ?? true, .operators, stored.id, "server_operator_tag")
            for column in ["trade_name", "server_domains"] {
                require(stored.values.text(column) != nil, .operators, stored.id, column)
            }
            requireChoices(.operators, stored.id, stored.values) { $0 == "enabled" || $0.contains("_role_") }
        }
        for server in servers {
            let address = server.address
            require(AppHost.list(address.host) != nil, .servers, server.id, "host")
            require(address.port.utf8.allSatisfy { (0x30...0x39).contains($0) }, .servers, server.id, "port")
            require(AppKeyHash.written(address.keyHash) != nil, .servers, server.id, "key_hash")
            requireChoices(.servers, server.id, server.values) { ["preset", "enabled"].contains($0) }
        }
        for relay in relays {
            require(AppRelayLink.isReadable(relay.address), .relays, relay.id, "address")
            requireChoices(.relays, relay.id, relay.values) { ["preset", "enabled", "deleted"].contains($0) }
        }
        return found
    }

    /// A choice is 0 or 1; one that need not be made may also be NULL.
    private static func isChoice(_ value: SQLValue?, isNeeded: Bool) -> Bool {
        switch value {
        case .integer(0), .integer(1): true
        case .null: !isNeeded
        default: false
        }
    }

    private static let choices = [
        "preset", "tested", "enabled", "deleted", "role_storage", "role_proxy", "role_names", "smp_role_storage",
        "smp_role_proxy", "smp_role_names", "xftp_role_storage", "xftp_role_proxy",
    ]
}

/// The link of a relay as SimpleX Chat reads it.
enum AppRelayLink {
    /// Whether the app can read a stored address: a link with hosts that it can read, or a long link.
    static func isReadable(_ address: String) -> Bool {
        guard let link = try? RelayAddress(address) else { return LinkKey.of(address) != nil }
        return AppHost.list(link.hosts.joined(separator: ",")) != nil
    }
}

/// The conditions of use of the operators, which SimpleX Chat reads at every start. chatdb never writes them.
enum AppConditions {
    /// The values that the app cannot read. Of an operator, it reads the last row.
    static func unreadable(in chat: any ReadTransaction) throws(StoreError) -> [AppValue] {
        var found: [AppValue] = []
        func require(
            _ table: String, _ key: String, _ condition: Query, _ isReadable: (String, SQLValue) -> Bool
        ) throws(StoreError) {
            guard try chat.first(chat.dialect.tableExists(table)) != nil else { return }
            for row in try chat.rows("SELECT * FROM main.\(identifier: table) \(condition)") {
                let number: Int64 = try row.get(key)
                for (column, value) in zip(row.columns.names, row.values) where !isReadable(column, value) {
                    found.append(AppValue(table: table, row: number, column: column))
                }
            }
        }
        try require("usage_conditions", "usage_conditions_id", "") { column, value in
            switch column {
            case "conditions_commit": value.asText != nil
            case "created_at": value.isAppTime
            case "notified_at": value == .null || value.isAppTime
            default: true
            }
        }
        try require(
            "operator_usage_conditions", "operator_usage_conditions_id",
            """
            WHERE operator_usage_conditions_id IN (
                SELECT max(operator_usage_conditions_id) FROM main.operator_usage_conditions
                GROUP BY server_operator_id)
            """
        ) { column, value in
            switch column {
            case "conditions_commit": value.asText != nil
            case "accepted_at": value == .null || value.isAppTime
            case "auto_accepted": value == .integer(0) || value == .integer(1)
            default: true
            }
        }
        return found
    }
}

extension SQLValue {
    /// Whether it is a time in text, as `2026-07-20 09:05:00.123456`.
    fileprivate var isAppTime: Bool {
        guard case .text(let text) = self else { return false }
        let bytes = Array(text.utf8)
        guard bytes.count >= 16 else { return false }
        let form = zip(bytes, "dddd-dd-ddTdd:dd".utf8).allSatisfy { byte, kind in
            switch kind {
            case UInt8(ascii: "d"): (0x30...0x39).contains(byte)
            case UInt8(ascii: "T"): byte == UInt8(ascii: " ") || byte == UInt8(ascii: "T")
            default: byte == kind
            }
        }
        func number(_ place: Int) -> Int { Int(bytes[place]) * 10 + Int(bytes[place + 1]) - 11 * 0x30 }
        return form && (1...12).contains(number(5)) && (1...31).contains(number(8)) && number(11) < 24
            && number(14) < 60 && bytes.dropFirst(16).allSatisfy { "0123456789:.+-Z".utf8.contains($0) }
    }
}
