import ArgumentParser
import ChatDBKit

/// Contacts.
struct ContactCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "contact", abstract: "Show the contacts of a profile.",
        discussion: """
            Name a contact by the profile's name for it, by its alias, by its own name, or by its id. A name takes \
            precedence over an id; id:3 and name:3 are explicit.

            Examples:
              chatdb contact list
              chatdb contact show bob
              chatdb contact show id:3 --user work --format json
            """,
        subcommands: [ContactList.self, ContactShow.self])
}
