import ArgumentParser
import ChatDBKit

struct RelayDelete: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete a custom relay. Channels that use it keep it.",
        discussion: """
            Asks for confirmation if channels use the relay. A preset relay cannot be deleted, only disabled.

            Examples:
              chatdb relay delete 'my relay'
              chatdb relay delete id:7 --yes
              chatdb relay delete relay.example.org --yes --format json
            """)

    @OptionGroup var named: RelayArgument

    @Flag(help: "Do not ask for confirmation.")
    var yes = false

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let output = try output.output()
        try ConfirmedChange(output: output, yes: yes).run(
            read: {
                try StoreSession.readToWrite(profile.store, output) { store in try store.read { try found(in: $0) } }
            },
            decide: { found in
                if found.relay.isPreset { throw ChatRelaysError.presetRelayCannotBeDeleted(found.relay) }
                if found.use.using == 0 { return .make }
                if yes { output.note(found.use.sentence) }
                let (relay, user) = (found.relay.calledName, found.user.name)
                return .ask(.init(text: "\(found.use.sentence) Delete \"\(relay)\" of \(user)?"))
            },
            write: { found in
                try StoreSession.write(profile.store, output) { try $0.write { try delete(found, in: $0) } }
            }
        ).tell(output)
    }

    /// The relay to delete, with the channels that use it.
    private struct Found {
        let user: User
        let relay: ChatRelay
        let use: RelayUseCount
    }

    private func found(in chat: any ReadTransaction) throws -> Found {
        let user = try profile.profile(in: chat)
        let relay = try RelayFinder.find(named.relay, of: user, in: chat)
        return Found(user: user, relay: relay, use: try ChatRelaysRepo(chat).use(of: relay.id, of: user.id))
    }

    /// Deletes the relay that was asked about, while no more channels use it than the question said.
    private func delete(_ found: Found, in chat: any WriteTransaction) throws -> ConfigChange<RelayDeleteReport> {
        let (user, relay) = (found.user, found.relay)
        guard let now = try ChatRelaysRepo(chat).find(relay.id, of: user.id), now == relay,
            try ChatRelaysRepo(chat).use(of: relay.id, of: user.id).using <= found.use.using || yes
        else { throw PlanOutdated() }
        return try ConfigChange(for: user, hidden: profile.others, in: chat) {
            let deleted = try ChatRelaysWriter(chat).delete(relay.id, of: user.id)
            return RelayDeleteReport(user: user, deleted: deleted, row: try RelayRow(deleted, found.use, in: chat))
        }
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
                "; it stays soft-deleted, because a channel that the profile left refers to it"
            case .softDeleted: row.channelsKeepIt
            }
        return [.paragraph("The relay \(row.relay.calledName) of \(user.name) was deleted\(rest).")]
    }

    var csvTable: Table { RelayRow.fields.csv([row]) }
}
