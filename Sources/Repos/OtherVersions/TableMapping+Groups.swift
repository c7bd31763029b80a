extension TableMapping {
    /// Groups, channels and members.
    static let groups = [
        TableMapping(
            table: "groups", holds: "groups",
            tells: [("use_relays", "channels"), ("conn_full_link_to_connect", "groups prepared without joining")]),
        TableMapping(table: "group_profiles", tells: [("group_link", "links of groups")]),
    ]
}
