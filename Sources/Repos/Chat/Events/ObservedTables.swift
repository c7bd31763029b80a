package import ChatDBEngine
import ChatDBSchema

/// A table of the chat database whose changes are reported. Rule: docs/events.md.
package struct ObservedTable: Sendable {
    /// How the profile of a row is found.
    enum Owner: Sendable {
        /// The table belongs to all profiles.
        case allProfiles
        /// The number of the row is that of a profile.
        case row
        /// The row names the profile; `key` is the column of its number.
        case column(key: String)
        /// The row refers to another row, which names the profile, by a column that both tables have.
        case reference(key: String, by: String, to: String)
        /// The rows have no numbers by which they could be found.
        case notFound
    }

    /// The name.
    package let name: String
    /// The subject of its rows.
    package let subject: StoreChange.Subject
    let owner: Owner

    private init(_ name: String, _ subject: StoreChange.Subject, _ owner: Owner) {
        self.name = name
        self.subject = subject
        self.owner = owner
    }

    /// All tables that are reported.
    package static let all: [ObservedTable] = [
        ObservedTable("users", .profiles, .row),
        ObservedTable("chat_relays", .relays, .column(key: "chat_relay_id")),
        ObservedTable("group_relays", .groupRelays, .reference(key: "group_relay_id", by: "group_id", to: "groups")),
        ObservedTable("server_operators", .presets, .allProfiles),
        ObservedTable("usage_conditions", .presets, .allProfiles),
        ObservedTable("operator_usage_conditions", .presets, .allProfiles),
        ObservedTable("protocol_servers", .presets, .column(key: "smp_server_id")),
        ObservedTable("preset_choices", .presets, .column(key: "preset_choice_id")),
        ObservedTable("groups", .groups, .column(key: "group_id")),
        ObservedTable("group_profiles", .groups, .column(key: "group_profile_id")),
        ObservedTable("group_members", .groups, .column(key: "group_member_id")),
        ObservedTable("contacts", .contacts, .column(key: "contact_id")),
        ObservedTable("contact_profiles", .contacts, .column(key: "contact_profile_id")),
        ObservedTable("contact_requests", .contacts, .column(key: "contact_request_id")),
        ObservedTable("user_contact_links", .contacts, .column(key: "user_contact_link_id")),
        ObservedTable("connections", .contacts, .column(key: "connection_id")),
        ObservedTable("chat_items", .items, .column(key: "chat_item_id")),
        ObservedTable(
            "chat_item_mentions", .items,
            .reference(key: "chat_item_mention_id", by: "chat_item_id", to: "chat_items")),
        ObservedTable(
            "chat_item_reactions", .items,
            .reference(key: "chat_item_reaction_id", by: "chat_item_id", to: "chat_items")),
        ObservedTable(
            "chat_item_versions", .items,
            .reference(key: "chat_item_version_id", by: "chat_item_id", to: "chat_items")),
        ObservedTable("note_folders", .items, .column(key: "note_folder_id")),
        ObservedTable("files", .items, .column(key: "file_id")),
        ObservedTable("rcv_files", .items, .reference(key: "file_id", by: "file_id", to: "files")),
        ObservedTable("snd_files", .items, .notFound),
        ObservedTable("app_settings", .settings, .allProfiles),
        ObservedTable("settings", .settings, .column(key: "settings_id")),
        ObservedTable("chat_tags", .settings, .column(key: "chat_tag_id")),
        ObservedTable("chat_tags_chats", .settings, .notFound),
    ]

    /// The tables by name.
    static let byName = Dictionary(all.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })

    /// The names of all tables.
    static let names = Set(byName.keys)

    /// The tables of the chat database that are not reported, with the reasons. No table of the agent database is
    /// reported: it has keys, queues and messages under way, and the chat database has what a person sees of them.
    package static let unreported: [String: String] = [
        "migrations": "another connection writes it; the comparison of the databases reports it as store.migrated",
        "store": "the identity of the store, which does not change",
        "chat_items_fts": "the index of the words in chat_items, which triggers keep",
        "display_names": "a name changes together with the contact, group, member or profile that has it",
        "messages": "a message of the protocol; the item of a chat that it leads to is in chat_items",
        "msg_deliveries": "a delivery under way; the status that a person sees is in chat_items",
        "xftp_file_descriptions": "the parts of a file's description; the state of the file is in files and rcv_files",
        "delivery_tasks": "the queue of a relay that serves channels of others",
        "delivery_jobs": "the queue of a relay that serves channels of others",
    ]

    /// The query for the profiles of some rows, with the columns `number` and `user_id`. It is nil if the rows do not
    /// show them.
    package func profiles(of numbers: Query) -> Query? {
        switch owner {
        case .allProfiles, .row, .notFound: nil
        case .column(let key):
            """
            SELECT \(identifier: key) AS number, user_id
            FROM \(identifier: name)
            WHERE \(identifier: key) IN (\(numbers))
            """
        case .reference(let key, let column, let parent):
            """
            SELECT child.\(identifier: key) AS number, parent.user_id
            FROM \(identifier: name) child
            JOIN \(identifier: parent) parent ON parent.\(identifier: column) = child.\(identifier: column)
            WHERE child.\(identifier: key) IN (\(numbers))
            """
        }
    }

    /// The query for the channels of which some rows of a table are relays, with the columns `number`, `user_id`,
    /// `group_id` and `is_relay`. It is nil for tables without relays.
    package static func channels(of table: String, _ numbers: Query) -> Query? {
        switch table {
        case "group_relays":
            """
            SELECT group_relays.group_relay_id AS number, groups.user_id, groups.group_id, 1 AS is_relay
            FROM group_relays
            JOIN groups ON groups.group_id = group_relays.group_id
            WHERE group_relays.group_relay_id IN (\(numbers))
            """
        case "group_members":
            """
            SELECT group_members.group_member_id AS number, groups.user_id, groups.group_id,
                (\(RelayMember.isRelay)) AS is_relay
            FROM group_members
            JOIN groups ON groups.group_id = group_members.group_id
            WHERE group_members.group_member_id IN (\(numbers))
            """
        case "connections":
            """
            SELECT connections.connection_id AS number, groups.user_id, groups.group_id,
                (\(RelayMember.isRelay)) AS is_relay
            FROM connections
            JOIN group_members ON group_members.group_member_id = connections.group_member_id
            JOIN groups ON groups.group_id = group_members.group_id
            WHERE connections.connection_id IN (\(numbers))
            """
        default: nil
        }
    }
}
