import ArgumentParser
import ChatDBKit

struct UserList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the profiles and their unread messages, most recently used first.",
        discussion: """
            Hidden profiles are only counted. Use --show-hidden to list them, or --password-stdin to list the one \
            whose password is on standard input.

            Examples:
              chatdb user list
              chatdb user list --show-hidden
              chatdb user list --format json
            """, aliases: ["ls"])

    @OptionGroup var store: StoreOptions
    @OptionGroup var hidden: HiddenOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let session = try StoreSession(store, output.output())
        let report = try session.list { chat in
            let users = UsersRepo(chat)
            let infos = try users.infos(hidden: try hidden.choice(in: chat))
            return UserListReport(
                users: infos, hidden: try users.hiddenCount() - infos.count(where: \.user.isHidden),
                hasLostProfiles: try UserListReport.hasLostProfiles(chat, besides: infos), given: self.store.repeated,
                isWritable: !session.readsSimplex)
        }
        try output.write(report)
    }
}
