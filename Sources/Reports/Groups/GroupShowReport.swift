package import ChatDBKit

/// All properties of a group or channel.
package struct GroupShowReport: Report {
    package let user: User
    package let info: ChannelInfo
    /// What the channel lacks before its creation can be finished.
    package let missing: [GroupsError.MissingPart]
    /// What the profile does there as a relay.
    package let relaying: GroupRelaying
    /// The options for the next command.
    package let given: GivenOptions
    /// Whether chatdb can change the groups of the store.
    package let isWritable: Bool
    /// The relays with which the profile has no connection any more.
    package let lostConnections: LostRelayConnections

    package init(
        _ read: (user: User, info: ChannelInfo, missing: [GroupsError.MissingPart], relaying: GroupRelaying),
        _ given: GivenOptions = .none, isWritable: Bool = true,
        lostConnections: LostRelayConnections = LostRelayConnections()
    ) {
        (user, info, missing, relaying) = read
        self.given = given
        self.isWritable = isWritable
        self.lostConnections = lostConnections
    }

    private var group: Group { info.summary.group }

    package var json: JSONValue {
        [
            "user": user.reference, "group": info.summary.json,
            "profile": [
                "displayName": .string(info.profile.displayName), "fullName": .string(info.profile.fullName),
                "shortDescr": JSONValue(info.profile.shortDescription), "description": JSONValue(info.profile.welcome),
            ],
            "preparedGroup": group.preparedJSON, "owners": .array(info.owners.map(\.json)),
            "subscribers": info.subscribers.map { JSONValue($0) } ?? .null,
            "relays": .array(relays.map(\.connectedJSON)),
            "incompleteRelays": .array(ChannelRelayRow.incompleteRows(of: info).map(\.incompleteJSON)),
            "progress": info.summary.progress.json,
            "mayLeave": .bool(info.mayLeave), "mayDelete": .bool(info.mayDelete),
            "relayService": relaying.json, "delivery": relaying.deliveryJSON,
        ]
    }

    package var document: Document {
        var blocks: [Block] = [
            .heading(group.calledName),
            .fields(
                fields(
                    membership: group.isPrepared ? group.shownMembership : group.membership?.status.text,
                    progress: info.summary.progressText.map { $0 + unreachedClause })),
        ]
        if let text = info.profile.welcome {
            blocks += [.heading("Welcome text"), .verbatim(text, language: "text")]
        }
        if group.isChannel {
            blocks.append(.heading("Relays"))
            blocks.append(.table(ChannelRelayRow.table(relays, whenEmpty: "no relays known")))
        }
        blocks += lostConnectionNotes
        blocks += incompleteRows
        blocks += membersOnly
        blocks += relaying.blocks
        if group.nextConnectPrepared {
            let step: Hint = isWritable ? "\(.groupStart, "id:\(group.id)")" : "join the \(group.kind) in the app"
            blocks.append(.notes([.note(given.text("not joined yet: \(step)"))]))
        }
        if group.isCreating {
            let step: Hint = isWritable ? nextSteps : "in the app, open the channel to complete it, or delete it"
            blocks.append(.notes([.note(given.text("creation not finished: \(step)"))]))
        }
        return Document(blocks)
    }

    /// The relays of the channel.
    package var relays: [ChannelRelayRow] { ChannelRelayRow.rows(of: info, lostConnections) }

    /// How many of the active relays the channel does not reach, a clause with a comma before it; empty for none.
    package var unreachedClause: String {
        let active = relays.filter(\.isActive)
        let lost = active.count { $0.lostClause != nil }
        if lost == 0 { return "" }
        return lost == active.count ? ", but without a connection" : ", \(lost) of them without a connection"
    }

    /// The relays that the channel does not reach any more, and what to do; no block if there are none.
    package var lostConnectionNotes: [Block] {
        let lost = relays.compactMap(\.lostClause)
        if lost.isEmpty { return [] }
        // Another finding of check may be about rows that have nothing to do with the connection.
        let findings = Set(relays.compactMap(\.findingOfLoss)).sorted().joined(separator: " or ")
        let place = isWritable ? "" : "in the app, "
        let step: Hint = """
            if \(.check) finds \(findings), its remedy has the next step. If it does not find that, or does not decide \
            it, \(place)remove the relay from the channel and add it again, or add another
            """
        return [.notes(lost.map(Note.warning) + [Note.note(given.text(step))])]
    }

    /// The rows that lack their relay or their member, and how to delete one; no block if there are none.
    package var incompleteRows: [Block] {
        let rows = info.incompleteRelays
        if rows.isEmpty { return [] }
        let table = ChannelRelayRow.incomplete.table(ChannelRelayRow.incompleteRows(of: info), whenEmpty: "")
        let heading = "Incomplete rows, which do not count"
        // Such a row is no loss, and check names its member instead (unknownMemberWord).
        guard let first = rows.first(where: { !$0.hasUnknownRole }) else {
            let step: Hint = """
                \(.groupMembers, "id:\(group.id)") shows the roles that this version does not know; a newer app may have \
                stored them, so delete no row because of them
                """
            return [.heading(heading), .table(table), .notes([.note(given.text(step))])]
        }
        let command = HintedCommand(.groupRelayRemove, ["id:\(group.id)", "row:\(first.groupRelay.id)"])
        // check tells the loss of a member alone from one of many rows, after which nothing may be deleted.
        if isWritable, rows.contains(where: { !$0.hasUnknownRole && $0.missing != [.relay] }) {
            let step: Hint = "\(.check) shows whether rows were lost, and its remedy has the next step"
            return [.heading(heading), .table(table), .notes([.note(given.text(step))])]
        }
        // The channel reaches its subscribers by the other relay when the membership of the lost one ends.
        let add = HintedCommand(.groupRelayAdd, ["id:\(group.id)", "RELAY"])
        let hasOther = info.relays.contains { $0.groupRelay.status.isCurrent }
        let adding: Hint = first.endsMembership && !hasOther ? "\(add) adds another relay, and then " : ""
        let step: Hint =
            !isWritable
            ? "\(.check) shows more"
            : """
            \(.check) shows whether rows were lost; if so, restore a backup, and delete no row; without a backup, or if \
            no rows were lost, \(adding)\(command) deletes \(rows.count == 1 ? "the row" : "row \(first.groupRelay.id)")
            """
        return [.heading(heading), .table(table), .notes([.note(given.text(step))])]
    }

    /// The note about a channel of the profile's own whose relays are known as members only, so that the number of the
    /// active ones is unknown.
    package var membersOnly: [Block] {
        if !info.summary.hasUnknownProgress || info.relayMembers.isEmpty { return [] }
        let note =
            info.incompleteRelays.isEmpty
            ? """
            the profile owns the channel, but the rows with the status of its relays (group_relays) are missing; the \
            list shows the relays as members
            """
            : """
            all rows with the status of the relays are incomplete; the list shows the relays as members, with the state \
            of their membership only
            """
        return [.notes([.note(note)])]
    }

    private var nextSteps: Hint {
        let id = "id:\(group.id)"
        if missing.contains(.relay), !info.incompleteRelays.isEmpty { return LostRelayAdvice.ofIncompleteRows }
        if missing.contains(.relay) { return LostRelayAdvice.inList(id, orElse: "\(.groupCancel, id) deletes it") }
        return missing.contains(.link)
            ? "\(.groupFinish, id, "--link", "LINK") or \(.groupCancel, id)"
            : "\(.groupFinish, id) or \(.groupCancel, id)"
    }

    package var csvTable: Table {
        let welcome = Field("Welcome text", key: "description", .text(info.profile.welcome))
        let own = Field("Own status as a relay", key: "relayOwnStatus", .text(relaying.group?.status.text))
        let fields = fields(membership: group.membership?.status.text, progress: info.summary.progressText)
        return Document([.fields(fields + [welcome, own])]).csvTable
    }

    /// - Parameters:
    ///   - membership: in formats for programs the stored text.
    ///   - progress: the number of the active relays; for people, also how many of them the channel does not reach.
    private func fields(membership: String?, progress: String?) -> [Field] {
        var fields = [
            Field("Id", key: "groupId", .number(group.id.rawValue)), Field("Kind", .text(group.kind)),
            Field("Name", .text(group.displayName)),
        ]
        if !info.profile.fullName.isEmpty { fields.append(Field("Full name", .text(info.profile.fullName))) }
        if let line = info.profile.shortDescription { fields.append(Field("About", key: "shortDescr", .text(line))) }
        fields.append(Field("Link", .text(group.link)))
        if let link = group.linkToConnect {
            fields.append(Field("Link to connect", key: "linkToConnect", .text(link.text)))
        }
        fields += [
            Field("Your role", key: "role", .text(group.membership?.role.text)),
            Field("Membership", .text(membership)),
            Field("Owners", .text(owners)),
            Field(group.isChannel ? "Subscribers" : "Other members", key: "subscribers", .count(info.subscribers)),
        ]
        if group.isChannel {
            fields.append(Field("Active relays", key: "progress", .text(progress)))
        }
        if group.isCreating { fields.append(Field("Creation", key: "creatingInProgress", .text("not finished"))) }
        fields += [
            Field("May leave", .yesNo(info.mayLeave)), Field("May delete", .yesNo(info.mayDelete)),
            Field("Last chat", key: "chatTs", .time(group.chatTime.date)),
        ]
        return fields
    }

    private var owners: String? {
        let names = info.owners.map { $0.isOwn ? "\($0.localDisplayName) (you)" : $0.localDisplayName }
        return names.isEmpty ? nil : names.joined(separator: ", ")
    }
}

extension Group {
    /// The profile's membership for people: the stored status, which is meaningless before the profile joins and while
    /// the channel is being created.
    package var shownMembership: String? {
        if nextConnectPrepared { return "not joined" }
        if isPrepared, membership?.status == .unknownMember { return "connecting" }
        return isCreating && isCurrent ? "not finished" : membership?.status.text
    }

    /// The state of a group that was prepared from a link; null for any other.
    package var preparedJSON: JSONValue {
        guard let link = linkToConnect else { return .null }
        return [
            "connFullLink": JSONValue(link.full), "connShortLink": JSONValue(link.short),
            "connLinkStartedConnection": .bool(isStarted),
        ]
    }
}
