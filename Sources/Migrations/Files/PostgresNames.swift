import ChatDBEngine

/// The names in a statement of PostgreSQL that lead out of the migration's schema, or to the engine's own tables.
///
/// `a.b` may be a column, or a table of a schema. The place decides: after FROM, INTO, REFERENCES and similar words it is
/// a table, before `(` a function, after `::` or AS a type. This needs no grammar, and finds names in their usual places.
struct PostgresNames {
    private(set) var found: [(line: Int, reason: String)] = []
    private(set) var usesOwnTable = false
    /// The open parentheses, and around them the statement.
    private var levels = [Level()]
    /// The meaning of the name that comes next; nil if it is a column or anything else.
    private var expected: Place?
    /// The parts of a name as far as it has been read, and whether a further part follows.
    private var parts: [String] = []
    private var hasDot = false
    private var place: Place?
    private var line = 0
    private var previous = PreviousToken()
    private var hasOn = false

    private enum Place {
        /// What a statement changes.
        case changed
        /// A table that is read, or another object.
        case other
    }

    /// The clauses inside one pair of parentheses.
    private struct Level {
        /// Whether a query or a statement is in them: in `extract(year FROM a.b)`, none is.
        var isQuery = false
        /// Whether a comma separates tables.
        var isFrom = false
        /// Whether USING begins a list of tables.
        var hasUsing = false
    }

    private struct PreviousToken {
        var word = ""
        var sign = ""
    }

    mutating func read(_ token: PostgresToken, of head: PostgresStatementHead) {
        if token.sign == ".", !parts.isEmpty, !hasDot {
            hasDot = true
        } else if let name = token.name, hasDot {
            parts.append(name)
            hasDot = false
        } else {
            endName(before: token.sign)
            begin(token, of: head)
        }
        previous = PreviousToken(word: token.word, sign: token.sign)
    }

    /// Ends the name at the end of the statement.
    mutating func end() { endName(before: "") }

    // MARK: Places

    private mutating func begin(_ token: PostgresToken, of head: PostgresStatementHead) {
        if let next = expectation(after: token, head) {
            expected = next
            return
        }
        guard let name = token.name else {
            expected = nil
            return
        }
        // Words between the one that announces a name and the name itself.
        if expected != nil, Self.passedOver.contains(token.word) { return }
        parts = [name]
        line = token.line
        let isType = previous.sign == "::" || Self.beforeTypes.contains(previous.word)
        place = expected ?? (isType ? .other : nil)
        expected = nil
    }

    private static let passedOver: Set<String> = [
        "IF", "NOT", "EXISTS", "ONLY", "TEMP", "TEMPORARY", "UNLOGGED", "CONCURRENTLY", "LATERAL",
    ]

    private static let beforeTypes: Set<String> = ["AS", "TYPE", "RETURNS", "SETOF", "COLLATE"]

    /// What the name after this token is; nil if the token announces none.
    private mutating func expectation(after token: PostgresToken, _ head: PostgresStatementHead) -> Place? {
        switch token.sign {
        case "(", "[": levels.append(Level())
        case ")", "]": if levels.count > 1 { levels.removeLast() }
        case ",":
            if levels[levels.count - 1].isFrom { return .other }
            return levels.count == 1 && head.first == "DROP" && Self.changeable.contains(head.object) ? .changed : nil
        default: break
        }
        if head.isAtObject {
            if Self.changeable.contains(token.word) { return .changed }
            return Self.others.contains(token.word) ? .other : nil
        }
        return clause(token.word, head)
    }

    /// The objects that share their names with tables.
    private static let changeable: Set<String> = ["TABLE", "VIEW", "INDEX", "SEQUENCE"]

    /// Further objects whose names may have a schema.
    private static let others: Set<String> = [
        "TYPE", "DOMAIN", "FUNCTION", "PROCEDURE", "ROUTINE", "AGGREGATE", "COLLATION", "CONVERSION", "STATISTICS",
    ]

    private mutating func clause(_ word: String, _ head: PostgresStatementHead) -> Place? {
        let last = levels.count - 1
        switch word {
        case "SELECT":
            levels[last] = Level(isQuery: true)
        case "DELETE" where !Self.beforeEvents.contains(previous.word), "MERGE":
            levels[last] = Level(isQuery: true, hasUsing: true)
        case "UPDATE" where !Self.beforeEvents.contains(previous.word):
            levels[last] = Level(isQuery: true)
            return .changed
        case "INTO": return .changed
        case "FROM" where levels[last].isQuery && previous.word != "DISTINCT":
            levels[last].isFrom = true
            return previous.word == "DELETE" ? .changed : .other
        case "USING" where levels[last].hasUsing:
            levels[last].hasUsing = false
            levels[last].isFrom = true
            return .other
        case "TABLE": return expected ?? .other
        case "JOIN", "REFERENCES": return .other
        case "LIKE" where ["(", ","].contains(previous.sign): return .other
        case "PARTITION" where previous.word == "ATTACH" || previous.word == "DETACH": return .changed
        case "OF" where previous.word == "PARTITION": return .other
        case "TO" where previous.word == "RENAME" && Self.changeable.contains(head.object): return .changed
        case "ON" where !hasOn && Self.onTables.contains(head.object) && !head.isAtObject:
            hasOn = true
            return .changed
        case "WHERE", "GROUP", "HAVING", "WINDOW", "ORDER", "LIMIT", "OFFSET", "FETCH", "FOR", "UNION", "INTERSECT",
            "EXCEPT", "RETURNING", "SET", "WHEN":
            levels[last].isFrom = false
        default: break
        }
        return nil
    }

    /// The words before an UPDATE or DELETE that is no statement: FOR UPDATE, ON DELETE, AFTER INSERT OR UPDATE.
    private static let beforeEvents: Set<String> = ["FOR", "KEY", "ON", "DO", "OR", "BEFORE", "AFTER", "OF", "THEN"]

    /// The objects whose table follows the first ON.
    private static let onTables: Set<String> = ["INDEX", "TRIGGER", "POLICY"]

    // MARK: Judging

    /// - Parameter sign: the punctuation after the name.
    private mutating func endName(before sign: String) {
        defer { (parts, hasDot, place) = ([], false, nil) }
        guard let name = parts.last else { return }
        let isFunction = sign == "(" && !hasDot && place != .changed
        if isFunction, name == "set_config" {
            add(PostgresStatementRules.settings(name))
        }
        if parts.count > 1, place != nil || isFunction || parts.count > 2 || hasDot {
            judge(schema: parts[0], parts.joined(separator: "."))
        } else if place == .changed, parts.count == 1 {
            if let reason = StatementRules.ownTable(name) {
                add(reason)
                usesOwnTable = true
            } else if name.hasPrefix("pg_") {
                add("\(name) \(Self.isPostgres)")
            }
        }
    }

    private mutating func judge(schema: String, _ whole: String) {
        if schema != "pg_catalog", schema != "information_schema" {
            add("\(whole): a migration works in its own schema only; leave out \(schema)")
        } else if place == .changed {
            add("\(whole) \(Self.isPostgres)")
        }
    }

    private static let isPostgres = "is PostgreSQL's own; change the schema with ALTER, CREATE and DROP"

    private mutating func add(_ reason: String) { found.append((line, reason)) }
}
