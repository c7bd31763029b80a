import ArgumentParser
import ChatDBKit

struct ServerAdd: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a custom server.",
        discussion: """
            ADDRESS is smp://KEYHASH@HOST or xftp://KEYHASH@HOST. If the server requires a password, add :PASSWORD \
            after the key hash. If it does not use the default port, add :PORT at the end. The new server is enabled \
            and untested.

            Examples:
              chatdb server add 'smp://LcJUMfVhwD8yxjAiSaDzzGF3-kLG4Uh0Fl_ZIjrRwjI=@smp.example.org'
              chatdb server add 'xftp://LcJUMfVhwD8yxjAiSaDzzGF3-kLG4Uh0Fl_ZIjrRwjI=@files.example.org:5224' -u work
            """)

    @Argument(help: "The server's address.")
    var address: String

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        try profile.change(output) { user, chat in
            let added = try ServersWriter(chat).add(address, of: user.id)
            return ServerAddReport(user: user, row: try ServerRow(added, in: chat))
        }
    }
}

struct ServerAddReport: Report {
    let user: User
    let row: ServerRow

    var json: JSONValue { ["outcome": "added", "user": user.reference, "server": row.json] }

    var document: Document {
        let server = row.server
        let ownerClause = row.owner.map { "; its host belongs to the operator \($0.tradeName)" } ?? ""
        return [
            .paragraph("The \(server.label) was added to \(user.name) (id \(server.id))\(ownerClause)."),
            .notes(row.notes),
        ]
    }

    var csvTable: Table { ServerRow.fields.csv([row]) }
}
