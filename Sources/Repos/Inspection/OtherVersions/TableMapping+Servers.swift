extension TableMapping {
    /// Operators and servers.
    static let servers = [
        TableMapping(
            table: "server_operators", holds: "operators", tells: [("smp_role_names", "role for names")]),
        TableMapping(
            table: "protocol_servers",
            // Before XFTP all servers were SMP servers.
            computed: [Computed("protocol", "'smp'")], holds: "servers",
            tells: [("protocol", "XFTP servers"), ("role_storage", "roles of single servers")]),
    ]
}
