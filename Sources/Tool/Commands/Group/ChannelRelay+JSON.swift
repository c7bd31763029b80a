import Repos
import Schema

extension ChannelRelay {
    /// The relay's part in the channel as programs are told of it.
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
