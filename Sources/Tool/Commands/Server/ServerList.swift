import ArgumentParser
import ChatDBKit

struct ServerList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the servers of a profile by operator.",
        discussion: """
            Profiles do not use servers of a disabled operator, not even enabled ones. Passwords are not shown. \
            The list has the errors that validation finds; JSON has its warnings too.

            Examples:
              chatdb server list
              chatdb server list --protocol xftp --user work
              chatdb server list --format json
            """, aliases: ["ls"])

    @Option(name: .customLong("protocol"), help: "List only servers of this protocol: smp or xftp.")
    var serverProtocol: ServerProtocol?

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let output = try output.output()
        let report = try StoreSession(profile.store, output).list { chat in
            let user = try profile.profile(in: chat)
            let servers = ServersRepo(chat)
            return ServerListReport(
                user: user, groups: try servers.grouped(of: user.id), only: serverProtocol,
                validation: try servers.validation(of: user.id, hidden: profile.others),
                given: profile.repeated)
        }
        try output.write(report)
        // CSV has no place for it. Like the table, it leaves out the warnings of validation.
        if output.format == .csv {
            for text in report.content.validation.errorTexts { output.warn(text) }
        }
    }
}
