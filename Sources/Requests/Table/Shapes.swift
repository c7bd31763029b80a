/// The shapes that several methods share. docs/json.md describes the same shapes in words.
enum Shapes {
    static let unreadable = Shape.members([
        "table": .nullable(.text), "row": .nullable(.integer), "column": .text, "reason": .text,
    ])

    static let user = Shape.members([
        "userId": .integer, "name": .text, "active": .flag, "hidden": .flag, "agentUserId": .integer,
    ])
    /// A profile as a part of an answer.
    static let profile = Shape.members(["userId": .integer, "name": .text])

    static let enabled = Shape.members(["total": .integer, "enabled": .integer])

    static let relay = Shape.members([
        "chatRelayId": .integer, "address": .text, "name": .text, "shownName": .text, "host": .text,
        "domains": .array(.text), "preset": .flag, "tested": .nullable(.flag), "testedAt": .nullable(.text),
        "enabled": .flag, "deleted": .flag, "operatorOff": .flag,
        "channels": .members(["using": .integer, "active": .integer]),
    ])
    static let relayChannel = Shape.members([
        "groupId": .integer, "name": .text, "localDisplayName": .text, "relayStatus": .text,
        "relayLink": .nullable(.text), "host": .nullable(.text), "membership": .nullable(.text),
    ])

    static let roles = Shape.members(["storage": .flag, "proxy": .flag, "names?": .flag])
    static let ownRoles = Shape.members([
        "storage": .nullable(.flag), "proxy": .nullable(.flag), "names?": .nullable(.flag),
    ])
    static let operatorReference = Shape.members(["operatorId": .integer, "tag": .nullable(.text), "name": .text])
    static let server = Shape.members([
        "serverId": .integer, "protocol": .word(["smp", "xftp"]), "address": .text, "host": .text, "preset": .flag,
        "tested": .nullable(.flag), "enabled": .flag, "operator": .nullable(operatorReference), "operatorOff": .flag,
        "roles": roles, "hasPassword": .flag,
    ])

    static let acceptance = Shape.nullable(
        .members([
            "accepted": .flag, "acceptedAt": .nullable(.text), "automatic": .nullable(.flag),
            "deadline": .nullable(.text),
        ]))
    static let conditions = Shape.nullable(
        .members([
            "commit": .text, "notifiedAt": .nullable(.text), "action": .nullable(.text), "deadline": .nullable(.text),
        ]))
    static let serverOperator = Shape.members([
        "operatorId": .integer, "tag": .nullable(.text), "name": .text, "legalName": .nullable(.text),
        "domains": .array(.text), "enabled": .flag, "roles": .members(["smp": roles, "xftp": roles]),
        "conditions": acceptance,
    ])

    /// The properties that a change has changed, each with its old and its new value.
    static let changedFields = Shape.map(.members(["from": .any, "to": .any]))

    static let progress = Shape.members([
        "active": .integer, "failed": .integer, "removed": .integer, "total": .integer, "done": .flag,
    ])
    static let group = Shape.members([
        "groupId": .integer, "name": .text, "localDisplayName": .text, "useRelays": .flag, "role": .nullable(.text),
        "membership": .nullable(.text), "creatingInProgress": .flag, "nextConnectPrepared": .flag,
        "link": .nullable(.text), "chatTs": .nullable(.text), "progress": progress,
        "progressUnknown": .flag,
    ])

    static let profileDetails = Shape.members([
        "displayName": .text, "fullName": .text, "shortDescr": .nullable(.text), "description": .nullable(.text),
        "contactLink": .nullable(.text), "hasImage": .flag, "preferences": .nullable(.text),
    ])
    static let contact = Shape.members([
        "contactId": .integer, "name": .text, "localDisplayName": .text, "alias": .nullable(.text),
        "contactStatus": .text, "used": .flag, "favourite": .flag, "incognito": .flag, "chatTs": .nullable(.text),
    ])
    static let chatSettings = Shape.members([
        "notifications": .text, "sendRcpts": .nullable(.flag), "chatItemTtl": .nullable(.integer),
    ])

    /// A chat by its kind and number.
    static let chat = Shape.members(["kind": .word(["contact", "group", "notes"]), "id": .integer])
    static let unread = Shape.members(["items": .integer, "mentions": .integer])
    static let item = Shape.members([
        "chatItemId": .integer, "chat": .nullable(chat), "direction": .word(["sent", "received"]), "itemTs": .text,
        "itemStatus": .text, "contentTag": .nullable(.text), "msgContentTag": .nullable(.text), "text": .text,
        "content": .any, "edited": .flag, "deleted": .flag, "live": .flag, "groupMemberId": .nullable(.integer),
        "sharedMsgId": .nullable(.text), "mentionsUser": .flag, "chatItemTtl": .nullable(.integer),
        "deleteAt": .nullable(.text),
    ])
    static let tag = Shape.members([
        "chatTagId": .integer, "text": .text, "emoji": .nullable(.text), "chats": .integer,
    ])
    static let file = Shape.members([
        "fileId": .integer, "chatItemId": .nullable(.integer), "name": .text, "path": .nullable(.text),
        "size": .integer, "direction": .word(["sent", "received"]), "status": .nullable(.text), "cancelled": .flag,
    ])

    /// The copy with which a deletion can be undone.
    static let kept = Shape.nullable(
        .members(["kind": .text, "folder": .text, "path": .nullable(.text), "command": .nullable(.text)]))

    /// The answer of a method that removes something: the key with which the change is made, or that it was made.
    static let consent: KeyValuePairs<String, Shape> = ["applied": .flag, "fingerprint": .nullable(.text)]
}
