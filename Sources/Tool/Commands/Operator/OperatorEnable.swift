import ArgumentParser
import ChatDBKit

struct OperatorEnable: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable", abstract: "Enable an operator for every profile.",
        discussion: """
            Profiles use its enabled servers and relays again. The report shows what each profile has.

            Examples:
              chatdb operator enable flux
              chatdb operator enable 'SimpleX Chat' --format json
            """)

    @OptionGroup var named: OperatorArgument
    @OptionGroup var profile: ProfileOptions
    @OptionGroup var changedArchive: ChangedArchiveOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        try profile.changeOperator(
            named.operator, output, simplex: changedArchive.simplex, clause: { _, _ in "is enabled" }
        ) { old, writer in
            if !old.isEnabled { try writer.setEnabled(old.id, true) }
        }
    }
}
