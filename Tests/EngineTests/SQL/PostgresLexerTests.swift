import ChatDBKit
import Testing

/// The tokens of PostgreSQL, where they differ from those of SQLite.
@Suite struct PostgresLexerTests {
    typealias Example = SQLLexerTests.Example
    typealias Token = SQLLexerTests.Token
    typealias Refusal = SQLLexerTests.Refusal

    static let strings: [Example] = [
        Example(sql: "$$a;'b$$", tokens: [Token(.string, "$$a;'b$$")]),
        Example(sql: "$$$$", tokens: [Token(.string, "$$$$")]),
        Example(
            sql: "$a$ $b$ $$ $ $A$ $a $a$c",
            tokens: [Token(.string, "$a$ $b$ $$ $ $A$ $a $a$"), Token(.word, "c")]),
        Example(sql: "$é_1$;$é_1$", tokens: [Token(.string, "$é_1$;$é_1$")]),
        Example(sql: "$a$$b$a$", tokens: [Token(.string, "$a$$b$a$")]),
        // A name may have a $ inside, a number not.
        Example(sql: "a$$b$$", tokens: [Token(.word, "a$$b$$")]),
        Example(sql: "1$$b$$", tokens: [Token(.number, "1"), Token(.string, "$$b$$")]),
        Example(
            sql: #"E'a\'b' e'\\' E'\''';' E'' "#,
            tokens: [
                Token(.string, #"E'a\'b'"#), Token(.string, #"e'\\'"#), Token(.string, #"E'\''';'"#),
                Token(.string, "E''"),
            ]),
        // In the next line, the string goes on.
        Example(
            sql: "E'a' -- b\n\t'\\';' E'c' 'd'\n'e'",
            tokens: [
                Token(.string, "E'a' -- b\n\t'\\';'"), Token(.string, "E'c'"), Token(.string, "'d'"),
                Token(.string, "'e'"),
            ]),
        Example(sql: "E'a'\r'\\''", tokens: [Token(.string, "E'a'\r'\\''")]),
        Example(sql: "nE'a'", tokens: [Token(.word, "nE"), Token(.string, "'a'")]),
        Example(
            sql: #"'back\' U&'d\0061' u&"d\0061""e" U & 'a'"#,
            tokens: [
                Token(.string, #"'back\'"#), Token(.string, #"U&'d\0061'"#),
                Token(.quotedIdentifier, #"u&"d\0061""e""#), Token(.word, "U"), Token(.punctuation, "&"),
                Token(.string, "'a'"),
            ]),
        Example(
            sql: "B'01' x'0aFF' N'a'",
            tokens: [Token(.blob, "B'01'"), Token(.blob, "x'0aFF'"), Token(.word, "N"), Token(.string, "'a'")]),
    ]

    static let others: [Example] = [
        Example(
            sql: "/* a /* b */ ; /**/ */ c/*/*/**/*/*/d",
            tokens: [
                Token(.comment, "/* a /* b */ ; /**/ */"), Token(.word, "c"), Token(.comment, "/*/*/**/*/*/"),
                Token(.word, "d"),
            ]),
        Example(
            sql: "-- a\rb -- c\r\nd",
            tokens: [Token(.comment, "-- a"), Token(.word, "b"), Token(.comment, "-- c"), Token(.word, "d")]),
        Example(
            sql: "a--b\n+--c\n*/*d*/e",
            tokens: [
                Token(.word, "a"), Token(.comment, "--b"), Token(.punctuation, "+"), Token(.comment, "--c"),
                Token(.punctuation, "*"), Token(.comment, "/*d*/"), Token(.word, "e"),
            ]),
        Example(
            sql: "ARRAY[1] a[b:2]",
            tokens: [
                Token(.word, "ARRAY"), Token(.punctuation, "["), Token(.number, "1"), Token(.punctuation, "]"),
                Token(.word, "a"), Token(.punctuation, "["), Token(.word, "b"), Token(.punctuation, ":"),
                Token(.number, "2"), Token(.punctuation, "]"),
            ]),
        Example(
            sql: "$1 $23a $ a::b :=",
            tokens: [
                Token(.parameter, "$1"), Token(.parameter, "$23"), Token(.word, "a"), Token(.punctuation, "$"),
                Token(.word, "a"), Token(.punctuation, "::"), Token(.word, "b"), Token(.punctuation, ":="),
            ]),
        Example(
            sql: "a ? b @> c ?1 `d`",
            tokens: [
                Token(.word, "a"), Token(.punctuation, "?"), Token(.word, "b"), Token(.punctuation, "@"),
                Token(.punctuation, ">"), Token(.word, "c"), Token(.punctuation, "?"), Token(.number, "1"),
                Token(.punctuation, "`"), Token(.word, "d"), Token(.punctuation, "`"),
            ]),
        Example(sql: "\\i", tokens: [Token(.punctuation, "\\"), Token(.word, "i")]),
        // PostgreSQL has no byte order mark.
        Example(sql: "\u{FEFF}a", tokens: [Token(.word, "\u{FEFF}a")]),
    ]

    @Test("each token has its kind and its text", arguments: strings + others)
    func kinds(_ example: Example) throws {
        #expect(try tokens(of: example.sql) == example.tokens)
    }

    static let refusals: [Refusal] = [
        Refusal(sql: "a\n$$b\nc$", problem: .unclosedString, line: 2),
        Refusal(sql: "$a$ $A$ $$", problem: .unclosedString, line: 1),
        Refusal(sql: "\n$a$b$a $a c", problem: .unclosedString, line: 2),
        Refusal(sql: #"E'a\'"#, problem: .unclosedString, line: 1),
        Refusal(sql: "E'a\\", problem: .unclosedString, line: 1),
        Refusal(sql: "a\nE'b'\n'c", problem: .unclosedString, line: 2),
        Refusal(sql: "U&'a", problem: .unclosedString, line: 1),
        Refusal(sql: "U&\"a", problem: .unclosedIdentifier, line: 1),
        Refusal(sql: "\"a\n", problem: .unclosedIdentifier, line: 1),
        Refusal(sql: "/* /* */", problem: .unclosedComment, line: 1),
        Refusal(sql: "$$\n\u{0}$$", problem: .controlCharacter(0), line: 2),
        Refusal(sql: "$$\u{1B}$$", problem: .controlCharacter(0x1B), line: 1),
        Refusal(sql: "$a\u{85}$ $a\u{85}$", problem: .controlCharacter(0x85), line: 1),
        Refusal(sql: "E'\n\u{0}'", problem: .controlCharacter(0), line: 2),
        Refusal(sql: "E'a'\n-- \u{1B}\n'b'", problem: .controlCharacter(0x1B), line: 2),
        Refusal(sql: "a\u{0B}", problem: .controlCharacter(0x0B), line: 1),
    ]

    @Test("unclosed quotes and control characters are refused with the line", arguments: refusals)
    func refused(_ refusal: Refusal) {
        #expect(throws: SQLTextError(problem: refusal.problem, line: refusal.line)) { try tokens(of: refusal.sql) }
    }

    @Test("a token knows its bytes and its line, also after strings and comments of several lines")
    func places() throws {
        var lexer = SQLLexer(
            "$a$\n$a$ E'\\\n' /*\n/**/\n*/ b -- c\r\nE'd'\n'e' f", syntax: .postgres, firstLine: 10)
        var places: [String] = []
        while let token = try lexer.next() { places.append("\(token.range) \(token.line)") }
        #expect(
            places == ["0..<7 10", "8..<13 11", "14..<24 12", "25..<26 14", "27..<31 14", "33..<41 15", "42..<43 16"])
    }

    @Test("a name without quotes is lower case, one in quotes keeps its case, and a string is none")
    func names() throws {
        var lexer = SQLLexer(#"Groups "Groups" "a""b" U&"\0061" ÄB 'c' $$d$$ 1"#, syntax: .postgres)
        var names: [String?] = []
        while let token = try lexer.next() { names.append(lexer.name(of: token)) }
        #expect(names == ["groups", "Groups", "a\"b", "\\0061", "Äb", nil, nil, nil])
    }

    @Test("SQLite reads the same text by its own rules")
    func otherSyntax() throws {
        let text = "$$ a; $$ [b] ?1"
        var lexer = SQLLexer(text)
        var kinds: [SQLToken.Kind] = []
        while let token = try lexer.next() { kinds.append(token.kind) }
        #expect(kinds == [.parameter, .word, .semicolon, .parameter, .quotedIdentifier, .parameter])
    }

    @Test("strings of ten megabytes, and many short ones, are read to the end")
    func large() throws {
        let body = String(repeating: "it's $b$ $ \n", count: 900_000)
        #expect(try tokens(of: "$a$\(body)$a$;E'\(String(repeating: "\\'", count: 5_000_000))'").count == 3)
        #expect(try tokens(of: String(repeating: "$$a$$ E'b'\n", count: 50_000)).count == 100_000)
        #expect(try tokens(of: String(repeating: "E'b'\n", count: 50_000) + "c").count == 50_001)
    }

    private func tokens(of sql: String) throws -> [Token] {
        var lexer = SQLLexer(sql, syntax: .postgres)
        var tokens: [Token] = []
        while let token = try lexer.next() { tokens.append(Token(token.kind, lexer.text(of: token))) }
        return tokens
    }
}
