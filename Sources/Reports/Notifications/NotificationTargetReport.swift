package import ChatDBKit

/// The target of a notification.
package struct NotificationTargetReport: Report {
    package let target: NotificationTarget

    package init(target: NotificationTarget) {
        self.target = target
    }

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

    package var json: JSONValue { ["target": fields.json(target)] }

    /// Only the number that the target has.
    package var document: Document {
        let known = fields.filter { $0.csvCell != nil && !["userId", "name"].contains($0.key) }
            .fields(target).filter { $0.cell != .nothing }
        return [
            .fields([Field("Profile", key: "name", .text("\(target.user.name) (id \(target.user.id))"))] + known)
        ]
    }

    package var csvTable: Table { fields.csv([target]) }
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
