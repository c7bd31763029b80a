import ArgumentParser
import ChatDBKit

/// SMP and XFTP servers.
struct ServerCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "server", abstract: "Manage the SMP and XFTP servers of a profile.",
        discussion: """
            SMP servers carry messages, XFTP servers carry files. These commands never show passwords of servers.

            Examples:
              chatdb server list
              chatdb server add 'smp://KEYHASH@smp.example.org'
              chatdb server disable smp8.simplex.im
            """,
        subcommands: [
            ServerList.self, ServerShow.self, ServerAdd.self, ServerEdit.self, ServerEnable.self, ServerDisable.self,
            ServerSetRoles.self, ServerTest.self, ServerMarkTested.self, ServerDelete.self,
        ])
}

/// The server of a command.
struct ServerArgument: ParsableArguments {
    @Argument(help: "The server, by id, address or unique host.")
    var server: String
}

extension ServerAddress {
    /// Refuses an address that was copied from a proposed command or a help with the word for the password.
    static func refusePlaceholder(in text: String) throws {
        guard (try? ServerAddress(text))?.password == "PASSWORD" else { return }
        throw ValidationError("write the password of the server in the place of the word PASSWORD")
    }
}
