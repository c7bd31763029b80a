import Foundation
import Repos
import Schema
import TestKit
import Testing

/// Safety D01 to D03, S01 to S07, S12, S14, S15, with the tool as a process: no file hangs it, ends it, fools it, or gets
/// anything through to a terminal.
@Suite("stores made or damaged by somebody") struct HostileStoreTests {
    /// One run of `inspect`, which never ends by a signal or as a defect, and changes nothing.
    private func inspect(_ store: ToolRun, _ arguments: String...) throws -> ToolRun.Outcome {
        let before = try store.folder.fingerprint()
        let run = try store(["inspect"] + arguments)
        #expect([0, 65, 66, 74, 78].contains(run.code), "\(run.code): \(run.errors)")
        #expect(try store.folder.fingerprint() == before)
        return run
    }

    private func bytes(_ store: ToolRun) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(fileURLWithPath: store.file("x_chat.db"))))
    }

    private func write(_ bytes: some Sequence<UInt8>, _ store: ToolRun) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: store.file("x_chat.db")))
    }

    /// A store whose agent database is gone, so that all depends on the other.
    private func loneChat() throws -> ToolRun {
        let store = try DemoStore.make()
        try FileManager.default.removeItem(atPath: store.file("x_agent.db"))
        return store
    }

    @Test(
        "D01: what is wrong with a file is told by what it is",
        arguments: [
            ("text", "a text file"), ("zip", "ZIP"), ("jpeg", "JPEG"), ("empty", "empty"), ("magic", "first 16 bytes"),
            ("pageSize", "page size"), ("schemaFormat", "schema format"), ("cut", "is cut"), ("cutHeader", "is cut"),
            ("tree", "damaged"), ("readVersion", "newer SQLite (read format 3)"),
        ])
    func damaged(_ damage: String, _ words: String) throws {
        let store = try loneChat()
        var bytes = try bytes(store)
        switch damage {
        case "text": bytes = Array("Dear support,\nhere is my store.\n".utf8)
        case "zip": bytes = [0x50, 0x4B, 3, 4] + Array(bytes.dropFirst(4))
        case "jpeg": bytes = [0xFF, 0xD8, 0xFF, 0xE0] + Array(bytes.dropFirst(4))
        case "empty": bytes = []
        case "magic": bytes[3] ^= 1
        case "pageSize": (bytes[16], bytes[17]) = (3, 0xE8)
        case "schemaFormat": bytes[47] = 9
        case "readVersion": bytes[19] = 3
        case "cut": bytes.removeLast(8_192)
        case "cutHeader": bytes = Array(bytes.prefix(50))
        default: for index in 100..<112 { bytes[index] = 0xFF }
        }
        try write(bytes, store)
        let run = try inspect(store)
        #expect(run.code == 66, "\(run.code)")
        #expect(run.errors.contains(words), "\(run.errors)")
        #expect(run.errors.contains("x_chat.db"))
    }

    @Test("D01: where a page in the middle is damaged, the page shows what can be read and says that not all can")
    func damagedPage() throws {
        let store = try DemoStore.make()
        let root = try #require(Int(try store.sql("SELECT rootpage FROM sqlite_master WHERE name = 'chat_relays'")))
        var bytes = try bytes(store)
        for index in (root - 1) * 4_096..<root * 4_096 { bytes[index] = 0xA5 }
        try write(bytes, store)
        let run = try inspect(store, "--format", "json")
        let page = try run.answer()
        #expect(page["users"]?.arrayValue?.count == 2)
        #expect(page["relays"] == .null)
        #expect(page["warnings"]?.texts?.first?.hasPrefix("the relays are not shown: it is damaged") == true)
    }

    @Test("D02: encrypted, with a plain beginning or without, is told from damaged", arguments: [0, 32])
    func encrypted(_ plain: Int) throws {
        let store = try loneChat()
        var random = SplitMix64(seed: 7)
        let beginning = try bytes(store).prefix(plain)
        try write(beginning + (plain..<65_536).map { _ in UInt8(truncatingIfNeeded: random.next()) }, store)
        let run = try inspect(store, "--format", "json")
        #expect(run.code == 66)
        #expect(try run.refusal()["code"] == "encrypted")
        #expect(!run.errors.contains("damaged") && !run.errors.contains("corrupt"))
    }

    @Test("D03, S15: damage at random is an answer or an error, in which there is nothing anybody wrote")
    func mutations() throws {
        let store = try DemoStore.make()
        try store.sql("UPDATE contact_profiles SET short_descr = 'MARKER'; UPDATE users SET view_pwd_hash = NULL;")
        let good = try bytes(store)
        var random = SplitMix64(seed: 4_711)
        for number in 0..<120 {
            var bytes = good
            for _ in 0...number % 8 {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            switch number % 5 {
            case 0: bytes[Int.random(in: 16..<4_096, using: &random)] ^= 0x55
            case 1: bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random))
            case 2:
                let page = Int.random(in: 0..<bytes.count / 4_096, using: &random) * 4_096
                for index in page..<page + Int.random(in: 8..<64, using: &random) {
                    bytes[index] = .random(in: 0...255, using: &random)
                }
            default: break
            }
            try write(bytes, store)
            let run = try store("inspect", "--format", number.isMultiple(of: 2) ? "json" : "table")
            #expect([0, 65, 66, 74, 78].contains(run.code), "mutation \(number): \(run.code) \(run.errors)")
            #expect(!(run.output + run.errors).contains("MARKER"))
        }
        #expect(Set(try store.folder.fingerprint().keys) == ["x_chat.db", "x_agent.db"])
    }

    @Test(
        "S01, S03: a view in a table's place is not run, and the page says so",
        arguments: [
            "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n",
            "SELECT printf('%.*c', 900000000, 'x') AS relay_status",
        ])
    func view(_ body: String) throws {
        let store = try DemoStore.make()
        try store.sql("PRAGMA foreign_keys = OFF; DROP TABLE group_relays; CREATE VIEW group_relays AS \(body);")
        let page = try inspect(store, "--format", "json").answer()
        let warning = "the chat database: group_relays is a view, not a table; it was not run"
        #expect(page["warnings"]?.texts?.first == warning)
        #expect(page["users"]?.arrayValue?.count == 2)
    }

    @Test("S02: a generated column of a gigabyte is not asked for")
    func generatedColumn() throws {
        let store = try DemoStore.make()
        try store.sql("ALTER TABLE chat_relays ADD COLUMN bomb BLOB AS (zeroblob(999999999));")
        let page = try inspect(store, "--format", "json").answer()
        #expect(page["relays"]?.arrayValue?.count == 7)
    }

    @Test("S05, S06: names that look like SQL or steer a terminal come out as names, in every format and on a terminal")
    func names() throws {
        let store = try DemoStore.make()
        let steering = "char(27) || ']0;pwned' || char(7) || char(27) || '[2J' || char(155) || char(8238) || char(13)"
        try store.sql(
            """
            CREATE TABLE "b""; DELETE FROM chat_relays; --"(a); INSERT INTO "b""; DELETE FROM chat_relays; --" VALUES (1);
            UPDATE chat_relays SET display_name = \(steering), domains = '', address = 'https://' || \(steering);
            UPDATE group_profiles SET display_name = \(steering);
            """)
        let tables = try inspect(store, "--format", "json").answer()["store"]?["chat"]?["tables"]?.arrayValue ?? []
        #expect(tables.contains { $0["name"]?.stringValue == "b\"; DELETE FROM chat_relays; --" })
        for format in ["table", "json", "csv", "markdown"] {
            for command in [["inspect"], ["relay", "list", "-u", "alice"], ["group", "list", "-u", "alice"]] {
                let run = try store(command + ["--format", format])
                #expect(run.code == 0 || command != ["inspect"], "\(run.errors)")
                #expect(Self.isSafe(run.output + run.errors), "\(command) \(format)")
            }
        }
        let shown = try store.onTerminal("inspect", "--color", "never")
        #expect(shown.code == 0 && Self.isSafe(shown.output))
        #expect(try store.sql("SELECT count(*) FROM chat_relays") == "7")
    }

    private static func isSafe(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy { scalar in
            scalar == "\n" || scalar == "\t"
                || !(scalar.value < 32 || (127..<160).contains(scalar.value) || scalar.value == 0x202E)
        }
    }

    @Test("S07: a table that computes with JSON keeps nothing else from being read")
    func untrustedFunction() throws {
        let store = try DemoStore.make()
        try store.sql("CREATE TABLE j(a, b AS (json_extract(a, '$.x'))); CREATE INDEX ji ON j(a ->> '$.y');")
        let page = try inspect(store, "--format", "json").answer()
        #expect(page["users"]?.arrayValue?.count == 2 && page["relays"]?.arrayValue?.count == 7)
        #expect(try store.succeed("user", "list", "--format", "json").answer()["users"]?.arrayValue?.count == 2)
    }

    @Test("S12: a name that a spreadsheet takes for a formula gets an apostrophe in CSV")
    func formula() throws {
        let store = try DemoStore.make()
        try store.sql("UPDATE chat_relays SET display_name = '=cmd()' WHERE display_name = 'mine'")
        #expect(try store.succeed("relay", "list", "-u", "alice", "--format", "csv").output.contains("'=cmd()"))
    }

    @Test("S14: too many columns, too long a statement and ten thousand tables are limits or an answer, not damage")
    func limits() throws {
        let columns = (0..<1_990).map { "c\($0)" }.joined(separator: ",")
        let tables = (0..<10_000).map { "CREATE TABLE t\($0)(a);" }.joined()
        let long = "CREATE TABLE long(a /* \(String(repeating: "x", count: 2_000_000)) */);"
        let sql = [("wide", "CREATE TABLE wide(\(columns));"), ("many", "BEGIN; \(tables) COMMIT;"), ("long", long)]
        for (name, sql) in sql {
            let store = try loneChat()
            let script = store.file("\(name).sql")
            try Data(sql.utf8).write(to: URL(fileURLWithPath: script))
            #expect(try store.shell("sqlite3 -bail x_chat.db < \(name).sql && rm \(name).sql").code == 0)
            let run = try inspect(store)
            #expect(run.code == 0 || run.errors.contains("safety limits"), "\(name): \(run.errors)")
            #expect(!run.errors.contains("damaged"))
        }
    }
}
