import ChatDBKit

/// A relay of a channel in the answers of commands: on the owner's side with its part in the channel, on a subscriber's as
/// the member it is.
enum ChannelRelayRow {
    case owner(ChannelRelay)
    case member(GroupMember)

    /// The relays of a channel, on whichever side the profile is.
    static func rows(of info: ChannelInfo) -> [ChannelRelayRow] {
        info.relays.isEmpty ? info.relayMembers.map(Self.member) : info.relays.map(Self.owner)
    }

    var json: JSONValue {
        switch self {
        case .owner(let relay): relay.json
        case .member(let member):
            [
                "groupRelayId": .null, "groupMemberId": .integer(member.id.rawValue), "userChatRelayId": .null,
                "name": .string(member.localDisplayName), "shownName": .string(member.localDisplayName),
                "relayStatus": .null, "relayLink": JSONValue(member.relayLink),
                "host": JSONValue(member.relayLink.map(linkHost)), "memberStatus": .string(member.status.text),
            ]
        }
    }

    static let columns = [
        Column("Id", key: "groupRelayId", alignment: .right), Column("Relay", key: "name", shrinking: .end),
        Column("Host", shrinking: .middle), Column("Status", key: "relayStatus"),
        Column("Member", key: "memberStatus"),
    ]

    var cells: [Cell] {
        switch self {
        case .owner(let relay):
            let status = relay.groupRelay.status
            let style: CellStyle? = status == .active ? .good : status == .rejected ? .bad : nil
            return [
                .number(relay.groupRelay.id.rawValue), .text(relay.relay.calledName), .text(relay.host),
                .text(status.shownName, style), .text(relay.memberStatus.text),
            ]
        case .member(let member):
            return [
                .nothing, .text(member.localDisplayName), .text(member.relayLink.map(linkHost)), .nothing,
                .text(member.status.text),
            ]
        }
    }
}

extension ChannelRelayRow {
    static let keys = [
        "groupRelayId", "groupMemberId", "userChatRelayId", "name", "host", "relayStatus", "relayLink", "memberStatus",
    ]

    /// With the texts that are stored, for machines.
    var csvCells: [Cell] {
        switch self {
        case .owner(let relay):
            [
                .number(relay.groupRelay.id.rawValue), .number(relay.groupRelay.memberID.rawValue),
                .number(relay.groupRelay.chatRelayID.rawValue), .text(relay.relay.name), .text(relay.host),
                .text(relay.groupRelay.status.text), .text(relay.groupRelay.relayLink),
                .text(relay.memberStatus.text),
            ]
        case .member(let member):
            [
                .nothing, .number(member.id.rawValue), .nothing, .text(member.localDisplayName),
                .text(member.relayLink.map(linkHost)), .nothing, .text(member.relayLink),
                .text(member.status.text),
            ]
        }
    }
}

extension ChannelRelay {
    /// The relay's part in the channel, in JSON.
    var json: JSONValue {
        [
            "groupRelayId": .integer(groupRelay.id.rawValue),
            "groupMemberId": .integer(groupRelay.memberID.rawValue),
            "userChatRelayId": .integer(groupRelay.chatRelayID.rawValue), "name": .string(relay.name),
            "shownName": .string(relay.shownName), "relayStatus": .string(groupRelay.status.text),
            "relayLink": JSONValue(groupRelay.relayLink), "host": .string(host),
            "memberStatus": .string(memberStatus.text),
        ]
    }
}
