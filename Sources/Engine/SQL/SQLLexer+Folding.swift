extension SQLLexer {
    /// The text in the form in which two texts with the same tokens are equal, to compare triggers and checks by
    /// structure: blanks and comments are gone, ASCII letters of words and names are upper case, a name that needs
    /// no quotes has none and others have `"…"`, strings are exactly as they were. A `;` at the end is left out.
    /// Nothing but blanks and comments is the empty string.
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

    /// SQL as people read it: keywords upper case, other words and names lower case, and blanks where one writes them.
    /// For text that `folded(_:)` made, of which this is another spelling.
    package static func readable(_ text: String) throws(SQLTextError) -> String {
        var lexer = SQLLexer(text)
        var result = ""
        var last: (text: String, isName: Bool) = ("", false)
        while let token = try lexer.nextSignificant() {
            let word = lexer.text(of: token)
            let isName = token.kind == .quotedIdentifier || token.kind == .word && !sqlKeywords.contains(upper(word))
            let shown = isName ? lower(word) : token.kind == .word ? upper(word) : word
            let isTight =
                [")", ",", ".", ";"].contains(shown) || ["(", ".", ""].contains(last.text)
                || shown == "(" && last.isName
            result += (isTight ? "" : " ") + shown
            last = (shown, isName)
        }
        return result
    }

    /// The name the token stands for, without its quotes; nil when it cannot be a name.
    /// A string can be one: SQLite accepts `DELETE FROM 'store'`.
    package func name(of token: SQLToken) -> String? {
        switch token.kind {
        case .word: return text(of: token)
        case .quotedIdentifier, .string: return unquoted(token)
        default: return nil
        }
    }

    // Byte by byte: Swift's characters could join a quote with what stands beside it.

    private func unquoted(_ token: SQLToken) -> String {
        let bytes = text(of: token).utf8
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

    /// As SQLite compares names: other letters than ASCII are what they are.
    private static func lower(_ text: String) -> String {
        String(decoding: text.utf8.map { 0x41...0x5A ~= $0 ? $0 + 0x20 : $0 }, as: UTF8.self)
    }

    private static func upper(_ text: String) -> String {
        String(decoding: text.utf8.map(SQLByte.upperASCII), as: UTF8.self)
    }

    /// Whether a word without quotes means something to SQL.
    package static func isKeyword(_ word: String) -> Bool { sqlKeywords.contains(upper(word)) }

    /// A keyword keeps its quotes: `"left"` and `LEFT` are not the same thing.
    static func needsQuotes(_ name: String) -> Bool {
        guard let first = name.utf8.first, SQLByte.isWordStart(first), name.utf8.allSatisfy(SQLByte.isWordPart) else {
            return true
        }
        return sqlKeywords.contains(upper(name))
    }
}

/// The words that mean something else without quotes: SQLite's keywords (3.40), and the two literals that it
/// reads as names when they are quoted.
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
