import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBInspection

/// How databases of other versions become views.
@Suite struct VersionViewsTests {
    @Test(
        "the SQL of the views is as recorded: the whole mapping, readable in one place",
        arguments: [0, 3, SimplexStore.newestIndex])
    func recorded(_ index: Int) throws {
        let version = SimplexStore.versions[index]
        let opened = try OpenedStore(SimplexStore(version))
        for (database, date) in [(DatabaseName.chat, version.chat), (.agent, version.agent)] {
            let views = try opened.store.read(database) { transaction in
                try transaction.rows("SELECT name, sql FROM sqlite_temp_master ORDER BY name").map { row in
                    try row.get("sql") as String + ";\n"
                }
            }
            #expect(!views.isEmpty)
            let text =
                "-- \(database) \(date) of SimpleX Chat as this build reads it.\n\n" + views.joined(separator: "\n")
            let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
                .appendingPathComponent("../../../Snapshots/Views/simplex-\(database)-\(date).sql").standardizedFileURL
            if ProcessInfo.processInfo.environment["CHATDB_RECORD_SNAPSHOTS"] == "1" {
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try Data(text.utf8).write(to: file)
            }
            #expect((try? String(contentsOf: file, encoding: .utf8)) == text, "\(file.lastPathComponent): make golden")
        }
    }

    @Test("a database of this build needs no view at all")
    func current() throws {
        let test = try TestStore()
        try test.store.close()
        let opened = try OpenedStore(test.location)
        for database in DatabaseName.allCases {
            let count = try opened.store.read(database) { try $0.count("SELECT count(*) FROM sqlite_temp_master") }
            #expect(count == 0, "\(database)")
        }
        #expect(opened.store.notes.isEmpty)
    }

    @Test("a view in the file under a table's name is not read: the table counts as missing")
    func viewInFile() throws {
        let simplex = try SimplexStore()
        try simplex.execute(
            "ALTER TABLE chat_relays RENAME TO other",
            "CREATE VIEW chat_relays AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT i AS user_id FROM n"
        )
        let opened = try OpenedStore(simplex)
        #expect(opened.store.notes == ["the chat database: this version has no relays"])
        #expect(try opened.store.read { try ChatRelaysRepo($0).all(of: UserID(1)) }.isEmpty)
    }

    @Test("values that are no text or number where one is expected are an error, never a crash")
    func oddValues() throws {
        let simplex = try SimplexStore(SimplexStore.versions[0])
        try simplex.execute(
            "UPDATE users SET agent_user_id = 'abc' WHERE user_id = 2",
            "UPDATE protocol_servers SET host = x'ff00' WHERE smp_server_id = 5")
        let opened = try OpenedStore(simplex)
        try opened.store.read { chat throws in
            #expect(throws: UsersError.self) { try UsersRepo(chat).all() }
            _ = try? ServersRepo(chat).all(of: UserID(2))
        }
    }

    @Test("the time grows no faster than the number of channels, members and messages", .timeLimit(.minutes(60)))
    func large() throws {
        let simplex = try SimplexStore()
        let numbers = "WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < %) "
        func fill(_ count: Int, _ insert: String) throws {
            try simplex.execute(numbers.replacing("%", with: "\(count + 99)") + insert)
        }
        try fill(
            3_000,
            "INSERT INTO group_profiles (group_profile_id, display_name, full_name, user_id) SELECT i, 'g' || i, '', 1 FROM n"
        )
        try fill(
            3_000,
            """
            INSERT INTO groups (group_id, user_id, local_display_name, group_profile_id, use_relays)
            SELECT i, 1, 'g' || i, i, 1 FROM n
            """)
        try fill(
            60_000,
            """
            INSERT INTO group_members (group_member_id, group_id, member_id, member_role, member_category,
                member_status, user_id, local_display_name, contact_profile_id, index_in_group)
            SELECT i + 1000, 100 + i % 3000, CAST('m' || i AS BLOB),
                CASE WHEN i < 3100 THEN 'relay' ELSE 'observer' END,
                CASE WHEN i < 3100 THEN 'user' ELSE 'post' END, 'connected', 1, 'm' || i, 1, i FROM n
            """)
        try fill(
            3_000,
            """
            INSERT INTO group_relays (group_id, group_member_id, chat_relay_id, relay_status)
            SELECT 100 + i % 3000, i + 1000, 2, 'active' FROM n
            """)
        let opened = try OpenedStore(simplex)
        try opened.store.read { chat throws in
            #expect(try StoreFacts(of: chat).profiles.first?.channels.count == 3_002)
            #expect(try ChatRelaysRepo(chat).usage(of: UserID(1)).map(\.use.using) == [1, 3_001, 0, 0])
            #expect(try GroupsRepo(chat).all(of: UserID(1)).count == 3_003)
            #expect(try GroupRelaysRepo(chat).all(of: UserID(1)).count == 3_001)
        }
    }
}
