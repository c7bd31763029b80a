import ArgumentParser
import ChatDBKit

struct ServerSetRoles: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set-roles", abstract: "Set the roles of a single server.",
        discussion: """
            ROLES are those of storage, proxy and names that the server has; it has none of the others, whatever the \
            roles of its operator are. storage: the server stores queues or files. proxy: the profile reaches other \
            servers through it. names: it looks up names; only SMP servers can. none: it has no role. default: it has \
            the roles of its operator; a server without operator has storage and proxy.

            Examples:
              chatdb server set-roles smp.example.org storage,proxy
              chatdb server set-roles id:3 proxy --user work
              chatdb server set-roles smp8.simplex.im default
            """)

    /// The word for the roles of the operator.
    private static let standard = "default"

    @OptionGroup var named: ServerArgument

    @Argument(
        help: ArgumentHelp("Some of storage,proxy,names; or none; or default.", valueName: "roles"),
        transform: Self.parse)
    var roles: GivenRoles

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    /// The roles on the command line.
    enum GivenRoles {
        case listed(ServerRoles)
        /// Those of the operator.
        case standard
    }

    private static func parse(_ text: String) throws -> GivenRoles {
        text.lowercased() == standard ? .standard : .listed(try RoleList.parse(text, or: "none or default"))
    }

    func run() throws {
        try profile.change(output) { user, chat in
            let old = try ServerFinder.find(named.server, of: user, in: chat)
            let choices = choices(for: old)
            if choices != old.roles { try ServersWriter(chat).setRoles(old.id, choices, of: user.id) }
            return try ServerChangeReport(
                old, of: user, in: chat,
                clause: choices.isEmpty ? "has the default roles" : "has the roles \(roles(of: choices, old))",
                showsFields: true)
        }
    }

    /// An XFTP server makes no choice about the role names, unless the user gives it that role, which is an error.
    private func choices(for server: ProtocolServer) -> ServerRoleChoices {
        guard case .listed(let roles) = roles else { return ServerRoleChoices() }
        let hasChoice = server.serverProtocol == .smp || roles.names
        return ServerRoleChoices(storage: roles.storage, proxy: roles.proxy, names: hasChoice ? roles.names : nil)
    }

    private func roles(of choices: ServerRoleChoices, _ server: ProtocolServer) -> String {
        choices.over(ServerRoles(storage: false, proxy: false)).shown
    }
}
