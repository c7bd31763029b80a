extension TableMapping {
    /// Groups, channels and members.
    static let groups = [
        TableMapping(
            table: "groups", ids: ["welcome_shared_msg_id", "request_shared_msg_id"], holds: "groups",
            tells: [("use_relays", "channels"), ("conn_full_link_to_connect", "groups prepared without joining")]),
        TableMapping(table: "group_members", ids: ["member_id"]),
        TableMapping(table: "group_profiles", tells: [("group_link", "links of groups")]),
    ]
}
