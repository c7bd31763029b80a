import ArgumentParser
import ChatDBKit

struct OperatorDisable: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "disable", abstract: "Disable an operator for every profile.",
        discussion: """
            Profiles no longer use its servers, and new channels no longer use its relays. Existing channels keep \
            their relays. The servers and relays of each profile stay as they are until the operator is enabled again. \
            Hidden profiles are only counted.

            Examples:
              chatdb operator disable flux
              chatdb operator disable id:2
            """)

    @OptionGroup var named: OperatorArgument
    @OptionGroup var profile: ProfileOptions
    @OptionGroup var fallback: FallbackOptions
    @OptionGroup var changedArchive: ChangedArchiveOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        try profile.changeOperator(
            named.operator, output, simplex: fallback.simplex(changedArchive), clause: { _, _ in "is disabled" }
        ) { old, writer in
            if old.isEnabled { try writer.setEnabled(old.id, false) }
        }
    }
}
