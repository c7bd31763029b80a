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
              chatdb group delete news --dry-run
              chatdb group delete id:3 --yes --backup-dir ~/backups
              chatdb group delete id:3 --yes --no-backup
            """)

    @OptionGroup var group: GroupArgument
    @OptionGroup var undo: UndoOptions
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        try GroupRemoval.deletion.run(group, consent, undo, output.output())
    }
}

extension GroupRemoval {
    func run(
        _ argument: GroupArgument, _ consent: ConsentOptions, _ undo: UndoOptions, _ output: Output
    ) throws {
        let options = argument.profile.store
        let location = try options.location()
        let session = try StoreSession(options, output)
        let report = try ConfirmedChange(consent, output).run(
            read: {
                try session.readToWrite { store in
                    try store.read { chat in try planned(argument, undo.kept(nil, of: location), in: chat) }
                }
            },
            decide: { .ask(.init(text: $0.question)) },
            preview: { $0.report },
            write: { planned in
                // The chat database first: a crash between leaves connections of the agent that nothing refers to.
                try session.writeBoth(committing: .chatFirst, backingUp: undo) { chat in
                    try requireSame(planned.report, in: chat)
                    if !consent.yes { try requireUnchanged(planned.report, in: chat) }
                } _: { chat, agent, backup in
                    try remove(
                        planned.report, CrossStoreWriter(chat: chat, agent: agent), backup,
                        undo.kept(backup, of: location))
                }
            })
        try output.write(report)
        report.kept.note(to: output)
    }

    private func planned(
        _ argument: GroupArgument, _ kept: KeptCopy?, in chat: any ReadTransaction
    ) throws -> (question: String, report: GroupDeleteReport) {
        let user = try argument.profile.profile(in: chat)
        let groups = GroupsRepo(chat)
        let found = try GroupFinder.find(argument.group, of: user, by: .wholeName, in: chat).group
        let id = found.id
        let summary =
            switch self {
            case .deletion: try groups.deletable(id, of: user.id)
            case .cancellation: try cancellable(found, groups)
            }
        let contents = try groups.contents(of: id, of: user.id)
        let isCounted = self == .deletion && found.isChannel
        let report = GroupDeleteReport(
            user: user, group: summary, contents: contents,
            subscribers: isCounted ? try groups.info(of: id, of: user.id).subscribers : nil,
            purgedRelays: try ChatRelaysRepo(chat).purgeable(without: .group(id), of: user.id), outcome: self,
            backup: nil, kept: kept, isApplied: false)
        return (question(report), report)
    }

    /// The group, which may be cancelled. The hint of a refusal must not lead to the deletion of this group when the
    /// user means another one of the same name.
    private func cancellable(_ group: Group, _ groups: GroupsRepo) throws -> GroupSummary {
        do throws(GroupsError) {
            return try groups.cancellable(group.id, of: group.userID)
        } catch {
            guard [.alreadyStarted(group), .notPrepared(group)].contains(error) else { throw error }
            let others = try groups.all(of: group.userID).map(\.group).filter {
                $0.id != group.id && $0.displayName == group.displayName && ($0.nextConnectPrepared || $0.isCreating)
            }
            guard let other = others.first else { throw error }
            let show: Hint = "\(.groupShow, "id:\(group.id)") shows the state of \(group.calledName)"
            if others.count > 1 { throw HintedError(error, hint: "\(.groupList) lists groups of this name; \(show)") }
            let state = other.isCreating ? "unfinished" : "prepared"
            throw HintedError(
                error,
                hint:
                    "\(.groupCancel, "id:\(other.id)") deletes the \(state) \(other.kind) \(other.calledName); \(show)"
            )
        }
    }

    private func question(_ report: GroupDeleteReport) -> String {
        let (user, group) = (report.user, report.group.group)
        let (what, everything) = ("\(group.kind) \(group.calledName) of \(user.name)", report.contents.everything)
        switch self {
        case .deletion:
            return "Delete the \(what)\(report.whoHas) with \(everything)?"
        case .cancellation:
            let state = group.isCreating ? "unfinished" : "prepared"
            return "Cancel the \(state) \(what) with \(everything)?"
        }
    }

    /// Throws when another group has the name or number of the group of the question by now.
    private func requireSame(_ planned: GroupDeleteReport, in chat: any ReadTransaction) throws {
        let group = planned.group.group
        let name = try GroupsRepo(chat).find(group.id, of: planned.user.id)?.group.localDisplayName
        guard name == group.localDisplayName else { throw PlanOutdated() }
    }

    /// Throws when the group has other contents than in the question.
    private func requireUnchanged(_ planned: GroupDeleteReport, in chat: any ReadTransaction) throws {
        let now = try GroupsRepo(chat).contents(of: planned.group.group.id, of: planned.user.id)
        guard now == planned.contents else { throw PlanOutdated() }
    }

    private func remove(
        _ planned: GroupDeleteReport, _ writer: CrossStoreWriter, _ backup: String?, _ kept: KeptCopy?
    ) throws -> GroupDeleteReport {
        let (id, user) = (planned.group.group.id, planned.user)
        let removed =
            switch self {
            case .deletion: try writer.deleteGroup(id, of: user.id)
            case .cancellation: try writer.cancelGroup(id, of: user.id)
            }
        return GroupDeleteReport(
            user: user, group: removed.group, contents: removed.contents, subscribers: planned.subscribers,
            purgedRelays: removed.purgedRelays, outcome: self, backup: backup, kept: kept, isApplied: true)
    }
}
