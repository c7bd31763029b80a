import ArgumentParser
import ChatDBKit

struct GroupLeave: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "leave", abstract: "Leave a group or channel and keep its messages.",
        discussion: """
            The only owner cannot leave. This command only changes the store; the app informs the other members.

            Examples:
              chatdb group leave news
              chatdb group leave id:3 --user alice
            """)

    @OptionGroup var group: GroupArgument
    @OptionGroup var output: OutputOptions

    func run() throws {
        let report = try StoreSession(group.profile.store, output.output()).write { store in
            try store.write { chat in
                let user = try group.profile.profile(in: chat)
                let found = try GroupFinder.find(group.group, of: user, in: chat)
                return GroupChangeReport(
                    user: user, group: try GroupsWriter(chat).leave(found.group.id, of: user.id), outcome: "left",
                    sentence: "\(user.name) has left the \(found.group.kind) \(found.group.calledName).")
            }
        }
        try output.write(report)
    }
}
