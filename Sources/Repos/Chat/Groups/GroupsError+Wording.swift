import ChatDBEngine
import ChatDBReposKit
package import ChatDBSchema

extension GroupsError {
    /// A stable word.
    public var code: String {
        switch self {
        case .groupNotFound: "groupNotFound"
        case .memberNotFound: "memberNotFound"
        case .groupRelayNotFound: "groupRelayNotFound"
        case .invalidGroupName: "invalidGroupName"
        case .invalidMemberName: "invalidMemberName"
        case .invalidMemberID: "invalidMemberId"
        case .invalidGroupLink: "invalidGroupLink"
        case .invalidRelayLink: "invalidRelayLink"
        case .notAChannel: "notAChannel"
        case .relayDisabled: "relayDisabled"
        case .relayInChannel: "relayInChannel"
        case .relayStepNotAllowed: "relayStepNotAllowed"
        case .creationFinished: "creationFinished"
        case .alreadyStarted: "alreadyStarted"
        case .notPrepared: "notPrepared"
        case .ownAddress: "ownAddress"
        case .notInGroup: "notInGroup"
        case .soleOwner: "soleOwner"
        case .notOwner: "notOwner"
        case .duplicateMember: "duplicateMember"
        case .ownMembership: "ownMembership"
        case .relayRole: "relayRole"
        case .memberGone: "memberGone"
        case .relays(let error): error.code
        case .users(let error): error.code
        case .store(let error): error.kind.rawValue
        }
    }

    /// The whole sentence, without a full stop.
    public var message: String {
        switch self {
        case .groupNotFound(let named): "the profile has no group \(named)"
        case .memberNotFound(let named): "the profile has no member \(named) in its groups"
        case .groupRelayNotFound(let named): "no channel of the profile has a relay with the number \(named)"
        case .invalidGroupName(let problem): "the name of the group \(problem.message)"
        case .invalidMemberName(let problem): "the name of the member \(problem.message)"
        case .invalidMemberID(let problem): "the id of the member \(problem.message)"
        case .invalidGroupLink(let error): error.message
        case .invalidRelayLink(let problem): "the link of the relay \(problem.message)"
        case .notAChannel(let group): "\(group.label) is a group, and only channels have relays"
        case .relayDisabled(let relay):
            "the channel cannot use the relay \(relay.label): "
                + "\(relay.isEnabled ? "its operator is off" : "it is disabled"); choose another, or enable it"
        case .relayInChannel(let relay, let group):
            "the relay \(relay.label) cannot be added to \(group.label): it is in it already"
        case .relayStepNotAllowed(let relay, let next):
            "the relay \(relay.relay.label) cannot become \(next) in the group \(relay.groupRelay.groupID): "
                + "it is \(relay.groupRelay.status) there, and steps go forward only"
        default: moreMessages
        }
    }

    private var moreMessages: String {
        switch self {
        case .creationFinished(let group): "\(group.label) cannot be finished: it was finished before"
        case .alreadyStarted(let group): "joining \(group.label) was started already"
        case .notPrepared(let group): "\(group.label) is not prepared: it was not made by opening a link"
        case .ownAddress: "the link is the profile's own address, and not that of a group"
        case .notInGroup(let group): "the profile is not in \(group.label)"
        case .soleOwner(let group):
            "the profile cannot leave \(group.label), nor give up being its owner: "
                + "it is the only one; make another member an owner, or delete it"
        case .notOwner(let group): "only owners delete \(group.label); leave it first"
        case .duplicateMember(let member): "the member cannot be added: the group has it already, as \(member.label)"
        case .ownMembership(let group): "the own membership in \(group.label) is not changed this way; leave it instead"
        case .relayRole(let member, let role):
            "the member \(member.label) cannot become \(role): it is \(member.role), "
                + "and a relay stays one, as nobody becomes one"
        case .memberGone(let member):
            "the member \(member.label) cannot be removed: it is in the group no more (\(member.status))"
        case .relays(let error): error.message
        case .users(let error): error.message
        case .store(let error): error.message
        default: code
        }
    }

    /// A command that helps, or nil.
    public var hint: String? {
        switch self {
        case .groupNotFound, .notPrepared: "chatdb group list"
        case .memberNotFound(.id), .memberNotFound(.name), .memberGone: "chatdb group members GROUP"
        case .groupRelayNotFound: "chatdb group relays GROUP"
        case .relayDisabled: "chatdb relay list"
        case .alreadyStarted(let group), .soleOwner(let group): "chatdb group delete id:\(group.id)"
        case .notOwner(let group), .ownMembership(let group): "chatdb group leave id:\(group.id)"
        case .relays(let error): error.hint
        case .users(let error): error.hint
        default: nil
        }
    }

    package var details: JSONValue {
        switch self {
        case .groupNotFound(let named): ["group": named.json]
        case .memberNotFound(let named): ["member": named.json]
        case .groupRelayNotFound(let named): ["groupRelay": named.json]
        case .relayDisabled(let relay): ["relay": relay.reference]
        case .relayInChannel(let relay, let group): ["relay": relay.reference, "group": group.reference]
        case .relayStepNotAllowed(let relay, let next):
            [
                "groupRelayId": .integer(relay.groupRelay.id.rawValue),
                "from": .string(relay.groupRelay.status.text), "to": .string(next.text),
            ]
        case .notAChannel(let group), .creationFinished(let group), .alreadyStarted(let group),
            .notPrepared(let group), .notInGroup(let group), .soleOwner(let group), .notOwner(let group),
            .ownMembership(let group):
            ["group": group.reference]
        case .duplicateMember(let member), .relayRole(let member, _), .memberGone(let member):
            ["member": member.reference]
        case .relays(let error): error.details
        case .users(let error): error.details
        default: [:]
        }
    }
}

extension Group {
    /// The group in a sentence: its name and its number.
    var label: String { "\"\(localDisplayName)\" (id \(id))" }

    var reference: JSONValue { ["groupId": .integer(id.rawValue), "name": .string(localDisplayName)] }
}

extension GroupMember {
    /// The member in a sentence.
    var label: String { "\"\(localDisplayName)\" (id \(id))" }

    var reference: JSONValue {
        [
            "groupMemberId": .integer(id.rawValue), "name": .string(localDisplayName),
            "status": .string(status.text),
        ]
    }
}
