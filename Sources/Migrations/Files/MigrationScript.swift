package import Engine

/// One direction of a migration: SQL text that has been looked through and found fit to run.
public struct MigrationScript: Sendable, Hashable {
    /// The text as it stands in the file, without a byte order mark.
    public let text: String
    /// What it asks of the run. None is an empty set.
    public let directives: Set<MigrationDirective>
    /// Where it comes from, for messages: a file, or the migration in a database.
    public let source: String
    /// At least one, in their order; lines are those of `text`.
    package let statements: [SQLStatement]

    /// Looks through down SQL that was found in a database, by the rules for files.
    package init(storedDown text: String, of migration: String) throws(MigrationFileError) {
        var problems = InvalidMigrations()
        let source = "stored down SQL of \(migration)"
        let script = Self(text, source: source, whenEmpty: "no statements", problems: &problems)
        guard let script else { throw problems.error ?? .invalid(problems) }
        self = script
    }

    /// Nil when the text has problems, which are added to `problems`.
    init?(_ fullText: String, source: String, whenEmpty: String, problems: inout InvalidMigrations) {
        let text = fullText.unicodeScalars.first == "\u{FEFF}" ? String(fullText.unicodeScalars.dropFirst()) : fullText
        let before = problems.count
        do throws(SQLTextError) {
            statements = try SQLStatements.split(text)
            directives = try Self.directives(in: text, source: source, problems: &problems)
            for statement in statements {
                try StatementRules.check(statement, source: source, problems: &problems)
            }
        } catch {
            problems.add(source, line: error.line, error.reason)
            return nil
        }
        if statements.isEmpty { problems.add(source, whenEmpty) }
        guard problems.count == before else { return nil }
        self.text = text
        self.source = source
    }

    private static func directives(
        in text: String, source: String, problems: inout InvalidMigrations
    ) throws(SQLTextError) -> Set<MigrationDirective> {
        var lexer = SQLLexer(text)
        var found: Set<MigrationDirective> = []
        var isBeforeStatements = true
        while let token = try lexer.next() {
            guard token.kind == .comment else {
                if token.kind != .semicolon { isBeforeStatements = false }
                continue
            }
            switch MigrationDirective.read(lexer.text(of: token)) {
            case .nothing: break
            case .directive(let directive) where isBeforeStatements: found.insert(directive)
            case .directive(let directive):
                problems.add(
                    source, line: token.line,
                    "-- chatdb: \(directive.rawValue) stands before the first statement, or it would not be seen")
            case .unknown(let line):
                problems.add(
                    source, line: token.line + line,
                    "unknown directive; there are -- chatdb: rebuild and -- chatdb: data-loss, each on a line of its own"
                )
            }
        }
        return found
    }
}
