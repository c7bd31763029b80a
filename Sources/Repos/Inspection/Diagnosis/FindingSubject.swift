import ChatDBEngine
import ChatDBSchema

/// What a finding is about in the schema, to compare it with what a message names.
struct FindingSubject {
    /// The relation of a finding to the names in a message.
    enum Relation {
        /// The finding names what the message names.
        case same
        /// The finding names something else.
        case other
        /// The finding is about the store as a whole, or does not name everything that it is about.
        case open
    }

    let finding: Finding

    /// The relation to the tables, columns and indexes that a message of SQLite names.
    func relation(to names: [SchemaName]) -> Relation {
        if !finding.damage.isEmpty { return ofDamage(to: names) }
        if let tables = Self.tables[finding.id] {
            // The rows are known by number only. A column without a table may be one of theirs.
            if names.contains(where: { $0.table.map(tables.contains) == true }) { return .same }
            return names.contains { $0.table == nil } ? .open : .other
        }
        guard Self.namesTables.contains(finding.id) else { return .open }
        let samples = finding.sample.map { Sample($0.description) }
        if samples.contains(where: { sample in names.contains(where: sample.names) }) { return .same }
        let isComplete = finding.count == finding.sample.count && samples.allSatisfy { !$0.tables.isEmpty }
        if !isComplete || samples.contains(where: { sample in names.contains(where: sample.isOfTable) }) {
            return .open
        }
        return .other
    }

    private func ofDamage(to names: [SchemaName]) -> Relation {
        let tables = finding.damage.compactMap { $0.table?.lowercased() }
        if names.contains(where: { $0.table.map(tables.contains) == true }) { return .same }
        let isKnown = tables.count == finding.count && names.allSatisfy { $0.table != nil }
        return isKnown ? .other : .open
    }

    /// The relation to the rows of the chat database that a message names. It is open if the message names no row of
    /// the finding's table.
    func relation(to rows: [RowName]) -> Relation {
        if rows.isEmpty { return .open }
        let samples = finding.sample.map { Sample($0.description) }
        let numbered = Self.numbered[finding.id]
        let rows = rows.filter { row in numbered == row.table || samples.contains { $0.has(row.table) } }
        if rows.isEmpty { return .open }
        let isNamed = rows.contains { row in
            row.number.map { finding.sample.contains(.number($0)) } == true && numbered == row.table
                || samples.contains { $0.names(row) }
        }
        if isNamed { return .same }
        return finding.count == finding.sample.count ? .other : .open
    }

    /// The checks whose samples are numbers of rows, with the tables of the rows and of the values that they have in
    /// common.
    static let tables: [String: Set<String>] = [
        "sharedDisplayName": ["display_names", "contacts", "groups", "group_members", "contact_requests"],
        "messageBeyondCounter": ["connections", "messages", "rcv_messages", "snd_messages"],
        "duplicateGroup": ["groups", "group_profiles"], "duplicateRelay": ["chat_relays"],
        "duplicateServer": ["protocol_servers", "smp_servers"],
    ]

    /// The checks whose samples name tables.
    static let namesTables: Set<String> = [
        "agentDanglingReference", "agentDuplicateRow", "agentSchemaDrift", "agentSchemaLost", "agentSchemaMissing",
        "blockedDeletion", "chatDanglingReference", "chatDuplicateRow", "chatSchemaDrift", "chatSchemaLost",
        "chatSchemaMissing", "crossProfileReference", "invalidText", "unreadableContent",
        "unreadableInApp", "unreadableValue", "viewForTable",
    ]

    /// The tables of the chat database whose row numbers are the samples of a check.
    private static let numbered = [
        "connectionDeletedOnOneSide": "connections", "connectionWithoutAgent": "connections",
        "groupWithoutOwnMember": "groups", "profileWithoutAgent": "users", "profileWithoutOwnContact": "users",
        "sharedAgentProfile": "users", "transferWithoutAgentFile": "files", "unfinishedChannel": "groups",
    ]
}

/// The names in a sample of a finding, such as `missing column contacts.favorite` or `contacts 11 updated_at`.
private struct Sample {
    let tables: Set<String>
    private let tokens: [String]

    init(_ text: String) {
        var tokens = SchemaName.tokens(of: text).filter { $0 != ":" && $0 != "," }
        if DatabaseName.allCases.contains(where: { $0.rawValue == tokens.first }) { tokens.removeFirst() }
        self.tokens = tokens.map { $0 == "profile" ? "users" : $0 }
        var tables: Set<String> = []
        for (place, token) in self.tokens.enumerated() {
            let before = place == 0 ? nil : self.tokens[place - 1]
            let parts = token.split(separator: ".")
            if parts.count == 2 {
                tables.insert(String(parts[0]))
            } else if before == "table" || before == "on" || Self.isTable(token) {
                tables.insert(token)
            }
        }
        self.tables = tables
    }

    private static func isTable(_ name: String) -> Bool {
        DatabaseName.allCases.contains { Catalogue.tableOfAnyProgram(name, of: $0) != nil }
    }

    func has(_ table: String) -> Bool { tables.contains(table) }

    func isOfTable(_ name: SchemaName) -> Bool { name.table.map(has) ?? false }

    /// Whether it has the table and the column of a message, or the column if the message has no table that is known:
    /// SQLite may write an alias instead.
    func names(_ name: SchemaName) -> Bool {
        let table = name.table.flatMap { has($0) || Self.isTable($0) ? $0 : nil }
        guard let part = name.part else { return table.map(has) ?? false }
        if tokens.contains(where: { $0.hasSuffix("." + part) && (table == nil || $0 == "\(table ?? "").\(part)") }) {
            return true
        }
        return tokens.contains(part) && (table.map(has) ?? true)
    }

    /// Whether it has the table and then the number of a row.
    func names(_ row: RowName) -> Bool {
        zip(tokens, tokens.dropFirst()).contains { $0 == row.table && $1 == row.shownNumber }
    }
}
