import ChatDBKit
import TestKit
import Testing

@testable import ChatDBInspection

/// The checks of a store, its repairs and its facts on a PostgreSQL server. Rule: docs/checks.md, "Stores on a server".
@Suite(.enabled(if: PostgresServer.isSupported), .serialized)
struct PostgresInspectionTests {
    /// What no store on a server can have, with the reason.
    private static let impossible: [String: String] = [
        "invalidText": "a database in UTF8 refuses other texts",
        "chatDamaged": "the server looks after its files",
        "agentDamaged": "the server looks after its files",
        "chatDamagedPage": "the server looks after its files",
        "agentDamagedPage": "the server looks after its files",
    ]

    /// A check that never has a finding alone: the same loss has another one. `LostRelaysTests` of the tool has its
    /// faults.
    private static let neverAlone: Set = ["groupRelayWithoutConnection"]

    /// Checks of tables whose rows have a row id in SQLite, and no number on a server: the sample has the place in the
    /// order of the primary key instead, or no number.
    private static let numberedByKey: Set = [
        "sharedDisplayName", "displayNameForm", "unusedDisplayName", "agentConnectionWithoutConnection",
        "agentDanglingReference", "unreadableValue",
    ]

    /// The faults of rows, and of indexes that were dropped.
    private static let faults = CheckFault.all.filter { fault in
        let isOfSQLite = (fault.chat + fault.agent).contains { $0.contains("STRICT") || $0.contains("chat_items_fts") }
        return impossible[fault.id] == nil && !isOfSQLite
    }

    /// A finding, without the numbers that engines give in their own ways.
    private static func text(of finding: Finding) -> String {
        var sample = finding.sample.map(\.description)
        if numberedByKey.contains(finding.id) { sample = sample.map { $0.replacing(/\ ?\d+/, with: "") }.sorted() }
        return "\(finding.id) \(finding.count) \(sample) \(finding.detail ?? "") \(finding.isFixable)"
    }

    /// The store of the files with a fault, and its copy on the server.
    private func stores(_ fault: CheckFault) throws -> (world: CheckWorld, copy: PostgresCheckWorld) {
        let world = try CheckWorld()
        try world.execute(fault.chat)
        try world.execute(fault.agent, in: .agent)
        let dropped = fault.chat.filter { $0.hasPrefix("DROP INDEX") }
        let copy = dropped.isEmpty ? try PostgresCheckWorld.shared.get() : try PostgresCheckWorld()
        try copy.execute(dropped)
        try copy.fill(from: world)
        return (world, copy)
    }

    private func expectSameFacts(_ world: CheckWorld, _ copy: PostgresCheckWorld, _ comment: Comment) throws {
        let stores = [world.test.store, copy.store]
        let facts = try stores.map { try $0.read { try StoreFacts(of: $0, hidden: .shown) } }
        #expect(facts[0] == facts[1], comment)
        let chats = try stores.map { try $0.read { try ChatActivity(of: $0) } }
        #expect(chats[0] == chats[1], comment)
        let agents = try stores.map { try $0.read(.agent) { try AgentActivity(of: $0) } }
        #expect(agents[0] == agents[1], comment)
        for name in DatabaseName.allCases {
            let tables = Catalogue.tables(of: name).map(\.name)
            let numbers = try stores.map { StoreNumbers(of: name, tables: tables, reading: try $0.connection(name)) }
            #expect(numbers[0] == numbers[1], comment)
            #expect(!numbers[0].states.isEmpty)
        }
        let pairs = try stores.map { store in
            try store.readBoth { chat, agent in
                let pair = try PairAgreement(chat: chat, agent: agent)
                return "\(pair.profiles) \(pair.connections) \(pair.agentConnections) \(pair.agentProfilesMissing)"
            }
        }
        #expect(pairs[0] == pairs[1], comment)
        let complete = try stores.map { try CompleteConnections(of: $0) }
        #expect(complete[0] == complete[1], comment)
    }

    @Test("a store in order has no finding, every check runs, and the facts are those of the files")
    func healthy() throws {
        let world = try CheckWorld()
        let copy = try PostgresCheckWorld.shared.get()
        try copy.fill(from: world)
        let checkup = try copy.checkup()
        #expect(checkup.findings.isEmpty)
        #expect(checkup.leftOut.isEmpty)
        try expectSameFacts(world, copy, "")
    }

    @Test("a fault is found and repaired as in files, and the facts are those of the files", arguments: faults)
    func found(_ fault: CheckFault) throws {
        let (world, copy) = try stores(fault)
        let (expected, checkup) = (try world.checkup(), try copy.checkup())
        #expect(checkup.findings.map(Self.text) == expected.findings.map(Self.text))
        #expect(checkup.findings.map(\.id) == [fault.id])
        #expect(checkup.leftOut == expected.leftOut)
        try expectSameFacts(world, copy, "\(fault.id)")
        guard checkup.findings.first?.isFixable == true else { return }
        let repaired = try copy.mend(checkup.findings)
        #expect(try repaired == world.mend(expected.findings))
        #expect(repaired.map(\.id) == [fault.id])
        #expect(try copy.checkup().findings.isEmpty)
        try expectSameRows(world, copy)
    }

    private func expectSameRows(_ world: CheckWorld, _ copy: PostgresCheckWorld) throws {
        for name in DatabaseName.allCases {
            let tables = try world.test.store.connection(name).structure().tables
            for table in tables.keys where tables[table]?.virtualDefinition == nil {
                let (own, copied) = try (
                    world.test.store.sortedRows(of: table, in: name), copy.store.sortedRows(of: table, in: name)
                )
                #expect(copied == own, "\(name) \(table)")
            }
        }
    }

    @Test("every check with a repair has a fault here that is repaired")
    func completeRepairs() {
        let repairable = Set(StoreCheck.all.filter { $0.repairAct != nil }.map(\.id))
        let here = Set(Self.faults.map(\.id)).union(["searchIndex", "chatSchemaLost", "agentSchemaLost"])
        #expect(repairable.isSubset(of: here))
    }

    @Test(
        "a search index that lacks a message, has another one's words, or has one too many is found and rebuilt",
        arguments: [
            "DELETE FROM chat_items_fts WHERE chat_item_id = 12",
            "UPDATE chat_items_fts SET words = search_words(1, 'gone') WHERE chat_item_id = 12",
            "INSERT INTO chat_items_fts VALUES (99, search_words(1, 'gone'))",
        ])
    func searchIndex(_ statement: String) throws {
        let copy = try PostgresCheckWorld.shared.get()
        try copy.fill(from: CheckWorld())
        func index() throws -> [[SQLValue]] {
            try copy.store.read {
                try $0.rows("SELECT chat_item_id, words::text FROM chat_items_fts ORDER BY 1").map(\.values)
            }
        }
        let before = try index()
        try copy.execute([statement])
        let findings = try copy.checkup().findings
        // A row too many refers to a missing message.
        #expect(findings.last?.id == "searchIndex")
        #expect(try copy.mend(findings).map(\.changed) == [1])
        #expect(try copy.checkup().findings.isEmpty)
        #expect(try index() == before && before.count == 4)
    }

    @Test("every check has a fault here, or a reason why a server has none")
    func complete() {
        let here = Set(Self.faults.map(\.id)).union(["searchIndex"]).union(StoreCheck.givenIDs).union(Self.neverAlone)
        #expect(here.union(Self.impossible.keys) == Set(StoreCheck.all.map(\.id)))
        #expect(here.isDisjoint(with: Self.impossible.keys))
    }

    @Test("a switch that is neither 0 nor 1 is found, where the server lost the constraint")
    func switches() throws {
        let copy = try PostgresCheckWorld()
        try copy.fill(from: CheckWorld())
        try copy.execute([
            "ALTER TABLE contacts DROP CONSTRAINT contacts_favorite_check",
            "UPDATE contacts SET favorite = 2 WHERE contact_id = 11",
        ])
        let findings = try copy.checkup().findings
        #expect(findings.map { $0.sample.map(\.description) } == [["contacts 11 favorite"]])
    }

    @Test("a check that needs a lost column or table is left out, and the others run, as in files")
    func lostColumns() throws {
        let changes: [DatabaseName: [String]] = [
            .chat: [
                "ALTER TABLE connections DROP COLUMN conn_status", "DROP TABLE chat_tags_chats",
                "UPDATE app_settings SET app_settings = '[]'",
            ],
            .agent: ["ALTER TABLE connections DROP COLUMN ratchet_sync_state"],
        ]
        let (world, copy) = (try CheckWorld(), try PostgresCheckWorld())
        try copy.fill(from: world)
        for (name, statements) in changes {
            try world.execute(statements, in: name)
            try copy.execute(statements, in: name)
        }
        let (expected, checkup) = (try world.checkup(), try copy.checkup())
        #expect(checkup.leftOut.map(\.id) == expected.leftOut.map(\.id))
        #expect(checkup.leftOut.map(\.reason) == expected.leftOut.map(\.reason))
        #expect(checkup.leftOut.count > 2)
        #expect(checkup.findings.map(Self.text) == expected.findings.map(Self.text))
        #expect(checkup.findings.map(\.id) == ["invalidAppSettings"])
    }

    @Test("a lost index that rows violate is not made, and the repairs before and after it are kept")
    func lostIndexes() throws {
        let copy = try PostgresCheckWorld()
        try copy.fill(from: CheckWorld())
        try copy.execute([
            "DROP INDEX idx_chat_tags_text", "DROP INDEX idx_files_contact_id",
            "INSERT INTO chat_tags (chat_tag_id, user_id, chat_tag_text) VALUES (12, 1, 'tag')",
            "UPDATE connections SET to_subscribe = 1 WHERE connection_id = 14",
        ])
        let made = [
            ("idx_chat_tags_text", "CREATE UNIQUE INDEX idx_chat_tags_text ON chat_tags (user_id, chat_tag_text)"),
            ("idx_files_contact_id", "CREATE INDEX idx_files_contact_id ON files (contact_id)"),
        ]
        let parts = made.map { SchemaPart(name: $0.0, isTrigger: false, sql: $0.1) }
        let repaired = try copy.mend(copy.checkup().findings, lost: [.chat: parts])
        #expect(repaired.map(\.id) == ["deletedConnectionSubscribed", "chatSchemaLost"])
        #expect(repaired.map(\.changed) == [1, 1])
        let indexes = try copy.store.connection(.chat).structure().indexes
        #expect(indexes["idx_files_contact_id"] != nil && indexes["idx_chat_tags_text"] == nil)
        #expect(try copy.checkup().findings.map(\.id) == ["duplicateTag"])
    }

    @Test("texts that are not JSON are found as in files, without the number of a hidden profile")
    func texts() throws {
        let (world, copy) = (try CheckWorld(), try PostgresCheckWorld.shared.get())
        try world.execute([
            CheckFault.hide, "UPDATE users SET ui_themes = 'blue'", "UPDATE contact_profiles SET preferences = '{}}'",
            "UPDATE contact_profiles SET preferences = '[1e999, \"\\ud800\", {\"a\":1,\"a\":2}]' WHERE user_id = 2",
            """
            INSERT INTO messages (message_id, user_id, msg_sent, chat_msg_event, msg_body) VALUES
                (1, 1, 1, 'x', 'plain'), (2, 1, 1, 'x', '{}'), (3, 1, 1, 'x', '{'), (4, 1, 1, 'x', '[1,]'),
                (5, 1, 1, 'x', ' {')
            """,
        ])
        try copy.fill(from: world)
        let (expected, checkup) = (try world.checkup(), try copy.checkup())
        #expect(checkup.findings.map(Self.text) == expected.findings.map(Self.text))
        let sample = checkup.findings.first { $0.id == "unreadableContent" }?.sample.map(\.description) ?? []
        #expect(sample.contains("users ui_themes") && sample.contains("users 2 ui_themes"))
        #expect(sample.filter { $0.hasPrefix("messages") } == ["messages 3 msg_body", "messages 4 msg_body"])
        #expect(sample.contains("contact_profiles 11 preferences") && !sample.contains { $0.contains(" 21 ") })
    }

    @Test("connections of both sides are compared page by page as in files")
    func pages() throws {
        let (world, copy) = (try CheckWorld(), try PostgresCheckWorld.shared.get())
        let numbers = "WITH RECURSIVE n (n) AS (SELECT 100 UNION ALL SELECT n + 1 FROM n WHERE n < 2399)"
        try world.execute([
            """
            \(numbers) INSERT INTO connections (connection_id, user_id, agent_conn_id, conn_status, conn_type)
            SELECT n, 1, 'k\\' || (n * 7 % 2300), 'ready', 'contact' FROM n WHERE n % 50 <> 0
            """
        ])
        try world.execute(
            [
                """
                \(numbers) INSERT INTO connections (conn_id, user_id, conn_mode)
                SELECT CAST('k\\' || (n * 7 % 2300) AS BLOB), 1, 'INV' FROM n WHERE n % 70 <> 0
                """
            ], in: .agent)
        try copy.fill(from: world)
        let (expected, checkup) = (try world.checkup(), try copy.checkup())
        #expect(checkup.findings.map(\.id) == ["connectionWithoutAgent", "agentConnectionWithoutConnection"])
        #expect(checkup.findings.map(\.count) == expected.findings.map(\.count))
        #expect(checkup.findings.first?.sample == expected.findings.first?.sample)
    }

    @Test("the times that records cannot read are found, and no others")
    func times() throws {
        let copy = try PostgresCheckWorld.shared.get()
        try copy.fill(from: CheckWorld())
        let day = "2026-07-20"
        var texts = ["", " ", "infinity", "٢٠٢٦-07-20 09:05:00", "\(day)T09:05:00"]
        let times = ["24:00:00", "09:60:00", "09:05:60", "09:05:00Z", "09:05", "09:05:00\n"]
        let fractions = ["", "1", "1é", "123456789012", "1234567890123"].map { "09:05:00.\($0)" }
        texts += (times + fractions).map { "\(day) \($0)" }
        for year in ["0000", "0001", "1900", "2000", "2023", "2024", "2100", "9999"] {
            for month in 0...13 {
                for day in [0, 1, 28, 29, 30, 31, 32] {
                    let (month, day) = (month < 10 ? "0\(month)" : "\(month)", day < 10 ? "0\(day)" : "\(day)")
                    texts.append("\(year)-\(month)-\(day) 23:59:59.999")
                }
            }
        }
        try copy.store.write { chat in
            for (number, text) in texts.enumerated() {
                try chat.run(
                    """
                    INSERT INTO contact_profiles (contact_profile_id, user_id, display_name, created_at)
                    VALUES (\(number + 1_000), 1, 'x', \(text))
                    """)
            }
        }
        let found = try copy.checkup().findings.first { $0.id == "unreadableValue" }?.sample.map(\.description) ?? []
        let expected = texts.enumerated().filter { StoredTime(text: $0.element) == nil }.map {
            "contact_profiles \($0.offset + 1_000) created_at"
        }
        #expect(Set(found).symmetricDifference(expected).sorted() == [] && found.count == expected.count)
        let wrong = try copy.store.read { chat in
            try texts.filter { text in
                let row = try chat.first("SELECT \(chat.dialect.isTime("\(String(text.prefix(19)))")) AS is_time")
                return try row?.get("is_time") != (StoredTime(text: String(text.prefix(19))) != nil)
            }
        }
        #expect(wrong == [])
    }
}
