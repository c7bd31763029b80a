import ArgumentParser
import Repos
import Schema

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
        help: ArgumentHelp("The roles of its SMP servers: some of storage,proxy,names; or none.", valueName: "roles"))
    var smp: RoleList?

    @Option(help: ArgumentHelp("The roles of its XFTP servers: some of storage,proxy; or none.", valueName: "roles"))
    var xftp: RoleList?

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if smp == nil, xftp == nil { throw ValidationError("give the roles: --smp, --xftp or both") }
    }

    func run() throws {
        try profile.changeOperator(named.operator, output, clause: clause) { old, writer in
            for (serverProtocol, list) in [(ServerProtocol.smp, smp), (.xftp, xftp)] {
                guard let roles = list?.roles, roles != old.roles(serverProtocol) else { continue }
                try writer.setRoles(old.id, serverProtocol, roles)
            }
        }
    }

    private func clause(_ now: ServerOperator) -> String {
        "has for SMP the roles \(now.smpRoles.shown) and for XFTP \(now.xftpRoles.shown)"
    }
}

/// Roles by name, separated by commas; `none` for none.
struct RoleList: ExpressibleByArgument {
    let roles: ServerRoles

    init?(argument: String) {
        var roles = ServerRoles(storage: false, proxy: false)
        let names = argument.lowercased().split(separator: ",", omittingEmptySubsequences: false)
            .map { $0.filter { !$0.isWhitespace } }
        for name in names == ["none"] ? [] : names {
            switch ServerRole(rawValue: name) {
            case .storage?: roles.storage = true
            case .proxy?: roles.proxy = true
            case .names?: roles.names = true
            case nil: return nil
            }
        }
        self.roles = roles
    }
}
