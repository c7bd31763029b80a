import Foundation

/// The demo's store with names, texts, tables and paths that control a terminal or look like SQL; a store from an
/// attacker can have all of them. Numbers are as in the demo: alice is profile 1, her relay 7, her channel 1.
struct HostileStore {
    /// A window title, a bell, a cleared screen, another start of an escape sequence (C1), right-to-left letters, a
    /// carriage return.
    static let steering = "\u{1B}]0;pwned\u{7}\u{1B}[2J\u{9B}31m\u{85}\u{2028}\u{202E}\u{2066}\r\u{7F}"
    /// The end of a quoted name, and a statement.
    static let statement = "b\"; DELETE FROM victims; --"
    /// The end of a quoted text, and a statement.
    static let text = "'; DELETE FROM victims; --"

    let run: ToolRun
    private static let place = "in\(steering)/x\(statement)"
    /// The store's prefix.
    var prefix: String { run.file(Self.place) }
    /// The folder of the store.
    var folder: String { run.file("in\(Self.steering)") }

    init() throws {
        run = try DemoStore.make()
        try run.sql(Self.chat)
        try run.sql(Self.tables, in: "x_agent.db")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        for database in ["_chat.db", "_agent.db"] {
            try FileManager.default.moveItem(atPath: run.file("x" + database), toPath: prefix + database)
        }
    }

    /// Runs SQL in the database of this ending.
    func sql(_ statement: String, in database: String) throws -> String {
        try run.sql(statement, in: Self.place + database)
    }

    /// One run without a terminal, or on one where the test types the same password at each of these questions.
    func callAsFunction(
        _ arguments: [String], onTerminal: Bool, asked questions: [String] = []
    ) throws -> ToolRun.Outcome {
        let environment = ["CHATDB_STORE": prefix]
        guard onTerminal else { return try run(arguments, environment: environment) }
        let terminal = try TerminalRun(arguments, in: run, answer: .shown, environment: environment)
        var shown = ""
        for question in questions {
            shown += try terminal.terminal.read(until: question)
            terminal.terminal.type("password\n")
        }
        let end = try terminal.end()
        return ToolRun.Outcome(code: end.code, output: shown + end.shown, errors: "")
    }

    /// The parts of a text that act on a terminal or mislead its reader.
    static func unsafe(in text: String) -> [Unicode.Scalar] {
        text.unicodeScalars.filter { scalar in
            switch scalar.value {
            case 0x0A, 0x09: false
            case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069: true
            default: false
            }
        }
    }

    /// A text as an SQL literal.
    private static func literal(_ text: String) -> String { "'\(text.replacing("'", with: "''"))'" }

    /// A name as an SQL identifier.
    static func identifier(_ name: String) -> String { "\"\(name.replacing("\"", with: "\"\""))\"" }

    private static let tables = """
        CREATE TABLE victims(a INTEGER PRIMARY KEY); INSERT INTO victims VALUES (1), (2), (3);
        CREATE TABLE \(identifier(statement))(a PRIMARY KEY); INSERT INTO \(identifier(statement)) VALUES (1);
        CREATE TABLE \(identifier(steering))(
            \(identifier(steering)) TEXT DEFAULT \(literal(steering)), b REFERENCES \(identifier(statement))(a));
        INSERT INTO \(identifier(steering))(b) VALUES (9);
        CREATE INDEX \(identifier("i" + steering)) ON \(identifier(steering))(\(identifier(steering)));
        """

    private static let chat = """
        \(tables)
        ALTER TABLE users ADD COLUMN \(identifier(steering)) TEXT DEFAULT \(literal(steering));
        \(marked("display_names", "local_display_name", "ldn_base"))
        \(marked("users", "local_display_name"))
        \(marked("contacts", "local_display_name"))
        \(marked("groups", "local_display_name", "local_alias"))
        \(marked("group_members", "local_display_name", "member_id"))
        \(marked("contact_profiles", "display_name", "full_name", "short_descr", "local_alias"))
        \(marked("group_profiles", "display_name", "full_name", "short_descr", "description"))
        \(marked("server_operators", "trade_name", "legal_name"))
        \(marked("chat_relays", "display_name", "domains"))
        \(marked("group_relays", "relay_link"))
        UPDATE chat_relays SET address = address || \(literal(steering)) WHERE user_id = 2;
        UPDATE protocol_servers SET host = host || \(literal(steering)), port = \(literal(steering)) WHERE user_id = 2;
        UPDATE group_relays SET relay_status = \(literal(steering)) WHERE chat_relay_id <> 7;
        UPDATE group_members SET member_status = \(literal(steering)) WHERE group_member_id = 3;
        INSERT INTO chat_tags (user_id, chat_tag_text) VALUES (1, \(literal(steering)));
        INSERT INTO chat_tags (user_id, chat_tag_text) VALUES (9, \(literal(steering)));
        """

    /// Both kinds of text, after the contents of these columns.
    private static func marked(_ table: String, _ columns: String...) -> String {
        let changes = columns.map { "\($0) = \($0) || \(literal(steering)) || \(literal(text))" }
        return "UPDATE \(table) SET \(changes.joined(separator: ", "));"
    }
}
