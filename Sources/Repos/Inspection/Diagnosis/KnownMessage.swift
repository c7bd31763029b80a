/// A message that SimpleX Chat's app shows or logs, and what may explain it in a store. docs/diagnosis.md lists all.
public struct KnownMessage: Sendable, Hashable {
    /// The stable name.
    public let id: String
    /// What the app means by it, one sentence or two.
    public let meaning: String
    /// The ids of the checks whose findings explain it, the most likely cause first.
    public let findings: [String]
    /// The codes of the errors that explain it when chatdb opens the store, such as `encrypted`. docs/errors.md lists
    /// them.
    public let errors: [String]
    /// Causes that no store shows, a clause each; empty when the cause is always in the store.
    public let elsewhere: [String]
    /// The words by which it is recognized. A text with one of them contains the message.
    let words: [String]

    init(
        _ id: String, _ words: [String], _ meaning: String, findings: [String] = [], errors: [String] = [],
        elsewhere: [String] = []
    ) {
        (self.id, self.words, self.meaning) = (id, words, meaning)
        (self.findings, self.errors, self.elsewhere) = (findings, errors, elsewhere)
    }

    /// The words that stand for it in answers: the first by which it is recognized.
    public var shown: String { words.first ?? id }

    /// All messages: those of the database, of migrations, of the chat, and of the agent.
    public static let all: [KnownMessage] = ofDatabase + ofMigrations + ofChat + ofAgent

    /// The messages that a text contains, in the order of ``all``; empty when it contains none that is known. Case and
    /// punctuation do not matter. A name counts only as a whole: `SEUserNotFoundByName` is not `SEUserNotFound`.
    public static func found(in text: String) -> [KnownMessage] {
        let text = line(of: text)
        return all.filter { $0.words.contains { text.contains(line(of: $0)) } }
    }

    /// The names and numbers of a text in lower case, without the `SE` of an error's name: the app shows some of these
    /// names without it.
    static func parts(of text: String) -> [String] {
        text.split { !($0.isLetter || $0.isNumber || $0 == "_") }.map { part in
            let isError = part.hasPrefix("SE") && part.dropFirst(2).first?.isUppercase == true
            return (isError ? part.dropFirst(2) : part).lowercased()
        }
    }

    /// The names and numbers of a text as one line, with a space before and after each of them.
    private static func line(of text: String) -> String { " " + parts(of: text).joined(separator: " ") + " " }
}
