import ArgumentParser
import ChatDBKit

struct OperatorSetRoles: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set-roles", abstract: "Say what the servers of an operator are used for, for every profile.",
        discussion: """
            storage: queues or files are kept there. proxy: the servers of others are reached through them. names: names \
            are looked up there, by SMP servers only. What is not given stays. A server's own choices go before these.

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
        if smp == nil, xftp == nil { throw ValidationError("give the roles: --smp, --xftp or both") }
    }

    func run() throws {
        let clause = { (old: ServerOperator, now: ServerOperator) in old == now ? "is so" : "was changed" }
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
    static func parse(_ text: String) throws -> ServerRoles {
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
                    "\"\(name)\" is no role; roles are storage, proxy and names, and none is for none")
            }
        }
        return roles
    }
}
