import ArgumentParser
import ChatDBKit

struct ContactShow: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a contact: its profile, the settings of its chat, unread messages.",
        discussion: """
            Shows no messages and no picture; chatdb query --show personal reads them.

            Examples:
              chatdb contact show bob
              chatdb contact show id:3 --user work --format json
            """)

    @Argument(help: "The contact, by name, alias or id.")
    var contact: String

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let report = try StoreSession(profile.store, output.output()).list { chat in
            let user = try profile.profile(in: chat)
            let found = try ContactFinder.find(contact, of: user, in: chat)
            return ContactShowReport(
                user: user, contact: found,
                incognito: try ContactsRepo(chat).incognitoProfile(for: found.id, of: user.id),
                settings: try ChatListRepo(chat).settings(of: .contact(found.id), of: user.id),
                unread: try ChatItemsRepo(chat).unread(in: .contact(found.id), of: user.id).items)
        }
        try output.write(report)
    }
}
