public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// Errors of operations on a contact, a request, or a link of the profile's own. Rule: docs/domain.md, "Contacts".
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
    /// The profile has no such member in its groups.
    case memberNotFound(GroupMemberID)
    /// The member is a contact already, which is this.
    case memberHasContact(GroupMemberID, ContactID)
    /// The contact was not made from a member of a group.
    case notFromMember(Contact)
    /// The contact has no connection whose code could be compared.
    case contactNotConnected(Contact)
    /// Requests to a business cannot be accepted with a random profile.
    case businessAddressIncognito(UserContactLinkID)
    /// The text is no name.
    case invalidContactName(NameProblem)
    /// The text is no document of preferences.
    case invalidPreferences(DocumentProblem)
    /// The text cannot be a security code.
    case invalidVerifiedCode(NameProblem)
    /// The agent's id of a request is no text.
    case invalidInvitation(InvitationID)
    /// A link of the profile's own has no text.
    case invalidLink
    /// A link cannot make members with this role.
    case invalidLinkRole(GroupMemberRole)
    /// No such profile exists.
    case users(UsersError)
    /// The database failed.
    case store(StoreError)

    /// The kind, code, message and details of the error.
    public var info: ErrorInfo {
        switch self {
        case .contactNotFound(let named):
            .refused("contactNotFound", "the profile has no contact \(named)", ["contact": named.json])
        case .contactRequestNotFound(let id):
            .refused(
                "contactRequestNotFound", "the profile has no contact request \(id); it may have been answered",
                ["request": .integer(id.rawValue)])
        case .linkNotFound(let id):
            .refused("linkNotFound", "the profile has no link \(id)", ["link": .integer(id.rawValue)])
        case .addressNotFound: .refused("addressNotFound", "the profile has no address; create one first")
        case .groupLinkNotFound(let group):
            .refused(
                "groupLinkNotFound", "the group \(group) has no link; create one first",
                ["group": .integer(group.rawValue)])
        case .groupNotFound(let id):
            .refused("groupNotFound", "the profile has no group \(id)", ["group": .integer(id.rawValue)])
        case .addressAlreadyExists(let id):
            .refused(
                "addressAlreadyExists", "the profile has an address already, \(id); delete it first",
                ["link": .integer(id.rawValue)])
        case .groupLinkAlreadyExists(let id, let group):
            .refused(
                "groupLinkAlreadyExists", "the group \(group) has a link already, \(id); delete it first",
                ["link": .integer(id.rawValue), "group": .integer(group.rawValue)])
        case .memberNotFound(let id):
            .refused(
                "memberNotFound", "the profile has no member \(id) in its groups", ["member": .integer(id.rawValue)])
        case .memberHasContact(let member, let contact):
            .refused(
                "memberHasContact", "the member \(member) is a contact already, \(contact)",
                ["member": .integer(member.rawValue), "contact": .integer(contact.rawValue)])
        case .notFromMember(let contact):
            .refused(
                "notFromMember", "the contact \(contact.label) was not made from a member of a group",
                ["contact": .integer(contact.id.rawValue)])
        case .contactNotConnected(let contact):
            .refused(
                "contactNotConnected", "the contact \(contact.label) has no connection, so there is no code to compare",
                ["contact": .integer(contact.id.rawValue)])
        case .businessAddressIncognito(let id):
            .refused(
                "businessAddressIncognito",
                "the address \(id) cannot be that of a business and accept requests with a random profile; "
                    + "turn one of the two off", ["link": .integer(id.rawValue)])
        case .invalidPreferences(let problem):
            .invalid("invalidPreferences", "the preferences for the contact \(problem.message)")
        case .invalidVerifiedCode(let problem):
            .invalid("invalidVerifiedCode", "the security code \(problem.message)")
        case .invalidContactName(let problem):
            .invalid("invalidContactName", "the name of the contact \(problem.message)")
        case .invalidInvitation(let id):
            .invalid(
                "invalidInvitation",
                "\(id) is not a request of the agent: expected the bytes of a text, and at least one",
                ["invitation": .string(id.description)])
        case .invalidLink: .invalid("invalidLink", "the link is empty; expected the text of a link")
        case .invalidLinkRole(let role):
            .invalid(
                "invalidLinkRole",
                "members who join by a link cannot start as \(role); expected observer, author or member",
                ["role": .string(role.text)])
        case .users(let error): error.info
        case .store(let error): error.info
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

extension Contact {
    /// The contact in a sentence.
    fileprivate var label: String { "\"\(localDisplayName)\" (id \(id))" }
}
