import ArgumentParser
import ChatDBKit

struct GroupCancel: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cancel", abstract: "Remove a prepared group before joining starts.",
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
                return GroupDeleteReport(user: user, deleted: cancelled, outcome: "cancelled", backup: nil)
            }
        }
        try output.write(report)
    }
}
