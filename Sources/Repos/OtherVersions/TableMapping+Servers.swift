extension TableMapping {
    /// Operators and servers.
    static let servers = [
        TableMapping(
            table: "server_operators", withoutTable: "this version has no operators",
            withoutColumn: [("smp_role_names", "this version has no role for names")]),
        TableMapping(
            table: "protocol_servers",
            // Before XFTP all servers were SMP servers.
            computed: [Computed("protocol", "'smp'")], withoutTable: "this version has no servers of a profile's own",
            withoutColumn: [
                ("protocol", "this version has no XFTP servers"),
                ("role_storage", "in this version all servers have the roles of their operator"),
            ]),
    ]
}
