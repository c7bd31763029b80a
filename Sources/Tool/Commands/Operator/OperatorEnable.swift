import ArgumentParser
import ChatDBKit

struct OperatorEnable: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "enable", abstract: "Switch an operator on, for every profile.",
        discussion: """
            Of its servers and relays those are used again that are enabled. The answer says what each profile has.

            Examples:
              chatdb operator enable flux
              chatdb operator enable 'SimpleX Chat' --format json
            """)

    @OptionGroup var named: OperatorArgument
    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        try profile.changeOperator(named.operator, output, clause: { _, _ in "is on" }) { old, writer in
            if !old.isEnabled { try writer.setEnabled(old.id, true) }
        }
    }
}
