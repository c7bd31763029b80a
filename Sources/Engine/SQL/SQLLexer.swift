/// Splits SQL text into tokens, one at a time, in one pass over its UTF-8 bytes.
///
/// Where SQL dialects differ, it follows the syntax it is given. In SQLite's, `--` ends at a line feed only, block
/// comments do not nest, and a backslash in a string is a character like any other; `SQLLexer+Postgres.swift` has
/// PostgreSQL's. It does not check grammar: a character that no dialect knows is punctuation, which the database refuses.
package struct SQLLexer: Sendable {
    let syntax: SQLSyntax
    let bytes: [UInt8]
    var position = 0
    var line: Int
    let refusesControls: Bool

    /// - Parameters:
    ///   - syntax: the rules that the text follows.
    ///   - firstLine: the number of the text's first line, for text that was cut out of a file.
    ///   - refusesControls: whether control characters outside strings are an error. They are in text that will run;
    ///     the schema of a file that is only read may have any names.
    package init(
        _ text: String, syntax: SQLSyntax = .sqlite, firstLine: Int = 1, refusesControls: Bool = true
    ) {
        self.syntax = syntax
        bytes = Array(text.utf8)
        line = firstLine
        self.refusesControls = refusesControls
    }

    /// The next token, comments included; nil at the end of the text.
    package mutating func next() throws(SQLTextError) -> SQLToken? {
        try skipBlanks()
        guard position < bytes.count else { return nil }
        let start = position
        let startLine = line
        let kind = try syntax == .sqlite ? scan() : scanPostgres()
        return SQLToken(kind: kind, range: start..<position, line: startLine)
    }

    /// The next token that is no comment; nil at the end of the text.
    package mutating func nextSignificant() throws(SQLTextError) -> SQLToken? {
        while let token = try next() {
            if token.kind != .comment { return token }
        }
        return nil
    }

    /// The text of a token.
    package func text(of token: SQLToken) -> String { text(in: token.range) }

    /// A part of the text, from token to token: the ranges of tokens never cut a character.
    package func text(in range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// Whether the token is this word, upper or lower case. `word` must be upper-case ASCII.
    package func isWord(_ token: SQLToken, _ word: String) -> Bool {
        token.kind == .word && token.range.count == word.utf8.count
            && bytes[token.range].lazy.map(SQLByte.upperASCII).elementsEqual(word.utf8)
    }

    /// Whether the token is this punctuation.
    package func isPunctuation(_ token: SQLToken, _ text: String) -> Bool {
        token.kind == .punctuation && bytes[token.range].elementsEqual(text.utf8)
    }

    // MARK: Scanning

    func byte(ahead: Int) -> UInt8? {
        let index = position + ahead
        return index < bytes.count ? bytes[index] : nil
    }

    private mutating func skipBlanks() throws(SQLTextError) {
        while let byte = byte(ahead: 0) {
            switch byte {
            case SQLByte.lineFeed: line += 1
            case SQLByte.tab, SQLByte.formFeed, SQLByte.carriageReturn, SQLByte.blank: break
            // A byte order mark, which SQLite skips too.
            case 0xEF where syntax == .sqlite && self.byte(ahead: 1) == 0xBB && self.byte(ahead: 2) == 0xBF:
                position += 2
            default: return
            }
            position += 1
        }
    }

    /// Moves past one token of SQLite's. The position is on its first byte, which is not blank.
    private mutating func scan() throws(SQLTextError) -> SQLToken.Kind {
        let byte = bytes[position]
        switch byte {
        case SQLByte.semicolon:
            position += 1
            return .semicolon
        case SQLByte.quote:
            return try scanString(as: .string)
        case SQLByte.upperX where self.byte(ahead: 1) == SQLByte.quote,
            SQLByte.lowerX where self.byte(ahead: 1) == SQLByte.quote:
            position += 1
            return try scanString(as: .blob)
        case SQLByte.doubleQuote, SQLByte.backtick:
            return try scanQuoted(until: byte, or: .unclosedIdentifier, as: .quotedIdentifier)
        case SQLByte.leftBracket:
            return try scanQuoted(until: SQLByte.rightBracket, or: .unclosedIdentifier, as: .quotedIdentifier)
        case SQLByte.minus where self.byte(ahead: 1) == SQLByte.minus:
            return try scanLineComment()
        case SQLByte.slash where self.byte(ahead: 1) == SQLByte.star:
            return try scanBlockComment()
        case _ where SQLByte.isWordStart(byte):
            try scanWord()
            return .word
        case _ where SQLByte.isDigit(byte), SQLByte.dot where self.byte(ahead: 1).map(SQLByte.isDigit) ?? false:
            try scanNumber()
            return .number
        case SQLByte.questionMark:
            position += 1
            while let digit = self.byte(ahead: 0), SQLByte.isDigit(digit) { position += 1 }
            return .parameter
        case SQLByte.colon, SQLByte.at, SQLByte.dollar:
            return try scanParameter()
        default:
            return try scanOperator()
        }
    }

    /// Moves past an operator, or another character without a meaning of its own.
    mutating func scanOperator() throws(SQLTextError) -> SQLToken.Kind {
        if refusesControls, SQLByte.isControl(bytes[position]) {
            throw SQLTextError(problem: .controlCharacter(bytes[position]), line: line)
        }
        position += operatorLength()
        return .punctuation
    }

    mutating func scanString(as kind: SQLToken.Kind) throws(SQLTextError) -> SQLToken.Kind {
        try scanQuoted(until: SQLByte.quote, or: .unclosedString, as: kind)
    }

    /// Moves past a quoted token. A doubled closing character is part of the token, except `]`.
    mutating func scanQuoted(
        until close: UInt8, or problem: SQLTextError.Problem, as kind: SQLToken.Kind
    ) throws(SQLTextError) -> SQLToken.Kind {
        let startLine = line
        position += 1
        while let byte = byte(ahead: 0) {
            if byte == close {
                position += 1
                guard close != SQLByte.rightBracket, self.byte(ahead: 0) == close else { return kind }
            } else if kind == .quotedIdentifier {
                try refuseControl()
            } else {
                try refuseNUL()
            }
            if byte == SQLByte.lineFeed { line += 1 }
            position += 1
        }
        throw SQLTextError(problem: problem, line: startLine)
    }

    mutating func scanLineComment() throws(SQLTextError) -> SQLToken.Kind {
        while let byte = byte(ahead: 0), byte != SQLByte.lineFeed {
            if byte == SQLByte.carriageReturn, syntax == .postgres { break }
            try refuseControl()
            position += 1
        }
        return .comment
    }

    /// Moves past a block comment, in PostgreSQL with the comments in it.
    mutating func scanBlockComment() throws(SQLTextError) -> SQLToken.Kind {
        let startLine = line
        var depth = 1
        position += 2
        while let byte = byte(ahead: 0) {
            if byte == SQLByte.star, self.byte(ahead: 1) == SQLByte.slash {
                position += 2
                depth -= 1
                if depth == 0 { return .comment }
                continue
            }
            if byte == SQLByte.slash, self.byte(ahead: 1) == SQLByte.star, syntax == .postgres {
                position += 2
                depth += 1
                continue
            }
            try refuseControl()
            if byte == SQLByte.lineFeed { line += 1 }
            position += 1
        }
        throw SQLTextError(problem: .unclosedComment, line: startLine)
    }

    mutating func scanWord() throws(SQLTextError) {
        while let byte = byte(ahead: 0), SQLByte.isWordPart(byte) {
            if byte == 0xC2 { try refuseControl() }
            position += 1
        }
    }

    /// Moves past `1`, `1.5`, `.5`, `1e-5`, `0x1F`, and letters that follow, which belong to the same token.
    mutating func scanNumber() throws(SQLTextError) {
        let isHexadecimal = byte(ahead: 1) == SQLByte.lowerX || byte(ahead: 1) == SQLByte.upperX
        while let byte = byte(ahead: 0), SQLByte.isWordPart(byte) || byte == SQLByte.dot {
            // A string may begin here.
            if byte == SQLByte.dollar, syntax == .postgres { break }
            if byte == 0xC2 { try refuseControl() }
            position += 1
            let isExponent = byte == SQLByte.upperE || byte == SQLByte.lowerE
            if isExponent, !isHexadecimal, let sign = self.byte(ahead: 0),
                sign == SQLByte.plus || sign == SQLByte.minus,
                self.byte(ahead: 1).map(SQLByte.isDigit) ?? false
            {
                position += 1
            }
        }
    }

    /// Moves past `:a`, `@a`, `$1`; `::`, `:=` and a single sign are punctuation.
    private mutating func scanParameter() throws(SQLTextError) -> SQLToken.Kind {
        guard let next = byte(ahead: 1), SQLByte.isWordPart(next) else {
            position += operatorLength()
            return .punctuation
        }
        position += 1
        try scanWord()
        return .parameter
    }

    /// The length of the operator at the position: the longest that dialects know, else one byte.
    private func operatorLength() -> Int {
        guard let second = byte(ahead: 1) else { return 1 }
        switch (bytes[position], second) {
        case (SQLByte.minus, SQLByte.greater):
            return byte(ahead: 2) == SQLByte.greater ? 3 : 2
        case (SQLByte.bar, SQLByte.bar), (SQLByte.colon, SQLByte.colon), (SQLByte.less, SQLByte.less),
            (SQLByte.less, SQLByte.greater), (SQLByte.greater, SQLByte.greater),
            (SQLByte.less, SQLByte.equals), (SQLByte.greater, SQLByte.equals), (SQLByte.equals, SQLByte.equals),
            (SQLByte.exclamationMark, SQLByte.equals), (SQLByte.colon, SQLByte.equals):
            return 2
        default:
            return 1
        }
    }

    /// Throws for a NUL: the database would read the text up to there and no further.
    func refuseNUL() throws(SQLTextError) {
        if refusesControls, bytes[position] == 0 { throw SQLTextError(problem: .controlCharacter(0), line: line) }
    }

    /// Throws for a control character, which could hide from a reader what a text does. Tabs and line ends are allowed.
    func refuseControl() throws(SQLTextError) {
        guard refusesControls else { return }
        let byte = bytes[position]
        if byte == 0xC2, let second = self.byte(ahead: 1), second < 0xA0 {
            throw SQLTextError(problem: .controlCharacter(second), line: line)
        }
        if SQLByte.isControl(byte) { throw SQLTextError(problem: .controlCharacter(byte), line: line) }
    }
}
