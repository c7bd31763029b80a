import ArgumentParser
import ChatDBKit

struct GroupStart: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "start", abstract: "Record that joining a prepared group has started.",
        discussion: """
            The app joins the group; this command only changes the store. It succeeds once for each group.

            Examples:
              chatdb group start news
              chatdb group start id:3 --format json
            """)

    @OptionGroup var group: GroupArgument
    @OptionGroup var output: OutputOptions

    func run() throws {
        let report = try StoreSession(group.profile.store, output.output()).write { store in
            try store.write { chat in
                let user = try group.profile.profile(in: chat)
                let found = try GroupFinder.find(group.group, of: user, in: chat)
                return GroupChangeReport(
                    user: user, group: try GroupsWriter(chat).start(found.group.id, of: user.id), outcome: "started",
                    sentence: "Joining \(found.group.calledName) has started.")
            }
        }
        try output.write(report)
    }
}
