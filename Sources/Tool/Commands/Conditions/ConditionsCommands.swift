import ArgumentParser
import ChatDBKit

/// Conditions of use.
struct ConditionsCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "conditions", abstract: "Show and accept the conditions of use of the operators.",
        discussion: """
            The conditions are the same for all operators, and are accepted for each operator. All profiles of the \
            store share them. An app stores their versions; chatdb does not have their text.

            Examples:
              chatdb conditions list
              chatdb conditions accept
            """,
        subcommands: [ConditionsList.self, ConditionsAccept.self])
}
