extension TableMapping {
    /// Groups, channels and members.
    static let groups = [
        TableMapping(
            table: "groups",
            withoutColumn: [
                ("use_relays", "this version has no channels"),
                ("conn_full_link_to_connect", "a group cannot be prepared without joining it in this version"),
            ]),
        TableMapping(
            table: "group_profiles",
            withoutColumn: [("group_link", "this version does not note the links of groups")]),
    ]
}
