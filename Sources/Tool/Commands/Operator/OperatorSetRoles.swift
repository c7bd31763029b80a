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
