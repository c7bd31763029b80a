import ChatDBKit
import Foundation
import Testing

/// S15: only commands that are asked for personal texts show them, and no command shows secrets.
@Suite(.timeLimit(.minutes(60))) struct PrivacyTests {
    /// The data that `inspect`, `relay list` and errors show on purpose: names and addresses of a visible profile,
    /// links of its channels.
    private static let shown = [
        "users-local_display_name", "chat_relays-address", "chat_relays-display_name", "chat_relays-domains",
        "group_profiles-display_name", "group_profiles-group_link", "groups-local_display_name",
    ].map { "\(MarkedStore.marker)-\($0)-" }

    private func unexpected(_ text: String) -> [String] {
        MarkedStore.marks(in: text).filter { mark in !Self.shown.contains { mark.hasPrefix($0) } }
    }

    @Test("control: every personal and secret column of both databases holds a marker, and the search finds it")
    func control() throws {
        let store = try MarkedStore.make()
        #expect(MarkedStore.columns.count > 150)
        #expect(try store.unmarked() == [])
        let chatdb = store.chatdb
        for (sql, database) in [
            ("SELECT item_text FROM chat_items", "chat"), ("SELECT host FROM servers", "agent"),
            ("SELECT tested_at FROM chat_relays", "chat"),
        ] {
            let shown = try chatdb("query", sql, "--show", "personal", "--only", database, "--format", "csv").output
            #expect(!MarkedStore.marks(in: shown).isEmpty, "\(sql): \(shown)")
            let masked = try chatdb("query", sql, "--only", database, "--format", "csv").output
            #expect(MarkedStore.marks(in: masked).isEmpty, "\(sql)")
        }
        // Bytes and numbers in the notation of programs.
        for text in ["7a71784D41524B4552", "enF4TUFSS0VSLWE=", "x 777123456 y", "zqxmarker-a"] {
            #expect(MarkedStore.marks(in: text).count == 1, "\(text)")
        }
    }

    @Test("a bundle contains no marker, and still lists relays and channels")
    func bundle() throws {
        let chatdb = try MarkedStore.make().chatdb
        let preview = try chatdb("bundle", "--preview", "-v")
        #expect(preview.code == 0, "\(preview.errors)")
        #expect(MarkedStore.marks(in: preview.output + preview.errors) == [])
        #expect(!preview.output.contains(chatdb.folder.path))
        let bundle = try preview.answer()
        #expect(bundle["profiles"]?.arrayValue?.count == 1)
        #expect((bundle["relays"]?.arrayValue?.count ?? 0) > 0, "\(bundle["notes"] ?? .null)")
        #expect(bundle["channels"]?.arrayValue?.count == 1)
        try chatdb.succeed("bundle", "out.json")
        #expect(try MarkedStore.marks(in: String(contentsOfFile: chatdb.file("out.json"), encoding: .utf8)) == [])
    }

    @Test("a text behind a state is in no bundle and no answer of query")
    func states() throws {
        let chatdb = try DemoStore.make()
        var columns: [(database: DatabaseName, table: String, column: String)] = []
        for database in DatabaseName.allCases {
            var script = "PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON;"
            for table in Catalogue.tables(of: database) {
                for column in table.columns
                where column.name.hasSuffix("status") || ["integrity", "ratchet_sync_state"].contains(column.name) {
                    columns.append((database, table.name, column.name))
                    let types = try chatdb.sql(
                        "SELECT name || ' ' || type FROM pragma_table_info('\(table.name)')", in: "x_\(database).db")
                    let names = types.split(separator: "\n").map { $0.split(separator: " ") }
                    let list = names.map { "\"\($0[0])\"" }.joined(separator: ", ")
                    let values = names.map { name in
                        if name[0] == column.name { return "'failed \(MarkedStore.marker)-state'" }
                        switch name.last {
                        case "INTEGER", "REAL": return "77"
                        case "BLOB": return "x'77'"
                        default: return "'y'"
                        }
                    }
                    script +=
                        "INSERT OR IGNORE INTO \"\(table.name)\" (\(list)) VALUES (\(values.joined(separator: ", ")));"
                    script += "UPDATE \"\(table.name)\" SET \"\(column.name)\" = 'failed \(MarkedStore.marker)-state';"
                }
            }
            try chatdb.sql(script, in: "x_\(database).db")
        }
        #expect(columns.count > 15)
        let preview = try chatdb("bundle", "--preview", "-v")
        #expect(preview.code == 0 && MarkedStore.marks(in: preview.output + preview.errors) == [])
        for (database, table, column) in columns {
            for sql in ["SELECT * FROM \"\(table)\"", "SELECT \(column), count(*) FROM \"\(table)\" GROUP BY 1"] {
                let run = try chatdb("query", sql, "--only", database.rawValue, "--format", "json")
                #expect(run.code == 0, "\(table).\(column): \(run.errors)")
                #expect(MarkedStore.marks(in: run.output + run.errors) == [], "\(table).\(column)")
            }
            // Control.
            let whole = try chatdb(
                "query", "SELECT \(column) FROM \"\(table)\"", "--only", database.rawValue, "--show", "personal")
            #expect(!MarkedStore.marks(in: whole.output).isEmpty, "\(table).\(column)")
        }
    }

    @Test("with --show personal, query shows no secret")
    func query() throws {
        let chatdb = try MarkedStore.make().chatdb
        for database in DatabaseName.allCases {
            for table in Catalogue.tables(of: database) where !table.name.hasSuffix("_fts") {
                let secrets = table.columns.filter { $0.columnClass == .secret }.map {
                    "\(MarkedStore.marker)-\(table.name)-\($0.name)-"
                }
                let sql = "SELECT * FROM \"\(table.name)\""
                let all = try chatdb(
                    "query", sql, "--show", "personal", "--only", database.rawValue, "--format", "json")
                #expect(all.code == 0, "\(table.name): \(all.errors)")
                // query shows the first bytes of a personal BLOB, and nothing of a secret.
                for secret in secrets { #expect(!all.output.contains(secret), "\(table.name)") }
                let names = Set(try all.answer()["masked"]?.arrayValue?.compactMap { $0["column"]?.stringValue } ?? [])
                #expect(names == Set(table.columns.filter { $0.columnClass == .secret }.map(\.name)), "\(table.name)")
                let few = try chatdb("query", sql, "--only", database.rawValue, "--format", "json")
                #expect(MarkedStore.marks(in: few.output + few.errors) == [], "\(table.name)")
            }
        }
    }

    @Test("inspect shows names, addresses and links of visible profiles only, and nothing of the hidden one")
    func inspect() throws {
        let chatdb = try MarkedStore.make().chatdb
        let hidden = try chatdb.sql("SELECT local_display_name FROM users WHERE user_id = 2")
        for format in ["table", "json", "csv", "markdown"] {
            let outcome = try chatdb("inspect", "-v", "--format", format)
            #expect(outcome.code == 0)
            // The page also shows the last message of a channel and the last test of a relay: in JSON under these keys.
            let untimed = outcome.output.replacing(#/"(chatTs|testedAt)": "[^"]*"/#, with: "")
            let output = format == "json" ? untimed : untimed.replacing(#/2031-07-09T[0-9:.]+Z/#, with: "")
            #expect(unexpected(output + outcome.errors) == [], "\(format)")
            #expect(!outcome.output.contains(hidden))
        }
        #expect(!MarkedStore.marks(in: try chatdb("inspect").output).isEmpty)
    }

    @Test("errors and the details of -v contain no markers, except names that are shown on purpose")
    func errors() throws {
        let chatdb = try MarkedStore.make().chatdb
        for arguments in [
            ["query", "SELECT json_extract('{}', local_display_name) FROM users"],
            ["query", "SELECT json(item_text) FROM chat_items"], ["query", "SELECT local_display_name FROM nothing"],
            ["query", "SELECT json(view_pwd_hash) FROM users", "--show", "personal"],
            ["query", "SELECT * FROM chat_items_fts_data"], ["query", "INSERT INTO users (user_id) VALUES (1)"],
            ["user", "show", "nobody"], ["user", "show", "id:2"], ["group", "show", "999"],
            ["relay", "list", "-u", "2"],
            ["relay", "add", "nonsense"], ["user", "add", "x", "--preset", "x_chat.db"], ["user", "delete", "id:2"],
            ["migrate", "down", "--steps", "1"], ["schema", "show", "userz"], ["schema", "diff", "nowhere"],
            ["preset", "diff", "x_agent.db"], ["group", "members", "999"], ["group", "delete", "1"],
        ] {
            let outcome = try chatdb(arguments + ["-v"])
            #expect(unexpected(outcome.errors) == [], "\(arguments)")
            #expect(unexpected(try chatdb(arguments + ["--format", "json"]).errors) == [], "\(arguments)")
        }
    }

    @Test("neither the bundle nor an error of a damaged store repeats the contents of the damaged page")
    func damaged() throws {
        let chatdb = try MarkedStore.make().chatdb
        let file = chatdb.file("x_chat.db")
        var bytes = try Data(contentsOf: URL(fileURLWithPath: file))
        // From the third on, every third page loses its header, which says where its cells are.
        for page in stride(from: 2, to: bytes.count / 4096, by: 3) {
            bytes.replaceSubrange(page * 4096..<page * 4096 + 16, with: Data(repeating: 0xAA, count: 16))
        }
        try bytes.write(to: URL(fileURLWithPath: file))
        let preview = try chatdb("bundle", "--preview", "-v")
        #expect(MarkedStore.marks(in: preview.output + preview.errors) == [], "\(preview.errors)")
        for arguments in [["inspect"], ["relay", "list"], ["user", "list"], ["query", "PRAGMA integrity_check"]] {
            #expect(unexpected(try chatdb(arguments + ["-v"]).errors) == [], "\(arguments)")
        }
    }
}
