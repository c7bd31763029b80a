public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// Errors of operations on the tags of a profile. Rule: docs/domain.md, "Settings and tags".
public enum ChatTagsError: RuleViolation, Hashable {
    /// The profile has no such tag.
    case tagNotFound(Named<ChatTagID>)
    /// No such profile exists.
    case profileNotFound(UserID)
    /// The profile has no such contact, or it is soft-deleted.
    case contactNotFound(ContactID)
    /// The profile has no such group.
    case groupNotFound(GroupID)
    /// The text is no text of a tag.
    case invalidTagText(NameProblem)
    /// The text is no picture.
    case invalidTagEmoji(String)
    /// Another tag of the profile has the text.
    case duplicateTagText(existing: ChatTag)
    /// Another tag of the profile has the picture.
    case duplicateTagEmoji(existing: ChatTag)
    /// The database failed.
    case store(StoreError)

    /// The kind, code, message and details of the error.
    public var info: ErrorInfo {
        switch self {
        case .tagNotFound(let named): .refused("tagNotFound", "the profile has no tag \(named)", ["tag": named.json])
        case .profileNotFound(let id):
            .refused("profileNotFound", "there is no profile \(id) in this store", ["profile": .integer(id.rawValue)])
        case .contactNotFound(let id):
            .refused("contactNotFound", "the profile has no contact \(id)", ["contact": .integer(id.rawValue)])
        case .groupNotFound(let id):
            .refused("groupNotFound", "the profile has no group \(id)", ["group": .integer(id.rawValue)])
        case .invalidTagText(let problem): .invalid("invalidTagText", "the text of the tag \(problem.message)")
        case .invalidTagEmoji(let given):
            .invalid(
                "invalidTagEmoji", "\"\(given)\" is not an emoji; expected one emoji", ["emoji": .string(given)])
        case .duplicateTagText(let existing):
            .refused(
                "duplicateTagText", "the profile has the tag \(existing.label) already; give another text",
                ["existing": ["chatTagId": .integer(existing.id.rawValue), "text": .string(existing.text)]])
        case .duplicateTagEmoji(let existing):
            .refused(
                "duplicateTagEmoji", "the tag \(existing.label) of the profile has that emoji; give another one",
                ["existing": ["chatTagId": .integer(existing.id.rawValue), "text": .string(existing.text)]])
        case .store(let error): error.info
        }
    }

    package var storeError: StoreError? {
        if case .store(let error) = self { error } else { nil }
    }
}

extension ChatTag {
    /// The tag in a sentence: its text and number.
    var label: String { "\"\(text)\" (id \(id))" }
}
