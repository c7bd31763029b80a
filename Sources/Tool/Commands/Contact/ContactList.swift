import ArgumentParser
import ChatDBKit

struct ContactList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the contacts of a profile, newest chat first.",
        discussion: """
            A long list has pages; use --after for the next page. The list leaves out deleted contacts \
            whose chat is kept.

            Examples:
              chatdb contact list
              chatdb contact list --user alice --format csv
              chatdb contact list --limit 1000 --after 2041
            """, aliases: ["ls"])

    @Option(help: ArgumentHelp("Maximum number of contacts.", valueName: "n"))
    var limit = 100

    @Option(help: ArgumentHelp("Start after the contact with this id.", valueName: "id"))
    var after: Int64?

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if limit < 1 { throw ValidationError("--limit must be at least 1") }
    }

    func run() throws {
        let report = try StoreSession(profile.store, output.output()).list { chat in
            let user = try profile.profile(in: chat)
            let contacts = ContactsRepo(chat)
            let cursor = try after.map { try contacts.cursor(after: ContactID($0), of: user.id) }
            return ContactListReport(
                user: user, page: try contacts.page(of: user.id, after: cursor, limit: limit))
        }
        try output.write(report)
    }
}
