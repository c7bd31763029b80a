package import ChatDBEngine
import Synchronization

/// One direction of a migration: SQL text that is looked through and found fit before any of it runs.
public struct MigrationScript: Sendable {
    /// The text as it stands in the file, without a byte order mark.
    public let text: String
    /// Where it comes from, for messages: a file, or the migration in a database.
    public let source: String
    private let content: ScriptContent

    /// What it asks of the run. None is an empty set.
    ///
    /// Throws `invalid` for a text that is not fit to run, which only a migration of the build can still be: others are
    /// looked through when they are loaded.
    public var directives: Set<MigrationDirective> {
        get throws(MigrationFileError) { try content.parts().directives }
    }

    /// At least one, in their order; lines are those of `text`. Throws as `directives` does.
    package var statements: [SQLStatement] {
        get throws(MigrationFileError) { try content.parts().statements }
    }

    /// For each statement, what its tokens say. Throws as `directives` does.
    var facts: [StatementFacts] {
        get throws(MigrationFileError) { try content.parts().facts }
    }

    /// Looks through down SQL that was found in a database, by the rules for files.
    package init(storedDown text: String, of migration: String) throws(MigrationFileError) {
        self.init(unread: text, source: "stored down SQL of \(migration)", whenEmpty: "no statements")
        _ = try content.parts()
    }

    /// A text that is looked through when somebody first asks for its parts.
    init(unread fullText: String, source: String, whenEmpty: String) {
        text = fullText.unicodeScalars.first == "\u{FEFF}" ? String(fullText.unicodeScalars.dropFirst()) : fullText
        self.source = source
        content = ScriptContent(text, source: source, whenEmpty: whenEmpty)
    }
}

extension MigrationScript: Hashable {
    /// Equal when text and source are: the rest follows from them.
    public static func == (left: MigrationScript, right: MigrationScript) -> Bool {
        left.text == right.text && left.source == right.source
    }

    /// By text and source.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(text)
        hasher.combine(source)
    }
}

/// What a script's text holds, read when somebody first asks: a store that is current is opened without looking through
/// any of the build's migrations.
private final class ScriptContent: Sendable {
    struct Parts: Sendable {
        let directives: Set<MigrationDirective>
        let statements: [SQLStatement]
        /// For each statement, what its tokens say.
        let facts: [StatementFacts]
    }

    private enum State {
        case unread(text: String, source: String, whenEmpty: String)
        case read(Result<Parts, MigrationFileError>)
    }

    private let state: Mutex<State>

    init(_ text: String, source: String, whenEmpty: String) {
        state = Mutex(.unread(text: text, source: source, whenEmpty: whenEmpty))
    }

    /// The parts, or what is wrong with the text.
    func parts() throws(MigrationFileError) -> Parts {
        let result = state.withLock { state in
            switch state {
            case .read(let result): return result
            case .unread(let text, let source, let whenEmpty):
                let result = Self.read(text, source: source, whenEmpty: whenEmpty)
                state = .read(result)
                return result
            }
        }
        return try result.get()
    }

    private static func read(
        _ text: String, source: String, whenEmpty: String
    ) -> Result<Parts, MigrationFileError> {
        var problems = InvalidMigrations()
        do throws(SQLTextError) {
            let statements = try SQLStatements.split(text)
            let directives = try directives(in: text, source: source, problems: &problems)
            let facts = try statements.map { statement throws(SQLTextError) in
                try StatementRules.check(statement, source: source, problems: &problems)
            }
            if statements.isEmpty { problems.add(source, whenEmpty) }
            if let error = problems.error { return .failure(error) }
            return .success(Parts(directives: directives, statements: statements, facts: facts))
        } catch {
            problems.add(source, line: error.line, error.reason)
            return .failure(problems.error ?? .invalid(problems))
        }
    }

    private static func directives(
        in text: String, source: String, problems: inout InvalidMigrations
    ) throws(SQLTextError) -> Set<MigrationDirective> {
        // What looks like a directive has this word in it.
        guard text.lowercased().contains("chatdb") else { return [] }
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

/// What a migration's file asks of the run, in a line `-- chatdb: …` before its first statement.
public enum MigrationDirective: String, Sendable, Hashable, CaseIterable {
    /// SQLite's table rebuild in twelve steps: `legacy_alter_table` is on for this direction of this migration.
    case rebuild
    /// This direction throws data away.
    case dataLoss = "data-loss"
}

extension MigrationDirective {
    /// What a comment says to the run.
    enum Reading: Hashable {
        /// It is for people.
        case nothing
        case directive(MigrationDirective)
        /// It looks like a directive and is none: what was meant would silently not happen. The line is counted
        /// from 0, in the comment.
        case unknown(line: Int)
    }

    static func read(_ comment: String) -> Reading {
        // By scalars: a line that ends in CRLF is one character, not two, to Swift.
        let lines = comment.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        for (number, line) in lines.enumerated() where looksLikeDirective(line) {
            guard comment.hasPrefix("--") else { return .unknown(line: number) }
            let words = line.dropFirst(2).split { $0 == " " || $0 == "\t" || $0 == "\r" }.map(String.init)
            let known = allCases.first { words == ["chatdb:", $0.rawValue] || words == ["chatdb:" + $0.rawValue] }
            return known.map { .directive($0) } ?? .unknown(line: number)
        }
        return .nothing
    }

    /// Generous on purpose: other case, blanks before the colon, no colon, a block comment. None of them is understood.
    /// Without a colon it is what begins with the word of a directive: `chatdb is a tool` is for people.
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
