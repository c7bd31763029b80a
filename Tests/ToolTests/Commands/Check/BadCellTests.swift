import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBTool

/// A value that cannot be read costs its row, in every check. Rule: docs/checks.md, "Rows that cannot be read".
@Suite("checks of rows that cannot be read")
struct BadCellTests {
    /// A bad cell in a healthy store of the oldest described version, whose tables allow every type.
    struct BadCell: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var chat: [String] = []
        var agent: [String] = []
        /// The findings with their samples.
        let found: [String: [String]]
        /// The checks that left out a row, and its name.
        let partly: [String: [String]]
        var failed: Set<String> = []
    }

    private static let bob = "CAST('Ym9i' AS BLOB)"

    static let cells = [
        BadCell(
            testDescription: "the id of a connection",
            agent: ["UPDATE connections SET conn_id = 7 WHERE conn_id = \(bob)"],
            found: [
                "unreadableValue": ["agent: connections 1 conn_id"], "connectionWithoutAgent": ["1"],
                "agentDanglingReference": [
                    "messages: conn_id in connections", "rcv_queues: conn_id in connections",
                    "snd_queues: conn_id in connections",
                ],
            ],
            partly: Dictionary(
                uniqueKeysWithValues: [
                    "connectionWithoutAgent", "agentConnectionWithoutConnection", "connectionDeletedOnOneSide",
                ].map { ($0, ["agent: connections 1 conn_id"]) })),
        BadCell(
            testDescription: "the agent user of a profile",
            chat: ["UPDATE users SET agent_user_id = 'x' WHERE user_id = 2"],
            found: ["unreadableValue": ["users 2 agent_user_id"]],
            partly: ["profileMarkedDeleted": ["users agent_user_id"], "profileWithoutAgent": ["users agent_user_id"]],
            failed: ["agentProfileWithoutProfile"]),
        BadCell(
            testDescription: "the deletion of an agent user",
            agent: ["UPDATE users SET deleted = 'x' WHERE user_id = 2"],
            found: ["unreadableValue": ["agent: users 2 deleted"]],
            partly: [
                "profileMarkedDeleted": ["agent: users 2 deleted"], "profileWithoutAgent": ["agent: users 2 deleted"],
            ]),
        BadCell(
            testDescription: "the agent user of a connection",
            chat: ["UPDATE connections SET agent_conn_id = x'71' WHERE connection_id = 1"],
            agent: ["UPDATE connections SET user_id = 'x' WHERE conn_id = \(bob)"],
            found: [
                "unreadableValue": ["agent: connections 2 user_id"], "connectionWithoutAgent": ["1"],
                "agentDanglingReference": ["connections: user_id in users"],
            ],
            partly: ["agentConnectionWithoutConnection": ["agent: connections 2 user_id"]]),
        BadCell(
            testDescription: "the profile of an own contact",
            chat: ["UPDATE contacts SET user_id = 'x' WHERE contact_id = 2"],
            found: ["unreadableValue": ["contacts 2 user_id"]],
            partly: ["blockedDeletion": ["contacts 2 (its profile)"]]),
        BadCell(
            testDescription: "the profile of a group",
            chat: ["UPDATE groups SET user_id = 'x' WHERE group_id = 1"],
            found: ["unreadableValue": ["groups 1 user_id"]], partly: ["duplicateGroup": ["groups 1 user_id"]]),
    ]

    @Test("Other rows are checked, and the row is named", arguments: cells)
    func cell(_ cell: BadCell) throws {
        let store = try SimplexStore(SimplexStore.versions[0], isHealthy: true)
        for sql in cell.chat { try store.execute(sql) }
        for sql in cell.agent { try store.execute(sql, in: .agent) }
        let checkup = try checked(store.location)
        for (id, sample) in cell.found {
            let found = checkup.findings.first { $0.id == id }
            #expect(found?.sample.map(\.description).sorted() == sample, "\(id)")
        }
        #expect(Set(checkup.findings.map(\.id)).isSuperset(of: cell.found.keys), "\(checkup.findings.map(\.id))")
        #expect(!checkup.findings.contains { $0.id == "mismatchedPair" })
        #expect(partly(checkup) == cell.partly)
        #expect(Set(failures(checkup).map(\.id)) == cell.failed)
    }

    private func checked(_ location: StoreLocation) throws -> CheckResult {
        try CheckedStore.check(location, with: SQLiteEngine(), Output(.json, terminal: Terminal())).checkup
    }

    private func partly(_ checkup: CheckResult) -> [String: [String]] {
        var rows: [String: [String]] = [:]
        for one in checkup.leftOut { if case .partly(let names) = one.reason { rows[one.id] = names } }
        return rows
    }

    private func failures(_ checkup: CheckResult) -> [CheckResult.LeftOut] {
        checkup.leftOut.filter { if case .failed = $0.reason { true } else { false } }
    }

    @Test("Values that the definition of a table forbids are located, in chatdb's own stores and in others")
    func forbidden() throws {
        let change = """
            UPDATE contacts SET deleted = 'true' WHERE contact_id = 2; \
            UPDATE contacts SET favorite = 7 WHERE contact_id = 3; \
            UPDATE contacts SET local_display_name = NULL WHERE contact_id = 4; \
            UPDATE contacts SET user_id = 'x', created_at = 'soon' WHERE contact_id = 5
            """
        let demo = try DemoStore.finished()
        for number in 2...5 {
            try demo.sql(
                """
                INSERT INTO display_names (user_id, local_display_name, ldn_base) VALUES (1, 'c\(number)', 'c\(number)');
                INSERT INTO contact_profiles (contact_profile_id, display_name, full_name, user_id)
                VALUES (\(70 + number), 'c', '', 1);
                INSERT OR REPLACE INTO contacts (contact_id, user_id, local_display_name, contact_profile_id)
                VALUES (\(70 + number), 1, 'c\(number)', \(70 + number))
                """)
        }
        let shifted = (2...5).reduce(change) { $0.replacing("contact_id = \($1)", with: "contact_id = \(70 + $1)") }
        try loosened(demo, "x_chat.db", shifted)
        let own = try checked(StoreLocation(prefix: demo.store)).findings.first { $0.id == "unreadableValue" }
        #expect(
            Set(own?.sample.map(\.description) ?? []) == [
                "contacts 72 deleted", "contacts 73 favorite", "contacts 74 local_display_name", "contacts 75 user_id",
                "contacts 75 created_at",
            ])
        let run = try ToolRun()
        let store = try SimplexStore(in: run.folder, isHealthy: true)
        let file = URL(fileURLWithPath: "\(store.location.prefix)_chat.db").lastPathComponent
        try loosened(run, file, "UPDATE contacts SET local_display_name = NULL WHERE contact_id = 11")
        let other = try checked(store.location)
        #expect(other.findings.first { $0.id == "chatDamaged" }?.damage.first?.hasForbiddenValues == true)
        #expect(
            other.findings.first { $0.id == "unreadableValue" }?.sample == [.text("contacts 11 local_display_name")])
        // A check that never applies to these stores is not left out because of the damage.
        #expect(other.leftOut.first { $0.id == "searchIndex" }?.reason == .otherProgram)
    }

    /// Changes rows of contacts against the definition of the table.
    private func loosened(_ run: ToolRun, _ file: String, _ sql: String) throws {
        let definition = try run.sql("SELECT sql FROM sqlite_schema WHERE name = 'contacts'", in: file)
        let loose = definition.replacing("NOT NULL", with: "").replacing(") STRICT", with: ")")
        func replace(_ text: String) -> String {
            let quoted = text.replacing("'", with: "''")
            return "UPDATE sqlite_schema SET sql = '\(quoted)' WHERE name = 'contacts' AND type = 'table'"
        }
        try run.sql("PRAGMA writable_schema = ON; \(replace(loose));", in: file)
        try run.sql("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON; \(sql)", in: file)
        try run.sql("PRAGMA writable_schema = ON; \(replace(definition));", in: file)
    }

    @Test("A word in the text of a table is no column of it")
    func words() throws {
        let store = try SimplexStore(SimplexStore.versions[0], isHealthy: true)
        try store.execute(
            "DROP TABLE chat_tags_chats", "DROP TABLE chat_tags",
            """
            CREATE TABLE chat_tags (chat_tag_id INTEGER PRIMARY KEY, user_id INTEGER REFERENCES users (user_id),
                chat_tag_text TEXT, chat_tag_emoji TEXT /* tag_order INTEGER NOT NULL */)
            """, "INSERT INTO chat_tags (chat_tag_id, user_id, chat_tag_text) VALUES (1, 1, 'tag')",
            "UPDATE contacts SET updated_at = 'x' WHERE contact_id = 11")
        let checkup = try checked(store.location)
        #expect(
            checkup.findings.first { $0.id == "unreadableValue" }?.sample == [.text("contacts 11 updated_at")])
        #expect(partly(checkup) == [:])
    }

    @Test("A value that is longer than the limit costs its row or its table, with a note")
    func tooLong() throws {
        let run = try ToolRun()
        let store = try SimplexStore(in: run.folder, isHealthy: true)
        let file = "\(store.location.prefix)_chat.db"
        let long = #"'{"a":"' || hex(zeroblob(5000000)) || '"}'"#
        let sql = """
            UPDATE chat_items SET item_content = \(long) WHERE chat_item_id = 2; \
            UPDATE chat_items SET quoted_content = '{' WHERE chat_item_id IN (1, 4); \
            UPDATE group_profiles SET updated_at = \(long) WHERE group_profile_id = 5; \
            UPDATE contacts SET updated_at = 'x' WHERE contact_id = 11
            """
        try run.sql(sql, in: URL(fileURLWithPath: file).lastPathComponent)
        let checkup = try checked(store.location)
        let samples = Dictionary(uniqueKeysWithValues: checkup.findings.map { ($0.id, $0.sample) })
        #expect(
            samples == [
                "unreadableContent": [.text("chat_items 1 quoted_content"), .text("chat_items 4 quoted_content")],
                "unreadableValue": [.text("contacts 11 updated_at")],
            ])
        let rows = partly(checkup)
        #expect(Set(rows.keys) == ["invalidText", "unreadableContent", "unreadableValue"])
        #expect(rows["unreadableContent"] == ["chat_items 2 item_content (too long)"])
        #expect(rows["unreadableValue"]?.count == 1)
        #expect(rows["unreadableValue"]?.first?.hasPrefix("group_profiles (") == true, "\(rows)")
        let text = try run(["check", "-d", store.location.prefix]).output
        #expect(
            text.contains("unreadableContent was checked without what cannot be read: chat_items 2 item_content"),
            "\(text)")
    }

    @Test("A relay that cannot be read is no reason to say that there is none")
    func warnings() throws {
        let demo = try DemoStore.finished()
        try demo.sql(
            """
            UPDATE chat_relays SET enabled = chat_relay_id = 2;
            UPDATE chat_relays SET tested_at = 'soon' WHERE chat_relay_id = 2
            """)
        let answer = try demo("check", "--format", "json").answer()
        let ids = answer["findings"]?.arrayValue?.compactMap { $0["id"]?.stringValue } ?? []
        #expect(ids.contains("unreadableValue") && !ids.contains("noEnabledRelays"), "\(ids)")
        let leftOut = answer["leftOut"]?.arrayValue ?? []
        #expect(leftOut.contains { $0["id"] == "noEnabledRelays" && $0["reason"] == "failed" }, "\(leftOut)")
        #expect(try demo("check").output.contains("rows that cannot be read may change it: chat_relays 2 tested_at"))
        let shown = try demo("inspect", "--format", "json").answer()["warnings"]?.texts ?? []
        #expect(!shown.contains { $0.contains("No chat relays enabled.") }, "\(shown)")
    }

    @Test("A message of the last day is no finding, and neither is one that the closed app left")
    func waiting() throws {
        let store = try SimplexStore(isHealthy: true)
        try store.execute(
            "INSERT INTO snd_message_deliveries (conn_id, snd_queue_id, internal_id) SELECT conn_id, 1, 1 FROM connections",
            "UPDATE messages SET internal_ts = '2026-07-19 09:05:01' WHERE conn_id = \(Self.bob)", in: .agent)
        #expect(try checked(store.location).findings.map(\.id) == [])
        try store.execute(
            "UPDATE messages SET internal_ts = '2026-07-19 09:04:59' WHERE conn_id = \(Self.bob)", in: .agent)
        let finding = try #require(try checked(store.location).findings.first)
        #expect(finding.id == "undeliveredMessage" && finding.count == 1)
        #expect(finding.detail == "the oldest waits since 2026-07-19")
        // Another bad time changes nothing.
        try store.execute(
            "INSERT INTO connections (conn_id, conn_mode, user_id, deleted) VALUES (x'01', 'INV', 1, 1)",
            "INSERT INTO messages (conn_id, internal_id, internal_ts, msg_type) VALUES (x'01', 0, 'zz', x'4d')",
            "INSERT INTO messages (conn_id, internal_id, internal_ts, msg_type) VALUES (x'01', -1, '2999-01-01 00:00:00', x'4d')",
            "UPDATE messages SET internal_ts = '2026-07-20 09:05:00' WHERE conn_id = \(Self.bob)",
            "DELETE FROM snd_message_deliveries WHERE conn_id <> \(Self.bob)", in: .agent)
        let found = try checked(store.location).findings
        #expect(found.map(\.id) == ["unreadableValue", "undeliveredMessage"])
        #expect(found.last?.sample.map(\.description) == ["delivery 2 of connection 1 of contact 11"])
        // The connection is being deleted.
        try store.execute("UPDATE connections SET deleted = 1", in: .agent)
        #expect(try !checked(store.location).findings.contains { $0.id == "undeliveredMessage" })
    }

    @Test("A connection of the agent that the chat database lacks has its place, and its owner if it is known")
    func names() throws {
        let store = try SimplexStore(isHealthy: true)
        try store.execute("UPDATE connections SET ratchet_sync_state = 'required'", in: .agent)
        try store.execute(
            "UPDATE connections SET contact_id = NULL, group_member_id = 25, conn_type = 'member' WHERE connection_id = 2"
        )
        func sample() throws -> [String] {
            let findings = try checked(store.location).findings
            return findings.first { $0.id == "ratchetOutOfSync" }?.sample.map(\.description) ?? []
        }
        #expect(
            try sample() == [
                "connection 2 of group member 25 of group 2 (required)", "connection 1 of contact 11 (required)",
            ])
        try store.execute("DELETE FROM connections WHERE connection_id = 1")
        #expect(try sample().last == "agent: connections 2 (required)")
        try FileManager.default.removeItem(atPath: store.location.path(of: .chat))
        #expect(try sample() == ["agent: connections 1 (required)", "agent: connections 2 (required)"])
    }
}
