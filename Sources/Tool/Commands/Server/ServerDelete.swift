import ArgumentParser
import ChatDBKit

struct ServerDelete: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete a custom server.",
        discussion: """
            Asks for confirmation, because the password of the server is deleted too. A preset server cannot be \
            deleted, only disabled. What is deleted is kept in a file beside the store, with the password; the answer \
            has the command that puts it back. For an encrypted store, chatdb makes an encrypted backup instead.

            Examples:
              chatdb server delete smp.example.org
              chatdb server delete smp.example.org --dry-run
              chatdb server delete id:21 --user work --yes
              chatdb server delete id:21 --yes --no-backup
            """)

    @OptionGroup var named: ServerArgument
    @OptionGroup var profile: ProfileOptions
    @OptionGroup var keep: KeepOptions
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var fallback: FallbackOptions
    @OptionGroup var changedArchive: ChangedArchiveOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let output = try output.output()
        let session = try StoreSession(profile.store, output, simplex: fallback.simplex(changedArchive))
        let change: ConfigChange<ServerDeleteReport> = try ConfirmedChange(consent, output).run(
            read: { () -> ConfigChange<ServerDeleteReport> in
                var found = try session.readToWrite { store in try store.read { try planned(in: $0) } }
                let server = found.answer.row.server
                found.simplex = try session.rehearse { try ServersWriter($0).delete(server.id, of: server.userID) }
                return found
            },
            decide: { .ask(.init(text: $0.answer.question, shown: $0.simplex)) },
            preview: { $0 },
            write: { planned in
                var change = try session.write(
                    keeping: .serverDeletion(hasPassword: planned.answer.row.server.password != nil),
                    { chat, copy in try delete(planned.answer, &copy, in: chat, output) },
                    isUndone: { isUndone(planned.answer, output) })
                change.simplex = session.effect
                return change
            })
        try change.write(to: output)
        change.answer.kept.note(to: output)
    }

    private func planned(in chat: any ReadTransaction) throws -> ConfigChange<ServerDeleteReport> {
        let user = try profile.profile(in: chat)
        let server = try ServerFinder.find(named.server, of: user, by: .wholeName, in: chat)
        if server.isPreset { throw ServersError.presetServerCannotBeDeleted(server) }
        if keep.isKept(of: profile.store) {
            try PresetBefore.check(.entries(.init(keeping: server)), of: user, in: chat, profile.store)
        }
        return try ConfigChange(
            planned: ServerDeleteReport(
                user: user, row: try ServerRow(server, in: chat),
                kept: try keep.kept(nil, hasPassword: server.password != nil, of: profile.store),
                isApplied: false),
            for: user, hidden: profile.others, in: chat
        ) { $0.without(server: server.id) }
    }

    /// Deletes the server named in the question.
    private func delete(
        _ planned: ServerDeleteReport, _ copy: inout PresetBefore?, in chat: any WriteTransaction, _ output: Output
    ) throws -> ConfigChange<ServerDeleteReport> {
        let (user, server) = (planned.user, planned.row.server)
        guard try ServersRepo(chat).find(server.id, of: user.id) == server else { throw PlanOutdated() }
        if keep.isKept(of: profile.store) {
            copy = try PresetBefore.keep(
                .entries(.init(keeping: server)), of: user, in: chat, profile.store, output)
        }
        let kept = try keep.kept(copy, hasPassword: server.password != nil, of: profile.store)
        return try ConfigChange(for: user, hidden: profile.others, in: chat) {
            try ServersWriter(chat).delete(server.id, of: user.id)
            return ServerDeleteReport(user: user, row: planned.row, kept: kept, isApplied: true)
        }
    }

    /// Whether, after a commit that failed, the server is known to be as it was.
    private func isUndone(_ planned: ServerDeleteReport, _ output: Output) -> Bool {
        let server = planned.row.server
        let found = try? StoreSession(profile.store, output).read { store in
            try store.read { try ServersRepo($0).find(server.id, of: planned.user.id) == server }
        }
        return found == true
    }
}

/// The state of a server before its deletion, or before the one that a dry run shows.
struct ServerDeleteReport: Report {
    let user: User
    let row: ServerRow
    let kept: KeptCopy?
    let isApplied: Bool

    var question: String {
        let password = row.server.password == nil ? "" : " with its password"
        return "Delete the \(row.server.label) (id \(row.server.id)) of \(user.name)\(password)?"
    }

    var json: JSONValue {
        [
            "outcome": "deleted", "user": user.reference, "server": row.json, "kept": kept.json,
            "applied": .bool(isApplied),
        ]
    }

    var document: Document {
        Document(
            [.paragraph("The \(row.server.label) of \(user.name) \(isApplied ? "was" : "would be") deleted.")]
                + kept.blocks())
    }

    var csvTable: Table { ServerRow.fields.csv([row]) }
}
