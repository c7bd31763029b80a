/// A text that a user gave, read once: its words, what it names in the schema, and the rows that it names.
package struct MessageText: Sendable {
    /// A part of the app that has errors of its own.
    package enum Origin: Sendable, Hashable {
        /// The chat database.
        case chatStore
        /// The agent.
        case agent
    }

    /// The names and numbers of the text in lower case, without the `SE` of an error's name: the app shows some of
    /// these names without it.
    let parts: [String]
    /// The rows of the chat database that the text names, each once, in the order of the text; empty if it names none.
    package let rows: [RowName]
    /// The names of migrations in the text, each once, in the order of the text; empty if it has none.
    package let migrations: [String]
    /// The parts as one line, with a space before and after each of them.
    private let line: String
    /// The tables, columns and indexes that SQLite's messages in the text name, by the id of the message.
    private let schemaNames: [String: [SchemaName]]

    package init(_ text: String) {
        parts = Self.parts(of: Self.withoutAddresses(text))
        rows = RowName.found(in: parts)
        var seen: Set<String> = []
        migrations = parts.filter { Self.isMigration($0) && seen.insert($0).inserted }
        line = Self.line(of: parts)
        schemaNames = SchemaName.found(in: text)
    }

    /// Whether the text has these words one after the other. Case and punctuation do not matter.
    func contains(_ words: String) -> Bool { line.contains(Self.line(of: Self.parts(of: words))) }

    /// What a message of SQLite names; empty if the message names nothing.
    func names(of message: KnownMessage) -> [SchemaName] { schemaNames[message.id] ?? [] }

    // MARK: - Where an error comes from

    private static let ofAgent: Set<String> = [
        "agent", "internal", "internalerr", "agenterr", "agenterror", "erroragent", "chaterroragent",
    ]
    private static let ofChatStore: Set<String> = ["store", "storeerror", "errorstore", "chaterrorstore"]
    /// The most words between the name of an error and that of its origin.
    private static let farthest = 5

    /// The origin of each place with the name of an error: that of the last word before it that names one. The errors of
    /// the agent's database have no number of a row; those of the chat database do. Nil where the text does not show the
    /// origin.
    func origins(of name: String) -> [Origin?] {
        let words = Self.parts(of: name)
        guard let first = words.first else { return [] }
        return parts.indices.filter { parts[$0...].starts(with: words) && parts[$0] == first }.map { place in
            for before in parts[..<place].suffix(Self.farthest).reversed() {
                if Self.ofAgent.contains(before) { return .agent }
                if Self.ofChatStore.contains(before) { return .chatStore }
            }
            let next = parts[(place + words.count)...].first
            return next.map { NamedRow.isName($0) } == true ? .chatStore : nil
        }
    }

    /// Whether a word has the form of a migration's name: `20260924_simplex_names`, or with an `m` before it.
    private static func isMigration(_ word: String) -> Bool {
        let name = word.hasPrefix("m") ? word.dropFirst() : word[...]
        let digits = name.utf8.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return digits.count == 8 && name.utf8.count > 9 && name.utf8.dropFirst(8).first == UInt8(ascii: "_")
    }

    // MARK: - Words

    private static func parts(of text: String) -> [String] {
        var parts: [String] = []
        var part = ""
        func end() {
            let isError = part.hasPrefix("SE") && part.dropFirst(2).first?.isUppercase == true
            if !part.isEmpty, part != "-" { parts.append((isError ? part.dropFirst(2) : Substring(part)).lowercased()) }
            part = ""
        }
        var before: Character?
        for character in text {
            if isPart(character) {
                if part == "-", !character.isNumber { part = "" }
                part.append(character)
            } else {
                end()
                // The sign of a number, and no hyphen between two words.
                if character == "-", before.map(isPart) != true { part = "-" }
            }
            before = character
        }
        end()
        return parts
    }

    private static func isPart(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || character == "_"
    }

    /// The text without the addresses of servers, such as `smp://key@host`: the app writes them between the words of a
    /// message.
    private static func withoutAddresses(_ text: String) -> String {
        guard text.contains("://") else { return text }
        return text.split(omittingEmptySubsequences: false) { $0.isWhitespace || "\"'(){}[]<>".contains($0) }
            .filter { !$0.contains("://") }.joined(separator: " ")
    }

    private static func line(of parts: [String]) -> String { " " + parts.joined(separator: " ") + " " }
}

/// What a message of SQLite names in a schema.
struct SchemaName: Sendable, Hashable {
    /// The table, in lower case. It is nil if the message names a column without its table, or an index.
    let table: String?
    /// The column or the index, in lower case. It is nil if the message names a table alone.
    let part: String?

    /// The names in the messages of SQLite that a text contains, by the id of the message.
    static func found(in text: String) -> [String: [SchemaName]] {
        let tokens = tokens(of: text)
        var found: [String: [SchemaName]] = [:]
        func add(_ id: String, _ name: SchemaName) {
            if found[id]?.contains(name) != true { found[id, default: []].append(name) }
        }
        for place in tokens.indices {
            let before = tokens[...place]
            let rest = tokens[(place + 1)...]
            func ends(_ words: String...) -> Bool { before.suffix(words.count).elementsEqual(words) }
            switch tokens[place] {
            case "failed" where ends("constraint", "failed"):
                let id = ends("unique", "constraint", "failed") ? "uniqueConstraint" : "otherConstraint"
                for name in list(rest).compactMap(column) { add(id, name) }
            case "table" where ends("no", "such", "table"):
                if let name = list(rest).first { add("schema", SchemaName(table: last(name), part: nil)) }
            case "column" where ends("no", "such", "column"):
                if let name = list(rest).first {
                    add("schemaColumn", column(name) ?? SchemaName(table: nil, part: name))
                }
            case "index" where ends("no", "such", "index"):
                if let name = list(rest).first { add("schema", SchemaName(table: nil, part: last(name))) }
            case "column" where ends("has", "no", "column"):
                if let table = before.dropLast(3).last {
                    let name = rest.first == "named" ? rest.dropFirst().first : nil
                    add("schemaColumn", SchemaName(table: last(table), part: name))
                }
            case "column" where before.suffix(8).starts(with: ["cannot", "store"]):
                if let name = rest.first.flatMap(column) { add("otherConstraint", name) }
            default: break
            }
        }
        return found
    }

    /// The names after a colon, with commas between them; empty without a colon.
    private static func list(_ rest: ArraySlice<String>) -> [String] {
        var names: [String] = []
        var rest = rest
        var separator = ":"
        while rest.first == separator, let name = rest.dropFirst().first, name != ":", name != "," {
            names.append(name)
            rest = rest.dropFirst(2)
            separator = ","
        }
        return names
    }

    /// A column with its table, `contacts.user_id`. Nil for a name without a dot. SQLite also writes the name of the
    /// schema before that of the table.
    private static func column(_ name: String) -> SchemaName? {
        let parts = name.split(separator: ".").map(String.init)
        guard parts.count > 1, let part = parts.last else { return nil }
        return SchemaName(table: parts[parts.count - 2], part: part)
    }

    private static func last(_ name: String) -> String { name.split(separator: ".").last.map(String.init) ?? name }

    /// The names of a text in lower case, with their dots, and its colons and commas.
    static func tokens(of text: String) -> [String] {
        var tokens: [String] = []
        var word = ""
        func end() {
            while word.hasSuffix(".") { word.removeLast() }
            let name = word.drop { $0 == "." }
            if !name.isEmpty { tokens.append(name.lowercased()) }
            word = ""
        }
        for character in text {
            if character.isLetter || character.isNumber || character == "_" || character == "." {
                word.append(character)
            } else {
                end()
                if character == ":" || character == "," { tokens.append(String(character)) }
            }
        }
        end()
        return tokens
    }
}
