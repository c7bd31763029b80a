import ChatDBKit
import Testing

/// Rule: docs/support.md, "A lost database".
@Suite("check of a store that has lost a database, without a backup")
struct CheckLostDatabaseTests: CheckTesting {
    /// Losses of a file as lines of bash.
    private static let losses = ["rm $FILE", "dd if=/dev/zero of=$FILE bs=40960 count=1 status=none", ": > $FILE"]

    private func store(without database: DatabaseName, _ loss: String) throws -> ToolRun {
        let demo = try DemoStore.finished()
        let lost = try demo.shell("FILE=x_\(database).db; rm -f $FILE-wal; \(loss)")
        #expect(lost.code == 0, "\(lost.errors)")
        return demo
    }

    private func remedy(_ demo: ToolRun) throws -> String {
        let findings = try checked(demo)["findings"]?.arrayValue ?? []
        let found = findings.first { ["missingDatabase", "unreadableDatabase"].contains($0["id"]?.stringValue) }
        return found?["remedy"]?.stringValue ?? ""
    }

    @Test("Without the agent database, the remedy says what is lost, and its commands work", arguments: losses)
    func agent(_ loss: String) throws {
        let demo = try store(without: .agent, loss)
        let text = try remedy(demo)
        #expect(text.contains("keys and queues of all connections are lost"), "\(text)")
        #expect(text.contains("docs/support.md") && text.contains("chatdb restore FOLDER"), "\(text)")
        #expect(try demo("query", "SELECT count(*) FROM users").code == 0)
        #expect(try demo("group", "list", "-u", "alice").code == 0)
        if loss.hasPrefix("rm") {
            #expect(text.contains("chatdb preset export"), "\(text)")
            #expect(try demo("preset", "export", "-u", "alice").code == 0)
        } else {
            #expect(text.contains("chatdb salvage --output NEW --only chat"), "\(text)")
            let saved = try demo("salvage", "--output", demo.file("NEW"), "--only", "chat")
            #expect(saved.code == 1, "\(saved)")
            #expect(try demo("preset", "export", "-d", demo.file("NEW"), "-u", "alice").code == 0)
        }
    }

    @Test("A file that can be unpacked or decrypted is not called lost")
    func packed() throws {
        for change in ["gzip -c x_agent.db > packed", "openssl rand 5000 > packed"] {
            let demo = try store(without: .agent, "\(change); mv packed x_agent.db")
            let text = try remedy(demo)
            #expect(!text.isEmpty && !text.contains("are lost"), "\(change): \(text)")
        }
    }

    @Test("The commands of docs/support.md add a new agent database, and the store can be changed again")
    func newAgent() throws {
        let demo = try store(without: .agent, Self.losses[1])
        let made = try demo.shell(
            """
            set -e
            $CHATDB salvage --output saved --only chat || true
            $CHATDB migrate run --only chat --yes -d saved
            $CHATDB migrate run -d new
            mv new_agent.db saved_agent.db
            sqlite3 saved_agent.db "ATTACH 'saved_chat.db' AS chat;
                DELETE FROM main.store;
                INSERT INTO main.store (store_id, generation) SELECT store_id, generation FROM chat.store;
                INSERT INTO main.users (user_id) SELECT agent_user_id FROM chat.users"
            $CHATDB user add zoe -d saved
            $CHATDB relay list -d saved
            """)
        #expect(made.code == 0, "\(made)")
        let findings = try demo("check", "-d", demo.file("saved"), "--format", "json").answer()["findings"]?.arrayValue
        let ids = findings?.compactMap { $0["id"]?.stringValue } ?? []
        #expect(!ids.contains("mismatchedPair") && !ids.contains("profileWithoutAgent"), "\(ids)")
    }

    @Test("Without the chat database, the remedy says that chats are lost, and names a new store", arguments: losses)
    func chat(_ loss: String) throws {
        let demo = try store(without: .chat, loss)
        let text = try remedy(demo)
        #expect(text.contains("all profiles, contacts, groups and messages are lost"), "\(text)")
        #expect(text.contains("chatdb migrate run -d NEW") && !text.contains("salvage"), "\(text)")
        #expect(try demo("migrate", "run", "-d", demo.file("NEW")).code == 0)
    }

    @Test(
        "If neither file has a page to read, the error says that all is lost, and names a new store",
        arguments: ["check", "inspect", "diagnose"])
    func both(_ command: String) throws {
        let demo = try store(without: .agent, Self.losses[1])
        #expect(try demo.shell("FILE=x_chat.db; rm -f $FILE-wal; \(Self.losses[1])").code == 0)
        let refused = try demo(command, "--format", "json")
        let hint = try refused.refusal()["hint"]?.stringValue ?? ""
        #expect(refused.code == 66 && hint.contains("everything in the store is lost"), "\(refused)")
        #expect(hint.contains("chatdb migrate run -d NEW creates a new, empty store"), "\(hint)")
        // A damaged file has pages that a salvage reads.
        let damaged = try DemoStore.finished()
        #expect(try damaged.shell("head -c 50000 x_chat.db > y; mv y x_chat.db; rm x_agent.db").code == 0)
        let other = try damaged(command, "--format", "json").refusal()["hint"]?.stringValue ?? ""
        #expect(other.contains("chatdb salvage"), "\(other)")
    }
}
