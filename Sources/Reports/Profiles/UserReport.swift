package import ChatDBKit

extension User {
    /// The properties of a profile, for programs and spreadsheets.
    private static var fields: [FieldSpec<User>] {
        [
            .number("userId") { $0.id.rawValue }, .text("name") { $0.name }, .flag("active") { $0.isActive },
            .flag("hidden") { $0.isHidden }, .json("agentUserId") { .integer($0.agentUserID.rawValue) },
        ]
    }

    /// The profile in JSON.
    package var json: JSONValue { Self.fields.json(self) }

    /// The profile as part of another answer.
    package var reference: JSONValue { ["userId": .integer(id.rawValue), "name": .string(name)] }

    /// The profile in CSV: one row.
    package var csvTable: Table { Self.fields.csv([self]) }
}

/// The change of a profile: one sentence, and the current state of the profile.
package struct UserReport: Report {
    package let user: User
    package let sentence: String
    package var notes: [String] = []
    /// Further members of the JSON.
    package var more: [JSONValue.Member] = []

    package init(user: User, sentence: String, notes: [String] = [], more: [JSONValue.Member] = []) {
        self.user = user
        self.sentence = sentence
        self.notes = notes
        self.more = more
    }

    package var json: JSONValue { .object([.init("user", user.json)] + more) }
    package var document: Document { [.paragraph(sentence), .notes(notes.map(Note.note))] }
    package var csvTable: Table { user.csvTable }
}

extension UserContents {
    /// The kinds of things, with the word for one of them.
    private static let kinds: [(key: String, name: String, count: @Sendable (UserContents) -> Int)] = [
        ("contacts", "contact", \.contacts), ("groups", "group", \.groups), ("channels", "channel", \.channels),
        ("relays", "relay", \.relays), ("servers", "server", \.servers), ("chatItems", "message", \.chatItems),
        ("files", "file", \.files),
    ]

    /// The counts as properties of something that has these contents.
    package static func fields<Row>(of contents: @escaping (Row) -> UserContents) -> [FieldSpec<Row>] {
        kinds.map { kind in
            .count(kind.key, kind.name.prefix(1).uppercased() + kind.name.dropFirst() + "s") {
                kind.count(contents($0))
            }
        }
    }

    package var json: JSONValue { Self.fields { $0 }.json(self) }

    /// ` with 2 contacts, 1 channel and 3 relays`; empty when there is nothing.
    package var with: String {
        let parts = Self.kinds.filter { $0.count(self) > 0 }.map { kind in
            let count = kind.count(self)
            return "\(CellText.grouped(Int64(count))) \(kind.name)\(count == 1 ? "" : "s")"
        }
        guard let last = parts.last else { return "" }
        return " with " + (parts.count == 1 ? last : parts.dropLast().joined(separator: ", ") + " and " + last)
    }
}
