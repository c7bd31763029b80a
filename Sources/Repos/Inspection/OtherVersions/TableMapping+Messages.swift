extension TableMapping {
    /// Messages.
    static let messages = [
        TableMapping(
            table: "messages",
            // SimpleX Chat keeps the profile with the connection or the group.
            computed: [
                Computed(
                    "user_id",
                    """
                    coalesce(
                        (SELECT user_id FROM main.connections WHERE connection_id = messages.connection_id),
                        (SELECT user_id FROM main.groups WHERE group_id = messages.group_id), 0)
                    """,
                    needs: [
                        "connections": ["connection_id", "user_id"], "groups": ["group_id", "user_id"],
                        "messages": ["connection_id", "group_id"],
                    ])
            ], ids: ["shared_msg_id"]),
        TableMapping(table: "chat_items", ids: ["shared_msg_id", "quoted_shared_msg_id", "quoted_member_id"]),
    ]
}
