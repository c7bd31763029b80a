import ArgumentParser
import ChatDBKit

struct OperatorDisable: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable", abstract: "Switch an operator off, for every profile.",
        discussion: """
            Nothing of it is used any more by any profile, and what each has stays as it is for the time it is switched \
            on again. Channels keep their relays. Hidden profiles are only counted.

            Examples:
              chatdb operator disable flux
              chatdb operator disable id:2
            """)

    @OptionGroup var named: OperatorArgument
    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        try profile.changeOperator(named.operator, output, clause: { _, _ in "is off" }) { old, writer in
            if old.isEnabled { try writer.setEnabled(old.id, false) }
        }
    }
}
