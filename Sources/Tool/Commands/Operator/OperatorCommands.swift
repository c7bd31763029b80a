import ArgumentParser

/// Operators of servers and relays.
struct OperatorCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "operator", abstract: "Manage the operators of servers and relays.",
        discussion: """
            All profiles share the operators. If an operator is disabled, no profile uses its servers, and no new \
            channel uses its relays, not even enabled ones.

            Examples:
              chatdb operator list
              chatdb operator disable flux
              chatdb operator set-roles simplex --smp storage,proxy
            """,
        subcommands: [OperatorList.self, OperatorEnable.self, OperatorDisable.self, OperatorSetRoles.self])
}

/// The operator of a command.
struct OperatorArgument: ParsableArguments {
    @Argument(help: "The operator, by name, tag or id.")
    var `operator`: String
}
