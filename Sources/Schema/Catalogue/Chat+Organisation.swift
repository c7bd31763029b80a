extension Catalogue {
    /// How a profile keeps order among its chats.
    static let chatOrganisation: [CatalogueTable] = [
        CatalogueTable(
            "chat_tags", "A tag that a profile puts on chats.",
            [
                .public("chat_tag_id", "the tag's number"),
                .public("user_id", "the profile whose tag it is"),
                .personal("chat_tag_text", "the tag's text"),
                .personal("chat_tag_emoji", "the tag's picture, or NULL"),
                .public("tag_order", "position in the list of tags"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
        CatalogueTable(
            "chat_tags_chats", "A chat with a tag on it.",
            [
                .public("contact_id", "the contact whose chat it is, or NULL"),
                .public("group_id", "the group, or NULL"),
                .public("chat_tag_id", "the tag"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
        CatalogueTable(
            "note_folders", "The notes a profile writes to itself: one chat.",
            [
                .public("note_folder_id", "the folder's number"),
                .public("user_id", "the profile whose notes they are"),
                .personal("chat_ts", "time of the last note, UTC; the chat list is sorted by it"),
                .public("favorite", "1 when marked a favourite"),
                .public("unread_chat", "1 when marked unread by hand"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
    ]
}
