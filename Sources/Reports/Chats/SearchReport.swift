package import ChatDBKit

/// The messages that were found.
package struct SearchReport: Report {
    package let user: User
    package let found: [FoundItem]
    /// The offset of the next page; nil if this is the last.
    package let next: Int?
    /// The names of the chats; nil without `--show personal`.
    package let names: [ChatID: String]?

    package init(user: User, found: [FoundItem], next: Int?, names: [ChatID: String]?) {
        self.user = user
        self.found = found
        self.next = next
        self.names = names
    }

    private struct Row {
        package let found: FoundItem
        package let name: String?

        package var text: String { found.snippet.map(\.text).joined() }
    }

    private var rows: [Row] { found.map { item in Row(found: item, name: item.item.chat.flatMap { names?[$0] }) } }

    private typealias Spec = FieldSpec<Row>

    private var fields: [FieldSpec<Row>] {
        let plain: [FieldSpec<Row>] = [
            .number("chatItemId", "Id") { $0.found.item.id.rawValue },
            .text("chat", "Chat") { $0.found.item.chat?.kind },
            .number("chatId", "Chat id") { $0.found.item.chat?.number },
            .text("direction", "Direction") { $0.found.item.direction == .sent ? "sent" : "received" },
            .time("itemTs", "Time") { $0.found.item.time },
        ]
        guard names != nil else { return plain }
        return plain + [
            .text("chatName", "Name", shrinking: .end) { $0.name },
            Spec(
                "text", Column("Text", key: "text", shrinking: .end),
                json: { row in
                    .array(
                        row.found.snippet.map { ["text": .string($0.text), "match": .bool($0.isMatch)] })
                },
                csv: { .text($0.text) }, cell: { .text($0.text) }),
        ]
    }

    package var json: JSONValue {
        let fields = fields
        return [
            "user": user.reference, "items": .array(rows.map { fields.json($0) }), "next": JSONValue(next),
        ]
    }

    package var document: Document {
        var notes: [Note] = []
        if let next { notes.append(.note("more messages follow: --offset \(next)")) }
        if names == nil, !found.isEmpty { notes.append(.note("--show personal shows the texts")) }
        return [.table(fields.table(rows, whenEmpty: "no message of \(user.name) has these words")), .notes(notes)]
    }

    package var csvTable: Table { fields.csv(rows) }
}

extension SearchReport {
    /// The names of the chats of the items, each looked up once.
    package static func names(
        of found: [FoundItem], of user: User, in chat: any ReadTransaction
    ) throws -> [ChatID: String] {
        var names: [ChatID: String] = [:]
        for id in Set(found.compactMap(\.item.chat)) {
            switch id {
            case .contact(let contact):
                names[id] =
                    try ContactsRepo(chat).find(contact, of: user.id, includingDeleted: true)?.localDisplayName
            // A group that cannot be read has no name here, and its messages are found.
            case .group(let group): names[id] = try? GroupsRepo(chat).find(group, of: user.id)?.group.localDisplayName
            case .notes: names[id] = "notes"
            }
        }
        return names
    }
}

extension ChatID {
    /// `contact`, `group` or `notes`.
    package var kind: String {
        switch self {
        case .contact: "contact"
        case .group: "group"
        case .notes: "notes"
        }
    }

    /// The number of the contact, group or folder.
    package var number: Int64 {
        switch self {
        case .contact(let id): id.rawValue
        case .group(let id): id.rawValue
        case .notes(let id): id.rawValue
        }
    }
}
