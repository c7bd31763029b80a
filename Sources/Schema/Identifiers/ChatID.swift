/// A conversation of a profile: that with a contact, a group or channel, or the notes to oneself.
public enum ChatID: Sendable, Hashable, CustomStringConvertible {
    /// With one contact.
    case contact(ContactID)
    /// A group or a channel.
    case group(GroupID)
    /// The profile's notes to itself.
    case notes(NoteFolderID)

    /// `contact 1`, `group 1` or `note folder 1`.
    public var description: String {
        switch self {
        case .contact(let id): "contact \(id)"
        case .group(let id): "group \(id)"
        case .notes(let id): "note folder \(id)"
        }
    }
}
