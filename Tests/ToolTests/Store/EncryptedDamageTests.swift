import ChatDBKit
import Foundation
import TestKit
import Testing

/// An encrypted store with one byte changed: each answer is as without the change, or an error that names the page.
/// Rule: docs/encryption.md, "The format".
@Suite(
    "damaged pages of encrypted stores", .timeLimit(.minutes(60)),
    .enabled(if: EncryptedStore.python != nil, "needs sqlcipher3, which make test installs"))
struct EncryptedDamageTests {
    private static let pageSize = 4_096

    /// The store, and the rows of each table before the damage.
    private let store: EncryptedStore

    init() throws { store = try EncryptedStore(of: DemoStore.make()) }

    private func connection(_ database: DatabaseName) throws -> any StorageConnection {
        // An engine of its own verifies the first page.
        try SQLiteEngine().reading(with: Passphrase(EncryptedStore.key.utf8)).open(
            store.run.file("y_\(database).db"), as: .untrusted)
    }

    private static func tables(_ connection: any StorageConnection) throws -> [String] {
        try connection.read { transaction in
            try transaction.rows(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'"
            )
            .map { try $0.get("name") as String }
        }
    }

    /// The rows of a table, with all their values.
    private static func rows(_ table: String, _ connection: any StorageConnection) throws -> [[SQLValue]] {
        try connection.read { try $0.rows("SELECT * FROM \(identifier: table) NOT INDEXED").map(\.values) }
    }

    @Test("every page once: each table has its rows, or the error names the page", arguments: DatabaseName.allCases)
    func everyPage(_ database: DatabaseName) throws {
        let file = URL(fileURLWithPath: store.run.file("y_\(database).db"))
        let good = try Data(contentsOf: file)
        let whole = try connection(database)
        let tables = try Self.tables(whole)
        var rows: [String: [[SQLValue]]] = [:]
        for table in tables { rows[table] = try Self.rows(table, whole) }
        try whole.close()
        var found: Set<Int> = []
        let pages = good.count / Self.pageSize
        for page in 1...pages {
            var bad = good
            // The salt, the content, the vector and the code of a page.
            let place = page == 1 ? [20, 2_000, 4_020, 4_060][pages % 4] : [0, 2_000, 4_020, 4_060][page % 4]
            bad[(page - 1) * Self.pageSize + place] ^= 1 << UInt8(page % 8)
            try bad.write(to: file)
            func isExpected(_ error: StoreError) -> Bool {
                page == 1
                    ? error.message.contains("the first page of") : error.message.contains("code of page \(page) does")
            }
            do {
                let connection = try connection(database)
                defer { try? connection.close() }
                for table in tables {
                    do {
                        #expect(try Self.rows(table, connection) == rows[table], "page \(page): \(table)")
                    } catch let error as StoreError {
                        #expect(error.kind == .damaged && isExpected(error), "page \(page): \(error)")
                        found.insert(page)
                    }
                }
                // Indexes, and what belongs to none.
                if !found.contains(page), try !connection.integrityProblems().isEmpty { found.insert(page) }
            } catch let error as StoreError {
                #expect(error.kind == .damaged && isExpected(error), "page \(page): \(error)")
                found.insert(page)
            }
        }
        #expect(found == Set(1...pages), "\(Set(1...pages).subtracting(found))")
    }

    @Test("the tool on some of them: the same answer, or an error with exit code 66, and check finds each")
    func tool() throws {
        let file = URL(fileURLWithPath: store.run.file("y_chat.db"))
        let good = try Data(contentsOf: file)
        let query = "SELECT * FROM chat_relays ORDER BY chat_relay_id"
        let (answer, list) = (try store("query", query).output, try store("relay", "list", "-u", "alice").output)
        for page in [1, 2, 3, 17, 60, 120, good.count / Self.pageSize] {
            var bad = good
            bad[page * Self.pageSize - 2_000] ^= 1
            try bad.write(to: file)
            for (outcome, expected) in [
                (try store("query", query), answer), (try store("relay", "list", "-u", "alice"), list),
            ] {
                if outcome.code == 0 {
                    #expect(outcome.output == expected, "page \(page)")
                } else {
                    #expect(outcome.code == 66 && outcome.output.isEmpty, "page \(page): \(outcome.errors)")
                    #expect(outcome.errors.contains(page == 1 ? "the first page of" : "page \(page) "))
                }
            }
            let checked = try store("check")
            #expect(
                checked.code == 1 && checked.output.contains(/[dD]amaged|unreadableDatabase/),
                "page \(page): \(checked.output)")
            let inspected = try store("inspect")
            #expect([0, 66].contains(inspected.code), "page \(page): \(inspected.errors)")
        }
    }

    /// Changes a byte of the first page of a table or an index.
    private func damage(_ name: String) throws {
        let connection = try connection(.chat)
        let root = try connection.read { transaction in
            try transaction.rows("SELECT rootpage FROM sqlite_master WHERE name = \(name)")
                .map { try $0.get("rootpage") as Int64 }
        }
        try connection.close()
        let file = URL(fileURLWithPath: store.run.file("y_chat.db"))
        var bytes = try Data(contentsOf: file)
        bytes[Int(try #require(root.first)) * Self.pageSize - 2_000] ^= 1
        try bytes.write(to: file)
    }

    private func remedy() throws -> String {
        let findings = try store("check", "--format", "json").answer()["findings"]?.arrayValue ?? []
        let text = try #require(findings.first { $0["id"] == "chatDamaged" }?["remedy"]?.stringValue, "\(findings)")
        #expect(!text.contains("sqlite3") && !text.contains("salvage"), "\(text)")
        return text
    }

    @Test("a damaged index: passphrase remove and passphrase set, which the remedy names, write it again")
    func index() throws {
        try damage("idx_users_contact_id")
        let text = try remedy()
        #expect(text.contains("the content is in plain text between the two"), "\(text)")
        let commands = text.matches(of: #/chatdb passphrase .*?(?= writes the rows| encrypts these)/#)
        try #require(commands.count == 2, "\(text)")
        for command in commands {
            let line = command.0.dropFirst("chatdb ".count).replacing("FILE", with: "pass")
            let done = try store.run.shell("$CHATDB \(line) --yes")
            #expect(done.code == 0, "\(command.0): \(done.errors)")
        }
        #expect(try !store("check").output.contains("amaged"))
    }

    @Test("a damaged table: the remedy names a backup and a query, and errors of passphrase commands name the database")
    func table() throws {
        try damage("users")
        let text = try remedy()
        #expect(text.contains("chatdb restore FOLDER ") && text.contains("chatdb query "), "\(text)")
        try store.write("new", "x'\(String(repeating: "4f", count: 32))'\n")
        for command in [["change", "--new-passphrase-file", "new"], ["remove"]] {
            let words = ["-d", "y", "--passphrase-file", "pass", "--yes", "--format", "json"]
            let run = try store.run(["passphrase"] + command + words)
            let error = try run.refusal()
            let named = "/y_chat.db: it is damaged (the authentication code of page "
            #expect(run.code == 66 && error["message"]?.stringValue?.contains(named) == true, "\(run.errors)")
            let hint = error["hint"]?.stringValue ?? ""
            #expect(hint.hasPrefix("keep the file as it is; chatdb check "), "\(error)")
        }
    }

    @Test("a changed page beside a journal that SQLCipher left: the committed rows, or an error")
    func journal() throws {
        let list = ["relay", "list", "-u", "alice", "-d", "y", "--passphrase-file", "pass"]
        let good = try store.run(list).output
        try store.crash()
        for name in ["y_chat.db", "y_chat.db-journal"] {
            let left = try Data(contentsOf: URL(fileURLWithPath: store.run.file(name)))
            for place in stride(from: 600, to: left.count, by: left.count / 24) {
                var bad = left
                bad[place] ^= 1
                // A child writes the file: processes that other tests start would inherit it open from this one, and
                // chatdb would say that a program has the database open.
                try bad.write(to: URL(fileURLWithPath: store.run.file("bad")))
                #expect(try store.run.shell("cp bad \(name)").code == 0)
                let outcome = try store.run(list)
                if outcome.code == 0 {
                    #expect(outcome.output == good, "\(name) \(place)")
                } else {
                    #expect(
                        outcome.code == 66 && outcome.errors.contains("error: "),
                        "\(name) \(place): \(outcome.code) \(outcome.errors)")
                }
            }
            try left.write(to: URL(fileURLWithPath: store.run.file("bad")))
            #expect(try store.run.shell("cp bad \(name)").code == 0)
        }
    }
}
