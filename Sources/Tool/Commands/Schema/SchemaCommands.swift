import ArgumentParser

/// Tables and columns.
struct SchemaCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema", abstract: "Show, compare and document the schemas of this build and of stores.",
        discussion: """
            Examples:
              chatdb schema show chat_relays
              chatdb schema dump --only chat
              chatdb schema diff -d ~/chats/me
            """,
        subcommands: [SchemaShow.self, SchemaDump.self, SchemaDiff.self, SchemaDocs.self])
}
