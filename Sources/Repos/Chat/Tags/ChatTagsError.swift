public import ChatDBEngine
public import ChatDBReposKit
public import ChatDBSchema

/// Why something cannot be done with the tags of a profile. Rule: docs/domain.md, "Settings and tags".
public enum ChatTagsError: RuleViolation, Hashable {
    /// The profile has no such tag.
    case tagNotFound(Named<ChatTagID>)
    /// There is no such profile.
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

    /// A stable word.
    public var code: String {
        switch self {
        case .tagNotFound: "tagNotFound"
        case .profileNotFound: "profileNotFound"
        case .contactNotFound: "contactNotFound"
        case .groupNotFound: "groupNotFound"
        case .invalidTagText: "invalidTagText"
        case .invalidTagEmoji: "invalidTagEmoji"
        case .duplicateTagText: "duplicateTagText"
        case .duplicateTagEmoji: "duplicateTagEmoji"
        case .store(let error): error.kind.rawValue
        }
    }

    /// The whole sentence, without a full stop.
    public var message: String {
        switch self {
        case .tagNotFound(let named): "the profile has no tag \(named)"
        case .profileNotFound(let id): "there is no profile \(id) in this store"
        case .contactNotFound(let id): "the profile has no contact \(id)"
        case .groupNotFound(let id): "the profile has no group \(id)"
        case .invalidTagText(let problem): "the text of the tag \(problem.message)"
        case .invalidTagEmoji(let given): "\"\(given)\" is no picture of a tag; expected one emoji"
        case .duplicateTagText(let existing):
            "the profile has the tag \(existing.label) already; give another text"
        case .duplicateTagEmoji(let existing):
            "the tag \(existing.label) of the profile has that picture; give another one"
        case .store(let error): error.message
        }
    }

    /// No command is about tags yet.
    public var hint: String? { nil }

    package var details: JSONValue {
        switch self {
        case .tagNotFound(let named): ["tag": named.json]
        case .profileNotFound(let id): ["profile": .integer(id.rawValue)]
        case .contactNotFound(let id): ["contact": .integer(id.rawValue)]
        case .groupNotFound(let id): ["group": .integer(id.rawValue)]
        case .invalidTagEmoji(let given): ["emoji": .string(given)]
        case .duplicateTagText(let existing), .duplicateTagEmoji(let existing):
            ["existing": ["chatTagId": .integer(existing.id.rawValue), "text": .string(existing.text)]]
        case .invalidTagText, .store: [:]
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
