public import ChatDBSchema

/// Where to look for words.
/// Rule: docs/domain.md, "Searching".
public enum SearchScope: Sendable, Hashable {
    /// In all chats of the profile.
    case profile
    /// In one of them.
    case chat(ChatID)
}

/// An item in which words were found.
public struct FoundItem: Sendable, Hashable {
    /// The item.
    public let item: ChatItem
    /// The part of its text around the words.
    public let snippet: [SnippetPart]

    package init(item: ChatItem, snippet: [SnippetPart]) {
        self.item = item
        self.snippet = snippet
    }
}

/// A piece of a text in which words were found; the pieces one after the other are the text, with `…` where it was cut.
public struct SnippetPart: Sendable, Hashable {
    /// The piece.
    public let text: String
    /// Whether it is what was found, to be shown with a mark.
    public let isMatch: Bool

    package init(_ text: String, isMatch: Bool) {
        self.text = text
        self.isMatch = isMatch
    }
}

extension SnippetPart {
    /// Between the marks is what was found. Both are control characters; one that is in a text all the same moves
    /// a mark, and is lost from the snippet.
    static let marks = (open: "\u{2}", close: "\u{3}")

    static func parts(of marked: String) -> [SnippetPart] {
        var parts: [SnippetPart] = []
        var piece = String.UnicodeScalarView()
        var isMatch = false
        func end() {
            if !piece.isEmpty { parts.append(SnippetPart(String(piece), isMatch: isMatch)) }
            piece = String.UnicodeScalarView()
        }
        for scalar in marked.unicodeScalars {
            switch scalar {
            case "\u{2}":
                end()
                isMatch = true
            case "\u{3}":
                end()
                isMatch = false
            default: piece.append(scalar)
            }
        }
        end()
        return parts
    }
}
