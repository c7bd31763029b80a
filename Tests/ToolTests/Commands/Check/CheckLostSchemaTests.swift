import ChatDBKit
import Foundation
import Testing

@Suite("check of lost parts of a schema")
struct CheckLostSchemaTests: CheckTesting {
    private func finding(_ answer: JSONValue, _ id: String) -> JSONValue? {
        answer["findings"]?.arrayValue?.first { $0["id"]?.stringValue == id }
    }

    @Test("--fix creates lost indexes and triggers again after a backup, and indexes the words written meanwhile")
    func madeAgain() throws {
        let demo = try DemoStore.make()
        let schema = try demo("schema", "dump", "-d", demo.store).output
        try demo.sql(
            """
            DROP TRIGGER chat_items_fts_insert; DROP INDEX idx_chat_relays_address_key; DROP INDEX idx_files_user_id;
            INSERT INTO chat_items (user_id, group_id, item_sent, item_ts, item_status, item_content, item_text)
            SELECT user_id, group_id, 0, '2026-01-01 00:00:00.000', 'rcv_new', '{}', 'hello world' FROM groups
            """)
        try demo.sql("DROP INDEX idx_rcv_queues_conn_id_primary", in: "x_agent.db")
        let before = try checked(demo)
        #expect(ids(before) == ["searchIndex", "chatSchemaLost", "agentSchemaLost"])
        #expect(
            finding(before, "chatSchemaLost")?["sample"]?.texts == [
                "idx_chat_relays_address_key", "idx_files_user_id", "chat_items_fts_insert",
            ])
        #expect(
            try demo("check", "-d", demo.store).output.contains(
                "chatdb check --fix -d \(demo.store) creates them again"))
        let run = try demo("check", "--fix", "--yes", "--format", "json")
        #expect(run.code == 0, "\(run.errors)")
        let answer = try run.answer()
        #expect(ids(answer).isEmpty && answer["backup"]?.stringValue != nil)
        #expect(answer["fixed"]?.arrayValue?.map { $0["changed"] } == [1, 3, 1])
        #expect(try demo.sql("SELECT count(*) FROM chat_items_fts WHERE chat_items_fts MATCH 'world'") == "1")
        #expect(try demo("schema", "diff", "--exit-code").code == 0)
        #expect(try demo("schema", "dump", "-d", demo.store).output == schema)
        // Another program writes: the trigger is the one that the version has.
        try demo.succeed("relay", "disable", "mine", "-u", "alice")
    }

    @Test(
        "check reports rows that violate a lost unique index by number, and creates the index only without them")
    func duplicates() throws {
        let demo = try DemoStore.make()
        try demo.sql(
            """
            DROP INDEX idx_chat_tags_text; DROP INDEX idx_chat_tags_emoji;
            INSERT INTO chat_tags (chat_tag_id, user_id, chat_tag_text, tag_order)
            VALUES (7, 1, 'x', 0), (8, 1, 'y', 1), (9, 1, 'x', 2), (10, 2, 'x', 0)
            """)
        for _ in 1...2 {
            let answer = try checked(demo)
            #expect(
                finding(answer, "chatDuplicateRow")?["sample"]?.texts == [
                    "chat_tags 7 (idx_chat_tags_text)", "chat_tags 9 (idx_chat_tags_text)",
                ])
            #expect(finding(answer, "chatDuplicateRow")?["fixable"] == false)
            let fixed = try demo("check", "--fix", "--yes", "--no-backup")
            #expect(fixed.code == 1, "\(fixed.errors)")
            #expect(try demo.sql("SELECT count(*) FROM sqlite_schema WHERE name = 'idx_chat_tags_emoji'") == "1")
        }
        #expect(finding(try checked(demo), "chatSchemaLost") == nil)
        try demo.sql("DELETE FROM chat_tags WHERE chat_tag_id = 9")
        #expect(try demo("check", "--fix", "--yes", "--no-backup").code == 0)
        #expect(try ids(checked(demo)).isEmpty)
    }

    @Test("Remedies for the rows of one fault do not contradict each other")
    func remedies() throws {
        let demo = try DemoStore.make()
        try demo.succeed("user", "add", "other", "-q")
        try demo.sql("DROP INDEX idx_users_agent_user_id; UPDATE users SET agent_user_id = 1")
        func remedy(_ id: String) throws -> String {
            try #require(finding(try checked(demo), id)?["remedy"]?.stringValue)
        }
        let duplicates = try remedy("chatDuplicateRow")
        #expect(duplicates.contains("These are the rows of sharedAgentProfile") && !duplicates.contains("delete"))
        #expect(try remedy("sharedAgentProfile").hasPrefix("Do not delete either profile"))
        #expect(try remedy("agentProfileWithoutProfile").contains("so keep it"))
        #expect(try finding(checked(demo), "agentProfileWithoutProfile")?["fixable"] == false)
        let active = try DemoStore.make()
        try active.sql("DROP INDEX idx_users_active_user; UPDATE users SET active_user = 1")
        let text = try #require(finding(try checked(active), "chatDuplicateRow")?["remedy"]?.stringValue)
        #expect(text.contains("rows of severalActiveProfiles") && text.contains("chatdb check --fix"))
        // Rows of another index have a remedy of their own.
        try active.sql(
            """
            DROP INDEX idx_chat_tags_text; INSERT INTO chat_tags (chat_tag_id, user_id, chat_tag_text, tag_order)
            VALUES (7, 1, 'x', 0), (9, 1, 'x', 2)
            """)
        #expect(
            try finding(checked(active), "chatDuplicateRow")?["remedy"]?.stringValue?.contains("keep one of them")
                == true)
    }

    @Test("A list of migrations that lost rows is named, and the schema is compared with the version that it has")
    func lostMigrations() throws {
        let newest = try #require(try MigrationSource.build.load()[.chat]?.last?.name)
        for condition in ["1", "name = '\(newest)'"] {
            let demo = try DemoStore.finished()
            try demo.sql("DELETE FROM migrations WHERE \(condition)")
            let run = try demo("check", "--format", "json")
            #expect(run.code == 1)
            let answer = try run.answer()
            #expect(ids(answer) == ["lostMigrations"])
            #expect(
                finding(answer, "lostMigrations")?["sample"]?[0]?.stringValue?.hasSuffix("that of \(newest)") == true)
            // `inspect` and the plan say the same.
            let inspected = try demo("inspect").output
            #expect(inspected.contains("lost rows: do not migrate it"), "\(inspected)")
            #expect(!inspected.contains("migrate up") && !inspected.contains("older than this build"), "\(inspected)")
            if condition != "1" {
                let plan = try demo("migrate", "plan", "--format", "json").answer()
                #expect(plan["warnings"]?.texts?.contains { $0.contains("do not migrate it") } == true, "\(plan)")
                let page = try demo("inspect", "--format", "json").answer()
                #expect(page["store"]?["chat"]?["state"] == "lostMigrations", "\(page)")
                let status = try demo("migrate", "status")
                #expect(status.output.contains("do not migrate it") && !status.output.contains("chat pending"))
                let versions = try demo("migrate", "status", "--format", "json").answer()
                #expect(versions["chat"]?["lostMigrations"] == true && versions["agent"]?["lostMigrations"] == false)
                // Commands that read do not call the store older.
                let listed = try demo("user", "list")
                #expect(listed.code == 0 && listed.errors.contains("do not migrate it; chatdb check"), "\(listed)")
                #expect(!listed.errors.contains("older than this build"), "\(listed)")
                let refused = try demo("user", "add", "x", "--format", "json").refusal()
                #expect(refused["code"] == "needsUpgrade", "\(refused)")
                #expect(refused["hint"]?.stringValue?.contains("do not migrate it; chatdb check") == true, "\(refused)")
            }
            for command in [["up"], ["run", "--confirm", "yes-up"]] {
                let run = try demo(["migrate"] + command + ["--format", "json"])
                let hint = try run.refusal()["hint"]?.stringValue
                #expect(run.code != 0 && hint?.contains("do not migrate it; chatdb check shows more") == true, "\(run)")
            }
        }
        // An older store has its own version, and a drift of its own is no loss.
        let older = try MigrationFixture.oldStore()
        #expect(try ids(checked(older)) == ["olderVersion"])
        try older.sql("CREATE TABLE more (a); ALTER TABLE contacts ADD COLUMN other INTEGER")
        #expect(try ids(checked(older)) == ["chatSchemaDrift", "olderVersion"])
    }

    @Test("A list of migrations that lost rows in between is named too, and no finding of such a store is fixable")
    func gapsInList() throws {
        let demo = try DemoStore.make()
        try demo.sql("UPDATE groups SET conn_link_started_connection = 1")
        #expect(try finding(checked(demo), "startedWithoutLink")?["fixable"] == true)
        try demo.sql("DELETE FROM migrations WHERE name LIKE '20260713%'")
        let answer = try checked(demo)
        #expect(ids(answer).contains("lostMigrations") && !ids(answer).contains("otherHistory"), "\(answer)")
        let sample = finding(answer, "lostMigrations")?["sample"]?[0]?.stringValue ?? ""
        #expect(sample.hasPrefix("chat: the list lacks 1 migration before its last one, ends with "), "\(sample)")
        let started = finding(answer, "startedWithoutLink")
        #expect(started?["fixable"] == false)
        let remedy = started?["remedy"]?.stringValue ?? ""
        #expect(remedy.contains("see lostMigrations first") && !remedy.contains("--fix"), "\(remedy)")
        let refused = try demo("check", "--fix", "--yes", "--format", "json")
        #expect(refused.code == 78, "\(refused)")
        for command in [["up"], ["run", "--confirm", "yes-up"]] {
            let hint = try demo(["migrate"] + command + ["--format", "json"]).refusal()["hint"]?.stringValue ?? ""
            #expect(hint.contains("do not migrate it") && !hint.contains("--allow-out-of-order"), "\(hint)")
        }
    }

    @Test("Rows that the same run repairs do not block a lost index")
    func mendedFirst() throws {
        let demo = try DemoStore.make()
        try demo.sql("DROP INDEX idx_users_active_user; UPDATE users SET active_user = 1")
        #expect(try ids(checked(demo)) == ["severalActiveProfiles", "chatDuplicateRow"])
        let run = try demo("check", "--fix", "--yes", "--no-backup", "--format", "json")
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        #expect(
            try run.answer()["fixed"]?.arrayValue?.map { $0["id"] } == ["severalActiveProfiles", "chatSchemaLost"])
    }

    @Test("An index or trigger on a missing table or column stays drift, and --fix does not create it")
    func notSafe() throws {
        let demo = try DemoStore.make()
        try demo.sql("DROP INDEX idx_files_user_id; ALTER TABLE chat_tags DROP COLUMN tag_order; DROP TABLE files")
        try demo.sql("DROP TRIGGER chat_items_fts_delete; DROP INDEX idx_chat_tags_text")
        let answer = try checked(demo)
        #expect(finding(answer, "chatSchemaLost") == nil)
        let drift = finding(answer, "chatSchemaDrift")?["sample"]?.texts ?? []
        #expect(
            drift.contains("missing trigger chat_items_fts_delete") && drift.contains("missing index idx_files_user_id")
        )
        #expect(finding(answer, "chatSchemaDrift")?["fixable"] == false)
        #expect(
            finding(answer, "chatSchemaMissing")?["sample"]?.texts == [
                "missing table files", "missing column chat_tags.tag_order",
            ])
    }

    @Test("Where check cannot search for rows, it still reports everything else")
    func damagedTable() throws {
        let demo = try DemoStore.make()
        let root = try #require(Int(try demo.sql("SELECT rootpage FROM sqlite_master WHERE name = 'chat_tags'")))
        try demo.sql("DROP INDEX idx_chat_tags_text; PRAGMA journal_mode = DELETE")
        let file = URL(fileURLWithPath: demo.folder.file("x_chat.db"))
        var bytes = [UInt8](try Data(contentsOf: file))
        for index in (root - 1) * 4_096..<(root - 1) * 4_096 + 8 { bytes[index] = 0 }
        try Data(bytes).write(to: file)
        let run = try demo("check", "--format", "json")
        #expect(run.code == 1, "\(run.errors)")
        #expect(try ids(run.answer()).prefix(2) == ["chatDamaged", "chatSchemaLost"])
    }

    @Test("an index that an adopted database lost: the remedy is the statement of its migration, and not --fix")
    func ofAdopted() throws {
        let store = try ToolRun()
        let index = "CREATE INDEX note_text ON notes (text)"
        try store.sql("CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT); \(index)", in: "app.db")
        let adoption = try store.shell(
            """
            mkdir -p m/chat && $CHATDB schema dump --database chat=app.db > m/chat/20260101_first.up.sql
            $CHATDB migrate baseline --to 20260101_first --migrations-dir m --database chat=app.db --yes
            """)
        try #require(adoption.code == 0, "\(adoption.errors)")
        try store.sql("DROP INDEX note_text", in: "app.db")
        let check = ["check", "--database", "chat=app.db", "--migrations-dir", "m"]
        let found = try store(check)
        #expect(found.code == 1 && found.output.contains("chatSchemaLost"), "\(found.output)")
        #expect(found.output.contains("Run the statements of the migrations"), "\(found.output)")
        #expect(!found.output.contains("--fix"), "\(found.output)")
        try store.sql(index, in: "app.db")
        #expect(try store(check).code == 0)
    }

    @Test("a view that an adopted database lost: the remedy is the statement of its migration, and not a new migration")
    func viewOfAdopted() throws {
        let store = try ToolRun()
        let view = "CREATE VIEW texts AS SELECT text FROM notes"
        try store.sql("CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT); \(view)", in: "app.db")
        let adoption = try store.shell(
            """
            mkdir -p m/chat && $CHATDB schema dump --database chat=app.db > m/chat/20260101_first.up.sql
            $CHATDB migrate baseline --to 20260101_first --migrations-dir m --database chat=app.db --yes
            """)
        try #require(adoption.code == 0, "\(adoption.errors)")
        try store.sql("DROP VIEW texts", in: "app.db")
        let check = ["check", "--database", "chat=app.db", "--migrations-dir", "m"]
        let found = try store(check).output
        #expect(found.contains("run the statement of the migration that creates it with the sqlite3 shell"), "\(found)")
        #expect(!found.contains("migrate baseline") && !found.contains("what was added"), "\(found)")
        try store.sql("ALTER TABLE notes ADD COLUMN added TEXT", in: "app.db")
        let both = try store(check).output
        #expect(both.contains("what was added. To have an index, trigger or view again"), "\(both)")
        try store.sql("ALTER TABLE notes DROP COLUMN added; \(view)", in: "app.db")
        #expect(try store(check).output.contains("found no problems"))
    }

    @Test("after an edit was accepted, the remedy for a missing trigger is its statement, also if the text is restored")
    func triggerAfterEdit() throws {
        let store = try ToolRun()
        let options = ["--database", "chat=app.db", "--migrations-dir", "m"]
        let file = store.file("m/chat/20260201_tr.up.sql")
        let trigger = "CREATE TRIGGER tr AFTER INSERT ON notes BEGIN SELECT 1; END;"
        let made = try store.shell(
            """
            set -e
            sqlite3 app.db 'CREATE TABLE notes (id INTEGER)'; mkdir -p m/chat
            echo 'CREATE TABLE notes (id INTEGER);' > m/chat/20260101_first.up.sql
            $CHATDB migrate baseline --to 20260101_first --database chat=app.db --migrations-dir m --yes
            echo '\(trigger)' > m/chat/20260201_tr.up.sql
            $CHATDB migrate up --database chat=app.db --migrations-dir m
            sqlite3 app.db 'DROP TRIGGER tr'
            """)
        try #require(made.code == 0, "\(made)")
        for text in [trigger.replacing("SELECT 1", with: "SELECT 2"), trigger] {
            try text.write(toFile: file, atomically: false, encoding: .utf8)
            let accepted = try store(["migrate", "run", "--accept-edited"] + options)
            #expect(accepted.code == 0, "\(accepted)")
            let findings = try store(["check", "--format", "json"] + options).answer()["findings"]?.arrayValue
            let lost = findings?.first { $0["id"] == "chatSchemaLost" }?["remedy"]?.stringValue ?? ""
            #expect(
                lost.contains("run the statements of the migrations that create them with the sqlite3 shell"), "\(lost)"
            )
            #expect(lost.contains("If the edit of 20260201_tr added them"), "\(lost)")
        }
        try store.sql(trigger, in: "app.db")
        #expect(try store(["check"] + options).output.contains("found no problems"))
    }
}
