extension SQLLexer {
    /// The text in a form in which texts with the same tokens are equal, to compare triggers and checks by structure.
    /// It has no blanks and comments. ASCII letters of words and names are in upper case. Names are in `"…"` only where
    /// they need quotes. Strings are unchanged. A `;` at the end is left out. A text of blanks and comments gives the
    /// empty string.
    package static func folded(_ text: String, refusesControls: Bool = true) throws(SQLTextError) -> String {
        var lexer = SQLLexer(text, refusesControls: refusesControls)
        var result = ""
        var pending = 0
        while let token = try lexer.nextSignificant() {
            if token.kind == .semicolon {
                pending += 1
                continue
            }
            for _ in 0..<pending { result += result.isEmpty ? ";" : " ;" }
            pending = 0
            if !result.isEmpty { result += " " }
            result += lexer.folded(token)
        }
        return result
    }

    /// The token as `folded(_:)` writes it. Comments fold to themselves.
    package func folded(_ token: SQLToken) -> String {
        switch token.kind {
        case .word, .number, .blob:
            return Self.upper(text(of: token))
        case .quotedIdentifier:
            let name = Self.upper(name(of: token) ?? "")
            return Self.needsQuotes(name) ? quoted(name) : name
        case .string, .parameter, .punctuation, .comment, .semicolon:
            return text(of: token)
        }
    }

    /// SQL formatted for people: keywords in upper case, names as written and in quotes only where they need them,
    /// usual blanks. A `;` at the end is left out.
    ///
    /// - Parameter namesLower: writes names lower case, for text that `folded(_:)` made.
    package static func readable(
        _ text: String, namesLower: Bool = false, refusesControls: Bool = true
    ) throws(SQLTextError) -> String {
        var lexer = SQLLexer(text, refusesControls: refusesControls)
        var tokens: [SQLToken] = []
        while let token = try lexer.nextSignificant() { tokens.append(token) }
        return lexer.readable(tokens[...], namesLower: namesLower)
    }

    /// Tokens of this lexer, formatted for people.
    package func readable(_ tokens: ArraySlice<SQLToken>, namesLower: Bool = false) -> String {
        var result = ""
        var last: (text: String, isName: Bool) = ("", false)
        let end = tokens.lastIndex { $0.kind != .semicolon }.map { $0 + 1 } ?? tokens.startIndex
        for index in tokens.startIndex..<end {
            let isCalled = index + 1 < end && isPunctuation(tokens[index + 1], "(")
            let (shown, isName) = readable(tokens[index], namesLower: namesLower, isCalled: isCalled)
            let isTight =
                [")", ",", ".", ";"].contains(shown) || ["(", ".", ""].contains(last.text)
                || shown == "(" && last.isName
            result += (isTight ? "" : " ") + shown
            last = (shown, isName)
        }
        return result
    }

    private func readable(_ token: SQLToken, namesLower: Bool, isCalled: Bool) -> (text: String, isName: Bool) {
        let word = text(of: token)
        // The one keyword that is a function where a parenthesis follows, and nothing else there.
        let isFunction = isCalled && Self.upper(word) == "REPLACE"
        switch token.kind {
        case .word where sqlKeywords.contains(Self.upper(word)) && !isFunction, .number, .blob:
            return (Self.upper(word), false)
        case .word:
            return (namesLower ? Self.lower(word) : word, true)
        case .quotedIdentifier:
            // SQLite takes a name in double quotes for a string if no column has it, so the quotes stay.
            if syntax == .sqlite, !namesLower, word.utf8.first == SQLByte.doubleQuote { return (word, true) }
            let name = name(of: token) ?? ""
            let written = namesLower ? Self.lower(name) : name
            return (Self.needsQuotes(name) ? quoted(written) : written, true)
        case .string, .parameter, .punctuation, .comment, .semicolon:
            return (word, false)
        }
    }

    /// The name that the token is, without quotes; nil when it cannot be a name.
    /// A string can be one: SQLite accepts `DELETE FROM 'store'`. PostgreSQL does not, and reads a name without quotes in
    /// lower case. Escapes in a `U&"…"` stay as they are.
    package func name(of token: SQLToken) -> String? {
        switch (token.kind, syntax) {
        case (.word, .sqlite): return text(of: token)
        case (.word, .postgres): return Self.lower(text(of: token))
        case (.quotedIdentifier, _), (.string, .sqlite): return unquoted(token)
        default: return nil
        }
    }

    // Byte by byte: a Swift character could combine a quote with the scalar after it.

    private func unquoted(_ token: SQLToken) -> String {
        let text = text(of: token).utf8
        // U& may be in front of the quote.
        let bytes = syntax == .postgres ? text.drop { $0 != SQLByte.doubleQuote } : text[...]
        let inner = bytes.dropFirst().dropLast()
        guard let quote = bytes.last, quote != SQLByte.rightBracket else { return String(Substring(inner)) }
        var result: [UInt8] = []
        var isSecondOfPair = false
        for byte in inner {
            isSecondOfPair = byte == quote && !isSecondOfPair
            if byte != quote || isSecondOfPair { result.append(byte) }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private func quoted(_ name: String) -> String {
        let quote = CollectionOfOne(SQLByte.doubleQuote)
        let inner = name.utf8.flatMap { $0 == SQLByte.doubleQuote ? [$0, $0] : [$0] }
        return String(decoding: quote + inner + quote, as: UTF8.self)
    }

    /// Lower case as SQLite compares names, and as PostgreSQL folds them: only ASCII letters change.
    private static func lower(_ text: String) -> String {
        String(decoding: text.utf8.map { 0x41...0x5A ~= $0 ? $0 + 0x20 : $0 }, as: UTF8.self)
    }

    private static func upper(_ text: String) -> String {
        String(decoding: text.utf8.map(SQLByte.upperASCII), as: UTF8.self)
    }

    /// Whether a word without quotes means something to SQL.
    package static func isKeyword(_ word: String) -> Bool { sqlKeywords.contains(upper(word)) }

    /// Whether a name needs quotes. A keyword does: `"left"` and `LEFT` differ.
    static func needsQuotes(_ name: String) -> Bool {
        guard let first = name.utf8.first, SQLByte.isWordStart(first), name.utf8.allSatisfy(SQLByte.isWordPart) else {
            return true
        }
        return sqlKeywords.contains(upper(name))
    }
}

/// Words that are not names without quotes: SQLite's keywords (3.40), and the two literals that are names in quotes.
private let sqlKeywords = Set(sqlKeywordText.split(separator: " ").map(String.init))

private let sqlKeywordText = """
    ABORT ACTION ADD AFTER ALL ALTER ALWAYS ANALYZE AND AS ASC ATTACH AUTOINCREMENT BEFORE BEGIN BETWEEN BY CASCADE \
    CASE CAST CHECK COLLATE COLUMN COMMIT CONFLICT CONSTRAINT CREATE CROSS CURRENT CURRENT_DATE CURRENT_TIME \
    CURRENT_TIMESTAMP DATABASE DEFAULT DEFERRABLE DEFERRED DELETE DESC DETACH DISTINCT DO DROP EACH ELSE END ESCAPE \
    EXCEPT EXCLUDE EXCLUSIVE EXISTS EXPLAIN FAIL FALSE FILTER FIRST FOLLOWING FOR FOREIGN FROM FULL GENERATED GLOB \
    GROUP GROUPS HAVING IF IGNORE IMMEDIATE IN INDEX INDEXED INITIALLY INNER INSERT INSTEAD INTERSECT INTO IS ISNULL \
    JOIN KEY LAST LEFT LIKE LIMIT MATCH MATERIALIZED NATURAL NO NOT NOTHING NOTNULL NULL NULLS OF OFFSET ON OR ORDER \
    OTHERS OUTER OVER PARTITION PLAN PRAGMA PRECEDING PRIMARY QUERY RAISE RANGE RECURSIVE REFERENCES REGEXP REINDEX \
    RELEASE RENAME REPLACE RESTRICT RETURNING RIGHT ROLLBACK ROW ROWS SAVEPOINT SELECT SET TABLE TEMP TEMPORARY THEN \
    TIES TO TRANSACTION TRIGGER TRUE UNBOUNDED UNION UNIQUE UPDATE USING VACUUM VALUES VIEW VIRTUAL WHEN WHERE WINDOW \
    WITH WITHOUT
    """
