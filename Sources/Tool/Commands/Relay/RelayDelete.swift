import ArgumentParser
import ChatDBKit

struct RelayDelete: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete a relay of your own; channels that use it keep it.",
        discussion: """
            When channels use the relay, it is asked first. What came with an operator cannot be deleted, only disabled.

            Examples:
              chatdb relay delete 'my relay'
              chatdb relay delete id:7 --yes
              chatdb relay delete relay.example.org --yes --format json
            """)

    @OptionGroup var named: RelayArgument

    @Flag(help: "Do not ask.")
    var yes = false

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let output = try output.output()
        if !yes { Signals.interruptsAskToStop() }
        let (user, relay, use) = try StoreSession.readToWrite(profile.store, output) { store in
            try store.read { chat in
                let user = try profile.profile(in: chat)
                let relay = try RelayFinder.find(named.relay, of: user, in: chat)
                return (user, relay, try ChatRelaysRepo(chat).use(of: relay.id, of: user.id))
            }
        }
        if relay.isPreset { throw ChatRelaysError.presetRelayCannotBeDeleted(relay) }
        if use.using > 0 {
            if yes { output.note(use.sentence) }
            try Consent(yes: yes, terminal: output.terminal, readLine: TerminalLine.read)
                .requireUnlessStopped("\(use.sentence) Delete \"\(relay.calledName)\" of \(user.name)?")
        }
        let change = try StoreSession.write(profile.store, output) { store in
            try store.write { chat in
                // What is deleted is what was asked about, with the channels that were told.
                guard let now = try ChatRelaysRepo(chat).find(relay.id, of: user.id), now == relay,
                    try ChatRelaysRepo(chat).use(of: relay.id, of: user.id).using <= use.using || yes
                else { throw PlanOutdated() }
                return try ConfigChange(for: user, hidden: profile.others, in: chat) {
                    let deleted = try ChatRelaysWriter(chat).delete(relay.id, of: user.id)
                    return RelayDeleteReport(
                        user: user, deleted: deleted, row: try RelayRow(deleted, use, in: chat))
                }
            }
        }
        try change.tell(output)
    }
}

extension RelayUseCount {
    /// The app's own sentence, before a relay in use is deleted.
    fileprivate var sentence: String {
        "This relay is used by \(counted(using, "channel")). It will continue serving existing channels."
    }
}

extension RelayRow {
    /// What is left of a relay; of one that is gone, what it was.
    fileprivate init(_ deleted: DeletedRelay, _ use: RelayUseCount, in chat: any ReadTransaction) throws {
        switch deleted.outcome {
        case .deleted: self.init(deleted.relay, use, among: try OperatorsRepo(chat).all())
        case .softDeleted: try self.init(deleted.relay.id, of: deleted.relay.userID, in: chat)
        }
    }
}

/// What came of deleting a relay.
struct RelayDeleteReport: Report {
    let user: User
    let deleted: DeletedRelay
    let row: RelayRow

    var json: JSONValue {
        [
            "outcome": .string(deleted.outcome.rawValue), "channelsUsing": JSONValue(deleted.channelsUsing),
            "user": user.reference, "relay": row.json,
        ]
    }

    var document: Document {
        let rest =
            switch deleted.outcome {
            case .deleted: ""
            case .softDeleted where deleted.channelsUsing == 0:
                "; it stays soft-deleted, because a channel that was left refers to it"
            case .softDeleted: row.channelsKeepIt
            }
        return [.paragraph("The relay \(row.relay.calledName) of \(user.name) was deleted\(rest).")]
    }

    var csvTable: Table { RelayListReport(user: user, relays: [row]).csvTable }
}
