extension Catalogue {
    /// What is shown in a chat, what happened to it since, and the index over its texts.
    static let chatItems: [CatalogueTable] = [
        CatalogueTable(
            "chat_items", "One thing shown in a chat: a message, a call, an event.",
            [
                .public("chat_item_id", "the item's number, never given twice"),
                .public("user_id", "the profile whose chat it is in"),
                .public("contact_id", "the contact whose chat it is in, or NULL"),
                .public("group_id", "the group it is in, or NULL"),
                .public("note_folder_id", "the notes it is in, or NULL"),
                .public("group_member_id", "the member who wrote it, or NULL"),
                .public("created_by_msg_id", "the message it was made from, or NULL"),
                .personal("shared_msg_id", "random id by which all sides know it"),
                .public("item_sent", "1 sent, 0 received"),
                .personal("item_ts", "when it was sent, UTC; a chat is sorted by it"),
                .public("item_status", "how far it has come; rcv_new is unread"),
                .personal("item_content", "the content: a JSON document"),
                .public("item_content_tag", "what kind of content it is"),
                .public("msg_content_tag", "of a message: text, link, image, file, …"),
                .personal("item_text", "the text; empty when fully deleted"),
                .public("item_edited", "1 when the text has been changed"),
                .public("item_deleted", "1 when marked deleted: the content is kept until purged"),
                .personal("item_deleted_ts", "when it was marked deleted, UTC"),
                .public("item_deleted_by_group_member_id", "the member who deleted it, or NULL"),
                .personal("quoted_shared_msg_id", "of a reply: id of what it answers"),
                .personal("quoted_sent_at", "of a reply: when that was sent, UTC"),
                .personal("quoted_content", "of a reply: its content, a JSON document"),
                .public("quoted_sent", "of a reply: 1 when the profile itself had sent that"),
                .personal("quoted_member_id", "of a reply: who had sent that in the group"),
                .public("timed_ttl", "seconds a disappearing message stays once read; NULL for others"),
                .personal("timed_delete_at", "when a disappearing message goes, UTC"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
                .public("user_mention", "1 when the profile itself is mentioned"),
            ]),
        CatalogueTable(
            "chat_item_versions", "A version of an edited item's content.",
            [
                .public("chat_item_version_id", "the version's number"),
                .public("chat_item_id", "the item"),
                .personal("msg_content", "the content: a JSON document"),
                .personal("item_version_ts", "when this version was sent, UTC"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
        CatalogueTable(
            "chat_item_reactions", "A reaction to an item.",
            [
                .public("chat_item_reaction_id", "the reaction's number"),
                .public("chat_item_id", "the item"),
                .public("group_member_id", "the member who reacted; NULL for the profile itself or the contact"),
                .personal("reaction", "the reaction, such as an emoji"),
                .public("reaction_sent", "1 when the profile itself reacted"),
                .personal("reaction_ts", "when, UTC"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
        CatalogueTable(
            "chat_item_mentions", "A name in an item's text that stands for a member.",
            [
                .public("chat_item_mention_id", "the mention's number"),
                .public("chat_item_id", "the item"),
                .personal("member_id", "random id by which the whole group knows the member"),
                .personal("display_name", "the name as it is in the text"),
                .public("created_at", "when the row was made, UTC"),
                .public("updated_at", "when the row was last changed, UTC"),
            ]),
        CatalogueTable(
            "chat_items_fts", "Full-text index over chat_items; the row number is the item's.",
            [
                .personal("item_text", "the text, read from chat_items"),
                .personal("chat_items_fts", "where a search term or a command goes; never a value"),
                .personal("rank", "how well the item fits the term; lower is better"),
            ]),
    ]
}
