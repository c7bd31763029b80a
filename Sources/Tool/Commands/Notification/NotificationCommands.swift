import ArgumentParser
import ChatDBKit

/// Notifications.
struct NotificationCommands: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notification", abstract: "Find what a notification is about.",
        discussion: """
            A notification names a queue by its server and by a notifier id.

            Examples:
              chatdb notification target smp.example.org/bm90aWZpZXI
            """,
        subcommands: [NotificationTargetCommand.self])
}

extension NotificationQueue {
    /// Throws for a text without a host or an id.
    static func parse(_ argument: String) throws -> NotificationQueue {
        guard let queue = NotificationQueue(argument) else {
            throw ValidationError("\"\(TextEscaping.line(argument))\" is no queue; expected HOST:PORT/ID")
        }
        return queue
    }
}
