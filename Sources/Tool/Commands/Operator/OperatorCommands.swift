import ArgumentParser

/// Operators of servers and relays.
struct OperatorCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "operator", abstract: "Operators of servers and relays, which all profiles share.",
        discussion: """
            An operator that is off is off for every profile: nothing of it is used, enabled or not.

            Examples:
              chatdb operator list
              chatdb operator disable flux
              chatdb operator set-roles simplex --smp storage,proxy
            """,
        subcommands: [OperatorList.self, OperatorEnable.self, OperatorDisable.self, OperatorSetRoles.self])
}

/// Which operator a command is about.
struct OperatorArgument: ParsableArguments {
    @Argument(help: "The operator, by name, tag or id.")
    var `operator`: String
}
