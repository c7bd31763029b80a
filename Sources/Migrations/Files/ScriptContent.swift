import ChatDBEngine
import Synchronization

/// What a script's text holds, read when somebody first asks: a store that is current is opened without looking through
/// any of the build's migrations.
final class ScriptContent: Sendable {
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
