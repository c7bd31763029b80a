import ArgumentParser
import ChatDBKit

/// The consent to apply migrations out of order, for commands that go up.
struct OutOfOrderOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Apply migrations that are missing before later ones, as after a merge of branches.",
            discussion: "The store notes the reason.", valueName: "reason"))
    var allowOutOfOrder: String?

    func validate() throws {
        guard let allowOutOfOrder else { return }
        guard allowOutOfOrder.contains(where: { !$0.isWhitespace }) else {
            throw ValidationError("--allow-out-of-order needs a reason, which the store notes")
        }
        // The reason is shown in one line.
        guard !allowOutOfOrder.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            throw ValidationError("the reason of --allow-out-of-order must be one line without control characters")
        }
    }

    /// Configures a migrator.
    func apply(to migrator: inout Migrator) {
        migrator.options.outOfOrderReason = allowOutOfOrder
    }
}
