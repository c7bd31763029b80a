/// One token of SQL text: what it is and where it stands. Its text is asked of the lexer that made it.
package struct SQLToken: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// A keyword or a plain identifier: only the place in the statement tells which.
        case word
        /// `"…"`, `` `…` `` or `[…]`.
        case quotedIdentifier
        /// `'…'`. SQLite also takes it as a name where a name must stand.
        case string
        /// `x'…'`.
        case blob
        case number
        /// `?`, `?1`, `:a`, `@a`, `$1`.
        case parameter
        case punctuation
        /// `-- …` up to the end of the line (without it), or `/* … */`.
        case comment
        case semicolon
    }

    package let kind: Kind
    /// The bytes of the UTF-8 text, counted from 0.
    package let range: Range<Int>
    /// The line it begins in, counted from the lexer's first line.
    package let line: Int
}

/// Why a text is not SQL, whatever the dialect, and the line.
package struct SQLTextError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Problem: Sendable, Hashable {
        case unclosedString
        case unclosedIdentifier
        case unclosedComment
        /// A NUL anywhere, or another control character outside strings.
        case controlCharacter(UInt8)
    }

    package let problem: Problem
    /// Where the quote or comment begins, or the character stands.
    package let line: Int

    package init(problem: Problem, line: Int) {
        self.problem = problem
        self.line = line
    }

    /// The problem without the line, as it is read in a sentence.
    package var reason: String {
        switch problem {
        case .unclosedString: "the string that begins here is not closed (')"
        case .unclosedIdentifier: "the quoted name that begins here is not closed"
        case .unclosedComment: "the comment that begins here is not closed (*/)"
        case .controlCharacter(let byte):
            "control character U+00\(byte < 0x10 ? "0" : "")\(String(byte, radix: 16, uppercase: true)) in the SQL text"
        }
    }

    package var description: String { "line \(line): \(reason)" }
}
