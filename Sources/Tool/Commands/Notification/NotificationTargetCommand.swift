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

    @Argument(help: ArgumentHelp("The queue: HOST:PORT/ID.", valueName: "queue"), transform: QueueArgument.parse)
    var queue: QueueArgument

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

/// The target of a notification.
struct NotificationTargetReport: Report {
    let target: NotificationTarget

    private var fields: [FieldSpec<NotificationTarget>] {
        [
            .json("user") { $0.user.reference }, .csv("userId") { .number($0.user.id.rawValue) },
            .csv("name") { .text($0.user.name) },
            .text("kind", "For") { $0.entity.kind }, .number("contactId", "Contact") { $0.entity.contact?.rawValue },
            .number("groupId", "Group") { $0.entity.group?.rawValue },
            .number("groupMemberId", "Member") { $0.entity.member?.rawValue },
            .number("userContactLinkId", "Link") { $0.entity.link?.rawValue },
            .number("fileId", "File") { $0.entity.file?.rawValue },
            .number("connectionId", "Connection") { $0.connectionID.rawValue },
            .text("agentConnId", "Connection of the agent") { $0.agentConnectionID.text },
            .flag("notifications", "Notifications") { $0.hasNotifications },
        ]
    }

    var json: JSONValue { ["target": fields.json(target)] }

    /// Only the number that the target has.
    var document: Document {
        let known = fields.filter { $0.csvCell != nil && !["userId", "name"].contains($0.key) }
            .fields(target).filter { $0.cell != .nothing }
        return [
            .fields([Field("Profile", key: "name", .text("\(target.user.name) (id \(target.user.id))"))] + known)
        ]
    }

    var csvTable: Table { fields.csv([target]) }
}

extension NotificationTarget.Entity {
    fileprivate var kind: String {
        switch self {
        case .contact: "contact"
        case .member: "member"
        case .link: "link"
        case .file: "file"
        case .none: "none"
        }
    }

    fileprivate var contact: ContactID? { if case .contact(let id) = self { id } else { nil } }
    fileprivate var member: GroupMemberID? { if case .member(let id, of: _) = self { id } else { nil } }
    fileprivate var group: GroupID? { if case .member(_, of: let id) = self { id } else { nil } }
    fileprivate var link: UserContactLinkID? { if case .link(let id) = self { id } else { nil } }
    fileprivate var file: FileID? { if case .file(let id) = self { id } else { nil } }
}

/// No visible profile has a queue with this notifier id.
struct NoNotificationTarget: Reportable {
    var report: ErrorReport {
        ErrorReport(
            "notificationTargetNotFound",
            "no queue with this server and notifier id belongs to a connection of a visible profile", exit: .no)
    }
}
