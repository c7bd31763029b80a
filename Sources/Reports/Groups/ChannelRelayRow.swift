package import ChatDBKit

/// A relay of a channel in the answers of commands: with its status in the channel for an owner, as a member for a
/// subscriber.
package struct ChannelRelayRow {
    package let member: GroupMemberID
    /// The status of its membership; nil for a row that lacks its member.
    private let memberStatus: GroupMemberStatus?
    private let name: String
    private let shownName: String
    package private(set) var calledName: String
    private let host: String?
    private let link: String?
    /// Its status in the channel; nil for a subscriber.
    private let part: GroupRelay?
    /// The relay in the profile's list; nil for a subscriber, and for a row that lacks its relay.
    private let relay: ChatRelay?
    private let isOperatorOff: Bool?
    /// How far a subscriber has come with the relay; nil for an owner.
    private let joining: RelayMember.State?
    /// Whether an owner removed the relay from the channel.
    package var isRemoved: Bool { memberStatus == .removed }
    /// What the row lacks, so that it does not count; empty for relays.
    private var missing: [IncompleteGroupRelay.Part] = []
    /// The same in words.
    private var missingWords = ""
    /// The database that lost the connection with the relay; nil if none did, or if that is not known.
    private var lostConnection: DatabaseName?

    package init(_ relay: ChannelRelay) {
        (self.relay, isOperatorOff) = (relay.relay, relay.isOperatorOff)
        (member, memberStatus) = (relay.groupRelay.memberID, relay.memberStatus)
        (name, shownName, calledName) = (relay.relay.name, relay.relay.shownName, relay.relay.calledName)
        (host, link, part, joining) = (relay.host, relay.groupRelay.relayLink, relay.groupRelay, nil)
    }

    /// A row that lacks its relay or its member. It is in no list of relays, because it does not count.
    package init(_ row: IncompleteGroupRelay) {
        (relay, isOperatorOff) = (row.relay, nil)
        (member, memberStatus) = (row.groupRelay.memberID, row.memberStatus)
        (name, shownName, calledName) = (row.relay?.name ?? "", row.relay?.shownName ?? row.calledName, row.calledName)
        (host, link) = (row.groupRelay.relayLink.map(linkHost) ?? row.relay?.host, row.groupRelay.relayLink)
        (part, joining, missing) = (row.groupRelay, nil, row.missing)
        missingWords = row.missingWords.joined(separator: ", ")
    }

    /// - Parameter isJoined: whether the profile joins the channel through the relay: it neither owns nor relays it.
    package init(_ relay: RelayMember, isJoined: Bool) {
        (self.relay, isOperatorOff) = (nil, nil)
        (member, memberStatus) = (relay.member.id, relay.member.status)
        let name = relay.member.localDisplayName
        (self.name, shownName, calledName) = (name, name, name)
        (host, link, part, joining) = (relay.host, relay.link, nil, isJoined ? relay.state : nil)
    }

    /// The relays of a channel with their progress. The profile joins the channel if it has relays only as members.
    package static func rows(of progress: ChannelProgress) -> [ChannelRelayRow] {
        progress.relays.map { Self($0) } + progress.members.map { Self($0, isJoined: true) }
    }

    /// The relays of a channel, for an owner or a subscriber.
    package static func rows(of info: ChannelInfo, _ lost: LostRelayConnections) -> [ChannelRelayRow] {
        let role = info.summary.group.membership?.role
        let isJoined = role != .owner && role != .relay
        if info.relays.isEmpty {
            let lost = Dictionary(info.incompleteRelays.map { ($0.groupRelay.memberID, $0.calledName) }) { $1 }
            return info.relayMembers.map { relay in
                var row = Self(relay, isJoined: isJoined)
                if let name = lost[relay.member.id] { row.calledName = name }
                return row
            }
        }
        return info.relays.map { relay in
            var row = Self(relay)
            row.lostConnection = lost.databases[relay.groupRelay.memberID]
            return row
        }
    }

    /// The relays of the channels that a profile owns, each once. If the rows with their status are lost, they are those
    /// that the channel has as members.
    package static func rows(
        of groups: [GroupSummary], of user: UserID, in chat: any ReadTransaction
    ) throws -> [GroupID: [ChannelRelayRow]] {
        var rows = try GroupRelaysRepo(chat).all(of: user).mapValues { relays in relays.latest.map { Self($0) } }
        for id in groups.filter(\.hasUnknownProgress).map(\.group.id) {
            rows[id] = try RelayMembersRepo(chat).all(of: id, of: user).map { Self($0, isJoined: false) }
        }
        return rows
    }

    /// The rows of a channel that lack their relay or their member.
    package static func incompleteRows(of info: ChannelInfo) -> [ChannelRelayRow] {
        info.incompleteRelays.map { Self($0) }
    }

    /// The relay as programs read it.
    package var json: JSONValue { Self.fields.json(self) }

    /// The same, with the database that lost the connection with the relay.
    package var connectedJSON: JSONValue {
        .object((json.members ?? []) + [.init("lostConnection", JSONValue(lostConnection?.rawValue))])
    }

    /// Whether it is active in the channel of an owner, by its status.
    package var isActive: Bool { part?.status == .active }

    /// What is wrong with the connection, a clause; nil if nothing is.
    package var lostClause: String? {
        lostConnection.map {
            "the \($0) database has no connection with the relay \(calledName): the channel does not reach it"
        }
    }

    /// The check that finds the lost connection; nil if nothing is wrong with it.
    package var findingOfLoss: String? {
        lostConnection.map { $0 == .chat ? "groupRelayWithoutConnection" : "connectionWithoutAgent" }
    }
}

extension ChannelRelayRow {
    private typealias Field = FieldSpec<ChannelRelayRow>

    /// The stored texts, for programs and spreadsheets.
    package static var fields: [FieldSpec<ChannelRelayRow>] {
        [
            id, .number("groupMemberId") { $0.member.rawValue },
            .number("userChatRelayId") { $0.part?.chatRelayID.rawValue }, .text("name") { $0.name },
            .json("shownName") { .string($0.shownName) }, .csv("host") { .text($0.host) },
            .text("relayStatus") { $0.part?.status.text }, .text("relayLink") { $0.link },
            .json("host") { JSONValue($0.host) }, status, .flag("enabled") { $0.relay?.isEnabled },
            .flag("deleted") { $0.relay?.isDeleted }, .flag("operatorOff") { $0.isOperatorOff },
            .text("joining") { $0.joining?.text }, .text("failure") { $0.joining?.reason },
        ]
    }

    /// The relays of a channel, for people. The host of a relay is that of its address, as in lists of relays. If the
    /// link of a relay for the channel has another host, a column has the hosts of the links.
    package static func table(_ relays: [ChannelRelayRow], whenEmpty: String) -> Table {
        let links = relays.contains { $0.hostOfLink != nil && $0.hostOfLink != $0.hostOfRelay }
        let fields: [FieldSpec<ChannelRelayRow>] =
            [
                id, called, .shown("Host", shrinking: .middle) { .text($0.hostOfRelay) },
            ]
            + (links ? [.shown("Link host", shrinking: .middle) { .text($0.hostOfLink) }] : [])
            + [shownStatus, status, .shown("State") { $0.state }]
        return fields.table(relays, whenEmpty: whenEmpty)
    }

    /// The host of the relay's address. A subscriber knows only the link of the relay for the channel.
    private var hostOfRelay: String? { relay?.host ?? host }

    /// The host of the relay's link for the channel.
    private var hostOfLink: String? { link.map(linkHost) }

    /// The rows of a channel that lack their relay or their member, for people.
    package static var incomplete: [FieldSpec<ChannelRelayRow>] {
        [
            id, called, .shown("Status") { .text($0.part?.status.shownName) },
            .shown("Missing") { .text($0.missingWords, .bad) },
        ]
    }

    /// The row as programs read it, if it lacks its relay or its member.
    package var incompleteJSON: JSONValue {
        .object((json.members ?? []) + [.init("missing", .array(missing.map { .string($0.rawValue) }))])
    }

    /// Relays of a channel, and rows that do not count, for spreadsheets.
    package static func csvTable(_ rows: [ChannelRelayRow]) -> Table {
        let added: [FieldSpec<ChannelRelayRow>] = [
            .csv("missing") { .text($0.missing.map(\.rawValue).joined(separator: " ")) },
            .csv("lostConnection") { .text($0.lostConnection?.rawValue) },
        ]
        return (fields + added).csv(rows)
    }

    /// Whether a new channel may use the relay, or the reasons why none may, and whether the connection with it is lost.
    /// The cell is empty if the relay is not one of the profile's, as for a subscriber.
    private var state: Cell {
        guard let relay, let isOperatorOff else { return .nothing }
        let off = relay.offWords(isOperatorOff: isOperatorOff)
        if lostConnection != nil { return .text("\(off ?? "enabled"), connection missing", .bad) }
        return off.map { .text($0, .bad) } ?? .text("enabled", .good)
    }

    private var statusCell: Cell {
        switch joining {
        case .connecting: return .text("Connecting")
        case .active: return .text("Active", .good)
        case .failed(let reason): return .text("Failed: \(reason)", .bad)
        case nil: break
        }
        let isGood = isActive && lostConnection == nil
        return .text(part?.status.shownName, isGood ? .good : part?.status == .rejected ? .bad : nil)
    }

    private static var id: Field { .number("groupRelayId", "Row") { $0.part?.id.rawValue } }
    private static var called: Field { .shown("Relay", shrinking: .end) { .text($0.calledName) } }
    private static var shownStatus: Field { .shown("Status") { $0.statusCell } }
    private static var status: Field { .text("memberStatus", "Member") { $0.memberStatus?.text } }
}

extension ChannelRelay {
    /// The relay's status in the channel, in JSON.
    package var json: JSONValue { ChannelRelayRow(self).json }
}
