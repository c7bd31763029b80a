/// One statement of a script.
package struct SQLStatement: Sendable, Hashable {
    /// From its first token to its last, comments between them included, without the `;` that ends it.
    package let text: String
    /// Its place among the statements of the script, from 1.
    package let number: Int
    /// The line of the script in which it begins, from 1.
    package let line: Int

    package init(text: String, number: Int, line: Int) {
        self.text = text
        self.number = number
        self.line = line
    }

    /// Its first line, for messages. Never blank: a statement begins with its first token.
    package var firstLine: String {
        let bytes = text.utf8.prefix { $0 != SQLByte.lineFeed }
        let end = bytes.lastIndex { $0 > SQLByte.blank } ?? bytes.startIndex
        return String(Substring(bytes[...end]))
    }
}

package enum SQLStatements {
    /// The statements of a script in their order; empty when there are none. Comments between statements and empty
    /// statements are left out. The last statement may lack its `;`.
    ///
    /// The body of a trigger holds statements of its own: as in `sqlite3_complete`, `CREATE [TEMP] TRIGGER … BEGIN`
    /// ends at `; END ;`. Unlike there, a trigger without `BEGIN` ends at its first `;`, so that a broken trigger does
    /// not include the statements after it.
    ///
    /// In PostgreSQL, a statement ends at each `;` outside strings. Only the body of a function without quotes,
    /// `CREATE FUNCTION … BEGIN ATOMIC …; END`, holds statements of its own, and is read up to its `END`.
    package static func split(
        _ script: String, syntax: SQLSyntax = .sqlite
    ) throws(SQLTextError) -> [SQLStatement] {
        var lexer = SQLLexer(script, syntax: syntax)
        var statements: [SQLStatement] = []
        var bounds: Range<Int>?
        var line = 1
        var shape = StatementShape()

        func statement(_ range: Range<Int>) -> SQLStatement {
            SQLStatement(text: lexer.text(in: range), number: statements.count + 1, line: line)
        }
        while let token = try lexer.nextSignificant() {
            if token.kind == .semicolon {
                if !shape.endsAtSemicolon() {
                    bounds = bounds.map { $0.lowerBound..<token.range.upperBound }
                    continue
                }
                if let range = bounds { statements.append(statement(range)) }
                bounds = nil
                shape = StatementShape()
                continue
            }
            if bounds == nil { line = token.line }
            bounds = (bounds?.lowerBound ?? token.range.lowerBound)..<token.range.upperBound
            shape.add(token, of: lexer)
        }
        if let range = bounds { statements.append(statement(range)) }
        return statements
    }
}

/// The position of the split in a statement. It decides whether a `;` ends the statement.
private struct StatementShape {
    private enum State: Equatable {
        case start, create, other
        /// Inside a trigger, before its `BEGIN`.
        case triggerHead
        /// Inside the body of a trigger; after a `;` there; after the `END` that follows it.
        case triggerBody, triggerSemicolon, triggerEnd
        /// Inside a function of PostgreSQL; after a `BEGIN` there; inside its body, with this number of `END` to come.
        case function, functionBegin, functionBody(ends: Int)
    }
    private var state = State.start

    mutating func add(_ token: SQLToken, of lexer: SQLLexer) {
        func isWord(_ word: String) -> Bool { lexer.isWord(token, word) }
        switch state {
        case .start: state = isWord("CREATE") ? .create : isWord("EXPLAIN") ? .start : .other
        case .create where lexer.syntax == .postgres:
            if isWord("FUNCTION") || isWord("PROCEDURE") {
                state = .function
            } else if !isWord("OR"), !isWord("REPLACE") {
                state = .other
            }
        case .create where isWord("TEMP") || isWord("TEMPORARY"): break
        case .create: state = isWord("TRIGGER") ? .triggerHead : .other
        case .function, .functionBegin:
            let isBody = state == .functionBegin && isWord("ATOMIC")
            state = isBody ? .functionBody(ends: 1) : isWord("BEGIN") ? .functionBegin : .function
        case .functionBody(let ends):
            if isWord("CASE") { state = .functionBody(ends: ends + 1) }
            if isWord("END") { state = ends > 1 ? .functionBody(ends: ends - 1) : .other }
        case .triggerHead: if isWord("BEGIN") { state = .triggerBody }
        case .triggerSemicolon: state = isWord("END") ? .triggerEnd : .triggerBody
        case .triggerEnd: state = .triggerBody
        case .triggerBody, .other: break
        }
    }

    /// Whether a `;` at this place ends the statement.
    mutating func endsAtSemicolon() -> Bool {
        switch state {
        case .start, .create, .other, .triggerHead, .triggerEnd, .function, .functionBegin: return true
        case .functionBody: return false
        case .triggerBody, .triggerSemicolon:
            state = .triggerSemicolon
            return false
        }
    }
}
