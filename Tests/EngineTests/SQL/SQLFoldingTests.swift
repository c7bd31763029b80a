import ChatDBKit
import Testing

@Suite struct SQLFoldingTests {
    static let same: [(String, String)] = [
        ("", " -- nothing\n/* here */ ; "),
        ("SELECT a FROM b", "select\n\tA -- the a\n from/**/B ;"),
        ("CHECK (a<>'x')", "check( \"A\" <> 'x' )"),
        ("[a b]", "`A b`"),
        ("\"a\"\"]b\"", "`a\"]B`"),
        ("x'ab' 1e5 0xff", "X'AB' 1E5 0xFF"),
        ("BEGIN DELETE FROM a; END", "begin\n delete from [a] ;\nend;"),
        ("\"left\"", "[LEFT]"),
    ]

    @Test("blanks, comments, the case of words and needless quotes do not matter", arguments: same)
    func equal(_ one: String, _ other: String) throws {
        #expect(try SQLLexer.folded(one) == SQLLexer.folded(other))
    }

    static let different: [(String, String)] = [
        ("'a'", "'A'"),
        ("'a  b'", "'a b'"),
        ("'a--b'", "'a'"),
        ("a b", "ab"),
        ("\"a b\"", "a b"),
        ("'a'", "a"),
        ("'a'", "\"a\""),
        // A table alias and a kind of join; a name and a literal.
        ("t \"left\" JOIN u", "t LEFT JOIN u"),
        ("x IS \"null\"", "x IS NULL"),
        ("x IS \"true\"", "x IS TRUE"),
        ("\"1\"", "1"),
        ("\"straße\"", "\"STRASSE\""),
        ("é", "É"),
        (":a", ":A"),
        ("a; b", "a b"),
        ("a;; b", "a; b"),
        ("\"\"", ""),
    ]

    @Test("texts that differ to a database differ when folded", arguments: different)
    func unequal(_ one: String, _ other: String) throws {
        #expect(try SQLLexer.folded(one) != SQLLexer.folded(other))
    }

    @Test("the folded form is one line of tokens with single blanks, and folds to itself")
    func form() throws {
        let folded = try SQLLexer.folded("; create  table \"t\" ( [a b] text default 'It''s', \"key\" int);;")
        #expect(folded == "; CREATE TABLE T ( \"A B\" TEXT DEFAULT 'It''s' , \"KEY\" INT )")
        #expect(try SQLLexer.folded(folded) == folded)
    }

    static let names: [(String, String?)] = [
        ("Store", "Store"), ("\"a\"\"b\"", "a\"b"), ("`a``b`", "a`b"), ("[a[b]", "a[b"), ("'it''s'", "it's"),
        ("\"\"", ""), ("\"\"\"\"", "\""), ("\"e\u{301}\"\"\u{301}\"", "e\u{301}\"\u{301}"), ("1", nil), (",", nil),
        ("x'00'", nil), (":a", nil),
    ]

    @Test("a name is read without its quotes, of every kind", arguments: names)
    func name(_ sql: String, _ name: String?) throws {
        var lexer = SQLLexer(sql)
        let token = try #require(try lexer.next())
        #expect(lexer.name(of: token).map { Array($0.utf8) } == name.map { Array($0.utf8) })
    }

    @Test("an error of folding has the line")
    func failure() {
        #expect(throws: SQLTextError(problem: .unclosedString, line: 2)) { try SQLLexer.folded("a\n'") }
    }
}
