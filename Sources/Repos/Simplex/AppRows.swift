package import ChatDBEngine
import ChatDBSchema

/// A table of SimpleX Chat's chat database that chatdb writes. It writes no other table.
package enum AppTable: String, Sendable, Hashable, CaseIterable {
    case operators = "server_operators"
    case servers = "protocol_servers"
    case relays = "chat_relays"

    /// The column of the row's number.
    package var key: String {
        switch self {
        case .operators: "server_operator_id"
        case .servers: "smp_server_id"
        case .relays: "chat_relay_id"
        }
    }

    /// The columns whose values chatdb compares and writes, where the version has them.
    var columns: [String] {
        switch self {
        case .operators:
            [
                "server_operator_tag", "trade_name", "legal_name", "server_domains", "enabled", "smp_role_storage",
                "smp_role_proxy", "smp_role_names", "xftp_role_storage", "xftp_role_proxy",
            ]
        case .servers:
            [
                "user_id", "protocol", "host", "port", "key_hash", "basic_auth", "preset", "tested", "enabled",
                "role_storage", "role_proxy", "role_names",
            ]
        case .relays:
            ["user_id", "address", "display_name", "domains", "preset", "tested", "enabled", "deleted"]
        }
    }
}

/// The rows of the tables that chatdb writes, as they are stored: in the forms of the app, or in those of this build.
package struct AppRows: Sendable, Hashable {
    /// The values of a row by column, without its number.
    package typealias Values = [String: SQLValue]

    /// A profile of the store.
    struct Profile: Sendable, Hashable {
        let id: Int64
        /// The name; nil for a hidden profile, which messages do not name.
        let name: String?

        var shown: String { name ?? "a hidden profile" }
    }

    /// The rows by table and number. A table that the version lacks is missing.
    package private(set) var tables: [AppTable: [Int64: Values]] = [:]
    /// The columns of the tables.
    private var columns: [AppTable: Set<String>] = [:]
    /// The profiles by number.
    private(set) var profiles: [Profile] = []

    /// Reads the rows of a database.
    package init(in chat: any ReadTransaction) throws(StoreError) {
        for table in AppTable.allCases where try chat.first(chat.dialect.tableExists(table.rawValue)) != nil {
            var rows: [Int64: Values] = [:]
            // The outer join gives a row, and so the names of the columns, also for an empty table.
            for row in try chat.rows(
                "SELECT stored.* FROM (SELECT 1) LEFT JOIN main.\(identifier: table.rawValue) AS stored")
            {
                columns[table] = Set(row.columns.names)
                guard let id: Int64 = try row.get(table.key) else { continue }
                rows[id] = Dictionary(
                    zip(row.columns.names, row.values).filter { $0.0 != table.key }, uniquingKeysWith: { $1 })
            }
            tables[table] = rows
        }
        for row in try chat.rows(
            "SELECT user_id, local_display_name, view_pwd_hash IS NOT NULL AS is_hidden FROM users ORDER BY user_id")
        {
            let isHidden: Bool = try row.get("is_hidden")
            profiles.append(
                Profile(id: try row.get("user_id"), name: isHidden ? nil : try row.stored("local_display_name").asText))
        }
    }

    /// The rows of a table by number; empty where the version lacks the table.
    func rows(_ table: AppTable) -> [(id: Int64, values: Values)] {
        (tables[table] ?? [:]).sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// Whether the version has no such table, or no such column in it.
    package func lacks(_ column: String, in table: AppTable) -> Bool { columns[table]?.contains(column) != true }

    func row(_ table: AppTable, _ id: Int64) -> Values? { tables[table]?[id] }

    func profile(_ id: Int64?) -> String { profiles.first { $0.id == id }?.shown ?? "a profile" }

    mutating func set(_ table: AppTable, _ id: Int64, to values: Values?) { tables[table]?[id] = values }

    /// The same without times: SimpleX Chat sets them at every start.
    package var withoutTimes: AppRows {
        var rows = self
        rows.tables = tables.mapValues { table in
            table.mapValues { $0.filter { !["created_at", "updated_at"].contains($0.key) } }
        }
        return rows
    }

    var operators: [AppOperator] { rows(.operators).map(AppOperator.init) }
    var servers: [AppServer] { rows(.servers).map(AppServer.init) }
    var relays: [AppRelay] { rows(.relays).map(AppRelay.init) }
}

extension SQLValue {
    /// A text, also one that is stored as bytes; nil for a number, for NULL and for bytes that are no text.
    var asText: String? {
        switch self {
        case .text(let text): text
        case .blob(let bytes): String(validating: bytes, as: UTF8.self)
        default: nil
        }
    }

    /// Whether it is a number other than 0.
    var isOn: Bool { if case .integer(let number) = self { number != 0 } else { false } }
}

extension String {
    /// The parts between commas, empty ones too, as the app splits a text. The empty text has one part.
    fileprivate var appList: [String] { split(separator: ",", omittingEmptySubsequences: false).map(String.init) }
}

extension AppRows.Values {
    func text(_ column: String) -> String? { self[column]?.asText }

    func number(_ column: String) -> Int64? {
        if case .integer(let number)? = self[column] { number } else { nil }
    }

    func isOn(_ column: String) -> Bool { self[column]?.isOn ?? false }

    /// A choice of yes or no; nil for NULL, and where the version lacks the column.
    func choice(_ column: String) -> Bool? { number(column).map { $0 != 0 } }
}

/// A row of `server_operators`.
struct AppOperator: Sendable {
    let id: Int64
    let values: AppRows.Values

    var tag: String? { values.text("server_operator_tag") }
    var name: String { values.text("trade_name") ?? "" }
    var domains: [String] { (values.text("server_domains") ?? "").appList }
    var isEnabled: Bool { values.isOn("enabled") }

    /// The roles of its servers, by protocol.
    var roles: [String: Set<AppRole>] {
        func all(_ serverProtocol: String) -> Set<AppRole> {
            Set(AppRole.allCases.filter { values.isOn("\(serverProtocol)_role_\($0.rawValue)") })
        }
        return ["smp": all("smp"), "xftp": all("xftp")]
    }
}

/// A role without which the app cannot send or receive. Of the role `names`, the newest known code says only that the
/// app warns when no server has it.
enum AppRole: String, Sendable, CaseIterable {
    case storage
    case proxy
}

/// A row of `protocol_servers`.
struct AppServer: Sendable {
    let id: Int64
    let values: AppRows.Values

    var user: Int64? { values.number("user_id") }
    var isPreset: Bool { values.isOn("preset") }
    var isEnabled: Bool { values.isOn("enabled") }
    /// The address as the app reads it, and writes it again; nil if it cannot read it.
    var written: AppServerAddress? { address.written }

    var address: AppServerAddress {
        AppServerAddress(
            serverProtocol: values.text("protocol") ?? "", keyHash: values.text("key_hash") ?? "",
            password: values.text("basic_auth"), host: values.text("host") ?? "", port: values.text("port") ?? "")
    }

    /// Whether it is used for a role, for a server of no operator. The app knows no choice about one role alone: it
    /// takes the three columns only if each of them has a value.
    func has(_ role: AppRole) -> Bool {
        guard Self.roles.allSatisfy({ values.choice($0) != nil }) else { return true }
        return values.choice("role_\(role.rawValue)") ?? true
    }

    /// The columns of its own roles.
    static let roles = ["role_storage", "role_proxy", "role_names"]
}

/// A row of `chat_relays`.
struct AppRelay: Sendable {
    let id: Int64
    let values: AppRows.Values

    var user: Int64? { values.number("user_id") }
    var address: String { values.text("address") ?? "" }
    var name: String { values.text("display_name") ?? "" }
    var domains: [String] { (values.text("domains") ?? "").appList }
    var isPreset: Bool { values.isOn("preset") }
    var isDeleted: Bool { values.isOn("deleted") }
    var isEnabled: Bool { values.isOn("enabled") }
    var shown: String { name.isEmpty ? address : name }
}
