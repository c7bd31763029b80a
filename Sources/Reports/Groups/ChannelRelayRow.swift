package import ChatDBKit

/// A relay of a channel in the answers of commands: with its status in the channel for an owner, as a member for a
/// subscriber.
package struct ChannelRelayRow {
    private let member: GroupMemberID
    private let memberStatus: GroupMemberStatus
    private let name: String
    private let shownName: String
    private let calledName: String
    private let host: String?
    private let link: String?
    /// Its status in the channel; nil for a subscriber.
    private let part: GroupRelay?
    /// The relay in the profile's list; nil for a subscriber.
    private let relay: ChatRelay?
    private let isOperatorOff: Bool?
    /// How far a subscriber has come with the relay; nil for an owner.
    private let joining: RelayMember.State?

    package init(_ relay: ChannelRelay) {
        (self.relay, isOperatorOff) = (relay.relay, relay.isOperatorOff)
        (member, memberStatus) = (relay.groupRelay.memberID, relay.memberStatus)
        (name, shownName, calledName) = (relay.relay.name, relay.relay.shownName, relay.relay.calledName)
        (host, link, part, joining) = (relay.host, relay.groupRelay.relayLink, relay.groupRelay, nil)
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
    package static func rows(of info: ChannelInfo) -> [ChannelRelayRow] {
        let role = info.summary.group.membership?.role
        let isJoined = role != .owner && role != .relay
        return info.relays.isEmpty
            ? info.relayMembers.map { Self($0, isJoined: isJoined) } : info.relays.map { Self($0) }
    }

    /// The relay as programs read it.
    package var json: JSONValue { Self.fields.json(self) }
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

    /// The relays of a channel, for people.
    package static var listed: [FieldSpec<ChannelRelayRow>] {
        [
            id, .shown("Relay", shrinking: .end) { .text($0.calledName) },
            .shown("Host", shrinking: .middle) { .text($0.host) }, .shown("Status") { $0.shownStatus }, status,
            .shown("State") { $0.state },
        ]
    }

    /// Whether a new channel may use the relay, or the reasons why none may. The cell is empty if the relay is not one of the
    /// profile's, as for a subscriber.
    private var state: Cell {
        guard let relay, let isOperatorOff else { return .nothing }
        return relay.offWords(isOperatorOff: isOperatorOff).map { .text($0, .bad) } ?? .text("enabled", .good)
    }

    private var shownStatus: Cell {
        switch joining {
        case .connecting: return .text("Connecting")
        case .active: return .text("Active", .good)
        case .failed(let reason): return .text("Failed: \(reason)", .bad)
        case nil: break
        }
        return .text(part?.status.shownName, part?.status == .active ? .good : part?.status == .rejected ? .bad : nil)
    }

    private static var id: Field { .number("groupRelayId", "Id") { $0.part?.id.rawValue } }
    private static var status: Field { .text("memberStatus", "Member") { $0.memberStatus.text } }
}

extension ChannelRelay {
    /// The relay's status in the channel, in JSON.
    package var json: JSONValue { ChannelRelayRow(self).json }
}

extension ChannelInfo {
    /// Whether the profile owns the channel, and has its relays as members only.
    package var lacksRelayRows: Bool {
        relays.isEmpty && !relayMembers.isEmpty && summary.group.membership?.role == .owner
    }
}
