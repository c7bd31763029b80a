import ArgumentParser
import Repos
import Schema

struct GroupDelete: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete a group or channel with everything in it.",
        discussion: """
            Owners may, and whoever is not in it any more; others leave first. Soft-deleted relays that no other \
            channel refers to go too, and the agent's connections are marked, for an app to delete at their servers. \
            It asks, unless --yes is given.

            Examples:
              chatdb group delete news
              chatdb group delete id:3 --yes
            """)

    @OptionGroup var group: GroupArgument
    @OptionGroup var output: OutputOptions

    @Flag(help: "Do not ask.")
    var yes = false

    func run() throws {
        let output = try output.output()
        if !yes { Signals.interruptsAskToStop() }
        var asked: GroupID?
        if !yes {
            let (user, info) = try GroupInfoReader.read(group, output)
            // What is refused anyway is not asked.
            if info.mayDelete {
                try Consent(yes: false, terminal: output.terminal, readLine: TerminalLine.read)
                    .requireUnlessStopped(question(user, info))
            }
            asked = info.summary.group.id
        }
        let report = try StoreSession.write(group.profile.store, output) { store in
            // The chat database first: a crash between leaves connections of the agent that nobody refers to.
            try store.writeBoth(committing: .chatFirst) { chat, agent in
                let user = try group.profile.profile(in: chat)
                // The one that was asked about, even if another has its name by now.
                let id = try asked ?? GroupFinder.find(group.group, of: user, in: chat).group.id
                let deleted = try CrossStoreWriter(chat: chat, agent: agent).deleteGroup(id, of: user.id)
                return GroupDeleteReport(user: user, deleted: deleted, outcome: "deleted")
            }
        }
        try output.write(report)
    }

    private func question(_ user: User, _ info: ChannelInfo) -> String {
        let group = info.summary.group
        let number = group.isChannel ? info.subscribers ?? 0 : 0
        let who = number == 0 ? "" : number == 1 ? ", which has 1 subscriber" : ", which has \(number) subscribers"
        return "Delete the \(group.kind) \(group.calledName) of \(user.name)\(who), with everything in it?"
    }
}

struct GroupCancel: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Remove a prepared group that nobody started to join.",
        discussion: """
            Examples:
              chatdb group cancel news
              chatdb group cancel id:3 --user alice
            """)

    @OptionGroup var group: GroupArgument
    @OptionGroup var output: OutputOptions

    func run() throws {
        let report = try StoreSession.write(group.profile.store, output.output()) { store in
            try store.writeBoth(committing: .chatFirst) { chat, agent in
                let user = try group.profile.profile(in: chat)
                let found = try GroupFinder.find(group.group, of: user, in: chat)
                let cancelled = try CrossStoreWriter(chat: chat, agent: agent).cancelGroup(found.group.id, of: user.id)
                return GroupDeleteReport(user: user, deleted: cancelled, outcome: "cancelled")
            }
        }
        try output.write(report)
    }
}

/// The group that was deleted or cancelled.
struct GroupDeleteReport: Report {
    let user: User
    let deleted: DeletedGroup
    let outcome: String

    var json: JSONValue {
        [
            "outcome": .string(outcome), "user": user.reference, "group": deleted.group.json,
            "purgedRelays": JSONValue(deleted.purgedRelays),
        ]
    }

    var document: Document {
        let group = deleted.group.group
        var blocks: [Block] = [.paragraph("The \(group.kind) \(group.calledName) of \(user.name) was \(outcome).")]
        if deleted.purgedRelays > 0 {
            let relays =
                deleted.purgedRelays == 1 ? "1 soft-deleted relay" : "\(deleted.purgedRelays) soft-deleted relays"
            blocks.append(.notes([.note("\(relays) that no channel uses any more went with it")]))
        }
        return Document(blocks)
    }
}
