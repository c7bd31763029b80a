import ArgumentParser
import ChatDBKit

struct GroupRelayRemove: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Take a relay out of a channel: it is inactive there, and no longer a member.",
        discussion: """
            Asks for confirmation, because the step cannot be taken back: chatdb group relay add adds the relay again, \
            as a new member. The rows of the relay and of its membership stay. This command only changes the store; \
            the app informs the relay. The profile keeps the relay for other channels.

            Also deletes a row that does not count, because a relay of the profile or a member of the channel is \
            missing for it. If only the relay is missing, the membership of the member ends too. chatdb group relays lists \
            such rows. row:5 names the row 5; a name means another relay first. Soft-deleted relays that no channel \
            refers to any longer are removed too.

            A relay that was added again has an old row, which no longer counts. row:3 of such a row ends only the \
            membership of its old member: the relay stays in the channel by its newer row.

            If the channel has lost its row of a relay, give its member by the id or the name that chatdb group members \
            lists: member:4 ends the membership of the member 4.

            Before it deletes a row, or ends the membership of an old row or of a member without a row, chatdb backs the \
            store up: nothing else can take this back. A relay that is taken out of the channel loses no row, so chatdb \
            makes no backup then, unless --backup-dir names a folder.

            Examples:
              chatdb group relay remove news 'my relay'
              chatdb group relay remove news 'my relay' --dry-run
              chatdb group relay remove news row:5
              chatdb group relay remove news row:5 --yes --backup-dir ~/backups
              chatdb group relay remove id:3 relay.example.org -u alice --yes
            """)

    @OptionGroup var named: GroupRelayArgument
    @OptionGroup var undo: UndoOptions
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let output = try output.output()
        let location = try named.profile.store.location()
        let session = try StoreSession(named.profile.store, output)
        let report = try ConfirmedChange(consent, output).run(
            read: {
                try session.readToWrite { store in
                    try store.read { chat in try planned(undo.kept(nil, of: location), in: chat) }
                }
            },
            decide: { .ask(.init(text: $0.question)) },
            preview: { $0 },
            write: { planned in
                func requireUnchanged(_ chat: any ReadTransaction) throws {
                    guard try planned.target.isUnchanged(of: planned.user.id, in: chat) else { throw PlanOutdated() }
                }
                if planned.kept != nil {
                    return try session.writeBoth(
                        committing: .chatFirst, backingUp: undo, requiring: requireUnchanged
                    ) { chat, _, backup in
                        try planned.made(in: chat, keeping: undo.kept(backup, of: location))
                    }
                }
                return try session.write { store in
                    try store.write { chat in
                        try requireUnchanged(chat)
                        let answer = try planned.made(in: chat, keeping: nil)
                        try StoppedOnRequest.check()
                        return answer
                    }
                }
            })
        try output.write(report)
        if report.showsCopy { report.kept.note(to: output, of: .removal) }
    }

    /// - Parameter kept: the backup that is made if the change needs one.
    private func planned(_ kept: KeptCopy?, in chat: any ReadTransaction) throws -> GroupRelayRemovalReport {
        let user = try named.profile.profile(in: chat)
        let group = try GroupFinder.find(named.group, of: user, by: .wholeName, in: chat)
        let target = try ChannelRelayFinder.findToRemove(named.relay, of: group.group, user, in: chat)
        if case .relay(let relay) = target {
            let member = try GroupMembersRepo(chat).get(relay.groupRelay.memberID, of: user.id)
            if member.status.isHistory { throw Self.gone(relay, nil, member, of: group.group) }
        }
        if case .oldRow(let old) = target {
            let member = try GroupMembersRepo(chat).get(old.row.groupRelay.memberID, of: user.id)
            if member.status.isHistory { throw Self.gone(old.row, old, member, of: group.group) }
        }
        let (relays, id) = (GroupRelaysRepo(chat), group.group.id)
        let uncounted = try relays.lostMembers(in: id, of: user.id).count + relays.incomplete(of: id, of: user.id).count
        let isMember = if case .member = target { true } else { false }
        return GroupRelayRemovalReport(
            user: user, group: group, target: target, given: named.profile.repeated(for: user),
            lost: try lostActive(of: id, of: user, in: chat), hasOtherRelays: uncounted > (isMember ? 1 : 0),
            purgedRelays: try target.purgeable(of: user.id, in: chat),
            kept: target.isBackedUp || undo.backupDir != nil ? kept : nil)
    }

    /// The refusal of a relay that has left the channel, or of its old row.
    private static func gone(
        _ relay: ChannelRelay, _ old: OldRelayRow?, _ member: GroupMember, of group: Group
    ) -> HintedError {
        let name = "\"\(relay.relay.calledName)\" (row:\(relay.groupRelay.id))"
        let status = relay.groupRelay.status.shownWord
        let what =
            old == nil
            ? "the relay \(name) is \(status) in the channel \"\(group.calledName)\""
            : "the old row of the relay \(name) no longer counts in the channel \"\(group.calledName)\""
        let more = old.map { "; \($0.newerClause)" } ?? ""
        return HintedError(
            GroupsError.memberGone(member),
            message: """
                \(what), and its membership has ended (\(member.status)): there is nothing to remove\(more)
                """,
            hint: .command(.groupRelays, "id:\(group.id)"))
    }

    /// The active relays of a channel with which the chat database has lost the connection; none if that cannot be read.
    private func lostActive(
        of group: GroupID, of user: User, in chat: any ReadTransaction
    ) throws -> [GroupRelayID] {
        let lost = try? chat.attempt { () throws(StoreError) in
            try LostRelayConnections(of: group, of: user, chat: chat, agent: nil)
        }
        guard let lost, !lost.databases.isEmpty else { return [] }
        return try GroupRelaysRepo(chat).all(of: group, of: user.id).latest.map(\.groupRelay)
            .filter { $0.status == .active && lost.databases[$0.memberID] != nil }.map(\.id)
    }
}
