import ChatDBKit
import Testing

@Suite struct SQLStatementsTests {
    struct Example: Sendable, CustomTestStringConvertible {
        let script: String
        /// Line and text of each.
        let statements: [(Int, String)]
        var testDescription: String { script.debugDescription }
    }

    static let trigger =
        "CREATE TRIGGER t AFTER INSERT ON a BEGIN UPDATE a SET b = CASE WHEN c THEN 1 END; SELECT 1; END"
    static let examples: [Example] = [
        Example(script: "", statements: []),
        Example(script: " ;; -- a\n/* b; */ ;", statements: []),
        Example(script: "a", statements: [(1, "a")]),
        Example(script: "a;b;", statements: [(1, "a"), (1, "b")]),
        Example(script: "-- why\n\na ;\n\n;-- c\n b -- d\n c -- e\n;", statements: [(3, "a"), (6, "b -- d\n c")]),
        Example(script: "a ';' \";\" [;] `;` /*;*/ b; c", statements: [(1, "a ';' \";\" [;] `;` /*;*/ b"), (1, "c")]),
        Example(script: "a;\(trigger);\nb", statements: [(1, "a"), (1, trigger), (2, "b")]),
        Example(script: "\(trigger)", statements: [(1, trigger)]),
        Example(
            script: "create temp /* x */ trigger t begin a; end -- c\n; b",
            statements: [(1, "create temp /* x */ trigger t begin a; end"), (2, "b")]),
        Example(
            script: "CREATE TEMPORARY TRIGGER t BEGIN a;; END x; END; b",
            statements: [(1, "CREATE TEMPORARY TRIGGER t BEGIN a;; END x; END"), (1, "b")]),
        Example(
            script: "EXPLAIN CREATE TRIGGER t BEGIN a; END; b",
            statements: [(1, "EXPLAIN CREATE TRIGGER t BEGIN a; END"), (1, "b")]),
        // Unfinished: what is there, and the rest of the file.
        Example(script: "CREATE TRIGGER t BEGIN a;\nb; c;", statements: [(1, "CREATE TRIGGER t BEGIN a;\nb; c;")]),
        // Without a body it cannot hide what follows.
        Example(script: "CREATE TRIGGER t; COMMIT;", statements: [(1, "CREATE TRIGGER t"), (1, "COMMIT")]),
        Example(
            script: "CREATE TABLE trigger (begin); END; b",
            statements: [
                (1, "CREATE TABLE trigger (begin)"), (1, "END"), (1, "b"),
            ]),
        Example(script: "BEGIN; a; END;", statements: [(1, "BEGIN"), (1, "a"), (1, "END")]),
        Example(script: "a\r\n;\r\nb\r\n", statements: [(1, "a"), (3, "b")]),
        Example(script: "CREATE", statements: [(1, "CREATE")]),
    ]

    @Test("a script is cut where its statements end", arguments: examples)
    func split(_ example: Example) throws {
        let statements = try SQLStatements.split(example.script)
        #expect(statements.map(\.text) == example.statements.map(\.1))
        #expect(statements.map(\.line) == example.statements.map(\.0))
        #expect(statements.map(\.number) == Array(1..<1 + statements.count))
    }

    @Test("a message shows the first line of a statement")
    func firstLine() throws {
        let statements = try SQLStatements.split("\n -- c\n  CREATE TABLE é \t\r\n (a);\nb é")
        #expect(statements.map(\.firstLine) == ["CREATE TABLE é", "b é"])
    }

    @Test("the error of an unclosed quote has its line in the script")
    func unclosed() {
        #expect(throws: SQLTextError(problem: .unclosedString, line: 3)) { try SQLStatements.split("a;\nb;\n'c") }
    }

    @Test("any text is refused or split without loss: the statements hold the tokens of the script", arguments: 0..<40)
    func soup(_ seed: UInt64) throws {
        var soup = TokenSoup(seed: seed)
        var accepted = 0
        for _ in 0..<100 {
            let script = soup.script()
            guard let statements = try? SQLStatements.split(script) else {
                #expect(throws: SQLTextError.self) { try SQLLexer.folded(script) }
                continue
            }
            accepted += 1
            let joined = statements.map(\.text).joined(separator: "\n;\n")
            #expect(try significant(joined) == significant(script))
            for statement in statements {
                // Each stands in the script, in the line it says, and is one statement on its own.
                #expect(try SQLStatements.split(statement.text).map(\.text) == [statement.text])
                let rest = script.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
                    .dropFirst(statement.line - 1).joined(separator: [UInt8(ascii: "\n")])
                #expect(contains(Array(rest), Array(statement.text.utf8)))
            }
        }
        #expect(accepted > 0)
    }

    /// The tokens but comments and the `;` between statements.
    private func significant(_ script: String) throws -> [String] {
        var lexer = SQLLexer(script)
        var tokens: [String] = []
        while let token = try lexer.nextSignificant() {
            if token.kind != .semicolon { tokens.append(lexer.text(of: token)) }
        }
        return tokens
    }

    private func contains(_ text: [UInt8], _ part: [UInt8]) -> Bool {
        guard part.count <= text.count else { return false }
        return (0...text.count - part.count).contains { text[$0..<$0 + part.count].elementsEqual(part) }
    }
}

/// Scripts of random tokens, the same for the same seed (SplitMix64).
struct TokenSoup: RandomNumberGenerator {
    private var state: UInt64
    private let syntax: SQLSyntax

    init(seed: UInt64, syntax: SQLSyntax = .sqlite) {
        state = seed
        self.syntax = syntax
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    private static let pieces = [
        "CREATE", "TEMP", "TRIGGER", "BEGIN", "END", "CASE", ";", ";", ";", "EXPLAIN", "a", "\"b\"", "'c;'", "[d;]",
        "`e`", "x'00'", "1.5", "?", ":f", "$1", "--g;\n", "/*h;*/", "(", "||", "->>", "-", "\n", "\r\n", "é", "\u{301}",
        "; END ;",
    ]
    private static let postgresPieces = [
        "CREATE", "OR", "REPLACE", "FUNCTION", "BEGIN", "ATOMIC", "END", "CASE", ";", ";", ";", "a", "\"b\"", "'c;'",
        "[d;]", "$$e;$$", "$f$;$$;$f$", "E'\\';'", "E'g'\n'\\''", "U&\"h\"", "B'01'", "1.5", "$1", "$", ":=", "::",
        "--i;\n", "--j;\r", "/*k;/*l;*/m;*/", "(", "||", "?", "-", "\n", "\r\n", "\r", "é", "\u{301}", "\\",
    ]
    private static let rare = ["'", "\"", "/*", "[", "`", "\u{0}", "\u{1B}", "\u{85}", "x'", "--", "\u{FEFF}"]
    private static let rarePostgres = rare + ["$$", "$n$", "E'", "U&'", "*/", "`"]

    mutating func script() -> String {
        let rareOnes = Bool.random(using: &self) ? 0 : 3
        var script = ""
        let (usual, rare) =
            syntax == .sqlite ? (Self.pieces, Self.rare) : (Self.postgresPieces, Self.rarePostgres)
        for _ in 0..<Int.random(in: 0...40, using: &self) {
            let isRare = Int.random(in: 0..<100, using: &self) < rareOnes
            script += (isRare ? rare : usual).randomElement(using: &self) ?? ""
            if Bool.random(using: &self) { script += " " }
        }
        return script
    }
}
