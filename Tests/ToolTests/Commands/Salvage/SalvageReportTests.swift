import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBTool

/// What the report of a salvage says about the loss, and how the lost rows are read. Rule: docs/support.md, "Salvage a
/// damaged store".
@Suite("report of a salvage") struct SalvageReportTests {
    /// A store with 300 ready connections, of which 200 have both queues.
    private func connected() throws -> ToolRun {
        let store = try DemoStore.finished()
        let numbers = "WITH RECURSIVE n(x) AS (SELECT 1000 UNION ALL SELECT x + 1 FROM n WHERE x < 1299)"
        try store.sql(
            """
            \(numbers) INSERT INTO connections (user_id, agent_conn_id, conn_status, conn_type)
            SELECT (SELECT min(user_id) FROM users), 'c' || x, 'ready', 'contact' FROM n;
            """)
        let id = "CAST('c' || x AS BLOB)"
        try store.sql(
            """
            INSERT INTO servers (host, port, key_hash) VALUES ('h', '1', 'k');
            \(numbers) INSERT INTO connections (conn_id, user_id, conn_mode)
            SELECT \(id), (SELECT min(user_id) FROM users), 'INV' FROM n;
            \(numbers) INSERT INTO rcv_queues (host, port, rcv_id, conn_id, rcv_queue_id, rcv_private_key, rcv_dh_secret,
                e2e_priv_key, snd_id, status)
            SELECT 'h', '1', CAST(x AS BLOB), \(id), x, x'01', x'01', x'01', CAST(x AS BLOB), 'active' FROM n;
            \(numbers) INSERT INTO snd_queues (host, port, snd_id, conn_id, snd_queue_id, snd_private_key, e2e_dh_secret,
                status)
            SELECT 'h', '1', CAST(x AS BLOB), \(id), x, x'01', x'01', 'active' FROM n WHERE x < 1200;
            """, in: "x_agent.db")
        return store
    }

    /// Overwrites the leaf in the middle of the tree of a table or an index.
    private func overwriteLeaf(of name: String, in store: ToolRun, _ file: String) throws {
        let page = try #require(
            Int(
                try store.sql(
                    """
                    SELECT pageno FROM dbstat WHERE name = '\(name)' AND pagetype = 'leaf' ORDER BY path LIMIT 1
                    OFFSET (SELECT count(*) / 2 FROM dbstat WHERE name = '\(name)' AND pagetype = 'leaf')
                    """, in: file)))
        let url = URL(fileURLWithPath: store.file(file))
        var bytes = Array(try Data(contentsOf: url))
        bytes.replaceSubrange((page - 1) * 4096..<page * 4096, with: [UInt8](repeating: 0, count: 4096))
        try Data(bytes).write(to: url)
    }

    @Test("a damaged agent database: chats are safe, complete connections are counted, findings that follow are named")
    func agent() throws {
        let store = try connected()
        try overwriteLeaf(of: "connections", in: store, "x_agent.db")
        let run = try store("salvage", "--output", "new", "--format", "json")
        let answer = try run.answer()
        let notes = answer["notes"]?.texts ?? []
        #expect(notes.contains { $0.contains("all chats, contacts and messages are in the new store") }, "\(notes)")
        let complete = try #require(
            Int64(
                try store.sql(
                    """
                    SELECT count(*) FROM snd_queues WHERE EXISTS (SELECT 1 FROM connections AS c
                        WHERE c.conn_id = snd_queues.conn_id)
                    """, in: "new_agent.db")))
        let counts = answer["connections"]
        #expect(counts?["complete"]?.integerValue == complete && complete < 200 && complete > 100, "\(run.output)")
        #expect(counts?["all"]?.integerValue == 300)
        #expect(notes.contains { $0.hasPrefix("\(complete) of 300 connections") }, "\(notes)")
        let table = answer["agent"]?["tables"]?.arrayValue?.first { $0["table"] == "connections" }
        let traces = try #require(table?["traces"]?.integerValue)
        #expect(traces == 0 || notes.contains { $0.contains("of \(traces) of the lost rows") }, "\(notes)")
        let findings = answer["check"]?["findings"]?.arrayValue ?? []
        for (id, text) in [
            ("connectionWithoutAgent", "The agent database lost these connections"),
            ("agentDanglingReference", "do not delete a chat or profile"),
        ] {
            let finding = findings.first { $0["id"]?.stringValue == id }
            #expect(finding == nil || finding?["follows"]?.stringValue?.contains(text) == true, "\(findings)")
        }
        #expect(findings.contains { $0["follows"]?.stringValue != nil }, "\(findings)")
        let shown = try store("salvage", "--output", "shown").output
        #expect(shown.contains("Findings that follow from the loss"), "\(shown)")
    }

    @Test("channels whose rows only an index still has are groups in the new store, and the report and check say so")
    func channels() throws {
        let store = try DemoStore.finished()
        let root = try #require(Int(try store.sql("SELECT rootpage FROM sqlite_schema WHERE name = 'groups'")))
        let url = URL(fileURLWithPath: store.file("x_chat.db"))
        var bytes = Array(try Data(contentsOf: url))
        for offset in (root - 1) * 4096..<root * 4096 { bytes[offset] = UInt8(truncatingIfNeeded: offset * 37 + 91) }
        try Data(bytes).write(to: url)
        let answer = try store("salvage", "--output", "new", "--format", "json").answer()
        let findings = answer["check"]?["findings"]?.arrayValue ?? []
        let finding = findings.first { $0["id"] == "groupRelayOutsideChannel" }
        #expect(finding?["severity"] == "error", "\(findings)")
        #expect(finding?["follows"]?.stringValue?.contains("They were channels") == true, "\(findings)")
        let check = try store("check", "-d", store.file("new"), "--format", "json")
        let remedy = try check.answer()["findings"]?.arrayValue?.first { $0["id"] == "groupRelayOutsideChannel" }?[
            "remedy"]
        #expect(check.code == 1 && remedy?.stringValue?.contains("Groups with relays were probably channels") == true)
    }

    @Test("findings that do not follow from lost rows have no such meaning, and a whole salvage counts no connections")
    func whole() throws {
        let store = try connected()
        try store.sql("DELETE FROM connections WHERE conn_id = CAST('c1007' AS BLOB)", in: "x_agent.db")
        let answer = try store("salvage", "--output", "new", "--only", "agent", "--format", "json").answer()
        let findings = answer["check"]?["findings"]?.arrayValue ?? []
        #expect(findings.contains { $0["id"] == "connectionWithoutAgent" }, "\(findings)")
        #expect(findings.allSatisfy { $0["follows"] == .null } && answer["connections"] == .null, "\(answer)")
    }

    @Test("an unfinished channel follows from the loss only if rows were lost that it may lack")
    func unfinished() throws {
        var saved = SalvagedStore(target: try StoreLocation(prefix: "/x"))
        saved.parts[.chat] = SalvagedStore.Part(.salvaged)
        for (name, follows) in [("protocol_servers", false), ("group_relays", true)] {
            var table = SalvagedTable(name: name)
            table.lost = 1
            saved.parts[.chat]?.database.tables = [table]
            #expect((FollowingFindings.meaning(of: "unfinishedChannel", in: saved) != nil) == follows, "\(name)")
        }
    }

    @Test("the first sentence says that all rows were saved if only a definition or a log is missing")
    func summary() throws {
        let store = try DemoStore.finished()
        try store.sql(
            """
            CREATE INDEX extra ON users (local_display_name); PRAGMA writable_schema = ON;
            UPDATE sqlite_master SET sql = replace(sql, '(local_display_name)', '(lokal_display_name)') WHERE name = 'extra'
            """)
        let shown = try store("salvage", "--output", "new").output
        #expect(
            shown.hasPrefix(
                "All rows of the database files were saved, without a definition in the schema of the chat database."),
            "\(shown)")
        var saved = SalvagedStore(target: try StoreLocation(prefix: "/x"))
        var part = SalvagedStore.Part(.salvaged)
        var table = SalvagedTable(name: "t")
        table.saved = 5
        part.database.tables = [table]
        part.database.sideFile = .leftOut
        saved.parts[.chat] = part
        #expect(
            saved.summary
                == "All rows of the database files were saved, without the log or the journal of the chat database.")
        saved.parts[.chat]?.database.tables[0].lost = 3
        saved.parts[.chat]?.database.tables[0].guessed = 1
        #expect(
            saved.summary
                == "The store was saved in part, without the log or the journal of the chat database: 3 rows are lost; 1 row "
                + "is doubtful.")
        saved.parts[.chat]?.database.sideFile = nil
        var other = saved
        other.parts[.chat]?.database.tables = [table]
        other.parts[.chat]?.database.leftOut = ["the table x", "the index y"]
        other.parts[.chat]?.database.leftOutTables = 1
        #expect(
            other.summary
                == "The store was saved in part, without a definition in the schema of the chat database: a table of the "
                + "chat database was left out.")
        #expect(other.hasLosses(.chat) && other.hasLostDefinitions(.chat))
        other.parts[.chat]?.database.leftOut = []
        other.parts[.chat]?.database.leftOutTables = 0
        other.parts[.chat]?.database.isSchemaWhole = false
        #expect(
            other.summary == "All rows that chatdb found were saved, without a part of the schema of the chat database."
        )
        #expect(!other.hasLosses(.chat) && other.hasLostDefinitions(.chat) && !other.isWhole)
        let json = SalvageReport(saved: other, next: "").json["chat"]
        #expect(json?["rowsWhole"] == true && json?["schemaWhole"] == false)
        saved.parts[.chat]?.database.tables[0].lost = nil
        saved.parts[.chat]?.database.tables[0].guessed = 0
        #expect(saved.summary == "The store was saved in part: an unknown number of rows may be lost.")
        saved.parts[.chat]?.database.tables[0].referred = 6
        #expect(saved.summary == "The store was saved in part: at least 6 rows are lost.")
    }

    @Test("a table whose definition is cut, and that got this build's, is not said to be left out")
    func cutDefinition() throws {
        let store = try DemoStore.finished()
        let rows = try store.sql("SELECT * FROM group_relays")
        try store.sql(
            """
            PRAGMA writable_schema = ON;
            UPDATE sqlite_master SET sql = substr(sql, 1, 60) WHERE name = 'group_relays'
            """)
        let run = try store("salvage", "--output", "new")
        #expect(
            run.output.hasPrefix(
                "All rows of the database files were saved, without a definition in the schema of the chat database."),
            "\(run.output)")
        #expect(run.code == 1 && run.output.contains("the definition of the table group_relays (incomplete input)"))
        #expect(!run.output.contains("a table of the chat database was left out"), "\(run.output)")
        #expect(try store.sql("SELECT * FROM group_relays", in: "new_chat.db") == rows && !rows.isEmpty)
    }

    @Test("query opens a file of lost rows by its name: the places are shown, and values are as secret as in any table")
    func lostRows() throws {
        let store = try connected()
        try overwriteLeaf(of: "connections", in: store, "x_agent.db")
        let answer = try store("salvage", "--output", "new", "--format", "json").answer()
        let path = try #require(answer["agent"]?["lostAndFound"]?.stringValue)
        let command = try #require(
            answer["notes"]?.texts?.compactMap { $0.firstMatch(of: #/chatdb (query .*) counts them/#)?.1 }.first)
        let counted = try store.shell("\"$CHATDB\" \(command)")
        #expect(counted.code == 0 && counted.output.contains("connections") && counted.output.contains("index"))
        let sql = "SELECT id, source, c0 FROM lost_and_found WHERE \"table\" = 'connections' LIMIT 1"
        for options in [[], ["--show", "personal"], ["--only", "agent"]] {
            let run = try store(["query", "-d", path, sql, "--format", "json"] + options)
            let row = try run.answer()["rows"]?[0]
            #expect(row?["source"] == "index" && row?["id"] == 1, "\(run.output) \(run.errors)")
            #expect(row?["c0"] == ["masked": "secret"], "\(run.output)")
        }
        // Another name, and the other database.
        #expect(try store("query", "-d", path, sql, "--only", "chat").code != 0)
        #expect(try store.shell("cp '\(path)' lost.db").code == 0)
        #expect(try store("query", "-d", "lost.db", sql).errors.contains("not named like a database"))
        #expect(try store("check", "-d", path).errors.contains("not named like a database"))
    }

    @Test("no remedy for lost rows begins with a deletion, and keys of lost connections are not called harmless alone")
    func remedies() throws {
        for kind in [FoundDatabase.Kind.chatdb, .simplex] {
            for id in ["chatDanglingReference", "agentDanglingReference"] {
                let text = try #require(Remedies.remedy(for: id, in: kind)?.text())
                #expect(text.contains("Do not delete chats or profiles"), "\(text)")
                #expect(!text.contains("elete, in the app"), "\(text)")
            }
            let keys = try #require(Remedies.remedy(for: "agentConnectionWithoutConnection", in: kind)?.text())
            #expect(keys.hasPrefix("If the chat database lost rows") && keys.contains("copy both files"), "\(keys)")
            let lost = try #require(Remedies.remedy(for: "connectionWithoutAgent", in: kind)?.text())
            #expect(lost.contains("If the agent's file was truncated or salvaged, it lost them."), "\(lost)")
        }
    }
}
