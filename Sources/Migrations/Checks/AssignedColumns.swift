import ChatDBEngine

/// The columns of a table whose values a statement overwrites: an `UPDATE`, an `INSERT` that updates or replaces the rows
/// that are there, or a `MERGE`. No plan counts these values.
struct AssignedColumns {
    /// The table, as a key.
    let table: String
    /// The columns, as keys; nil for all, if whole rows are replaced.
    private(set) var columns: [String]? = []
    /// Those of them that are set to NULL or to the empty text.
    private(set) var emptied: [String] = []

    /// Nil if the statement overwrites no values. A statement inside another one is not looked at.
    init?(_ statement: SQLStatement, _ syntax: SQLSyntax) {
        let words = Words(statement, syntax)
        let verbs = ["update", "insert", "replace", "merge"]
        guard let verb = words.has(0, "with") ? words.top(from: 1, verbs + ["select", "delete"]) : 0,
            verbs.contains(where: { words.has(verb, $0) })
        else { return nil }
        var name: Int
        if words.has(verb, "update") {
            name = words.has(verb + 1, "or") ? verb + 3 : verb + 1
        } else {
            guard let into = words.top(from: verb, ["into"]) else { return nil }
            name = into + 1
        }
        if words.has(name, "only") { name += 1 }
        if words.has(name + 1, ".") { name += 2 }
        guard words.names.indices.contains(name) else { return nil }
        table = words.names[name]
        if words.has(verb, "replace") || words.has(verb, "insert") && words.has(verb + 2, "replace") {
            columns = nil
            return
        }
        var next = name + 1
        while let set = words.top(from: next, ["set"]) {
            next = read(words, from: set + 1)
        }
        if columns?.isEmpty != false { return nil }
    }

    /// Reads assignments up to a word that ends them, and returns the place of that word.
    private mutating func read(_ words: Words, from start: Int) -> Int {
        var isTarget = true
        for index in words.top where index >= start {
            if isTarget {
                let end = words.has(index, "(") ? words.top(from: index + 1, [")"]) ?? index : index
                columns? += words.names[index...end].filter { !["(", ")", ","].contains($0) }
                let isEmpty = words.has(index + 2, "null") || words.has(index + 2, "''")
                if words.has(index + 1, "="), isEmpty, words.isEnd(index + 3) { emptied.append(words.names[index]) }
                isTarget = false
            } else if words.has(index, ",") {
                isTarget = true
            } else if words.isEnd(index), !words.has(index - 1, "distinct") {
                return index
            }
        }
        return words.names.count
    }
}

/// The words of a statement, in lower case, and the names that they may be.
private struct Words {
    private var words: [String] = []
    private(set) var names: [String] = []
    /// The places of the words outside parentheses, brackets and `CASE … END`.
    private(set) var top: [Int] = []

    init(_ statement: SQLStatement, _ syntax: SQLSyntax) {
        var lexer = SQLLexer(statement.text, syntax: syntax)
        var depth = 0
        while let token = try? lexer.nextSignificant() {
            let text = lexer.text(of: token).lowercased()
            if [")", "]", "end"].contains(text) { depth -= 1 }
            if depth == 0 { top.append(words.count) }
            if ["(", "[", "case"].contains(text) { depth += 1 }
            words.append(text)
            names.append(lexer.name(of: token).map(syntax.key) ?? text)
        }
    }

    func has(_ index: Int, _ word: String) -> Bool { words.indices.contains(index) && words[index] == word }

    /// The first place of one of these words among `top`.
    func top(from start: Int, _ searched: [String]) -> Int? {
        top.first { $0 >= start && searched.contains(words[$0]) }
    }

    /// Whether an assignment ends before this place.
    func isEnd(_ index: Int) -> Bool {
        !words.indices.contains(index) || Self.ends.contains(words[index])
    }

    private static let ends: Set<String> = [",", "where", "from", "returning", "order", "limit", "when", "on"]
}
