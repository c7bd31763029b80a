import ChatDBEngine

/// The rules for statements of migrations, checked on their tokens before anything runs.
///
/// The rules guard against mistakes: the authorizer of the run stops hostile SQL. They need no grammar, because the
/// name of the changed object always follows one of a few words.
/// Rule: docs/migrations.md, "A migration".
struct StatementRules {
    /// Adds every violation to `problems`, and returns the facts about the statement.
    static func check(
        _ statement: SQLStatement, source: String, problems: inout InvalidMigrations
    ) throws(SQLTextError) -> StatementFacts {
        var rules = StatementRules(lexer: SQLLexer(statement.text, firstLine: statement.line))
        var reader = StatementFacts.Reader()
        while let token = try rules.lexer.nextSignificant() {
            rules.read(token)
            reader.read(token, of: rules.lexer)
        }
        rules.endTarget()
        rules.refuseUnfinishedTrigger()
        for problem in rules.found { problems.add(source, line: problem.line, problem.reason) }
        if rules.usesOwnTable { problems.usesOwnTable = true }
        return reader.facts(rules.lexer, bytes: statement.text.utf8.count)
    }

    private var lexer: SQLLexer
    private var found: [(line: Int, reason: String)] = []
    private var usesOwnTable = false
    private var index = 0
    /// The first two words, which determine the kind of statement.
    private var firstWord = ""
    private var objectWord = ""
    private var first: SQLToken?
    private var previous: SQLToken?
    private var previousWord = ""
    private var isAfterDot = false
    private var hasParameter = false
    private var hasOn = false
    private var hasBegin = false
    private var target = Target.none

    /// The name of the changed object, as far as it has been read.
    private enum Target {
        case none
        case expected
        case named(String, line: Int)
        case dot(schema: String, line: Int)
    }

    private init(lexer: SQLLexer) { self.lexer = lexer }

    private mutating func read(_ token: SQLToken) {
        // No relevant word is longer.
        let word = token.kind == .word && token.range.count <= 20 ? lexer.folded(token) : ""
        if index == 0 {
            first = token
            firstWord = word
            refuseFirst(word, token)
        }
        if index <= 2, ["TABLE", "VIEW", "INDEX", "TRIGGER"].contains(word) { objectWord = word }
        if index == 1, firstWord == "CREATE", word == "TEMP" || word == "TEMPORARY" {
            add(token, Self.temporary("CREATE \(word)"))
        }
        if token.kind == .parameter, !hasParameter {
            hasParameter = true
            add(token, Self.parameter(lexer.text(of: token)))
        }
        if word == "BEGIN" { hasBegin = true }
        if lexer.isPunctuation(token, "("), previousName() == "load_extension" {
            add(token, "load_extension is not allowed in a migration")
        }
        readTarget(token, word)
        isAfterDot = previous.map { lexer.isPunctuation($0, ".") } ?? false
        previous = token
        previousWord = word
        index += 1
    }

    private mutating func refuseFirst(_ word: String, _ token: SQLToken) {
        switch word {
        case "BEGIN", "COMMIT", "END", "ROLLBACK", "SAVEPOINT", "RELEASE":
            add(token, Self.transaction(word))
        case "ATTACH", "DETACH":
            add(token, "\(word): a migration works on its own database only")
        case "VACUUM":
            add(token, Self.vacuum)
        case "PRAGMA":
            add(
                token,
                "PRAGMA is not allowed in a migration; foreign keys are off in every run, and"
                    + " -- chatdb: rebuild turns legacy_alter_table on")
        case "EXPLAIN":
            add(token, "EXPLAIN changes nothing; leave it out")
        default: break
        }
    }

    /// The body of such a trigger would have included the statements after it, unchecked.
    private mutating func refuseUnfinishedTrigger() {
        guard firstWord == "CREATE", objectWord == "TRIGGER", hasBegin, previousWord != "END", let first else { return }
        add(first, "the trigger that begins here has no END; after its last statement")
    }

    // MARK: The changed object

    private mutating func readTarget(_ token: SQLToken, _ word: String) {
        let isDot = lexer.isPunctuation(token, ".")
        switch target {
        case .expected where ["IF", "NOT", "EXISTS", "OR"].contains(word) || previousWord == "OR":
            return
        case .expected:
            target = lexer.name(of: token).map { .named($0, line: token.line) } ?? .none
            return
        case .named(let schema, let line) where isDot:
            target = .dot(schema: schema, line: line)
            return
        case .dot(let schema, let line):
            if let name = lexer.name(of: token) { judge(name, in: schema, line: line) }
            target = .none
            return
        case .none, .named:
            endTarget()
        }
        if isDot, !isAfterDot, let schema = previousName(), schema == "temp" || schema == "aux" {
            add(token, "\(schema).: a migration works on its own database only; if \(schema) is an alias, rename it")
        }
        if isBeforeTarget(word) { target = .expected }
    }

    private mutating func endTarget() {
        if case .named(let name, let line) = target { judge(name, in: nil, line: line) }
        target = .none
    }

    /// Whether the name of the changed object follows this word.
    private mutating func isBeforeTarget(_ word: String) -> Bool {
        switch word {
        case "TABLE", "VIEW", "INDEX", "TRIGGER": index <= 2
        case "INTO", "UPDATE": true
        case "FROM": previousWord == "DELETE"
        case "TO": previousWord == "RENAME"
        case "ON": isFirstOn()
        default: false
        }
    }

    /// The table of an index or a trigger follows the first ON; later ones belong to joins and conflict clauses.
    private mutating func isFirstOn() -> Bool {
        defer { hasOn = true }
        return !hasOn && firstWord == "CREATE" && (objectWord == "INDEX" || objectWord == "TRIGGER")
    }

    private mutating func judge(_ name: String, in schema: String?, line: Int) {
        if let schema, schema.lowercased() != "main" {
            found.append((line, "\(schema).\(name): a migration works on its own database only"))
            return
        }
        if let reason = Self.ownTable(name.lowercased()) {
            found.append((line, reason))
            usesOwnTable = true
        }
        switch name.lowercased() {
        case "sqlite_master", "sqlite_schema", "sqlite_temp_master", "sqlite_temp_schema":
            found.append((line, "\(name.lowercased()) is SQLite's own; change the schema with ALTER, CREATE and DROP"))
        default: break
        }
    }

    // MARK: Helpers

    /// The name just before, in lower case; nil without one, or for one that is too long to be relevant.
    private func previousName() -> String? {
        guard let previous, previous.range.count <= 40 else { return nil }
        return lexer.name(of: previous)?.lowercased()
    }

    private mutating func add(_ token: SQLToken, _ reason: String) { found.append((token.line, reason)) }
}

/// The reasons that the rules for both engines have.
extension StatementRules {
    static func transaction(_ word: String) -> String {
        "\(word): a migration runs in the transaction of the whole run and does not control it"
    }

    static let vacuum = "VACUUM cannot run in a migration's transaction; leave it out"

    static func temporary(_ words: String) -> String {
        "\(words) creates something that a later run does not find; create an ordinary table and drop it"
    }

    static func parameter(_ text: String) -> String {
        "parameter \(text): nothing is bound in a migration; write the value"
    }

    /// Nil for a table of a migration.
    static func ownTable(_ name: String) -> String? {
        ["migrations", "store"].contains(name)
            ? "\(name) is the name of a table of chatdb's own, which a migration may not use" : nil
    }
}
