import ArgumentParser
import ChatDBKit

struct ConditionsList: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the operators with the state of their conditions of use.",
        discussion: """
            Shows the current version, whether it is accepted for each operator, and until when it is to be reviewed.

            Examples:
              chatdb conditions list
              chatdb conditions list --format json
            """, aliases: ["ls"])

    @OptionGroup var store: StoreOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let report = try StoreSession(store, output.output()).list {
            ConditionsReport(conditions: try OperatorsRepo($0).conditions())
        }
        try output.write(report)
    }
}
