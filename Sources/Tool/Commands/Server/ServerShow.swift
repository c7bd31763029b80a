import ArgumentParser
import ChatDBKit

struct ServerShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a server: address, operator, state, test and roles.",
        discussion: """
            The password is not shown, and a QR code does not have it either. The roles are those in effect; a role that the server does not set itself is \
            that of its operator.

            Examples:
              chatdb server show smp8.simplex.im
              chatdb server show id:3 --user work --format json
              chatdb server show smp.example.org --qr-file server.svg
            """)

    @OptionGroup var named: ServerArgument
    @OptionGroup var profile: ProfileOptions
    @OptionGroup var qr: QROptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let session = try StoreSession(profile.store, output.output())
        let report = try session.list { chat in
            let user = try profile.profile(in: chat)
            return ServerShowReport(
                user: user, row: try ServerRow(ServerFinder.find(named.server, of: user, in: chat), in: chat))
        }
        // Like everything that is shown, the code is without the password.
        let address = report.content.row.server.addressText()
        try output.write(QRReport(report, address, qr, of: session.location))
    }
}
