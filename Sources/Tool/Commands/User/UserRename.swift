import ArgumentParser
import ChatDBKit

struct UserRename: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename", abstract: "Rename a profile.",
        discussion: """
            The name must not belong to another profile, nor to a contact, group or member of this one. Contacts see \
            the new name when an app next sends them the profile. With the name that the profile has already, only \
            its own contact and its memberships are renamed, if the contact has another name (check reports that).

            Examples:
              chatdb user rename work office
              chatdb user rename id:2 'Alice B.'
            """)

    @Argument(help: "The profile, by name or id.")
    var user: String

    @Argument(help: "The new name: 1 to 200 characters.")
    var name: String

    @OptionGroup var store: StoreOptions
    @OptionGroup var hidden: HiddenOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let (before, (after, namedContact)) = try StoreSession(store, output.output()).write { store in
            try store.write { chat in
                let found = try ProfileFinder.find(user, hidden: try hidden.choice(in: chat), in: chat)
                return (found, try UsersWriter(chat).renaming(found.id, to: name, hidden: .shown))
            }
        }
        let sentence =
            before.name == after.name
            ? namedContact
                ? "The profile has the name \(after.name); its own contact has it too now."
                : "The profile already has the name \(after.name)."
            : "The profile \(before.name) was renamed to \(after.name)."
        try output.write(
            UserReport(user: after, sentence: sentence, more: [.init("previousName", .string(before.name))]))
    }
}
