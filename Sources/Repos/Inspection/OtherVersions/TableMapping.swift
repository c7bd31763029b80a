import ChatDBEngine
import ChatDBSchema
import Foundation

/// The facts about a table of other versions that the rules of `ColumnView` cannot derive: columns to compute where the
/// file lacks them, and notes for the reader about what the file lacks.
struct TableMapping {
    /// An expression over the row of the table. `text` makes a column of the row a text.
    typealias Expression = @Sendable (_ syntax: ViewSyntax, _ text: (_ column: String) -> String) -> String

    /// A column that a version without it can compute.
    struct Computed {
        let column: String
        let expression: Expression
        /// The columns that the file must have for it, by table.
        let needs: [String: Set<String>]

        init(_ column: String, needs: [String: Set<String>] = [:], _ expression: @escaping Expression) {
            self.column = column
            self.expression = expression
            self.needs = needs
        }

        init(_ column: String, constant: String) {
            self.init(column) { _, _ in constant }
        }

        func isPossible(with found: [String: TableStructure]) -> Bool {
            needs.allSatisfy { table, columns in columns.isSubset(of: found[table]?.columnNames ?? []) }
        }
    }

    /// The table.
    let table: String
    /// Alternatives: the first that the file allows is used.
    var computed: [Computed] = []
    /// Columns whose value SimpleX Chat also keeps as it was received, by the name of that other column. NULL there means
    /// that both are the same. The other column counts, as in the app, unless this build has it too.
    var received: [String: String] = [:]
    /// Columns of ids that SimpleX Chat stores as bytes that are not UTF-8. Its own JSON shows them in base64url.
    var ids: Set<String> = []
    /// The subject that a version without the table lacks, as people call it.
    var holds: String?
    /// The subject that a version lacks when it has the table without one of its columns.
    var subjects: [(column: String, what: String)] = []

    /// Bytes as base64url, padded with `=`; anything else as it is.
    static let base64 = ReadingFunction(
        "chatdb_base64url", expression: { "translate(encode(\($0), 'base64'), E'+/\\n', '-_')" }
    ) { value in
        guard case .blob(let bytes) = value else { return value }
        return .text(Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_"))
    }

    /// The functions that the views call.
    static let functions = [relayKey, linkKey, base64]

    /// The subjects that a version lacks, as they were found.
    func lacking(on found: TableStructure?) -> [String] {
        guard let found else { return holds.map { [$0] } ?? [] }
        return subjects.filter { !found.columnNames.contains($0.column) }.map(\.what)
    }

    /// The mappings of the chat database, by subject.
    static let chat = profiles + servers + relays + groups + messages
}

extension TableStructure {
    var columnNames: Set<String> { Set(columns.map(\.name)) }
}

extension TableMapping {
    /// Chat relays, and which channels use them.
    static let relays = [
        TableMapping(
            table: "chat_relays",
            // SimpleX Chat compares addresses byte by byte and keeps no key.
            computed: [Computed("address_key") { $0.call(relayKey, $1("address")) }],
            holds: "relays", subjects: [("deleted", "soft-deleted relays")]),
        TableMapping(table: "group_relays", holds: "use of relays"),
    ]

    /// The key of a relay's address; the text itself when it is not an address.
    static let relayKey = ReadingFunction("chatdb_relay_key", expression: ServerKeys.ofRelay) { value in
        guard case .text(let text) = value else { return value }
        return .text((try? RelayAddress(text))?.addressKey ?? text)
    }
}

extension TableMapping {
    /// Groups, channels and members.
    static let groups = [
        TableMapping(
            table: "groups",
            computed: [
                key(of: "conn_full_link_to_connect", in: "groups"), key(of: "conn_short_link_to_connect", in: "groups"),
                key(of: "relay_request_group_link", in: "groups"),
            ],
            ids: [
                "welcome_shared_msg_id", "request_shared_msg_id", "business_member_id", "customer_member_id",
                "business_xcontact_id",
            ], holds: "groups",
            subjects: [("use_relays", "channels"), ("conn_full_link_to_connect", "groups prepared without joining")]),
        TableMapping(table: "group_members", ids: ["member_id"]),
        TableMapping(table: "delivery_tasks", computed: [profileOfGroup(in: "delivery_tasks")]),
        TableMapping(table: "delivery_jobs", computed: [profileOfGroup(in: "delivery_jobs")]),
        TableMapping(
            table: "group_profiles", computed: [key(of: "group_link", in: "group_profiles")],
            received: ["preferences": "preferences_json"], ids: ["public_group_id"],
            subjects: [("group_link", "links of groups")]),
    ]

    /// The key of a link, which SimpleX Chat and earlier versions do not store: they compare links byte by byte.
    static func key(of column: String, in table: String) -> Computed {
        Computed("\(column)_key", needs: [table: [column]]) { $0.call(linkKey, $1(column)) }
    }

    /// The profile of a row that has only the group.
    private static func profileOfGroup(in table: String) -> Computed {
        Computed("user_id", needs: ["groups": ["group_id", "user_id"], table: ["group_id"]]) { syntax, _ in
            let groups = "\(syntax.schema).groups"
            return "coalesce((SELECT owner.user_id FROM \(groups) owner WHERE owner.group_id = \(table).group_id), 0)"
        }
    }

    /// NULL for a link without a key.
    static let linkKey = ReadingFunction("chatdb_link_key", expression: ServerKeys.ofLink) { value in
        guard case .text(let text) = value, let key = LinkKey.of(text) else { return .null }
        return .text(key)
    }
}

extension TableMapping {
    /// Messages.
    static let messages = [
        TableMapping(
            table: "messages",
            // SimpleX Chat keeps the profile with the connection or the group.
            computed: [
                Computed(
                    "user_id",
                    needs: [
                        "connections": ["connection_id", "user_id"], "groups": ["group_id", "user_id"],
                        "messages": ["connection_id", "group_id"],
                    ]
                ) { syntax, _ in
                    """
                    coalesce(
                        (SELECT user_id FROM \(syntax.schema).connections
                         WHERE connection_id = messages.connection_id),
                        (SELECT user_id FROM \(syntax.schema).groups WHERE group_id = messages.group_id), 0)
                    """
                }
            ], ids: ["shared_msg_id"]),
        TableMapping(
            table: "chat_items",
            ids: [
                "shared_msg_id", "quoted_shared_msg_id", "quoted_member_id", "fwd_from_public_group_id",
                "fwd_from_member_id", "fwd_from_shared_msg_id",
            ]),
    ]
}

extension TableMapping {
    /// Profiles, contacts, links to them, and the app's settings.
    static let profiles = [
        TableMapping(
            table: "users",
            // The first versions have one profile, which is always active.
            computed: [Computed("active_user", constant: "1"), Computed("active_order", constant: "1")],
            holds: "profiles",
            subjects: [("active_user", "second profile"), ("view_pwd_hash", "hidden profiles")]),
        TableMapping(table: "contact_profiles", received: ["preferences": "preferences_json"]),
        TableMapping(table: "contacts", holds: "contacts"),
        TableMapping(table: "contact_requests", ids: ["xcontact_id"]),
        TableMapping(
            table: "user_contact_links",
            computed: [
                key(of: "conn_req_contact", in: "user_contact_links"),
                key(of: "short_link_contact", in: "user_contact_links"),
            ], ids: ["group_link_id"]),
        TableMapping(table: "app_settings", computed: [Computed("app_settings_id") { syntax, _ in syntax.rowNumber }]),
    ]
}

extension TableMapping {
    /// Operators and servers.
    static let servers = [
        TableMapping(
            table: "server_operators", holds: "operators", subjects: [("smp_role_names", "role for names")]),
        TableMapping(
            table: "protocol_servers",
            // Before XFTP all servers were SMP servers.
            computed: [Computed("protocol", constant: "'smp'")], holds: "servers",
            subjects: [("protocol", "XFTP servers"), ("role_storage", "roles of single servers")]),
    ]
}
