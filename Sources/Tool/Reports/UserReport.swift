import ChatDBKit

extension User {
    /// The profile in JSON.
    var json: JSONValue { .object(members) }

    var members: [JSONValue.Member] {
        [
            .init("userId", .integer(id.rawValue)), .init("name", .string(name)), .init("active", .bool(isActive)),
            .init("hidden", .bool(isHidden)), .init("agentUserId", .integer(agentUserID.rawValue)),
        ]
    }

    /// The profile as part of another answer.
    var reference: JSONValue { ["userId": .integer(id.rawValue), "name": .string(name)] }

    /// The profile as a spreadsheet has it: one row.
    var csvTable: Table {
        Table(
            [Column("Id", key: "userId"), Column("Name"), Column("Active"), Column("Hidden")],
            rows: [[.number(id.rawValue), .text(name), .yesNo(isActive), .yesNo(isHidden)]], whenEmpty: "")
    }
}

/// What a command did to a profile: one sentence and the profile as it is now.
struct UserReport: Report {
    let user: User
    let sentence: String
    var notes: [String] = []
    /// Further members of the JSON.
    var more: [JSONValue.Member] = []

    var json: JSONValue { .object([.init("user", user.json)] + more) }
    var document: Document { [.paragraph(sentence), .notes(notes.map(Note.note))] }
    var csvTable: Table { user.csvTable }
}

extension UserContents {
    /// What there is, with what it is called in the singular and for programs.
    private var all: [(key: String, name: String, count: Int)] {
        [
            ("contacts", "contact", contacts), ("groups", "group", groups), ("channels", "channel", channels),
            ("relays", "relay", relays), ("servers", "server", servers), ("chatItems", "message", chatItems),
            ("files", "file", files),
        ]
    }

    var json: JSONValue { .object(all.map { .init($0.key, JSONValue($0.count)) }) }

    /// ` with 2 contacts, 1 channel and 3 relays`; empty when there is nothing.
    var with: String {
        let parts = all.filter { $0.count > 0 }
            .map { "\(CellText.grouped(Int64($0.count))) \($0.name)\($0.count == 1 ? "" : "s")" }
        guard let last = parts.last else { return "" }
        return " with " + (parts.count == 1 ? last : parts.dropLast().joined(separator: ", ") + " and " + last)
    }

    var fields: [Field] {
        all.map { Field($0.name.prefix(1).uppercased() + $0.name.dropFirst() + "s", key: $0.key, .count($0.count)) }
    }
}
