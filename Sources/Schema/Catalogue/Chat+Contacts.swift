extension Catalogue {
    /// Contacts, those who ask to be one, and the links by which they ask.
    static let chatContacts: [CatalogueTable] = [
        CatalogueTable(
            "contacts", "Somebody a profile talks to, or the profile itself.",
            [
                .public("contact_id", "the contact's number"),
                .public("user_id", "the profile whose contact it is"),
                .public("contact_profile_id", "what the contact says of themselves"),
                .personal("local_display_name", "the name under which the profile lists the contact"),
                .public("is_user", "1 for the profile's own row"),
                .public("contact_used", "1 once there is a conversation to show"),
                .public("contact_status", "active, or how it ended"),
                .personal("user_preferences", "what the profile allows this contact: a JSON document"),
                .public("enable_ntfs", "notifications: 0 none, 1 all, 2 mentions, NULL as the profile"),
                .public("send_rcpts", "delivery receipts: 1 on, 0 off, NULL as the profile"),
                .public("chat_item_ttl", "seconds after which messages are removed; NULL as the profile"),
                .personal("chat_ts", "time of the last thing in the chat, UTC; the chat list is sorted by it"),
                .public("unread_chat", "1 when marked unread by hand"),
                .public("favorite", "1 when marked a favourite"),
                .public("deleted", "1 when soft-deleted: the conversation is kept"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
        CatalogueTable(
            "user_contact_links", "A link by which others reach a profile: its address, or the link to a group.",
            [
                .public("user_contact_link_id", "the link's number"),
                .public("user_id", "the profile whose link it is"),
                .public("group_id", "the group it leads to; NULL for the profile's address"),
                .personal("conn_req_contact", "the full link"),
                .personal("short_link_contact", "the short link, if there is one"),
                .public("auto_accept", "1 when requests are accepted unasked"),
                .public("auto_accept_incognito", "1 when they are accepted with a random profile"),
                .personal("auto_reply_msg_content", "message sent to whoever is accepted: a JSON document"),
                .personal("group_link_id", "random id by which the group's members know the link"),
                .public("group_link_member_role", "role of those who join by the link"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
        CatalogueTable(
            "contact_requests", "Somebody who asked to be a contact and has no answer yet.",
            [
                .public("contact_request_id", "the request's number"),
                .public("user_id", "the profile that was asked"),
                .public("user_contact_link_id", "the link they came by; NULL when it is gone"),
                .personal("agent_invitation_id", "the agent's id of the request"),
                .personal("xcontact_id", "random id by which a repeated request is known"),
                .public("contact_profile_id", "what they say of themselves"),
                .personal("local_display_name", "the name under which the profile lists them"),
                .public("contact_id", "the contact it became, or NULL"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
    ]
}
