package import ChatDBKit

/// The kind of removal: deletion, or cancellation before the profile has joined.
package enum GroupRemoval: String {
    case deletion = "deleted"
    case cancellation = "cancelled"
}

/// The group that was deleted or cancelled, or that a dry run shows.
package struct GroupDeleteReport: Report {
    package let user: User
    package let group: GroupSummary
    package let contents: GroupContents
    /// The number of subscribers of a channel that is deleted; nil if the store does not know it.
    package let subscribers: Int?
    /// The number of soft-deleted relays that are deleted with it.
    package let purgedRelays: Int
    package let outcome: GroupRemoval
    /// The folder of the backup; nil when none was made.
    package let backup: String?
    package let kept: KeptCopy?
    package let isApplied: Bool

    package init(
        user: User, group: GroupSummary, contents: GroupContents, subscribers: Int?, purgedRelays: Int,
        outcome: GroupRemoval, backup: String?, kept: KeptCopy?, isApplied: Bool
    ) {
        self.user = user
        self.group = group
        self.contents = contents
        self.subscribers = subscribers
        self.purgedRelays = purgedRelays
        self.outcome = outcome
        self.backup = backup
        self.kept = kept
        self.isApplied = isApplied
    }

    package var json: JSONValue {
        [
            "outcome": .string(outcome.rawValue), "user": user.reference, "group": group.json,
            "contents": contents.json, "subscribers": JSONValue(subscribers),
            "purgedRelays": JSONValue(purgedRelays), "backup": JSONValue(backup),
            "kept": kept.json, "applied": .bool(isApplied),
        ]
    }

    /// A clause with the number of subscribers; empty when there are none.
    package var whoHas: String {
        let number = subscribers ?? 0
        return number == 0 ? "" : ", which \(isApplied ? "had" : "has") \(counted(number, "subscriber")),"
    }

    package var document: Document {
        let group = group.group
        var notes: [Note] = []
        if purgedRelays > 0 {
            let relays = counted(purgedRelays, "soft-deleted relay")
            let text = "\(relays) that no channel uses"
            notes.append(.note(isApplied ? "also deleted \(text)" : "would also delete \(text)"))
        }
        if contents.files > 0 { notes.append(.note("chatdb does not delete files outside the store")) }
        let with = contents.parts.isEmpty ? "" : " with \(contents.parts)"
        let (called, was) = ("\(group.kind) \(group.calledName)", isApplied ? "was" : "would be")
        let sentence = "The \(called) of \(user.name)\(whoHas) \(was) \(outcome.rawValue)\(with)."
        return Document([.paragraph(sentence), .notes(notes)] + kept.blocks())
    }
}

extension GroupContents {
    package var json: JSONValue {
        ["chatItems": JSONValue(chatItems), "unread": JSONValue(unread), "files": JSONValue(files)]
    }

    /// `500 messages (250 unread) and 2 files`; empty when there is nothing.
    package var parts: String {
        var parts: [String] = []
        if chatItems > 0 {
            let unread = unread == 0 ? "" : " (\(CellText.grouped(Int64(unread))) unread)"
            parts.append("\(CellText.grouped(Int64(chatItems))) message\(chatItems == 1 ? "" : "s")\(unread)")
        }
        if files > 0 { parts.append("\(CellText.grouped(Int64(files))) file\(files == 1 ? "" : "s")") }
        return parts.joined(separator: " and ")
    }

    /// What is deleted with the group, for the question.
    package var everything: String { "everything in it" + (parts.isEmpty ? "" : ": \(parts)") }
}
