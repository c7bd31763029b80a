import ArgumentParser
import ChatDBKit

struct ServerEdit: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "edit", abstract: "Change the address of a custom server.",
        discussion: """
            The new address has the same protocol. It makes the server untested. Without a password in the new \
            address, the server keeps its password if the key hash is the same; otherwise it is another server, which \
            must not get the password. If the old password would be lost, chatdb asks for confirmation. The address of \
            a preset server cannot be changed.

            A password on the command line stays in the history of the shell. In bash and zsh, read -rs PASSWORD reads \
            it into a variable: "smp://KEYHASH:$PASSWORD@…".

            Examples:
              chatdb server edit id:21 --address 'smp://KEYHASH@smp2.example.org'
              chatdb server edit s.example --address 'smp://KEYHASH:PASSWORD@s.example:5224'
            """)

    @OptionGroup var named: ServerArgument

    @Option(help: "The new address.")
    var address: String

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var output: OutputOptions

    func validate() throws { try ServerAddress.refusePlaceholder(in: address) }

    func run() throws {
        let output = try output.output()
        let change = try StoreSession(profile.store, output).confirm(
            consent, output,
            plan: { chat in
                let user = try profile.profile(in: chat)
                let old = try ServerFinder.find(named.server, of: user, in: chat)
                let new = try ServersRepo(chat).edited(old.id, address: address, of: user.id)
                return try ConfigChange(
                    planned: ServerEditReport(
                        user: user, old: old, row: try ServerRow(new, in: chat), isApplied: false),
                    for: user, hidden: profile.others, in: chat
                ) { $0.replacing(new) }
            },
            question: { $0.answer.question.map { .init(text: $0) } },
            make: { try edit($0.answer, in: $1) })
        try change.write(to: output)
    }

    /// Edits the server of the question.
    private func edit(
        _ planned: ServerEditReport, in chat: any WriteTransaction
    ) throws -> ConfigChange<ServerEditReport> {
        let (user, old) = (planned.user, planned.old)
        guard try ServersRepo(chat).find(old.id, of: user.id) == old else { throw PlanOutdated() }
        return try ConfigChange(for: user, hidden: profile.others, in: chat) {
            let new = try ServersWriter(chat).update(old.id, address: address, of: user.id)
            return ServerEditReport(user: user, old: old, row: try ServerRow(new, in: chat), isApplied: true)
        }
    }
}

/// A server with a new address, or one that a dry run shows.
struct ServerEditReport: Report {
    let user: User
    let old: ProtocolServer
    let row: ServerRow
    let isApplied: Bool

    /// The question before a password is lost; nil if none is.
    var question: String? {
        guard old.password != nil, old.password != row.server.password else { return nil }
        let now = row.server.password == nil ? "has no password then" : "gets another password"
        return "Give the \(old.label) (id \(old.id)) of \(user.name) this address? It \(now), and the old one is lost."
    }

    private var fields: [FieldChange] { old.changes(to: row.server) }

    var json: JSONValue {
        [
            "user": user.reference, "changed": .bool(!fields.isEmpty), "fields": FieldChange.json(fields),
            "server": row.json, "applied": .bool(isApplied),
        ]
    }

    var document: Document {
        let name = "The \(old.label) (id \(old.id)) of \(user.name)"
        if fields.isEmpty {
            return [.paragraph("\(name) has this address already; nothing \(isApplied ? "was" : "would be") changed.")]
        }
        return [
            .paragraph("\(name) \(isApplied ? "was" : "would be") edited."), .table(FieldChange.table(fields)),
            .notes(row.notes),
        ]
    }

    var csvTable: Table { ServerRow.fields.csv([row]) }
}
