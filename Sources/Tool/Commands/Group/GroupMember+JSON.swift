import ChatDBKit

extension GroupMember {
    /// The member as programs are told of it.
    var json: JSONValue {
        [
            "groupMemberId": .integer(id.rawValue), "memberId": .string(memberID),
            "name": .string(localDisplayName), "role": .string(role.text), "category": .string(category.text),
            "status": .string(status.text), "own": .bool(isOwn), "relayLink": JSONValue(relayLink),
        ]
    }
}
