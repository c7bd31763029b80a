package import ChatDBKit

/// What is taken out of a channel: a relay, a relay whose row is lost, or a row that does not count. Or what a dry run
/// shows of it. The texts of an old row are in `OldRelayRow`.
package struct GroupRelayRemovalReport: Report {
    /// What is taken out of a channel.
    package enum Target: Equatable {
        /// A relay, whose membership ends.
        case relay(ChannelRelay)
        /// An old row of a relay, which no longer counts, because the channel has the relay by a newer row. Only the
        /// membership of its member ends.
        case oldRow(OldRelayRow)
        /// A row that lacks its relay or its member, and is deleted.
        case row(IncompleteGroupRelay)
        /// A relay whose row of the channel is lost, and whose membership ends.
        case member(RelayMember)

        /// The channel.
        package var groupID: GroupID {
            switch self {
            case .relay(let relay): relay.groupRelay.groupID
            case .oldRow(let old): old.row.groupRelay.groupID
            case .row(let row): row.groupRelay.groupID
            case .member(let relay): relay.member.groupID
            }
        }

        /// Whether the store is backed up first. The row of a relay stays, so nothing of the store is lost.
        package var isBackedUp: Bool { if case .relay = self { false } else { true } }

        /// The number of soft-deleted relays that are removed too, because nothing else refers to them.
        package func purgeable(of user: UserID, in chat: any ReadTransaction) throws -> Int {
            let relays = ChatRelaysRepo(chat)
            return switch self {
            case .relay, .oldRow: 0
            case .row(let row): try relays.purgeable(without: .row(row.groupRelay.id), of: user)
            case .member(let relay): try relays.purgeable(without: .member(relay.member.id), of: user)
            }
        }

        /// Whether the relay or the row is still as it was.
        package func isUnchanged(of user: UserID, in chat: any ReadTransaction) throws -> Bool {
            let relays = GroupRelaysRepo(chat)
            return switch self {
            case .relay(let relay):
                try relays.find(relay.groupRelay.id, of: user) == relay
                    && OldRelayRow(relay, of: user, in: chat) == nil
            case .oldRow(let old):
                try relays.find(old.row.groupRelay.id, of: user) == old.row
                    && OldRelayRow(old.row, of: user, in: chat) == old
            case .row(let row): try relays.incomplete(of: row.groupRelay.groupID, of: user).contains(row)
            case .member(let relay):
                try relays.lostMembers(in: relay.member.groupID, of: user).contains(relay.member)
            }
        }
    }

    package let user: User
    /// The channel; after the change, as it is then.
    package private(set) var group: GroupSummary
    /// The channel before the change.
    private let before: GroupSummary
    package let target: Target
    /// The options for the next command.
    package let given: GivenOptions
    /// The active relays with which the connection is lost, as far as is known.
    private let lost: [GroupRelayID]
    /// Whether the channel has rows or members of other relays that do not count.
    private let hasOtherRelays: Bool
    /// The relay or its old row after the change. It is nil in a dry run, and for an incomplete row or a member.
    private var relay: ChannelRelay?
    /// The member whose row is lost, after the change. It is nil in a dry run, and for a relay or a row.
    private var member: RelayMember?
    /// The number of soft-deleted relays that are removed with the row or the member.
    private var purgedRelays: Int
    /// The backup that is made first; nil if none is made.
    package private(set) var kept: KeptCopy?
    /// Whether the channel has the relay of a deleted row by another row, so that it cannot be added again.
    private var isStillInChannel = false
    private var isApplied = false

    /// The change as a dry run shows it.
    package init(
        user: User, group: GroupSummary, target: Target, given: GivenOptions, lost: [GroupRelayID] = [],
        hasOtherRelays: Bool = true, purgedRelays: Int, kept: KeptCopy?
    ) {
        self.user = user
        self.group = group
        before = group
        self.target = target
        self.given = given
        self.lost = lost
        self.hasOtherRelays = hasOtherRelays
        self.purgedRelays = purgedRelays
        self.kept = kept
    }

    /// Makes the change, and returns the report about it.
    /// - Parameter kept: the backup that was made before.
    package func made(in chat: any WriteTransaction, keeping kept: KeptCopy?) throws -> GroupRelayRemovalReport {
        var made = self
        made.isApplied = true
        made.kept = kept
        switch target {
        case .relay(let old):
            _ = try GroupMembersWriter(chat).remove(old.groupRelay.memberID, of: user.id)
            made.relay = try GroupRelaysRepo(chat).get(old.groupRelay.id, of: user.id)
        case .oldRow(let old):
            _ = try GroupMembersWriter(chat).remove(old.row.groupRelay.memberID, of: user.id)
            made.relay = try GroupRelaysRepo(chat).get(old.row.groupRelay.id, of: user.id)
        case .row(let row):
            made.purgedRelays = try GroupRelaysWriter(chat).deleteIncomplete(
                row.groupRelay.id, in: group.group.id, of: user.id
            ).purgedRelays
            let left = try GroupRelaysRepo(chat).all(of: group.group.id, of: user.id).latest
            made.isStillInChannel = left.contains { $0.relay.id == row.relay?.id && $0.groupRelay.status.isCurrent }
        case .member(let old):
            _ = try GroupMembersWriter(chat).remove(old.member.id, of: user.id)
            made.purgedRelays = try ChatRelaysWriter(chat).purgeUnreferenced(of: user.id)
            made.member = try RelayMembersRepo(chat).get(old.member.id, of: user.id)
        }
        made.group = try GroupsRepo(chat).get(group.group.id, of: user.id)
        return made
    }

    private var called: String { "\(group.group.kind) \(group.group.calledName) of \(user.name)" }

    package var question: String {
        let undo =
            kept == nil ? "Nothing can take this back." : "Only the backup that is made first can take this back."
        return plainQuestion + purgedSentence("is", "are") + (showsCopy ? " \(undo)" : "")
    }

    private var plainQuestion: String {
        switch target {
        case .relay(let relay):
            return "Take the relay \(relay.relay.calledName) out of the \(called)? \(consequence() ?? "")"
        case .oldRow(let old):
            return "\(old.question(of: called)) \(consequence() ?? "")"
        case .row(let row):
            let effect =
                row.endsMembership
                ? ". The membership of its member ends, as when a relay leaves the channel."
                : ", and no relay leaves the channel."
            return """
                Delete row \(row.groupRelay.id) (\(row.nameInBrackets)) of the \(called)? It lacks \
                \(row.lackedWords), so it does not count\(effect)
                """
        case .member(let relay):
            return """
                Take the relay \(relay.member.localDisplayName) out of the \(called)? Its row with the status is lost, so \
                only the membership of its member \(relay.member.id) ends. \(consequence() ?? "")
                """
        }
    }

    /// How many relays serve the channel after the change, a sentence. It is nil for a row that does not count.
    private func consequence(_ word: String = "then") -> String? {
        let progress = before.progress
        switch target {
        case .relay(let relay):
            let left = progress.active - (relay.groupRelay.status == .active ? 1 : 0)
            return staying(left, of: progress.present - 1, besides: relay.groupRelay.id, word: word)
        case .oldRow:
            return staying(progress.active, of: progress.present, besides: nil, word: "now")
        case .row:
            return nil
        case .member:
            if before.hasUnknownProgress, hasOtherRelays { return "The status of the other relays is unknown." }
            return staying(progress.active, of: progress.present, besides: nil, word: word)
        }
    }

    /// The same as a sentence of a dry run with a blank before it; empty after the change.
    private var plannedSentence: String { isApplied ? "" : consequence().map { " \($0)" } ?? "" }

    /// The same as a note after the change, if no relay of the channel is active.
    private var madeNotes: [Note] {
        guard isApplied, oldRow == nil, group.progress.active == 0, let text = consequence("now") else { return [] }
        return [.note("\(text.prefix(1).lowercased())\(text.dropFirst().dropLast())")]
    }

    /// How many relays stay active, a sentence.
    ///
    /// - Parameter present: the number of relays that the channel still has, active or not.
    private func staying(_ left: Int, of present: Int, besides relay: GroupRelayID?, word: String) -> String {
        if left == 0 {
            // If one was active before, the loss of the last active one is what people have to know.
            if before.progress.active > 0 { return "No relay of the channel is active \(word)." }
            return present <= 0 && !hasOtherRelays
                ? "No relay of the channel is left \(word)." : "No relay of the channel is active, as before."
        }
        let stay = left == 1 ? "1 of its relays stays active." : "\(left) of its relays stay active."
        return stay + lostClause(besides: relay, of: left)
    }

    /// How many of the relays that stay active have lost their connection, a sentence with a blank before it; empty if
    /// none has.
    private func lostClause(besides relay: GroupRelayID?, of left: Int) -> String {
        let others = lost.filter { $0 != relay }
        if others.isEmpty { return "" }
        let them = left == 1 ? "it" : others.count == left ? "all of them" : "\(others.count) of them"
        return " The store has lost the connection with \(them): the channel does not reach "
            + (others.count == 1 ? "that relay." : "these relays.")
    }

    /// Whether the answer says how the change can be undone, or that it cannot.
    package var showsCopy: Bool { target.isBackedUp || kept != nil }

    /// The same for the answer.
    private var copyBlocks: [Block] { showsCopy ? kept.blocks(of: .removal) : [] }

    /// How many soft-deleted relays are removed too, and for a dry run whether the change can be undone; sentences with
    /// a blank before them.
    private var lastSentences: String {
        if isApplied { return purgedSentence("was", "were") }
        let undo = kept == nil ? "Nothing could take this back." : "Only the backup could take this back."
        return purgedSentence("would be", "would be") + (showsCopy ? " \(undo)" : "")
    }

    /// The report of a relay, which the other steps of relays have too; nil for anything else.
    private var step: GroupRelayReport? {
        guard case .relay(let old) = target else { return nil }
        var step = GroupRelayReport(
            user: user, group: group, relay: relay ?? old, before: old, given: given, isApplied: isApplied)
        step.plannedSentence = plannedSentence
        step.madeNotes = madeNotes
        return step
    }

    /// The member whose row is lost, as it is now; nil for a relay and for a row.
    private var memberNow: RelayMember? {
        if case .member(let old) = target { member ?? old } else { nil }
    }

    /// The old row of a relay; nil for anything else.
    private var oldRow: OldRelayRow? { if case .oldRow(let old) = target { old } else { nil } }

    package var json: JSONValue {
        guard case .object(let members) = changeJSON else { return changeJSON }
        return .object(
            members + [
                .init("consequence", JSONValue(consequence(isApplied ? "now" : "then"))), .init("kept", kept.json),
            ])
    }

    private var changeJSON: JSONValue {
        if let memberNow {
            return [
                "user": user.reference, "group": group.json, "relay": ChannelRelayRow(memberNow, isJoined: false).json,
                "from": .null, "endsMembership": true, "purgedRelays": JSONValue(purgedRelays),
                "applied": .bool(isApplied),
            ]
        }
        if let oldRow {
            return [
                "user": user.reference, "group": group.json, "relay": (relay ?? oldRow.row).json,
                "from": .string(oldRow.row.groupRelay.status.text), "endsMembership": true,
                "newerRow": oldRow.newer.json, "applied": .bool(isApplied),
            ]
        }
        guard case .row(let row) = target else { return step?.json ?? .null }
        return [
            "user": user.reference, "group": group.json, "relay": ChannelRelayRow(row).incompleteJSON,
            "from": .string(row.groupRelay.status.text), "endsMembership": .bool(row.endsMembership),
            "purgedRelays": JSONValue(purgedRelays), "applied": .bool(isApplied),
        ]
    }

    package var document: Document { Document(changeDocument.blocks + copyBlocks) }

    private var changeDocument: Document {
        if let memberNow {
            let progress = isApplied ? group.progressText.map { " Active relays: \($0)." } ?? "" : ""
            return [
                .paragraph(
                    """
                    The relay \(memberNow.member.localDisplayName) \(isApplied ? "was" : "would be") taken out of the \
                    \(called). The membership of its member \(memberNow.member.id), whose row is lost, \
                    \(isApplied ? "has ended" : "would end").\(plannedSentence)\(progress)\(lastSentences)
                    """), .notes(madeNotes),
            ]
        }
        if let oldRow {
            let progress = isApplied ? group.progressText.map { " Active relays: \($0)." } ?? "" : ""
            let answer = oldRow.answer(of: called, isApplied: isApplied)
            return [.paragraph(answer + plannedSentence + progress + lastSentences)]
        }
        guard case .row(let row) = target else { return step?.document ?? [] }
        let (was, lacked) = isApplied ? ("was", "lacked") : ("would be", "lacks")
        var sentences = [
            "Row \(row.groupRelay.id) (\(row.nameInBrackets)) of the \(called) \(was) deleted.",
            "It \(lacked) \(row.lackedWords).",
        ]
        if row.endsMembership {
            sentences.append("The membership of its member \(isApplied ? "ended" : "would end").")
        }
        var notes: [Note] = []
        // A channel can use only a relay that is enabled.
        if let relay = row.relay, isApplied, relay.isEnabled, !relay.isDeleted, !isStillInChannel {
            let add = HintedCommand(.groupRelayAdd, ["id:\(group.group.id)", "id:\(relay.id)"])
            notes.append(.note("\(add.text(given)) adds the relay to the channel again"))
        }
        return [.paragraph(sentences.joined(separator: " ") + lastSentences), .notes(notes)]
    }

    /// How many soft-deleted relays are removed with the last reference, a sentence with a blank before it; empty for
    /// none.
    static func sentence(ofPurged count: Int, _ was: String = "was", _ were: String = "were") -> String {
        if count == 0 { return "" }
        return " \(counted(count, "soft-deleted relay")) without a channel \(count == 1 ? was : were) removed too."
    }

    private func purgedSentence(_ was: String, _ were: String) -> String {
        Self.sentence(ofPurged: purgedRelays, was, were)
    }

    package var csvTable: Table {
        if let memberNow { return ChannelRelayRow.fields.csv([ChannelRelayRow(memberNow, isJoined: false)]) }
        if let oldRow { return ChannelRelayRow.fields.csv([ChannelRelayRow(relay ?? oldRow.row)]) }
        guard case .row(let row) = target else { return step?.csvTable ?? document.csvTable }
        return ChannelRelayRow.fields.csv([ChannelRelayRow(row)])
    }
}

extension IncompleteGroupRelay {
    /// What the row lacks, in words: `its member`.
    package var lackedWords: String {
        missing.map { isUnknown($0) ? "a member with a role that this version knows" : "its \($0.rawValue)" }
            .joined(separator: " and ")
    }

    /// What the row lacks, in lists: `member`.
    package var missingWords: [String] {
        missing.map { isUnknown($0) ? "member with a known role" : $0.rawValue }
    }

    /// What is wrong with the relay, behind its name in the relays of a channel: `id:7, lost`, `member missing`.
    package var stateWords: String {
        ([lostWords].compactMap(\.self) + otherStateWords).joined(separator: ", ")
    }

    /// The name of the relay behind what is wrong with it: `lost: mine (id:7)`, `member missing: mine`.
    package var nameBehindState: String {
        let isLost = lostWords != nil
        let words = ((isLost ? ["lost"] : []) + otherStateWords).joined(separator: ", ")
        return "\(words): \(name)" + (isLost ? " (id:\(groupRelay.chatRelayID))" : "")
    }

    private var otherStateWords: [String] {
        missingWords.filter { $0 != Part.relay.rawValue }.map { "\($0) missing" }
    }

    private func isUnknown(_ part: Part) -> Bool { part == .member && hasUnknownRole }
}
