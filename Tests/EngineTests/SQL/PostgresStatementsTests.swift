import ChatDBKit
import TestKit
import Testing

/// Scripts for PostgreSQL are cut into statements as psql does.
@Suite struct PostgresStatementsTests {
    typealias Example = SQLStatementsTests.Example

    static let body =
        "CREATE OR REPLACE FUNCTION f() RETURNS int BEGIN ATOMIC SELECT CASE WHEN a THEN 1 END; SELECT 1; END"
    static let examples: [Example] = [
        Example(script: "a; $$b;c$$; d", statements: [(1, "a"), (1, "$$b;c$$"), (1, "d")]),
        Example(script: "$a$;$$;$a$;\nb", statements: [(1, "$a$;$$;$a$"), (2, "b")]),
        Example(script: #"E'\';' ; b"#, statements: [(1, #"E'\';'"#), (1, "b")]),
        Example(script: #"'\'; b"#, statements: [(1, #"'\'"#), (1, "b")]),
        Example(script: "/* a; /* b; */ c; */ d; e", statements: [(1, "d"), (1, "e")]),
        Example(script: "a [b;c]; `d;e`", statements: [(1, "a [b"), (1, "c]"), (1, "`d"), (1, "e`")]),
        Example(script: "-- a\rb; c", statements: [(1, "b"), (1, "c")]),
        Example(script: "a\r\n;\r\n-- c\r\nb -- d\r\n;", statements: [(1, "a"), (4, "b")]),
        Example(
            script: "CREATE FUNCTION f() RETURNS TRIGGER LANGUAGE plpgsql AS $$\nBEGIN\n RETURN new;\nEND\n$$;\nb",
            statements: [
                (1, "CREATE FUNCTION f() RETURNS TRIGGER LANGUAGE plpgsql AS $$\nBEGIN\n RETURN new;\nEND\n$$"),
                (6, "b"),
            ]),
        // A trigger has no body here, and BEGIN is a statement.
        Example(
            script: "CREATE TRIGGER t BEGIN a; END; b",
            statements: [(1, "CREATE TRIGGER t BEGIN a"), (1, "END"), (1, "b")]),
        Example(script: "\(body); b", statements: [(1, body), (1, "b")]),
        Example(
            script: "create procedure p() begin /* c */ atomic a; end; b",
            statements: [(1, "create procedure p() begin /* c */ atomic a; end"), (1, "b")]),
        Example(
            script: "CREATE FUNCTION begin() AS 'a'; CREATE FUNCTION g(begin int); b",
            statements: [(1, "CREATE FUNCTION begin() AS 'a'"), (1, "CREATE FUNCTION g(begin int)"), (1, "b")]),
        Example(
            script: "CREATE TABLE begin (atomic int); b",
            statements: [(1, "CREATE TABLE begin (atomic int)"), (1, "b")]),
        // Unfinished: what is there, and the rest of the file.
        Example(
            script: "CREATE FUNCTION f() BEGIN ATOMIC a;\nb; c;",
            statements: [(1, "CREATE FUNCTION f() BEGIN ATOMIC a;\nb; c;")]),
    ]

    @Test("a script is cut where its statements end", arguments: examples)
    func split(_ example: Example) throws {
        let statements = try SQLStatements.split(example.script, syntax: .postgres)
        #expect(statements.map(\.text) == example.statements.map(\.1))
        #expect(statements.map(\.line) == example.statements.map(\.0))
        #expect(statements.map(\.number) == Array(1..<1 + statements.count))
    }

    /// Each statement prints one line. psql reads line by line, so it does not see that `E'…'` goes on in the next one; the
    /// server does.
    static let counted = [
        "SELECT 1; SELECT 2",
        "SELECT $$a;b$$; SELECT $a$;$$;$a$; SELECT 1",
        #"SELECT E'\';'; SELECT '\'; SELECT E'a''\\'; SELECT 1"#,
        "SELECT E'a'\r'\\';'; SELECT 1",
        "SELECT 'a' /* ; /* ; */ ; */; SELECT 1",
        #"SELECT U&'\0061;' AS U&"\0061;"; SELECT B'01' AS ";"; SELECT x'0F'"#,
        "SELECT 1 -- ;\r, 2; SELECT 3\r\n;\r\nSELECT 4",
        "SELECT (ARRAY[1, 2])[1:1]; SELECT 1::text",
        "SELECT $é_1$;$é_1$ ; SELECT 1 AS a$b$; SELECT 1",
        "SELECT 1 --;\n+--;\n2; SELECT 2*/*;*/3",
        "SELECT CASE WHEN true THEN 1 END; SELECT 1",
    ]

    @Test(
        "psql counts the same statements", .enabled(if: PostgresServer.isSupported), arguments: counted)
    func psql(_ script: String) throws {
        let printed = try PostgresServer.started().psql(script + ";")
        #expect(try SQLStatements.split(script, syntax: .postgres).count == printed.split(separator: "\n").count)
    }

    @Test("any text is refused or split without loss: the statements hold the tokens of the script", arguments: 0..<40)
    func soup(_ seed: UInt64) throws {
        var soup = TokenSoup(seed: seed, syntax: .postgres)
        var accepted = 0
        for _ in 0..<100 {
            let script = soup.script()
            guard let statements = try? SQLStatements.split(script, syntax: .postgres) else {
                #expect(throws: SQLTextError.self) { try significant(script) }
                continue
            }
            accepted += 1
            #expect(try statements.flatMap { try significant($0.text) } == significant(script))
            for statement in statements {
                // Each stands in the script, in the line it says, and is one statement on its own.
                #expect(try SQLStatements.split(statement.text, syntax: .postgres).map(\.text) == [statement.text])
                let rest = Array(
                    script.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
                        .dropFirst(statement.line - 1).joined(separator: [0x0A]))
                let text = Array(statement.text.utf8)
                #expect(rest.indices.contains { rest[$0...].starts(with: text) })
            }
        }
        #expect(accepted > 0)
    }

    /// The tokens but comments and the `;` between statements.
    private func significant(_ script: String) throws -> [String] {
        var lexer = SQLLexer(script, syntax: .postgres)
        var tokens: [String] = []
        while let token = try lexer.nextSignificant() {
            if token.kind != .semicolon { tokens.append(lexer.text(of: token)) }
        }
        return tokens
    }
}
