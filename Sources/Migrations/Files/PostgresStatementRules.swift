import ChatDBEngine

/// The rules for statements of migrations for PostgreSQL, checked on their tokens before anything runs.
///
/// The rules guard against mistakes. They do not stop hostile SQL: they do not read strings, and the body of a function
/// is one. What a role without the rights of a superuser may do is the limit for such SQL.
/// Rule: docs/migrations.md, "Migrations for PostgreSQL".
struct PostgresStatementRules {
    /// Adds every violation to `problems`, and returns the facts about the statement.
    static func check(
        _ statement: SQLStatement, source: String, problems: inout InvalidMigrations
    ) throws(SQLTextError) -> StatementFacts {
        var lexer = SQLLexer(statement.text, syntax: .postgres, firstLine: statement.line)
        var rules = PostgresStatementRules()
        var names = PostgresNames()
        var facts = PostgresStatementFacts()
        while let token = try lexer.nextSignificant() {
            let token = PostgresToken(token, lexer)
            rules.read(token)
            if !rules.isInBody { names.read(token, of: rules.head) }
            facts.read(token)
        }
        names.end()
        rules.judgeHead()
        for problem in rules.found + names.found { problems.add(source, line: problem.line, problem.reason) }
        if names.usesOwnTable { problems.usesOwnTable = true }
        return facts.facts(lexer, bytes: statement.text.utf8.count)
    }

    private(set) var head = PostgresStatementHead()
    /// Whether the rest is the body of a function without quotes, which is refused as a whole.
    private(set) var isInBody = false
    private(set) var found: [(line: Int, reason: String)] = []
    private var line = 0
    private var hasParameter = false
    private var hasBackslash = false
    /// The last word and the one before it; empty for other tokens.
    private var (previous, beforePrevious) = ("", "")

    private mutating func read(_ token: PostgresToken) {
        if head.count == 0 { line = token.line }
        head.read(token)
        if isInBody { return }
        if let reason = reason(for: token) { found.append((token.line, reason)) }
        (previous, beforePrevious) = (token.word, previous)
    }

    /// The reason to refuse the statement because of a token; nil without one.
    private mutating func reason(for token: PostgresToken) -> String? {
        let isAlteration = head.first == "ALTER"
        let isDefinition = isAlteration || head.first == "CREATE"
        // SELECT … INTO creates a table, INSERT INTO does not.
        let isInto = previous == "INTO" && beforePrevious != "INSERT" && beforePrevious != "MERGE"
        switch (previous, token.word) {
        case (_, "CONCURRENTLY"):
            return "CONCURRENTLY cannot run in a migration's transaction; leave it out"
        case ("SECURITY", "DEFINER") where isDefinition:
            return "SECURITY DEFINER gives the function the rights of its owner; leave it out"
        case ("BEGIN", "ATOMIC") where isDefinition:
            isInBody = true
            return "BEGIN ATOMIC: PostgreSQL 13 does not know it; write the body as a string, AS $$ … $$"
        case ("OWNER", "TO") where isAlteration && !Self.beforeOldNames.contains(beforePrevious):
            return Self.rights("OWNER TO")
        case ("SET", "SCHEMA") where isAlteration:
            return "SET SCHEMA: a migration works in its own schema only; leave it out"
        case (_, "TEMP") where isInto || head.isBeforeName, (_, "TEMPORARY") where isInto || head.isBeforeName:
            return StatementRules.temporary((isInto ? "INTO " : "CREATE ") + token.word)
        case (_, "UNLOGGED") where isInto || head.isBeforeName, ("SET", "UNLOGGED") where isAlteration:
            return "UNLOGGED: the table loses its rows when the server crashes; leave it out"
        default: break
        }
        if token.kind == .parameter, !hasParameter {
            hasParameter = true
            return StatementRules.parameter(token.text)
        }
        if token.sign == "\\", !hasBackslash {
            hasBackslash = true
            return "\\ begins a command of psql, which is not SQL; leave it out"
        }
        return token.name.flatMap { Self.reason(forName: $0, token) }
    }

    /// The words before the old name in RENAME … TO.
    private static let beforeOldNames: Set<String> = ["RENAME", "COLUMN", "CONSTRAINT", "ATTRIBUTE"]

    private static func reason(forName name: String, _ token: PostgresToken) -> String? {
        if token.isEscapedName { return "a name U&\"…\" hides what it names; write the characters themselves" }
        guard name.utf8.count > longestName else { return nil }
        return "a name has more than \(longestName) bytes, and PostgreSQL cuts it there; choose a shorter one"
    }

    /// PostgreSQL's limit, `NAMEDATALEN` - 1.
    private static let longestName = 63

    private mutating func judgeHead() {
        let reason = Self.reason(first: head.first, second: head.second) ?? Self.reason(forObjectOf: head)
        if let reason { found.append((line, reason)) }
    }
}

// MARK: Statements

extension PostgresStatementRules {
    /// The reason to refuse a statement that begins with these two words; nil without one.
    private static func reason(first: String, second: String) -> String? {
        switch first {
        case "BEGIN", "START", "COMMIT", "END", "ROLLBACK", "ABORT", "SAVEPOINT", "RELEASE":
            StatementRules.transaction(first)
        case "PREPARE" where second == "TRANSACTION":
            StatementRules.transaction("PREPARE TRANSACTION")
        case "PREPARE", "EXECUTE", "DEALLOCATE":
            "\(first): a prepared statement is not seen where it runs; write the statement itself"
        case "SET", "RESET", "DISCARD":
            settings(first)
        case "SHOW", "EXPLAIN":
            "\(first): nothing reads its answer in a migration; leave it out"
        case "TRUNCATE":
            "TRUNCATE: rows are lost without being counted; DELETE names them"
        case "COPY":
            "COPY: a migration has no input besides its file, and no output; write INSERT"
        case "LISTEN", "NOTIFY", "UNLISTEN":
            "\(first): messages to other programs are not part of a migration; leave it out"
        case "LOCK":
            "LOCK: the run has the lock of the store, and each statement locks what it changes; leave it out"
        case "VACUUM":
            StatementRules.vacuum
        case "CLUSTER":
            "CLUSTER: only the order of the rows in their file changes, and the table is locked meanwhile; leave it out"
        case "REINDEX" where ["DATABASE", "SCHEMA", "SYSTEM"].contains(second):
            "REINDEX \(second) cannot run in a migration's transaction; leave it out"
        case "GRANT", "REVOKE", "REASSIGN":
            rights(first)
        case "SECURITY", "CHECKPOINT", "IMPORT":
            administrator("\(first)\(first == "CHECKPOINT" ? "" : " \(second)")")
        case "DO", "CALL":
            "\(first) can do anything without being seen; write the statements"
        case "DECLARE", "FETCH", "MOVE", "CLOSE":
            "\(first): nothing reads a cursor in a migration; write one statement for all rows"
        case "LOAD":
            "LOAD loads a library into the server; leave it out"
        default: nil
        }
    }

    /// The reason to refuse a statement that creates, changes or drops an object of this kind; nil without one.
    private static func reason(forObjectOf head: PostgresStatementHead) -> String? {
        guard ["CREATE", "ALTER", "DROP"].contains(head.first) else { return nil }
        let words = [head.first, head.object, twoWords.contains(head.object) ? head.afterObject : ""]
        let named = words.filter { !$0.isEmpty }.joined(separator: " ")
        switch head.object {
        case "DATABASE", "TABLESPACE", "ROLE", "USER", "GROUP", "SYSTEM", "EXTENSION", "SCHEMA", "SERVER",
            "PUBLICATION", "SUBSCRIPTION", "EVENT", "FOREIGN", "LANGUAGE", "CAST", "ACCESS", "TRANSFORM":
            return administrator(named)
        case "DEFAULT" where head.first == "ALTER", "OWNED" where head.first == "DROP":
            return rights(named)
        case "RULE":
            return "\(named): a rule replaces statements without being seen; write a trigger"
        default:
            return nil
        }
    }

    /// The first words of objects that have two.
    private static let twoWords: Set<String> = ["ACCESS", "DEFAULT", "EVENT", "FOREIGN", "OWNED"]

    static func settings(_ word: String) -> String {
        "\(word): the run decides the settings of its session, and other migrations rely on them; leave it out"
    }

    private static func administrator(_ words: String) -> String {
        "\(words): a migration changes its own schema only; leave this to the administrator of the server"
    }

    private static func rights(_ words: String) -> String {
        "\(words): rights and owners are not part of a migration; leave them to the administrator of the server"
    }
}

/// The words with which a statement begins: they determine its kind.
struct PostgresStatementHead {
    /// The number of tokens read.
    private(set) var count = 0
    /// The first word, upper case.
    private(set) var first = ""
    private(set) var second = ""
    /// The kind of object that the statement creates, changes, drops or comments on; empty for other statements.
    private(set) var object = ""
    /// The word after it.
    private(set) var afterObject = ""
    /// Whether the last token was the kind of object.
    private(set) var isAtObject = false

    /// Whether the words before the kind of object are being read: CREATE OR REPLACE TEMP ….
    var isBeforeName: Bool { isDefinition && object.isEmpty }

    private var isDefinition: Bool { ["CREATE", "ALTER", "DROP", "COMMENT"].contains(first) }

    mutating func read(_ token: PostgresToken) {
        count += 1
        if count == 1 { first = token.word }
        if count == 2 { second = token.word }
        if isAtObject { afterObject = token.word }
        isAtObject = count > 1 && isBeforeName && !token.word.isEmpty && !Self.modifiers.contains(token.word)
        if isAtObject { object = token.word }
    }

    private static let modifiers: Set<String> = [
        "OR", "REPLACE", "GLOBAL", "LOCAL", "TEMP", "TEMPORARY", "UNLOGGED", "UNIQUE", "RECURSIVE", "MATERIALIZED",
        "CONSTRAINT", "TRUSTED", "PROCEDURAL", "ON",
    ]
}

/// A token as the rules and the facts read it.
struct PostgresToken {
    let kind: SQLToken.Kind
    let line: Int
    let range: Range<Int>
    /// A word without quotes, upper case; empty for other tokens, and for words longer than any with a meaning.
    let word: String
    /// The name that it can be.
    let name: String?
    /// Punctuation; empty for other tokens.
    let sign: String
    /// Whether it is a name with escapes, `U&"…"`.
    let isEscapedName: Bool
    /// The text of a parameter; empty for other tokens.
    let text: String

    init(_ token: SQLToken, _ lexer: SQLLexer) {
        kind = token.kind
        line = token.line
        range = token.range
        word = kind == .word && range.count <= 20 ? lexer.folded(token) : ""
        name = lexer.name(of: token)
        sign = kind == .punctuation ? lexer.text(of: token) : ""
        text = kind == .parameter ? lexer.text(of: token) : ""
        isEscapedName = kind == .quotedIdentifier && !lexer.text(of: token).hasPrefix("\"")
    }
}
