import ArgumentParser
import ChatDBKit

struct RelayDelete: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete a custom relay. Channels that use it keep it.",
        discussion: """
            Asks for confirmation, and says how many channels refer to the relay. If there is one, even one that was \
            left or has lost its row of the relay, the relay is soft-deleted: its channels keep it, and new ones \
            cannot choose it. Otherwise it is deleted from the store. A preset relay cannot be deleted, only \
            disabled. What is deleted is kept in a file beside the store; the answer has the command that puts it \
            back. For an encrypted store, chatdb makes an encrypted backup instead.

            Examples:
              chatdb relay delete 'my relay'
              chatdb relay delete 'my relay' --dry-run
              chatdb relay delete id:7 --yes
              chatdb relay delete relay.example.org --yes --format json
              chatdb relay delete id:7 --yes --no-backup
            """)

    @OptionGroup var named: RelayArgument

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var keep: KeepOptions
    @OptionGroup var consent: ConsentOptions
    @OptionGroup var changedArchive: ChangedArchiveOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let output = try output.output()
        let session = try StoreSession(profile.store, output, simplex: changedArchive.simplex)
        let change: ConfigChange<RelayDeleteReport> = try ConfirmedChange(consent, output).run(
            read: { () -> ConfigChange<RelayDeleteReport> in
                var found = try session.readToWrite { store in try store.read { try planned(in: $0) } }
                let relay = found.answer.deleted.relay
                found.simplex = try session.rehearse { _ = try ChatRelaysWriter($0).delete(relay.id, of: relay.userID) }
                return found
            },
            decide: { planned in
                let answer = planned.answer
                if consent.yes, answer.deleted.outcome == .softDeleted { output.note(answer.sentence) }
                let relay = answer.deleted.relay.calledName
                return .ask(
                    .init(
                        text: "\(answer.sentence) Delete \"\(relay)\" of \(answer.user.name)?", shown: planned.simplex))
            },
            preview: { $0 },
            write: { planned in
                var change = try session.write(
                    keeping: .relayDeletion, { chat, copy in try delete(planned.answer, &copy, in: chat, output) },
                    isUndone: { isUndone(planned.answer, output) })
                change.simplex = session.effect
                return change
            })
        try change.write(to: output)
        change.answer.kept.note(to: output)
    }

    private func planned(in chat: any ReadTransaction) throws -> ConfigChange<RelayDeleteReport> {
        let user = try profile.profile(in: chat)
        let relay = try RelayFinder.find(named.relay, of: user, by: .wholeName, in: chat)
        let deletion = try ChatRelaysRepo(chat).deletion(of: relay.id, of: user.id)
        let row = try RelayRow(relay.id, of: user.id, in: chat)
        if keep.isKept(of: profile.store) {
            try PresetBefore.check(.entries(.init(keeping: relay)), of: user, in: chat, profile.store)
        }
        return try ConfigChange(
            planned: RelayDeleteReport(
                user: user, deleted: deletion, row: row,
                uncounted: try ChatRelaysRepo(chat).uncounted(relay.id, of: user.id),
                lost: try ChatRelaysRepo(chat).channelsOfLostRows(relay.id, of: user.id),
                kept: try keep.kept(nil, of: profile.store), isApplied: false),
            for: user,
            hidden: profile.others, in: chat
        ) { $0.without(relay: relay.id) }
    }

    /// Deletes the relay. Throws if more channels use it or refer to it now than the user was asked about, unless
    /// `--yes` was given.
    private func delete(
        _ planned: RelayDeleteReport, _ copy: inout PresetBefore?, in chat: any WriteTransaction, _ output: Output
    ) throws -> ConfigChange<RelayDeleteReport> {
        let (user, relay, use) = (planned.user, planned.deleted.relay, planned.row.use)
        let relays = ChatRelaysRepo(chat)
        guard try relays.find(relay.id, of: user.id) == relay else { throw PlanOutdated() }
        let outcome = try relays.deletion(of: relay.id, of: user.id).outcome
        let now = try relays.use(of: relay.id, of: user.id)
        let isAsked =
            now.using <= use.using && now.using + now.others + now.lost <= use.using + use.others + use.lost
            && (outcome == .deleted || planned.deleted.outcome == .softDeleted)
        guard isAsked || consent.yes else { throw PlanOutdated() }
        if keep.isKept(of: profile.store) {
            copy = try PresetBefore.keep(
                .entries(.init(keeping: relay)), of: user, in: chat, profile.store, output)
        }
        let kept = try keep.kept(copy, of: profile.store)
        let uncounted = try relays.uncounted(relay.id, of: user.id)
        let lost = try relays.channelsOfLostRows(relay.id, of: user.id)
        return try ConfigChange(for: user, hidden: profile.others, in: chat) {
            let deleted = try ChatRelaysWriter(chat).delete(relay.id, of: user.id)
            return RelayDeleteReport(
                user: user, deleted: deleted, row: try RelayRow(deleted, use, in: chat), uncounted: uncounted,
                lost: lost, kept: kept)
        }
    }

    /// Whether, after a commit that failed, the relay is known to be as it was.
    private func isUndone(_ planned: RelayDeleteReport, _ output: Output) -> Bool {
        let relay = planned.deleted.relay
        let found = try? StoreSession(profile.store, output).read { store in
            try store.read { try ChatRelaysRepo($0).find(relay.id, of: planned.user.id) == relay }
        }
        return found == true
    }
}

extension RelayRow {
    /// The soft-deleted relay, or the former state of a deleted one.
    fileprivate init(_ deleted: DeletedRelay, _ use: RelayUseCount, in chat: any ReadTransaction) throws {
        switch deleted.outcome {
        case .deleted: self.init(deleted.relay, use, among: try OperatorsRepo(chat).all())
        case .softDeleted: try self.init(deleted.relay.id, of: deleted.relay.userID, in: chat)
        }
    }
}

/// The relay that was deleted, or that a dry run shows.
struct RelayDeleteReport: Report {
    let user: User
    let deleted: DeletedRelay
    let row: RelayRow
    /// The rows that refer to it and do not count, as before the change.
    let uncounted: [UncountedRelayRow]
    /// The channels that have lost their row of it, as before the change.
    let lost: [ChannelOfLostRow]
    let kept: KeptCopy?
    var isApplied = true

    var json: JSONValue {
        [
            "outcome": .string(deleted.outcome.rawValue), "channelsUsing": JSONValue(deleted.channelsUsing),
            "user": user.reference, "relay": row.json, "kept": kept.json, "applied": .bool(isApplied),
        ]
    }

    /// The sentence before the question: the channels that refer to the relay, and whether it will be soft-deleted. For
    /// a relay in use it is the app's own sentence, with the number of other channels. Without a channel that uses the
    /// relay, the sentence promises none.
    var sentence: String {
        let use = row.use
        if deleted.outcome == .deleted { return "No channel refers to this relay. It will be deleted from the store." }
        if use.using > 0 {
            let refers = ([use.words] + lostWords).joined(separator: "; ")
            return "This relay is \(refers). It will continue serving existing channels. It will be soft-deleted."
        }
        let refers =
            use.others > 0
            ? ([use.words] + lostWords).joined(separator: "; ")
            : "used by no channel of the profile, but \(otherWords)"
        return "This relay is \(refers). It will be soft-deleted."
    }

    /// The clause about channels that have lost their row of the relay; none without such channels.
    private var lostWords: [String] { lost.isEmpty ? [] : [lost.clause] }

    /// Why the row of a relay stays that no channel is known to refer to.
    private var otherWords: String {
        ((uncounted.isEmpty ? [] : [uncounted.predicate]) + lostWords).joined(separator: "; ")
    }

    var document: Document {
        let done =
            switch deleted.outcome {
            case .deleted: "deleted"
            case .softDeleted where row.use.using > 0:
                (["soft-deleted\(row.channelsKeepIt)"] + row.use.otherWords + lostWords).joined(separator: "; ")
            case .softDeleted where row.use.others > 0:
                "soft-deleted: " + (row.use.otherWords + lostWords).joined(separator: "; ")
            case .softDeleted: "soft-deleted: \(otherWords)"
            }
        let was = isApplied ? "was" : "would be"
        return Document(
            [.paragraph("The relay \(row.relay.calledName) of \(user.name) \(was) \(done).")] + kept.blocks())
    }

    var csvTable: Table { RelayRow.fields.csv([row]) }
}
