public import ChatDBEngine
import Synchronization

/// One direction of a migration: SQL text that is validated before any of it runs.
public struct MigrationScript: Sendable {
    /// The text in the file, without a byte order mark.
    public let text: String
    /// Its source, for messages: a file, or the migration in a database.
    public let source: String
    /// The engine that it is written for.
    public let syntax: SQLSyntax
    private let content: ScriptContent

    /// Its directives; empty without any.
    ///
    /// Throws `invalid` for an invalid text. Only a migration of the build can be invalid here: all others are
    /// validated when they are loaded.
    public var directives: Set<MigrationDirective> {
        get throws(MigrationFileError) { try content.parts().directives }
    }

    /// The statements in their order, at least one; line numbers refer to `text`. Throws as `directives` does.
    package var statements: [SQLStatement] {
        get throws(MigrationFileError) { try content.parts().statements }
    }

    /// The facts about each statement, from its tokens. Throws as `directives` does.
    var facts: [StatementFacts] {
        get throws(MigrationFileError) { try content.parts().facts }
    }

    /// Validates down SQL from a database by the rules for files.
    package init(
        storedDown text: String, of migration: String, syntax: SQLSyntax = .sqlite
    ) throws(MigrationFileError) {
        self.init(
            unread: text, source: "stored down SQL of \(migration)", syntax: syntax, whenEmpty: "no statements")
        _ = try content.parts()
    }

    /// A text that is validated when its parts are first used.
    init(unread fullText: String, source: String, syntax: SQLSyntax, whenEmpty: String) {
        text = fullText.unicodeScalars.first == "\u{FEFF}" ? String(fullText.unicodeScalars.dropFirst()) : fullText
        self.source = source
        self.syntax = syntax
        content = ScriptContent(.init(text: text, source: source, syntax: syntax, whenEmpty: whenEmpty))
    }
}

extension MigrationScript: Hashable {
    /// Compares text, source and syntax; everything else follows from them.
    public static func == (left: MigrationScript, right: MigrationScript) -> Bool {
        left.text == right.text && left.source == right.source && left.syntax == right.syntax
    }

    /// Hashes text, source and syntax.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(text)
        hasher.combine(source)
        hasher.combine(syntax)
    }
}

/// The content of a script, parsed at first use: opening a current store parses no migration of the build.
private final class ScriptContent: Sendable {
    struct Parts: Sendable {
        let directives: Set<MigrationDirective>
        let statements: [SQLStatement]
        /// The facts about each statement, from its tokens.
        let facts: [StatementFacts]
    }

    struct Unread: Sendable {
        let text: String
        let source: String
        let syntax: SQLSyntax
        /// The reason to refuse a text without statements.
        let whenEmpty: String
    }

    private enum State {
        case unread(Unread)
        case read(Result<Parts, MigrationFileError>)
    }

    private let state: Mutex<State>

    init(_ unread: Unread) { state = Mutex(.unread(unread)) }

    /// The parts; throws the problems of the text.
    func parts() throws(MigrationFileError) -> Parts {
        let result = state.withLock { state in
            switch state {
            case .read(let result): return result
            case .unread(let unread):
                let result = Self.read(unread)
                state = .read(result)
                return result
            }
        }
        return try result.get()
    }

    private static func read(_ unread: Unread) -> Result<Parts, MigrationFileError> {
        let source = unread.source
        var problems = InvalidMigrations()
        do throws(SQLTextError) {
            let statements = try SQLStatements.split(unread.text, syntax: unread.syntax)
            let directives = try directives(in: unread, problems: &problems)
            let facts = try statements.map { statement throws(SQLTextError) in
                switch unread.syntax {
                case .sqlite: try StatementRules.check(statement, source: source, problems: &problems)
                case .postgres: try PostgresStatementRules.check(statement, source: source, problems: &problems)
                }
            }
            if statements.isEmpty { problems.add(source, unread.whenEmpty) }
            if let error = problems.error { return .failure(error) }
            return .success(Parts(directives: directives, statements: statements, facts: facts))
        } catch {
            problems.add(source, line: error.line, error.reason)
            return .failure(problems.error ?? .invalid(problems))
        }
    }

    private static func directives(
        in unread: Unread, problems: inout InvalidMigrations
    ) throws(SQLTextError) -> Set<MigrationDirective> {
        // Everything that looks like a directive contains this word.
        guard unread.text.lowercased().contains("chatdb") else { return [] }
        let (source, syntax) = (unread.source, unread.syntax)
        var lexer = SQLLexer(unread.text, syntax: syntax)
        var found: Set<MigrationDirective> = []
        var isBeforeStatements = true
        while let token = try lexer.next() {
            guard token.kind == .comment else {
                if token.kind != .semicolon { isBeforeStatements = false }
                continue
            }
            switch MigrationDirective.read(lexer.text(of: token)) {
            case .nothing: break
            case .directive(.rebuild) where syntax == .postgres:
                problems.add(
                    source, line: token.line,
                    "-- chatdb: rebuild is for SQLite; ALTER TABLE of PostgreSQL changes a table without a rebuild")
            case .directive(let directive) where isBeforeStatements: found.insert(directive)
            case .directive(let directive):
                problems.add(
                    source, line: token.line,
                    "-- chatdb: \(directive.rawValue) must stand before the first statement")
            case .unknown(let line):
                let directives =
                    syntax == .sqlite
                    ? "the directives are -- chatdb: rebuild and -- chatdb: data-loss, each on its own line"
                    : "the directive is -- chatdb: data-loss, on its own line"
                problems.add(source, line: token.line + line, "unknown directive; \(directives)")
            }
        }
        return found
    }
}

/// A directive of a migration's file to the run, in a line `-- chatdb: …` before its first statement.
public enum MigrationDirective: String, Sendable, Hashable, CaseIterable {
    /// SQLite's table rebuild in twelve steps: `legacy_alter_table` is on for this direction of this migration. A
    /// migration for PostgreSQL cannot have it.
    case rebuild
    /// This direction discards data.
    case dataLoss = "data-loss"
}

extension MigrationDirective {
    /// The meaning of a comment for the run.
    enum Reading: Hashable {
        /// A comment for people.
        case nothing
        case directive(MigrationDirective)
        /// A line that resembles a directive but is not one. It would have no effect, and its author would not notice.
        /// The line is counted from 0 within the comment.
        case unknown(line: Int)
    }

    static func read(_ comment: String) -> Reading {
        // Splits scalars: to Swift, CRLF is one character.
        let lines = comment.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        for (number, line) in lines.enumerated() where looksLikeDirective(line) {
            guard comment.hasPrefix("--") else { return .unknown(line: number) }
            let words = line.dropFirst(2).split { $0 == " " || $0 == "\t" || $0 == "\r" }.map(String.init)
            let known = allCases.first { words == ["chatdb:", $0.rawValue] || words == ["chatdb:" + $0.rawValue] }
            return known.map { .directive($0) } ?? .unknown(line: number)
        }
        return .nothing
    }

    /// Deliberately generous: it matches other case, blanks before the colon, a missing colon, and block comments, none
    /// of which is a valid directive. Without a colon the rest must begin with the word of a directive: `chatdb is a
    /// tool` is for people.
    private static func looksLikeDirective(_ line: Substring.UnicodeScalarView) -> Bool {
        let text = String(line.drop { " \t\r-*/".unicodeScalars.contains($0) }).lowercased()
        guard text.hasPrefix("chatdb") else { return false }
        let rest = text.dropFirst("chatdb".count)
        if rest.drop(while: { $0 == " " || $0 == "\t" }).first == ":" { return true }
        guard let first = rest.first, !first.isLetter, !first.isNumber else { return false }
        let letters = rest.filter(\.isLetter)
        return allCases.contains { letters.hasPrefix($0.rawValue.filter(\.isLetter)) }
    }
}
