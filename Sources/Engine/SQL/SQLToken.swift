/// The database whose rules a text of SQL follows. They differ in strings, quoted names, comments and parameters.
public enum SQLSyntax: String, Sendable, Hashable, CaseIterable {
    /// SQLite's rules.
    case sqlite
    /// PostgreSQL's rules, with `standard_conforming_strings` on: only `E'…'` has escapes with a backslash.
    case postgres

    /// What names of the same table or column have in common: SQLite ignores the case of a name. For PostgreSQL, the
    /// lexer has already folded the names that have no quotes.
    package func key(_ name: String) -> String {
        switch self {
        case .sqlite: name.lowercased()
        case .postgres: name
        }
    }
}

/// One token of SQL text: its kind and its place. The lexer that made it has its text.
package struct SQLToken: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// A keyword or a plain identifier; only the grammar distinguishes them.
        case word
        /// `"…"`; in SQLite also `` `…` `` and `[…]`, in PostgreSQL also `U&"…"`.
        case quotedIdentifier
        /// `'…'`, which SQLite also takes as a name where a name must stand; in PostgreSQL also `E'…'`, `U&'…'`, `$$…$$`
        /// and `$tag$…$tag$`.
        case string
        /// `x'…'`; in PostgreSQL also `b'…'`. Both are bit strings there.
        case blob
        case number
        /// `?`, `?1`, `:a`, `@a`, `$1`; in PostgreSQL only `$1`.
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

/// Why a text is not SQL in any dialect, and the line.
package struct SQLTextError: Error, Sendable, Hashable, CustomStringConvertible {
    package enum Problem: Sendable, Hashable {
        case unclosedString
        case unclosedIdentifier
        case unclosedComment
        /// A NUL anywhere, or another control character outside strings.
        case controlCharacter(UInt8)
    }

    package let problem: Problem
    /// The line in which the quote or comment begins, or that of the character.
    package let line: Int

    package init(problem: Problem, line: Int) {
        self.problem = problem
        self.line = line
    }

    /// The problem without the line, as it is read in a sentence.
    package var reason: String {
        switch problem {
        case .unclosedString: "the string that begins here is not closed"
        case .unclosedIdentifier: "the quoted name that begins here is not closed"
        case .unclosedComment: "the comment that begins here is not closed (*/)"
        case .controlCharacter(let byte):
            "control character U+00\(byte < 0x10 ? "0" : "")\(String(byte, radix: 16, uppercase: true)) in the SQL text"
        }
    }

    package var description: String { "line \(line): \(reason)" }
}
