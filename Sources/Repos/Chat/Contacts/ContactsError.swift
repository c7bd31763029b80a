public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// Why something cannot be done with a contact, a request, or a link of the profile's own.
/// Rule: docs/domain.md, "Contacts".
public enum ContactsError: RuleViolation, Hashable {
    /// The profile has no such contact.
    case contactNotFound(Named<ContactID>)
    /// The profile has no such request.
    case contactRequestNotFound(ContactRequestID)
    /// The profile has no such address or group link.
    case linkNotFound(UserContactLinkID)
    /// The profile has no address.
    case addressNotFound
    /// The group has no link.
    case groupLinkNotFound(GroupID)
    /// The profile has no such group.
    case groupNotFound(GroupID)
    /// The profile has an address, which is this.
    case addressAlreadyExists(UserContactLinkID)
    /// The group has a link, which is this.
    case groupLinkAlreadyExists(UserContactLinkID, group: GroupID)
    /// The text is no name.
    case invalidContactName(NameProblem)
    /// The agent's id of a request is no text.
    case invalidInvitation(InvitationID)
    /// A link of the profile's own has no text.
    case invalidLink
    /// A link cannot make members with this role.
    case invalidLinkRole(GroupMemberRole)
    /// There is no such profile.
    case users(UsersError)
    /// The database failed.
    case store(StoreError)

    /// A stable word.
    public var code: String {
        switch self {
        case .contactNotFound: "contactNotFound"
        case .contactRequestNotFound: "contactRequestNotFound"
        case .linkNotFound: "linkNotFound"
        case .addressNotFound: "addressNotFound"
        case .groupLinkNotFound: "groupLinkNotFound"
        case .groupNotFound: "groupNotFound"
        case .addressAlreadyExists: "addressAlreadyExists"
        case .groupLinkAlreadyExists: "groupLinkAlreadyExists"
        case .invalidContactName: "invalidContactName"
        case .invalidInvitation: "invalidInvitation"
        case .invalidLink: "invalidLink"
        case .invalidLinkRole: "invalidLinkRole"
        case .users(let error): error.code
        case .store(let error): error.kind.rawValue
        }
    }

    /// The whole sentence, without a full stop.
    public var message: String {
        switch self {
        case .contactNotFound(let named): "the profile has no contact \(named)"
        case .contactRequestNotFound(let id): "the profile has no contact request \(id); it may have been answered"
        case .linkNotFound(let id): "the profile has no link \(id)"
        case .addressNotFound: "the profile has no address; make one first"
        case .groupLinkNotFound(let group): "the group \(group) has no link; make one first"
        case .groupNotFound(let id): "the profile has no group \(id)"
        case .addressAlreadyExists(let id): "the profile has an address already, \(id); delete it first"
        case .groupLinkAlreadyExists(let id, let group):
            "the group \(group) has a link already, \(id); delete it first"
        case .invalidContactName(let problem): "the name of the contact \(problem.message)"
        case .invalidInvitation(let id):
            "\(id) is no request of the agent: expected the bytes of a text, and at least one"
        case .invalidLink: "the link is empty; expected the text of a link"
        case .invalidLinkRole(let role):
            "who joins by a link cannot be \(role) at once; expected observer, author or member"
        case .users(let error): error.message
        case .store(let error): error.message
        }
    }

    /// A command that helps, or nil.
    public var hint: String? {
        switch self {
        case .groupNotFound: "chatdb group list"
        case .users(let error): error.hint
        default: nil
        }
    }

    package var details: JSONValue {
        switch self {
        case .contactNotFound(let named): ["contact": named.json]
        case .contactRequestNotFound(let id): ["request": .integer(id.rawValue)]
        case .linkNotFound(let id), .addressAlreadyExists(let id): ["link": .integer(id.rawValue)]
        case .groupLinkNotFound(let group), .groupNotFound(let group): ["group": .integer(group.rawValue)]
        case .groupLinkAlreadyExists(let id, let group):
            ["link": .integer(id.rawValue), "group": .integer(group.rawValue)]
        case .invalidInvitation(let id): ["invitation": .string(id.description)]
        case .invalidLinkRole(let role): ["role": .string(role.text)]
        case .users(let error): error.details
        case .addressNotFound, .invalidContactName, .invalidLink, .store: [:]
        }
    }

    package var storeError: StoreError? {
        switch self {
        case .store(let error): error
        case .users(let error): error.storeError
        default: nil
        }
    }
}
