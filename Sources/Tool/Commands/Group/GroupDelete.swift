import ArgumentParser
import ChatDBKit

struct GroupDelete: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete a group or channel and everything in it.",
        discussion: """
            An owner can delete a group, and so can a profile that is no longer a member; other members leave first. \
            chatdb shows what the group contains, asks for confirmation, and backs the store up. It also deletes \
            soft-deleted relays that no other channel refers to. It marks the agent's connections as deleted; an app \
            then deletes them at their servers.

            Examples:
              chatdb group delete news
              chatdb group delete id:3 --yes --backup-dir ~/backups
              chatdb group delete id:3 --yes --no-backup
            """)

    @OptionGroup var group: GroupArgument
    @OptionGroup var undo: UndoOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Do not ask for confirmation.")
    var yes = false

    func run() throws {
        let output = try output.output()
        let report = try ConfirmedChange(output: output, yes: yes).run(
            read: {
                try StoreSession.readToWrite(group.profile.store, output) { store in
                    try store.read { chat in try FoundGroup(group, in: chat) }
                }
            },
            // The write refuses a group that may not be deleted: no question, and no backup.
            decide: { $0.info.mayDelete ? .ask(.init(text: $0.question)) : .make },
            write: { try delete($0, output) })
        try output.write(report)
    }

    private func delete(_ found: FoundGroup, _ output: Output) throws -> GroupDeleteReport {
        let backup = found.info.mayDelete ? try undo.backUp(group.profile.store, output) : nil
        return try StoreSession.write(group.profile.store, output) { store in
            // The chat database first: a crash between leaves connections of the agent that nothing refers to.
            try store.writeBoth(committing: .chatFirst) { chat, agent in
                // The group of the question, even if another has its name by now, or its number.
                let id = found.summary.group.id
                guard
                    try GroupsRepo(chat).find(id, of: found.user.id)?.group.localDisplayName
                        == found.summary.group.localDisplayName
                else { throw PlanOutdated() }
                let deleted = try CrossStoreWriter(chat: chat, agent: agent).deleteGroup(id, of: found.user.id)
                return GroupDeleteReport(user: found.user, deleted: deleted, outcome: "deleted", backup: backup)
            }
        }
    }
}

/// A group that is to be deleted, with what is asked about it.
private struct FoundGroup {
    let user: User
    let info: ChannelInfo
    let contents: GroupContents
    var summary: GroupSummary { info.summary }

    init(_ group: GroupArgument, in chat: any ReadTransaction) throws {
        user = try group.profile.profile(in: chat)
        let id = try GroupFinder.find(group.group, of: user, in: chat).group.id
        info = try GroupsRepo(chat).info(of: id, of: user.id)
        contents = try GroupsRepo(chat).contents(of: id, of: user.id)
    }

    var question: String {
        let group = summary.group
        let number = group.isChannel ? info.subscribers ?? 0 : 0
        let who = number == 0 ? "" : ", which has \(counted(number, "subscriber")),"
        return "Delete the \(group.kind) \(group.calledName) of \(user.name)\(who) with \(contents.everything)?"
    }
}

/// The group that was deleted or cancelled.
struct GroupDeleteReport: Report {
    let user: User
    let deleted: DeletedGroup
    let outcome: String
    /// The folder of the backup; nil when none was made.
    let backup: String?

    var json: JSONValue {
        [
            "outcome": .string(outcome), "user": user.reference, "group": deleted.group.json,
            "contents": deleted.contents.json, "purgedRelays": JSONValue(deleted.purgedRelays),
            "backup": JSONValue(backup),
        ]
    }

    var document: Document {
        let group = deleted.group.group
        var notes: [Note] = []
        if deleted.purgedRelays > 0 {
            let relays = counted(deleted.purgedRelays, "soft-deleted relay")
            notes.append(.note("also deleted \(relays) that no channel uses"))
        }
        if deleted.contents.files > 0 { notes.append(.note("chatdb does not delete files outside the store")) }
        if backup != nil {
            notes.append(.note("the backup contains what was deleted; remove it when you no longer need it"))
        }
        let with = deleted.contents.parts.isEmpty ? "" : " with \(deleted.contents.parts)"
        return [
            .paragraph("The \(group.kind) \(group.calledName) of \(user.name) was \(outcome)\(with)."),
            .fields(backup.map { [Field("Backup", .text($0))] } ?? []), .notes(notes),
        ]
    }
}

extension GroupContents {
    var json: JSONValue {
        ["chatItems": JSONValue(chatItems), "unread": JSONValue(unread), "files": JSONValue(files)]
    }

    /// `500 messages (250 unread) and 2 files`; empty when there is nothing.
    var parts: String {
        var parts: [String] = []
        if chatItems > 0 {
            let unread = unread == 0 ? "" : " (\(CellText.grouped(Int64(unread))) unread)"
            parts.append("\(CellText.grouped(Int64(chatItems))) message\(chatItems == 1 ? "" : "s")\(unread)")
        }
        if files > 0 { parts.append("\(CellText.grouped(Int64(files))) file\(files == 1 ? "" : "s")") }
        return parts.joined(separator: " and ")
    }

    /// What goes with the group, for the question.
    var everything: String { "everything in it" + (parts.isEmpty ? "" : ": \(parts)") }
}
