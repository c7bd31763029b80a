import ChatDBEngine
import ChatDBReposKit
public import ChatDBSchema

extension GroupsError {
    /// The kind, code, message and details of the error.
    public var info: ErrorInfo {
        switch self {
        case .groupNotFound(let named):
            .refused("groupNotFound", "the profile has no group \(named)", ["group": named.json])
        case .memberNotFound(let named):
            .refused("memberNotFound", "the profile has no member \(named) in its groups", ["member": named.json])
        case .groupRelayNotFound(let named):
            .refused(
                "groupRelayNotFound", "no channel of the profile has a relay with the number \(named)",
                ["groupRelay": named.json])
        case .contactNotFound(let id):
            .refused("contactNotFound", "the profile has no contact \(id)", ["contact": .integer(id.rawValue)])
        case .invalidVerifiedCode(let problem):
            .invalid("invalidVerifiedCode", "the security code \(problem.message)")
        case .invalidPublicGroupID(let problem):
            .invalid("invalidPublicGroupId", "the id of the public group \(problem.message)")
        case .channelIsNoBusinessChat(let group):
            .refused(
                "channelIsNoBusinessChat", "\(group.label) is a channel, and only groups are business chats",
                ["group": group.reference])
        case .invalidGroupName(let problem): .invalid("invalidGroupName", "the name of the group \(problem.message)")
        case .invalidMemberName(let problem): .invalid("invalidMemberName", "the name of the member \(problem.message)")
        case .invalidMemberID(let problem): .invalid("invalidMemberId", "the id of the member \(problem.message)")
        case .invalidGroupLink(let error): .invalid("invalidGroupLink", error.message)
        case .invalidRelayLink(let problem): .invalid("invalidRelayLink", "the link of the relay \(problem.message)")
        case .notALinkOfRelay(let error): .invalid("invalidRelayLink", error.message)
        case .ownRelayAddress:
            .invalid(
                "invalidRelayLink",
                "the link is the address of the relay itself; the relay made another link for the channel")
        case .linkOfChannel(let group):
            .invalid(
                "invalidRelayLink",
                "the link is that of the channel \(group.label) itself; the relay made another link for the channel")
        case .linkOfOtherRelay(let relay, let group):
            .invalid(
                "invalidRelayLink",
                """
                the link is that of the relay "\(relay.calledName)" of the channel \(group.label); each relay makes a \
                link of its own for a channel
                """)
        case .notAChannel(let group):
            .refused(
                "notAChannel", "\(group.label) is a group, and only channels have relays", ["group": group.reference])
        case .ownChannel(let group):
            .refused(
                "ownChannel",
                "the profile does not join \(group.label) through relays: it owns the channel or is one of its relays",
                ["group": group.reference])
        case .relayDisabled(let relay):
            .refused(
                "relayDisabled",
                "the channel cannot use the relay \(relay.label): "
                    + "\(relay.isEnabled ? "its operator is disabled" : "it is disabled"); choose another, or enable it",
                ["relay": relay.reference])
        case .relayInChannel(let relay, let group):
            .refused(
                "relayInChannel",
                "the relay \(relay.label) cannot be added to \(group.label): the channel has it already",
                ["relay": relay.reference, "group": group.reference])
        case .relayStepNotAllowed(let relay, let next):
            .refused(
                "relayStepNotAllowed",
                "the relay \(relay.label) cannot become \(next.shownWord) in the group id:\(relay.groupRelay.groupID): "
                    + "it is \(relay.groupRelay.status.shownWord) there, and "
                    + (relay.lacksLink(for: next) ? "its link for the channel is missing" : "steps go forward only"),
                [
                    "groupRelayId": .integer(relay.groupRelay.id.rawValue),
                    "from": .string(relay.groupRelay.status.text), "to": .string(next.text),
                ])
        case .creationFinished(let group):
            .refused(
                "creationFinished",
                "\(group.label) cannot be finished: \(group.finishedClause)",
                ["group": group.reference])
        case .creationIncomplete(let group, let missing):
            .refused(
                "creationIncomplete",
                "\(group.label) cannot be finished: it has \(group.lack(of: missing))",
                ["group": group.reference, "missing": .array(missing.map { .string($0.rawValue) })])
        case .duplicateGroupLink(let group):
            .refused(
                "duplicateGroupLink", "\(group.label) has this link already; each group has a link of its own",
                ["group": group.reference])
        case .alreadyStarted(let group):
            .refused(
                "alreadyStarted", "joining \(group.label) was started already: \(group.membershipClause)",
                ["group": group.reference])
        case .notPrepared(let group):
            .refused(
                "notPrepared", "\(group.label) is not prepared: \(group.originClause)",
                ["group": group.reference])
        case .ownAddress: .refused("ownAddress", "the link is the profile's own address, not a group's")
        case .notInGroup(let group):
            .refused(
                "notInGroup", "the profile is not in \(group.label): \(group.membershipClause)",
                ["group": group.reference])
        case .soleOwner(let group):
            .refused(
                "soleOwner",
                "the profile cannot leave \(group.label) or stop being its owner: "
                    + "it is the only owner; make another member an owner, or delete the group",
                ["group": group.reference])
        case .notOwner(let group):
            .refused(
                "notOwner", "only owners can delete \(group.label), or change its link and its relays",
                ["group": group.reference])
        case .relayRefusal(let group):
            .refused(
                "relayRefusal",
                "\(group.label) cannot be deleted: the profile refuses to relay it, and would take the next request; "
                    + "an app has to allow it first", ["group": group.reference])
        case .duplicateMember(let member):
            .refused(
                "duplicateMember", "the member cannot be added: the group has it already, as \(member.label)",
                ["member": member.reference])
        case .ownMembership(let group):
            .refused(
                "ownMembership",
                "the profile's own membership in \(group.label) cannot be changed; leave the group instead",
                ["group": group.reference])
        case .relayRole(let member, let role):
            .refused(
                "relayRole",
                "the member \(member.label) cannot become \(role): it is \(member.role), "
                    + "and members cannot become relays, nor relays other members", ["member": member.reference])
        case .memberGone(let member):
            .refused(
                "memberGone",
                "the member \(member.label) cannot be changed: it is no longer in the group (\(member.status))",
                ["member": member.reference])
        case .relays(let error): error.info
        case .users(let error): error.info
        case .store(let error): error.info
        }
    }
}

extension Group {
    /// The group in a sentence: its name, and its number as commands take it.
    var label: String { "\"\(localDisplayName)\" (id:\(id))" }

    /// The profile's membership, a clause.
    fileprivate var membershipClause: String {
        if nextConnectPrepared { return "joining was not started" }
        guard let status = membership?.status else { return "it has no membership" }
        return status == .unknownMember && isPrepared
            ? "joining was started and is not done" : "its membership is \(status.text)"
    }

    /// Why the creation of a group cannot be finished, a clause.
    fileprivate var finishedClause: String {
        if !isChannel { return "it is a group, and only channels are finished" }
        if membership?.role == .owner, !isPrepared { return "it was finished before" }
        return "the profile did not create it, and \(membershipClause)"
    }

    /// What a channel lacks to be finished: `no link and no relay`. Another program may have stored a text that is no
    /// link.
    fileprivate func lack(of missing: [GroupsError.MissingPart]) -> String {
        let hasText = link?.isEmpty == false
        return missing.map { part in
            part == .link && hasText ? "no readable link" : "no \(part.rawValue)"
        }.joined(separator: " and ")
    }

    /// Where a group comes from that was not prepared, a clause.
    fileprivate var originClause: String {
        guard isChannel, membership?.role == .owner else { return "it was not made by opening a link" }
        return "it is a channel of the profile, and its creation is \(isCreating ? "not finished" : "finished")"
    }

    var reference: JSONValue { ["groupId": .integer(id.rawValue), "name": .string(localDisplayName)] }
}

extension ChannelRelay {
    /// The relay of a channel in a sentence, with the number of its row, by which the steps of a relay name it.
    fileprivate var label: String { "\"\(relay.calledName)\" (row:\(groupRelay.id))" }
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
