import ArgumentParser
import ChatDBKit

struct NotificationTargetCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "target", abstract: "Show the profile and the chat that a notification is for.",
        discussion: """
            QUEUE is the queue that the notification names: HOST:PORT/ID or smp://KEYHASH@HOST:PORT/ID, where ID is \
            the notifier id in base64url. Without a port, chatdb looks for the default one. The answer is 1 if no \
            queue of a visible profile has this id.

            Examples:
              chatdb notification target smp.example.org/bm90aWZpZXI
              chatdb notification target smp.example.org:5223/bm90aWZpZXI --format json
            """)

    @Argument(help: ArgumentHelp("The queue: HOST:PORT/ID.", valueName: "queue"), transform: NotificationQueue.parse)
    var queue: NotificationQueue

    @OptionGroup var store: StoreOptions
    @OptionGroup var hidden: HiddenOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let found = try StoreSession(store, output.output()).read { store -> NotificationTarget? in
            try store.readBoth { chat, agent in try target(chat, agent) }
        }
        guard let found else { throw NoNotificationTarget() }
        try output.write(NotificationTargetReport(target: found))
    }

    private func target(_ chat: any ReadTransaction, _ agent: any ReadTransaction) throws -> NotificationTarget? {
        let hidden = try hidden.choice(in: chat)
        let both = CrossStoreRepo(chat: chat, agent: agent)
        for address in queue.addresses {
            if let target = try both.target(ofNotification: address, hidden: hidden) { return target }
        }
        return nil
    }
}

/// No visible profile has a queue with this notifier id.
struct NoNotificationTarget: Reportable {
    var report: ErrorReport {
        ErrorReport(
            "notificationTargetNotFound",
            "no queue with this server and notifier id belongs to a connection of a visible profile", exit: .no)
    }
}
