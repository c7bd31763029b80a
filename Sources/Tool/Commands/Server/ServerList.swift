import ArgumentParser
import ChatDBKit

struct ServerList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the servers of a profile by operator.",
        discussion: """
            Profiles do not use servers of a disabled operator, not even enabled ones. Passwords are not shown.

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
        // CSV has no place for it.
        if output.format == .csv {
            let validation = report.content.validation
            for text in validation.errorTexts + validation.warningTexts { output.warn(text) }
        }
    }
}

/// The servers of a profile by operator.
struct ServerListReport: Report {
    let user: User
    let groups: [UserOperatorServers]
    /// The requested protocol; nil for all.
    let only: ServerProtocol?
    let validation: UserServersValidation
    /// The options for the next command.
    let given: GivenOptions

    private func rows(_ group: UserOperatorServers) -> [ServerRow] {
        ServerProtocol.allCases.filter { only == nil || only == $0 }.flatMap(group.servers).map {
            ServerRow(server: $0, owner: group.operator)
        }
    }

    var json: JSONValue {
        [
            "user": user.reference, "servers": .array(groups.flatMap(rows).map(\.json)),
            "errors": JSONValue(validation.errorTexts), "warnings": JSONValue(validation.warningTexts),
        ]
    }

    var document: Document {
        var blocks: [Block] = []
        for group in groups {
            blocks.append(.heading(title(group)))
            blocks.append(.table(table(rows(group), isOwn: group.operator == nil)))
        }
        let all = groups.flatMap(rows)
        var notes: [Note] = validation.errorTexts.map { .warning($0) }
        if let ids = ids(all.filter { $0.owner != nil && !$0.server.isPreset }) {
            notes.append(.note("custom servers whose hosts belong to an operator: \(ids)"))
        }
        if let ids = ids(all.filter { $0.server.password != nil }) {
            notes.append(.note("the passwords of these servers are not shown (by id): \(ids)"))
        }
        return Document(blocks + [.notes(notes)])
    }

    /// Their ids in a sentence; nil for none.
    private func ids(_ rows: [ServerRow]) -> String? {
        rows.isEmpty ? nil : rows.map { "\($0.server.id)" }.joined(separator: ", ")
    }

    private func title(_ group: UserOperatorServers) -> String {
        guard let owner = group.operator else { return "Own servers of \(user.name)" }
        return owner.tradeName + (owner.isEnabled ? "" : " (disabled for every profile)")
    }

    private func table(_ rows: [ServerRow], isOwn: Bool) -> Table {
        ServerRow.listed.table(
            rows, whenEmpty: isOwn ? given.text("none; \(.serverAdd, "ADDRESS") adds one") : "none")
    }

    var csvTable: Table { ServerRow.fields.csv(groups.flatMap(rows)) }
}
