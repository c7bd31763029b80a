import ChatDBEngine
import ChatDBReposKit
import ChatDBSchema

extension ChatListSource {
    /// Contacts the profile has written with, or may.
    static let contacts = ChatListSource(
        kind: 0,
        tables: """
            contacts
            JOIN contact_profiles ON contact_profiles.contact_profile_id = contacts.contact_profile_id
            """,
        key: "contacts.contact_id", time: "contacts.chat_ts", user: "contacts.user_id",
        name: """
            CASE contact_profiles.local_alias WHEN '' THEN contacts.local_display_name
                ELSE contact_profiles.local_alias END
            """,
        switches: (favorite: "contacts.favorite", unread: "contacts.unread_chat"),
        isChat: ["contacts.is_user = 0"], isShown: ["contacts.contact_used = 1", "contacts.deleted = 0"],
        names: [
            "contacts.local_display_name", "contact_profiles.display_name", "contact_profiles.full_name",
            "contact_profiles.local_alias",
        ],
        tagged: "contact_id", itemsOf: "contact_id", isAlwaysUnread: false)

    /// Groups and channels, also those prepared, left or being made.
    static let groups = ChatListSource(
        kind: 1, tables: "groups JOIN group_profiles ON group_profiles.group_profile_id = groups.group_profile_id",
        key: "groups.group_id", time: "groups.chat_ts", user: "groups.user_id",
        name: "CASE groups.local_alias WHEN '' THEN groups.local_display_name ELSE groups.local_alias END",
        switches: (favorite: "groups.favorite", unread: "groups.unread_chat"), isChat: [], isShown: [],
        names: [
            "groups.local_display_name", "group_profiles.display_name", "group_profiles.full_name",
            "groups.local_alias",
        ],
        tagged: "group_id", itemsOf: "group_id", isAlwaysUnread: false)

    /// The notes, of which nothing is unread unless it is marked.
    static let notes = ChatListSource(
        kind: 2, tables: "note_folders", key: "note_folders.note_folder_id", time: "note_folders.chat_ts",
        user: "note_folders.user_id", name: "''",
        switches: (favorite: "note_folders.favorite", unread: "note_folders.unread_chat"), isChat: [], isShown: [],
        names: [],
        tagged: nil, itemsOf: nil, isAlwaysUnread: false)

    /// Requests to connect; one that has a contact already is shown as that contact.
    static let requests = ChatListSource(
        kind: 3,
        tables: """
            contact_requests
            JOIN contact_profiles ON contact_profiles.contact_profile_id = contact_requests.contact_profile_id
            """,
        key: "contact_requests.contact_request_id", time: "contact_requests.updated_at",
        user: "contact_requests.user_id", name: "contact_requests.local_display_name", switches: nil,
        isChat: [], isShown: ["contact_requests.contact_id IS NULL"],
        names: ["contact_requests.local_display_name", "contact_profiles.display_name", "contact_profiles.full_name"],
        tagged: nil, itemsOf: nil, isAlwaysUnread: true)

    /// Connections that are to become contacts: nobody's yet, and more than prepared. They are looked for among the
    /// connections that are no member's, which an index knows; the `+` keeps the others out, which know less.
    static let connections = ChatListSource(
        kind: 4, tables: "connections", key: "connections.connection_id", time: "connections.updated_at",
        user: "+connections.user_id", name: "connections.local_alias", switches: nil,
        isChat: [],
        isShown: [
            "connections.group_member_id IS NULL", "+connections.contact_id IS NULL",
            "+connections.user_contact_link_id IS NULL", "+connections.snd_file_id IS NULL",
            "+connections.rcv_file_id IS NULL", "connections.conn_type = \(ConnectionType.contact)",
            "connections.conn_status <> \(ConnectionStatus.prepared)",
        ],
        names: ["connections.local_alias"], tagged: nil, itemsOf: nil, isAlwaysUnread: false)
}
