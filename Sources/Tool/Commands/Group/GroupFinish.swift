import ArgumentParser
import ChatDBKit

struct GroupFinish: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "finish", abstract: "Finish the creation of a channel.",
        discussion: """
            A channel needs a link and at least one relay; without them, the command says what is missing and changes \
            nothing. --link stores the link that the channel publishes; no other group of the profile may have it. \
            The command succeeds once for each channel. chatdb group cancel deletes an unfinished channel.

            Examples:
              chatdb group finish news
              chatdb group finish news --link 'https://h.example/c#Fp5R…'
              chatdb group finish id:3 --user alice --format json
            """)

    @Option(help: "The link of the channel. Quote it, because it contains #.")
    var link: String?

    @OptionGroup var group: GroupArgument
    @OptionGroup var output: OutputOptions

    func run() throws {
        let report = try StoreSession(group.profile.store, output.output()).write { store in
            // One transaction: a channel that cannot be finished does not get the link either.
            try store.write { chat in
                let user = try group.profile.profile(in: chat)
                let found = try GroupFinder.find(group.group, of: user, in: chat).group
                let groups = GroupsWriter(chat)
                if let link, found.isCreating {
                    try GroupsRepo(chat).requirePublishable(link, for: found)
                    try groups.setLink(found.id, to: link, of: user.id)
                }
                return GroupChangeReport(
                    user: user, group: try groups.finishCreation(found.id, of: user.id), outcome: "finished",
                    sentence: "The creation of the \(found.kind) \(found.calledName) is finished.")
            }
        }
        try output.write(report)
    }
}
