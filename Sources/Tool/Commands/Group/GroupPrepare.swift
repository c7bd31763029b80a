import ArgumentParser
import ChatDBKit

struct GroupPrepare: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "prepare", abstract: "Create a group from its link, to join later.",
        discussion: """
            LINK is a short link (https://HOST/c#KEY for a channel, https://HOST/g#KEY for a group) or a full link. \
            Quote it, because it contains #. If the profile already has the group, the command shows that group.

            --relay names a relay that the link advertises, and makes the group a channel. The answer shows the host of \
            the relay; the store does not keep it.

            Examples:
              chatdb group prepare 'https://h.example/c#Fp5R…' --name news
              chatdb group prepare "$LINK" --name talk --user work --format json
              chatdb group prepare "$LINK" --name news --relay "$RELAY1" --relay "$RELAY2"
            """)

    @Argument(help: "The link of the group or channel.")
    var link: String

    @Option(help: "The group's name: 1 to 200 characters.")
    var name: String

    @Flag(help: "Treat the link as one of a channel. Links with /c# do not need this.")
    var channel = false

    @Option(
        name: .customLong("relay"),
        help: ArgumentHelp("The link of a relay that LINK advertises. Repeat it for each relay.", valueName: "link"))
    var relays: [String] = []

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let link = try GroupLinkArgument.parse(link)
        let report = try StoreSession(profile.store, output.output()).write { store in
            try store.write { chat in
                let user = try profile.profile(in: chat)
                var random = SystemRandomNumberGenerator()
                let prepared = try GroupsWriter(chat).prepare(
                    link, profile: GroupProfile(displayName: name), throughRelays: channel || link.isOfChannel,
                    groupRelays: relays, of: user.id, using: &random)
                return GroupPrepareReport(user: user, prepared: prepared, given: profile.repeated(for: user))
            }
        }
        try output.write(report)
    }
}

enum GroupLinkArgument {
    static func parse(_ text: String) throws(GroupsError) -> GroupLink {
        do throws(GroupLinkError) {
            return try GroupLink(text)
        } catch {
            throw .invalidGroupLink(error)
        }
    }
}
