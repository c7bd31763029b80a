import ChatDBKit
import Foundation
import TestKit
import Testing

/// Rows that are other rows in the copy are never committed. Rule: docs/copying.md, "Verification".
@Suite(.enabled(if: PostgresServer.isSupported, "needs PostgreSQL"), .timeLimit(.minutes(60)))
struct CopyDifferencesTests {
    @Test("a value that changes at the target during the copy is noticed, and nothing is committed")
    func changed() throws {
        let world = try CopyWorld()
        try world.fill()
        let before = try world.dump(world.files.location)
        // When the index is made again, all rows are there.
        try world.sql(
            """
            CREATE FUNCTION public.spoil() RETURNS event_trigger LANGUAGE plpgsql AS $$
            BEGIN
                IF to_regclass('made_agent.people') IS NOT NULL THEN
                    UPDATE made_agent.people SET image = 'x' WHERE id = 2;
                END IF;
            END
            $$;
            CREATE EVENT TRIGGER spoil ON ddl_command_end WHEN TAG IN ('CREATE INDEX')
                EXECUTE FUNCTION public.spoil();
            """)
        let error = #expect(throws: CopyError.self) { _ = try world.toServer().run() }
        guard case .differs(.agent, let table, let read, let found) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(table == "people" && read == 3 && found == 3)
        #expect(error?.code == "copyDiffers")
        #expect(try world.isEmpty())
        #expect(try world.dump(world.files.location) == before)
        _ = try StoreGate(world.context(of: world.files.location)).enter()
    }

    @Test("when the mark cannot be committed, the copy is complete, and the error says that the store has no mark")
    func notMarked() throws {
        let world = try CopyWorld()
        try world.fill()
        _ = try world.toServer().run()
        // The server checks this at the commit: no store has the path of the copy as its id.
        try world.sql(
            """
            ALTER TABLE made_chat.store ADD UNIQUE (store_id);
            ALTER TABLE made_chat.store ADD COLUMN moved_to TEXT REFERENCES made_chat.store (store_id)
                DEFERRABLE INITIALLY DEFERRED;
            """)
        let copy = try world.toFiles()
        let error = #expect(throws: CopyError.self) { _ = try copy.run() }
        guard case .notMarked(let place, let cause) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(place == copy.target.location.prefix && cause.kind == .foreignKeyViolation)
        #expect(try world.sql("SELECT count(*) FROM made_chat.store WHERE moved_to IS NULL") == "1")
        _ = try StoreGate(world.context(of: copy.target.location)).enter()
        let rows = try world.sql("SELECT count(*) FROM made_chat.messages")
        let copied = try Store.openForReading(copy.target.location, with: SQLiteEngine())
        defer { try? copied.close() }
        #expect(try copied.read { try $0.count("SELECT count(*) FROM messages") } == Int(rows))
    }

    @Test("a value that its column on the server does not hold is named by table and row")
    func unfit() throws {
        let world = try CopyWorld()
        try world.fill()
        try world.files.execute(
            "PRAGMA ignore_check_constraints = ON", "UPDATE people SET active = 70000 WHERE id = 2")
        let error = #expect(throws: CopyError.self) { _ = try world.toServer().run() }
        guard case .refused(.chat, let part, let cause) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(part == "id 2 of the table people")
        #expect(cause.message.contains("column active") && !cause.message.contains("70000"), "\(cause.message)")
        #expect(try world.isEmpty())
    }

    @Test("NaN and negative zero, which files do not have, are refused by table, column and row")
    func numbers() throws {
        let world = try CopyWorld()
        try world.fill()
        _ = try world.toServer().run()
        try world.sql(
            """
            UPDATE made_chat.messages SET score = 'NaN' WHERE message_id = 2;
            UPDATE made_chat.messages SET score = '-0' WHERE message_id IN (4, 6);
            """)
        let error = #expect(throws: CopyError.self) { _ = try world.toFiles().run() }
        guard case .notCopyable(let problems) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(problems.map(\.kind) == [.notANumber, .negativeZero])
        #expect(problems.map { $0.rows.sorted() } == [[2], [4, 6]])
        #expect(problems.allSatisfy { $0.columns == ["score"] && $0.key == "message_id" && !$0.isText })
    }
}
