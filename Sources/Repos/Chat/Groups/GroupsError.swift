public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// Errors of operations on a group or channel, its members or its relays. Rule: docs/domain.md, "Groups and channels",
/// "Group relays", "Prepared groups".
public enum GroupsError: RuleViolation, Hashable {
    /// The profile has no such group.
    case groupNotFound(Named<GroupID>)
    /// The profile has no such member, in that group or at all.
    case memberNotFound(Named<GroupMemberID>)
    /// No channel of the profile has this relay part.
    case groupRelayNotFound(Named<GroupRelayID>)
    /// The profile has no such contact, who could have invited a member.
    case contactNotFound(ContactID)
    /// The text is no name.
    case invalidGroupName(NameProblem)
    /// The text is no name of a member.
    case invalidMemberName(NameProblem)
    /// The text cannot be the id by which a group knows a member.
    case invalidMemberID(NameProblem)
    /// The text is not the link of a group.
    case invalidGroupLink(GroupLinkError)
    /// The text cannot be a security code.
    case invalidVerifiedCode(NameProblem)
    /// The text cannot be the id of a public group.
    case invalidPublicGroupID(NameProblem)
    /// The text cannot be the link that a relay made for a channel.
    case invalidRelayLink(NameProblem)
    /// The text is no link that a relay can have made for a channel.
    case notALinkOfRelay(GroupLinkError)
    /// The link is the address of the relay, not the link that the relay made for a channel.
    case ownRelayAddress(ChatRelay)
    /// The link is that of the channel itself, not the link that the relay made for the channel.
    case linkOfChannel(Group)
    /// The link is that of another relay of the channel. Each relay makes a link of its own for a channel.
    case linkOfOtherRelay(ChatRelay, Group)

    /// A channel is no business chat.
    case channelIsNoBusinessChat(Group)
    /// Only a channel has relays.
    case notAChannel(Group)
    /// Only subscribers join a channel through its relays.
    case ownChannel(Group)
    /// A channel cannot choose this relay: it is disabled, or its operator is off.
    case relayDisabled(ChatRelay)
    /// The relay is in the channel already.
    case relayInChannel(ChatRelay, Group)
    /// Steps of a relay go forward only.
    case relayStepNotAllowed(ChannelRelay, to: RelayStatus)

    /// A channel is finished once.
    case creationFinished(Group)
    /// Subscribers could not use the channel yet.
    case creationIncomplete(Group, missing: [MissingPart])
    /// Another group of the profile has the link.
    case duplicateGroupLink(Group)
    /// Joining starts once.
    case alreadyStarted(Group)
    /// The group was not made by opening a link.
    case notPrepared(Group)
    /// The link is the address of the profile itself.
    case ownAddress(GroupLink)
    /// The profile is not, or no longer, in the group.
    case notInGroup(Group)
    /// The only owner of a group cannot leave it, nor give up the role.
    case soleOwner(Group)
    /// Only owners delete a group that they are in.
    case notOwner(Group)
    /// A relay that deleted a channel it refuses would take the next request for it.
    case relayRefusal(Group)

    /// The group has a member with that id.
    case duplicateMember(GroupMember)
    /// The profile's own membership cannot be added or removed like that of others.
    case ownMembership(Group)
    /// A relay stays a relay, and no other member becomes one.
    case relayRole(GroupMember, to: GroupMemberRole)
    /// The member has left the group.
    case memberGone(GroupMember)

    /// An error about the relays of a channel.
    case relays(ChatRelaysError)
    /// No such profile exists.
    case users(UsersError)
    /// The database failed.
    case store(StoreError)

    /// A part without which the creation of a channel cannot be finished.
    public enum MissingPart: String, Sendable, Hashable, CaseIterable {
        /// The link by which subscribers join.
        case link
        /// A relay of the profile, with its member.
        case relay
    }

    package var storeError: StoreError? {
        switch self {
        case .store(let error): error
        case .relays(let error): error.storeError
        case .users(let error): error.storeError
        default: nil
        }
    }
}

/// Turns errors of other subjects into errors of a group.
func asGroupsError<T>(
    _ wrap: (NameProblem) -> GroupsError, _ body: () throws(NameProblem) -> T
) throws(GroupsError) -> T {
    do throws(NameProblem) { return try body() } catch { throw wrap(error) }
}

/// The same for an error about relays.
func asGroupsError<T>(_ body: () throws(ChatRelaysError) -> T) throws(GroupsError) -> T {
    do throws(ChatRelaysError) { return try body() } catch { throw .relays(error) }
}

extension GroupsError {
    /// Throws `invalidRelayLink` for a text that cannot be the link that a relay made for a channel.
    static func requireLinkOfRelay(_ link: String) throws(GroupsError) {
        do throws(GroupLinkError) { try GroupLink.checkLinkOfRelay(link) } catch { throw .notALinkOfRelay(error) }
    }
}
