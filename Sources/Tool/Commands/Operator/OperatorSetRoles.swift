import ArgumentParser
import ChatDBKit

struct OperatorSetRoles: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set-roles", abstract: "Set the roles of an operator's servers for every profile.",
        discussion: """
            storage: the servers store queues or files. proxy: profiles reach other servers through them. names: they \
            look up names; only SMP servers can. A protocol without an option keeps its roles. Roles of a single \
            server take precedence over these.

            Examples:
              chatdb operator set-roles simplex --smp storage,proxy,names
              chatdb operator set-roles flux --smp proxy --xftp none
            """)

    @OptionGroup var named: OperatorArgument

    @Option(
        help: ArgumentHelp("The roles of its SMP servers: some of storage,proxy,names; or none.", valueName: "roles"),
        transform: RoleList.parse)
    var smp: ServerRoles?

    @Option(
        help: ArgumentHelp("The roles of its XFTP servers: some of storage,proxy; or none.", valueName: "roles"),
        transform: RoleList.parse)
    var xftp: ServerRoles?

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if smp == nil, xftp == nil { throw ValidationError("specify --smp, --xftp or both") }
    }

    func run() throws {
        let clause = { (old: ServerOperator, now: ServerOperator) in old == now ? "has these roles" : "was changed" }
        try profile.changeOperator(named.operator, output, clause: clause) { old, writer in
            for (serverProtocol, roles) in [(ServerProtocol.smp, smp), (.xftp, xftp)] {
                guard let roles, roles != old.roles(serverProtocol) else { continue }
                try writer.setRoles(old.id, serverProtocol, roles)
            }
        }
    }
}

/// Roles by name, separated by commas; `none` for none.
enum RoleList {
    static func parse(_ text: String) throws -> ServerRoles { try parse(text, or: "none alone") }

    /// - Parameter others: the other words that are possible, for the error.
    static func parse(_ text: String, or others: String) throws -> ServerRoles {
        var roles = ServerRoles(storage: false, proxy: false)
        let names = text.lowercased().split(separator: ",", omittingEmptySubsequences: false)
            .map { $0.filter { !$0.isWhitespace } }
        for name in names == ["none"] ? [] : names {
            switch ServerRole(rawValue: name) {
            case .storage?: roles.storage = true
            case .proxy?: roles.proxy = true
            case .names?: roles.names = true
            case nil:
                throw ValidationError(
                    "\"\(name)\" is not a role; expected storage, proxy or names, or \(others)")
            }
        }
        return roles
    }
}
