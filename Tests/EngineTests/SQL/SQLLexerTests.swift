import ChatDBKit
import Testing

@Suite struct SQLLexerTests {
    struct Example: Sendable, CustomTestStringConvertible {
        let sql: String
        let tokens: [Token]
        var testDescription: String { sql }
    }

    struct Token: Sendable, Equatable, CustomStringConvertible {
        let kind: SQLToken.Kind
        let text: String
        var description: String { "\(kind) \(text)" }
        init(_ kind: SQLToken.Kind, _ text: String) {
            self.kind = kind
            self.text = text
        }
    }

    static let examples: [Example] = [
        Example(sql: "", tokens: []),
        Example(sql: " \t\r\n\u{0C}\u{FEFF}", tokens: []),
        Example(
            sql: "SELECT a_1,b$;",
            tokens: [
                Token(.word, "SELECT"), Token(.word, "a_1"), Token(.punctuation, ","), Token(.word, "b$"),
                Token(.semicolon, ";"),
            ]),
        Example(
            sql: #""a""b"`c``d`[e f]"#,
            tokens: [
                Token(.quotedIdentifier, #""a""b""#), Token(.quotedIdentifier, "`c``d`"),
                Token(.quotedIdentifier, "[e f]"),
            ]),
        Example(
            sql: "'it''s; -- /* x'x'0aFF'X''y''",
            tokens: [
                Token(.string, "'it''s; -- /* x'"), Token(.blob, "x'0aFF'"), Token(.blob, "X''"), Token(.word, "y"),
                Token(.string, "''"),
            ]),
        Example(
            sql: #"'back\'"#, tokens: [Token(.string, #"'back\'"#)]),
        Example(
            sql: "1 1.5 .5 1e5 1E-5 0x1F 0xE+1 12abc 1-2",
            tokens: [
                Token(.number, "1"), Token(.number, "1.5"), Token(.number, ".5"), Token(.number, "1e5"),
                Token(.number, "1E-5"), Token(.number, "0x1F"), Token(.number, "0xE"), Token(.punctuation, "+"),
                Token(.number, "1"), Token(.number, "12abc"), Token(.number, "1"), Token(.punctuation, "-"),
                Token(.number, "2"),
            ]),
        Example(
            sql: "? ?12 :a @b $1 $c ::d :=",
            tokens: [
                Token(.parameter, "?"), Token(.parameter, "?12"), Token(.parameter, ":a"), Token(.parameter, "@b"),
                Token(.parameter, "$1"), Token(.parameter, "$c"), Token(.punctuation, "::"), Token(.word, "d"),
                Token(.punctuation, ":="),
            ]),
        Example(
            sql: "a->>'b'||c<=d<>e!=f==g<<h>>i->j-k",
            tokens: [
                Token(.word, "a"), Token(.punctuation, "->>"), Token(.string, "'b'"), Token(.punctuation, "||"),
                Token(.word, "c"), Token(.punctuation, "<="), Token(.word, "d"), Token(.punctuation, "<>"),
                Token(.word, "e"), Token(.punctuation, "!="), Token(.word, "f"), Token(.punctuation, "=="),
                Token(.word, "g"), Token(.punctuation, "<<"), Token(.word, "h"), Token(.punctuation, ">>"),
                Token(.word, "i"), Token(.punctuation, "->"), Token(.word, "j"), Token(.punctuation, "-"),
                Token(.word, "k"),
            ]),
        Example(
            sql: "a--b 'c\r d\ne/*f /* g*/h*/",
            tokens: [
                Token(.word, "a"), Token(.comment, "--b 'c\r d"), Token(.word, "e"), Token(.comment, "/*f /* g*/"),
                Token(.word, "h"), Token(.punctuation, "*"), Token(.punctuation, "/"),
            ]),
        Example(sql: "straße 名前_1", tokens: [Token(.word, "straße"), Token(.word, "名前_1")]),
        Example(
            sql: "\u{FEFF}a\u{FEFF}",
            tokens: [Token(.word, "a\u{FEFF}")]),
        Example(sql: "'\u{01}\u{85}'", tokens: [Token(.string, "'\u{01}\u{85}'")]),
    ]

    @Test("each token has its kind and its text", arguments: examples)
    func kinds(_ example: Example) throws {
        #expect(try tokens(of: example.sql) == example.tokens)
    }

    @Test("a token knows its bytes and its line, also after strings and comments of several lines")
    func places() throws {
        var lexer = SQLLexer("é 'a\nb' /*\n\n*/ c -- d\n\r\n  \"x\ny\"\n;", firstLine: 10)
        var places: [String] = []
        while let token = try lexer.next() { places.append("\(token.range) \(token.line)") }
        #expect(
            places == ["0..<2 10", "3..<8 10", "9..<15 11", "16..<17 13", "18..<22 13", "27..<32 15", "33..<34 17"])
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let sql: String
        let problem: SQLTextError.Problem
        let line: Int
        var testDescription: String { sql.debugDescription }
    }

    static let refusals: [Refusal] = [
        Refusal(sql: "a\n'b\nc", problem: .unclosedString, line: 2),
        Refusal(sql: "'a''", problem: .unclosedString, line: 1),
        Refusal(sql: "x'ab", problem: .unclosedString, line: 1),
        Refusal(sql: "\n\n\"b\nc", problem: .unclosedIdentifier, line: 3),
        Refusal(sql: "`b", problem: .unclosedIdentifier, line: 1),
        Refusal(sql: "[b]]\n[c", problem: .unclosedIdentifier, line: 2),
        Refusal(sql: "a\n/* b\n*", problem: .unclosedComment, line: 2),
        Refusal(sql: "/*/", problem: .unclosedComment, line: 1),
        Refusal(sql: "a\n\u{0}", problem: .controlCharacter(0), line: 2),
        Refusal(sql: "'a\n\u{0}'", problem: .controlCharacter(0), line: 2),
        Refusal(sql: "'a' \u{0B}", problem: .controlCharacter(0x0B), line: 1),
        Refusal(sql: "a\u{1B}", problem: .controlCharacter(0x1B), line: 1),
        Refusal(sql: "a\u{7F}", problem: .controlCharacter(0x7F), line: 1),
        Refusal(sql: "a\u{85}b", problem: .controlCharacter(0x85), line: 1),
        Refusal(sql: "1\u{9B}", problem: .controlCharacter(0x9B), line: 1),
        Refusal(sql: "-- a\u{1B}[2J", problem: .controlCharacter(0x1B), line: 1),
        Refusal(sql: "/*\n\u{9B}*/", problem: .controlCharacter(0x9B), line: 2),
        Refusal(sql: "\"a\u{08}\"", problem: .controlCharacter(0x08), line: 1),
    ]

    @Test("unclosed quotes and control characters are refused with the line", arguments: refusals)
    func refused(_ refusal: Refusal) {
        #expect(throws: SQLTextError(problem: refusal.problem, line: refusal.line)) { try tokens(of: refusal.sql) }
    }

    @Test("the reason for a control character names it")
    func reason() {
        #expect(
            SQLTextError(problem: .controlCharacter(0x0B), line: 3).description
                == "line 3: control character U+000B in the SQL text")
    }

    @Test("ten megabytes in a few tokens and a megabyte of small ones are read to the end")
    func large() throws {
        let long = "INSERT INTO a VALUES ('" + String(repeating: "it''s \n", count: 1_500_000) + "');"
        #expect(long.utf8.count > 10_000_000)
        #expect(try tokens(of: long).count == 8)
        let many = String(repeating: "a,1;", count: 250_000)
        var lexer = SQLLexer(many)
        var count = 0
        while try lexer.next() != nil { count += 1 }
        #expect(count == 1_000_000)
    }

    private func tokens(of sql: String) throws -> [Token] {
        var lexer = SQLLexer(sql)
        var tokens: [Token] = []
        while let token = try lexer.next() { tokens.append(Token(token.kind, lexer.text(of: token))) }
        return tokens
    }
}
