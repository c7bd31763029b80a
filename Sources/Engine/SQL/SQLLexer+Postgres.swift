/// The tokens of PostgreSQL, as its own lexer reads them (`src/backend/parser/scan.l`).
extension SQLLexer {
    /// Moves past one token. The position is on its first byte, which is not blank.
    mutating func scanPostgres() throws(SQLTextError) -> SQLToken.Kind {
        let byte = bytes[position]
        let next = self.byte(ahead: 1)
        switch byte {
        case SQLByte.semicolon:
            position += 1
            return .semicolon
        case SQLByte.quote:
            return try scanString(as: .string)
        case SQLByte.doubleQuote:
            return try scanQuoted(until: byte, or: .unclosedIdentifier, as: .quotedIdentifier)
        case SQLByte.dollar:
            return try scanDollar()
        case SQLByte.minus where next == SQLByte.minus:
            return try scanLineComment()
        case SQLByte.slash where next == SQLByte.star:
            return try scanBlockComment()
        case _ where SQLByte.isWordStart(byte):
            if let kind = try scanPrefixed() { return kind }
            try scanWord()
            return .word
        case _ where SQLByte.isDigit(byte), SQLByte.dot where next.map(SQLByte.isDigit) ?? false:
            try scanNumber()
            return .number
        default:
            // Also a bracket, as in ARRAY[1]; a backtick, and the ? and @ of operators.
            return try scanOperator()
        }
    }

    /// Moves past a string or name with a letter in front; nil for a word. `N'…'` is a word and a string.
    private mutating func scanPrefixed() throws(SQLTextError) -> SQLToken.Kind? {
        let (next, second) = (byte(ahead: 1), byte(ahead: 2))
        switch SQLByte.upperASCII(bytes[position]) {
        case SQLByte.upperE where next == SQLByte.quote:
            position += 1
            return try scanEscapes()
        case SQLByte.upperB where next == SQLByte.quote, SQLByte.upperX where next == SQLByte.quote:
            position += 1
            return try scanString(as: .blob)
        case SQLByte.upperU where next == SQLByte.ampersand && second == SQLByte.quote:
            position += 2
            return try scanString(as: .string)
        case SQLByte.upperU where next == SQLByte.ampersand && second == SQLByte.doubleQuote:
            position += 2
            return try scanQuoted(until: SQLByte.doubleQuote, or: .unclosedIdentifier, as: .quotedIdentifier)
        default:
            return nil
        }
    }

    /// Moves past the rest of `E'…'`, where a backslash belongs to the character after it.
    private mutating func scanEscapes() throws(SQLTextError) -> SQLToken.Kind {
        let startLine = line
        var isEscaped = false
        position += 1
        while let byte = byte(ahead: 0) {
            try refuseNUL()
            if byte == SQLByte.lineFeed { line += 1 }
            position += 1
            if isEscaped {
                isEscaped = false
            } else if byte == SQLByte.backslash {
                isEscaped = true
            } else if byte == SQLByte.quote {
                if self.byte(ahead: 0) == SQLByte.quote {
                    position += 1
                } else if try !scanContinuation() {
                    return .string
                }
            }
        }
        throw SQLTextError(problem: .unclosedString, line: startLine)
    }

    /// Moves past the blanks and the quote with which a string goes on in another line, where a backslash still has its
    /// meaning. False, without moving, when the string is at its end.
    private mutating func scanContinuation() throws(SQLTextError) -> Bool {
        var rest = self
        var isInNextLine = false
        while let byte = rest.byte(ahead: 0), byte != SQLByte.quote {
            switch byte {
            case SQLByte.lineFeed, SQLByte.carriageReturn:
                isInNextLine = true
                if byte == SQLByte.lineFeed { rest.line += 1 }
                rest.position += 1
            case SQLByte.tab, SQLByte.formFeed, SQLByte.blank:
                rest.position += 1
            case SQLByte.minus where rest.byte(ahead: 1) == SQLByte.minus:
                _ = try rest.scanLineComment()
            default:
                return false
            }
        }
        guard isInNextLine, rest.byte(ahead: 0) == SQLByte.quote else { return false }
        rest.position += 1
        self = rest
        return true
    }

    /// Moves past `$1`, `$$…$$` or `$tag$…$tag$`. A single `$` is punctuation.
    private mutating func scanDollar() throws(SQLTextError) -> SQLToken.Kind {
        if let next = byte(ahead: 1), SQLByte.isDigit(next) {
            position += 1
            while let digit = byte(ahead: 0), SQLByte.isDigit(digit) { position += 1 }
            return .parameter
        }
        guard let delimiter = delimiter() else { return try scanOperator() }
        let startLine = line
        for _ in delimiter {
            try refuseControl()
            position += 1
        }
        while let byte = byte(ahead: 0) {
            if byte == SQLByte.dollar, bytes[position...].starts(with: delimiter) {
                position += delimiter.count
                return .string
            }
            // Most of these strings are bodies of functions: a reader must see what they do.
            try refuseControl()
            if byte == SQLByte.lineFeed { line += 1 }
            position += 1
        }
        throw SQLTextError(problem: .unclosedString, line: startLine)
    }

    /// `$$` or `$tag$` at the position; nil without one. A tag is a word without `$`.
    private func delimiter() -> ArraySlice<UInt8>? {
        let rest = bytes[(position + 1)...]
        let tag = rest.prefix { SQLByte.isWordPart($0) && $0 != SQLByte.dollar }
        guard rest.dropFirst(tag.count).first == SQLByte.dollar, tag.first.map(SQLByte.isWordStart) ?? true else {
            return nil
        }
        return bytes[position...tag.endIndex]
    }
}
