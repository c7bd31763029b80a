package import ChatDBKit

/// The created group, or the existing one.
package struct GroupPrepareReport: Report {
    package let user: User
    package let prepared: PreparedGroup
    /// The options for the next commands.
    package let given: GivenOptions

    package init(user: User, prepared: PreparedGroup, given: GivenOptions) {
        self.user = user
        self.prepared = prepared
        self.given = given
    }

    private var group: Group { prepared.group.group }

    package var json: JSONValue {
        [
            "outcome": .string(prepared.outcome.rawValue), "user": user.reference, "group": prepared.group.json,
            "preparedGroup": group.preparedJSON, "relayHosts": .array(prepared.relayHosts.map { .string($0) }),
        ]
    }

    package var document: Document {
        let name = "The \(group.kind) \(group.calledName)"
        let next: [Block] =
            group.nextConnectPrepared
            ? [
                .notes([
                    .note(given.text("\(.groupStart, "id:\(group.id)") records that joining has started")),
                    .note(given.text("\(.groupCancel, "id:\(group.id)") removes the group")),
                ])
            ]
            : []
        let hosts = prepared.relayHosts
        let relays: [Block] =
            hosts.isEmpty
            ? []
            : [.paragraph("The link advertises \(counted(hosts.count, "relay")): \(hosts.joined(separator: ", ")).")]
        return switch prepared.outcome {
        case .prepared:
            Document([.paragraph("\(name) was prepared for \(user.name) (id \(group.id)).")] + relays + next)
        case .existing:
            Document([.paragraph("\(name) already exists for \(user.name) (id \(group.id)).")] + relays + next)
        }
    }
}

/// The group that the profile has left, or that it would leave.
package struct GroupLeaveReport: Report {
    package let user: User
    package let group: GroupSummary
    /// Whether the profile relays it.
    package var isRelay = false
    package let isApplied: Bool

    package init(user: User, group: GroupSummary, isRelay: Bool = false, isApplied: Bool) {
        self.user = user
        self.group = group
        self.isRelay = isRelay
        self.isApplied = isApplied
    }

    private var called: String { "\(group.group.kind) \(group.group.calledName)" }

    /// The sentence about the end of relaying, with a blank behind it; empty for a group that the profile does not
    /// relay.
    private var refusal: String {
        isRelay ? "The profile also stops relaying it, and refuses to relay it again until an app allows it. " : ""
    }

    package var question: String {
        "\(user.name) will stop receiving messages of the \(called), and the history is preserved. \(refusal)Leave it?"
    }

    package var json: JSONValue {
        ["outcome": "left", "user": user.reference, "group": group.json, "applied": .bool(isApplied)]
    }

    package var document: Document {
        let text =
            isApplied
            ? "\(user.name) has left the \(called)."
            : "\(user.name) would leave the \(called) and stop receiving its messages. The history is preserved. \(refusal)"
        return [.paragraph(NameRule.trimmed(text))]
    }
}

/// The link of a group before and after a change, or in a dry run.
package struct GroupLinkReport: Report {
    package let user: User
    /// The group; in a dry run, as it is.
    package let group: GroupSummary
    package let link: String?
    package let from: String?
    /// The stored key before the change. It may be that of a lost link.
    package let formerKey: String?
    package let isApplied: Bool

    package init(
        user: User, group: GroupSummary, link: String?, from: String?, formerKey: String?, isApplied: Bool
    ) {
        self.user = user
        self.group = group
        self.link = link
        self.from = from
        self.formerKey = formerKey
        self.isApplied = isApplied
    }

    /// Whether the link or its key changes.
    package var isChanged: Bool { from != link || formerKey != link.flatMap(LinkKey.of) }

    /// The question before a link is replaced or removed, and before the key of a lost link is removed; nil for a group
    /// without both, and for a link that does not change.
    package var question: String? {
        guard let from, !from.isEmpty else {
            return link == nil && formerKey != nil
                ? "Remove the key of the lost link of the \(called)? It may be all that is left of the link." : nil
        }
        if from == link { return nil }
        let act = link.map { "Replace the link \(from) of the \(called) by \($0)?" }
        return act ?? "Leave the \(called) without its link \(from)?"
    }

    private var called: String { "\(group.group.kind) \(group.group.calledName) of \(user.name)" }

    package var json: JSONValue {
        [
            "user": user.reference, "group": group.json, "changed": .bool(isChanged),
            "fields": FieldChange.json([FieldChange.optionalText("link", from, link)].compactMap { $0 }),
            "applied": .bool(isApplied),
        ]
    }

    package var document: Document {
        if !isChanged {
            return [.paragraph("The \(called) has \(link == nil ? "no" : "this") link already; nothing was changed.")]
        }
        if from == link {
            let done = isApplied ? "was" : "would be"
            let act =
                link == nil
                ? "no link. The key of its lost link \(done) removed" : "this link. Its key \(done) corrected"
            return [.paragraph("The \(called) has \(act).")]
        }
        let has = isApplied ? "now has" : "would have"
        return [.paragraph("The \(called) \(has) \(link.map { "the link \($0)" } ?? "no link").")]
    }
}

/// The new state of a group.
package struct GroupChangeReport: Report {
    package let user: User
    package let group: GroupSummary
    package let outcome: String
    package let sentence: String

    package init(user: User, group: GroupSummary, outcome: String, sentence: String) {
        self.user = user
        self.group = group
        self.outcome = outcome
        self.sentence = sentence
    }

    package var json: JSONValue {
        ["outcome": .string(outcome), "user": user.reference, "group": group.json]
    }

    package var document: Document { [.paragraph(sentence)] }
}
