public import ChatDBSchema

/// A message that SimpleX Chat's app shows or logs, and what may explain it in a store. docs/diagnosis.md lists all.
public struct KnownMessage: Sendable, Hashable {
    /// The stable name.
    public let id: String
    /// What the app means by it, one sentence or two.
    public let meaning: String
    /// The ids of the checks whose findings explain it, the most likely cause first.
    public let findings: [String]
    /// The ids of the checks whose findings may explain it: they have other consequences too. The most likely cause is
    /// first.
    public let possible: [String]
    /// The codes of the errors that explain it when chatdb opens the store, such as `encrypted`. docs/errors.md lists
    /// them.
    public let errors: [String]
    /// Causes that no store shows, a clause each; empty when the cause is always in the store.
    public let elsewhere: [String]
    /// The databases in which the app has read or written rows before it shows the message. What is wrong with such a
    /// database as a whole may explain the message. It is empty for messages about something else.
    public private(set) var databases: [DatabaseName] = []

    /// The words by which it is recognized. A text with one of them contains the message.
    let words: [String]
    /// The words that several messages have in common. They count in a text that has no words of one of these messages.
    private let general: [String]
    /// The table of the chat database in which the app looks for a row of the active profile. It is nil for messages
    /// that are not about such a row.
    let table: String?
    /// The part of the app whose error it is. It is nil for messages whose words no other message has.
    let origin: MessageText.Origin?
    /// Whether the app has read or written rows before.
    private let isOfRows: Bool

    init(
        _ id: String, _ words: [String], general: [String] = [], _ meaning: String, findings: [String] = [],
        possible: [String] = [], errors: [String] = [], elsewhere: [String] = [], table: String? = nil,
        origin: MessageText.Origin? = nil, isOfRows: Bool = true
    ) {
        (self.id, self.words, self.general, self.meaning) = (id, words, general, meaning)
        (self.findings, self.possible, self.errors, self.elsewhere) = (findings, possible, errors, elsewhere)
        (self.table, self.origin, self.isOfRows) = (table, origin, isOfRows)
    }

    /// The words that stand for it in answers: the first by which it is recognized.
    public var shown: String { words.first ?? id }

    /// All messages: those of the database, of migrations, of the chat, and of the agent.
    public static let all: [KnownMessage] =
        ofDatabase.map { $0.reading(DatabaseName.allCases) } + ofMigrations
        + ofChat.map { $0.reading([.chat]) } + ofAgent.map { $0.reading([.agent]) }

    private func reading(_ databases: [DatabaseName]) -> KnownMessage {
        var message = self
        message.databases = isOfRows ? databases : []
        return message
    }

    /// The messages that a text contains, in the order of ``all``; empty when it contains none that is known. Case and
    /// punctuation do not matter. A name counts only as a whole: `SENoteFolderNotFoundX` is not `SENoteFolderNotFound`.
    ///
    /// An error that both the chat and the agent have counts for the part of the app that the words before it name, and
    /// for both if they name neither.
    public static func found(in text: String) -> [KnownMessage] { found(in: MessageText(text)) }

    package static func found(in text: MessageText) -> [KnownMessage] {
        let exact = all.filter { message in message.words.contains { message.isMeant(by: $0, in: text) } }
        let shared = Set(exact.flatMap(\.general))
        return all.filter { message in
            // SQLite gives the reason for a damaged schema in the words of another message.
            let isOfSchema = message.id == "schema" || message.id == "schemaColumn"
            if isOfSchema, text.contains("malformed database schema") { return false }
            return exact.contains(message) || message.general.contains { !shared.contains($0) && text.contains($0) }
        }
    }

    private func isMeant(by word: String, in text: MessageText) -> Bool {
        guard text.contains(word) else { return false }
        let others = Self.all.filter { $0.id != id && $0.words.contains(word) }
        guard let origin, !others.isEmpty else { return true }
        return text.origins(of: word).contains { $0 == nil || $0 == origin }
    }
}
