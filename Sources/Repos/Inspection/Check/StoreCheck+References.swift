import ChatDBEngine
import ChatDBSchema

/// Rule: docs/domain.md, "Profiles", Scope.
extension StoreCheck {
    static let ofReferences = [
        StoreCheck(
            "crossProfileReference", .error, "rows that refer to a row of another profile", isGeneral: true,
            walk: crossing),
        StoreCheck(
            "blockedDeletion", .error,
            "rows that prevent the deletion of a row of another profile, and so of that profile", isGeneral: true,
            walk: blocking),
    ]

    /// The references that do not stop a deletion. ``blocking`` has those that do.
    private static func crossing(_ checked: CheckContext, _ found: inout FoundRows) throws {
        let chat = try checked.transaction(.chat)
        let profiles = RowProfiles(tables: checked.structures[.chat]?.tables ?? [:], dialect: chat.dialect)
        for reference in references where !profiles.stops(reference.child, reference.column, reference.parent) {
            try found.add(query(reference), in: chat)
        }
        // Stores of SimpleX Chat have tags since the end of 2024.
        let isWithoutTags = checked.structures[.chat].map { $0.tables["chat_tags_chats"] == nil } ?? false
        if isWithoutTags { return }
        for query in try tags(checked) { try found.add(query, in: chat) }
    }

    /// Names the row and the row that it refers to, with the profiles of both. Hidden profiles have no number.
    private static func blocking(_ checked: CheckContext, _ found: inout FoundRows) throws {
        let chat = try checked.transaction(.chat)
        let profiles = RowProfiles(tables: try checked.structure(.chat).tables, dialect: chat.dialect)
        var hidden: Set<Int64> = []
        try chat.forEach("SELECT user_id FROM users WHERE view_pwd_hash IS NOT NULL") { row in
            hidden.insert(try row.get("user_id"))
        }
        func named(_ table: String, _ number: Int64?, of profile: Int64) -> String {
            if hidden.contains(profile) {
                return table == "users" ? "a hidden profile" : "\(table) \(text(number)) of a hidden profile"
            }
            return table == "users" ? "profile \(profile)" : "\(table) \(text(number)) of profile \(profile)"
        }
        func text(_ number: Int64?) -> String { number.map(String.init) ?? "without a number" }
        for stop in profiles.stops {
            // Another check reports it.
            if stop.child == "group_relays", stop.key.parent == "chat_relays" { continue }
            guard let query = profiles.crossing(stop) else { continue }
            try chat.forEach(query) { row in
                let numbers: (child: Int64?, parent: Int64?) = (
                    try row.get("child_number"), try row.get("parent_number")
                )
                guard let childProfile = try? row.get("child_profile") as Int64 else {
                    return found.skip("\(stop.child) \(text(numbers.child)) (its profile)")
                }
                guard let parentProfile = try? row.get("parent_profile") as Int64 else {
                    return found.skip("\(stop.key.parent) \(text(numbers.parent)) (its profile)")
                }
                let child = named(stop.child, numbers.child, of: childProfile)
                let parent = named(stop.key.parent, numbers.parent, of: parentProfile)
                found.add("\(child): \(stop.key.columns.joined(separator: ", ")) in \(parent)")
            }
        }
    }

    /// Columns of rows of a profile that refer to rows of a profile.
    private static let references: [Reference] = [
        ("users", "contact_id", "contacts", "contact_id"),
        ("contacts", "contact_profile_id", "contact_profiles", "contact_profile_id"),
        ("contact_requests", "contact_profile_id", "contact_profiles", "contact_profile_id"),
        ("contact_requests", "contact_id", "contacts", "contact_id"),
        ("contact_requests", "user_contact_link_id", "user_contact_links", "user_contact_link_id"),
        ("user_contact_links", "group_id", "groups", "group_id"),
        ("groups", "group_profile_id", "group_profiles", "group_profile_id"),
        ("group_members", "group_id", "groups", "group_id"),
        ("group_members", "contact_profile_id", "contact_profiles", "contact_profile_id"),
        ("group_members", "member_profile_id", "contact_profiles", "contact_profile_id"),
        ("group_members", "contact_id", "contacts", "contact_id"),
        ("connections", "contact_id", "contacts", "contact_id"),
        ("connections", "group_member_id", "group_members", "group_member_id"),
        ("connections", "user_contact_link_id", "user_contact_links", "user_contact_link_id"),
        ("connections", "custom_user_profile_id", "contact_profiles", "contact_profile_id"),
        ("messages", "connection_id", "connections", "connection_id"),
        ("messages", "group_id", "groups", "group_id"),
        ("chat_items", "contact_id", "contacts", "contact_id"),
        ("chat_items", "group_id", "groups", "group_id"),
        ("chat_items", "group_member_id", "group_members", "group_member_id"),
        ("chat_items", "note_folder_id", "note_folders", "note_folder_id"),
        ("files", "contact_id", "contacts", "contact_id"),
        ("files", "group_id", "groups", "group_id"),
        ("files", "chat_item_id", "chat_items", "chat_item_id"),
    ]

    private typealias Reference = (child: String, column: String, parent: String, key: String)

    /// The column with the number of a row, which is named after the table in all of these.
    private static func number(of child: String) -> String { String(child.dropLast()) + "_id" }

    /// A view of another program's table has the number 0 for a row without a profile.
    private static func query(_ reference: Reference) -> Query {
        let (child, parent): (Query, Query) = ("\(identifier: reference.child)", "\(identifier: reference.parent)")
        let number: Query = "child.\(identifier: number(of: reference.child))"
        // Hidden profiles are counted and never named.
        let name: Query =
            reference.child == "users" ? "CASE WHEN child.view_pwd_hash IS NULL THEN \(number) END" : number
        return """
            SELECT \(reference.child + " ") || \(name) FROM \(child) AS child JOIN \(parent) AS parent
                ON parent.\(identifier: reference.key) = child.\(identifier: reference.column)
            WHERE parent.user_id <> child.user_id AND parent.user_id <> 0 AND child.user_id <> 0 ORDER BY \(number)
            """
    }

    /// The table of tags on chats is the only one without a column for the profile.
    private static func tags(_ checked: CheckContext) throws(StoreError) -> [Query] {
        let dialect = try checked.transaction(.chat).dialect
        let structure = checked.structures[.chat] ?? DatabaseStructure()
        let numbered = structure.numbered("chat_tags_chats", of: dialect.ofFile("chat_tags_chats"), in: dialect)
        return ["contact", "group"].map { chat in
            """
            SELECT 'chat_tags_chats ' || place
            FROM \(numbered) JOIN chat_tags ON chat_tags.chat_tag_id = chat_tags_chats.chat_tag_id
                JOIN \(identifier: chat + "s") AS chat
                    ON chat.\(identifier: chat + "_id") = chat_tags_chats.\(identifier: chat + "_id")
            WHERE chat.user_id <> chat_tags.user_id ORDER BY place
            """
        }
    }
}
