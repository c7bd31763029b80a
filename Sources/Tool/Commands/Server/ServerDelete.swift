import ArgumentParser
import ChatDBKit

struct ServerDelete: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete a custom server.",
        discussion: """
            Asks for confirmation, because the password of the server is deleted too. A preset server cannot be \
            deleted, only disabled.

            Examples:
              chatdb server delete smp.example.org
              chatdb server delete smp.example.org --dry-run
              chatdb server delete id:21 --user work --yes
            """)

    @OptionGroup var named: ServerArgument
    @OptionGroup var profile: ProfileOptions
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let output = try output.output()
        let session = try StoreSession(profile.store, output)
        try ConfirmedChange(consent, output).run(
            read: {
                try session.readToWrite { store in try store.read { try planned(in: $0) } }
            },
            decide: { .ask(.init(text: $0.answer.question)) },
            preview: { $0 },
            write: { planned in
                try session.write { store in
                    try store.write { try delete(planned.answer, in: $0) }
                }
            }
        ).write(to: output)
    }

    private func planned(in chat: any ReadTransaction) throws -> ConfigChange<ServerDeleteReport> {
        let user = try profile.profile(in: chat)
        let server = try ServerFinder.find(named.server, of: user, in: chat)
        if server.isPreset { throw ServersError.presetServerCannotBeDeleted(server) }
        return try ConfigChange(
            planned: ServerDeleteReport(user: user, row: try ServerRow(server, in: chat), isApplied: false),
            for: user, hidden: profile.others, in: chat
        ) { $0.without(server: server.id) }
    }

    /// Deletes the server named in the question.
    private func delete(
        _ planned: ServerDeleteReport, in chat: any WriteTransaction
    ) throws -> ConfigChange<ServerDeleteReport> {
        let (user, server) = (planned.user, planned.row.server)
        guard try ServersRepo(chat).find(server.id, of: user.id) == server else { throw PlanOutdated() }
        return try ConfigChange(for: user, hidden: profile.others, in: chat) {
            try ServersWriter(chat).delete(server.id, of: user.id)
            return ServerDeleteReport(user: user, row: planned.row, isApplied: true)
        }
    }
}

/// The state of a server before its deletion, or before the one that a dry run shows.
struct ServerDeleteReport: Report {
    let user: User
    let row: ServerRow
    let isApplied: Bool

    var question: String {
        let password = row.server.password == nil ? "" : " with its password"
        return "Delete the \(row.server.label) (id \(row.server.id)) of \(user.name)\(password)?"
    }

    var json: JSONValue {
        ["outcome": "deleted", "user": user.reference, "server": row.json, "applied": .bool(isApplied)]
    }

    var document: Document {
        [.paragraph("The \(row.server.label) of \(user.name) \(isApplied ? "was" : "would be") deleted.")]
    }

    var csvTable: Table { ServerRow.fields.csv([row]) }
}
