import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBTool

/// Files that the tool writes about a store on a server, and reads into it.
@Suite("bundle and preset import on a server", .enabled(if: PostgresServer.isSupported, "needs PostgreSQL"))
struct ServerFilesTests {
    private static let key = String(repeating: "A", count: 42)
    private static let theirs =
        "# of a friend\nhttps://relay.friend.example/r#\(key)E\nsmp://\(key)A=@smp.friend.example\n"

    /// Two profiles, and a relay of alice's own.
    private static let commands = [
        ["migrate", "run"], ["user", "add", "alice", "--seed", "1"], ["user", "add", "work", "--seed", "2"],
        ["relay", "add", DemoStore.relay, "--name", "mine", "--user", "alice"],
    ]

    private func store() throws -> ServerRun {
        let chatdb = try ServerRun()
        for command in Self.commands {
            let outcome = try chatdb(command)
            try #require(outcome.code == 0, "\(command): \(outcome.errors)")
        }
        return chatdb
    }

    // MARK: bundle

    @Test("bundle writes what --preview shows: every section, with the version and the rows of both schemas")
    func bundle() throws {
        let chatdb = try store()
        let preview = try chatdb("bundle", "--preview")
        #expect(preview.code == 0 && preview.errors.isEmpty, "\(preview.errors)")
        let report = try chatdb("bundle", "out.json", "--format", "json")
        #expect(try report.code == 0 && report.answer()["file"] == "out.json", "\(report.errors)")
        let text = try String(contentsOfFile: chatdb.run.file("out.json"), encoding: .utf8)
        func settled(_ text: String) -> String { text.replacing(#/"made": "[^"]*"/#, with: "") }
        #expect(settled(text) == settled(preview.output))
        let bundle = try JSONValue(parsing: text)
        #expect(bundle.members?.map(\.name).dropFirst().map { $0 } == BundleManifest.contents.map(\.section))
        for database in ["chat", "agent"] {
            let part = bundle["store"]?[database]
            #expect(part?["kind"] == "chatdb" && part?["generation"] == 1, "\(database)")
            #expect(part?["applied"]?.texts?.first == "20261127_initial", "\(database)")
            #expect(part?["pending"] == [], "\(database)")
            #expect(bundle["schema"]?[database] == [], "\(database)")
            let rows = try chatdb.sql("SELECT count(*) FROM main_\(database).migrations")
            #expect(bundle["rows"]?[database]?["migrations"]?.integerValue == Int64(rows), "\(database)")
        }
        #expect(bundle["rows"]?["chat"]?["users"] == 2)
        #expect(bundle["findings"] == [] && bundle["notes"] == [], "\(text)")
    }

    @Test("a bundle of a store on a server and one of files describe the same profiles alike")
    func sameProfiles() throws {
        let (server, files) = (try store(), try ToolRun())
        for command in Self.commands {
            let outcome = try files(command)
            try #require(outcome.code == 0, "\(command): \(outcome.errors)")
        }
        let (one, other) = (try server("bundle", "--preview").answer(), try files("bundle", "--preview").answer())
        for section in ["profiles", "relays", "servers", "channels", "warnings", "findings", "schema"] {
            #expect(one[section] != nil && one[section] == other[section], "\(section)")
        }
    }

    @Test("a bundle has nothing of the server's address, no name and no host of one's own")
    func withoutAddress() throws {
        let chatdb = try store()
        let preview = try chatdb("bundle", "--preview").output
        for text in [chatdb.database, chatdb.server.socketFolder, "postgres://", "alice", "mine", "relay.example.org"] {
            #expect(!preview.contains(text), "\(text)")
        }
        #expect(try chatdb("bundle", "--preview", "--include", "hosts").output.contains("relay.example.org"))
    }

    // MARK: preset import

    /// How many of the rows of the friend's list the profile alice has.
    private func imported(_ chatdb: ServerRun) throws -> String {
        try chatdb.sql(
            """
            SELECT (SELECT count(*) FROM main_chat.chat_relays AS r JOIN main_chat.users AS u USING (user_id)
                    WHERE u.local_display_name = 'alice' AND r.address LIKE '%relay.friend.example%')
                || ' ' || (SELECT count(*) FROM main_chat.protocol_servers AS s JOIN main_chat.users AS u USING (user_id)
                    WHERE u.local_display_name = 'alice' AND s.host = 'smp.friend.example')
            """)
    }

    @Test("preset import adds what --dry-run showed to the profile, and a second run has nothing to do")
    func imports() throws {
        let chatdb = try store()
        try Data(Self.theirs.utf8).write(to: URL(fileURLWithPath: chatdb.run.file("list.txt")))
        let shown = try chatdb("preset", "import", "list.txt", "--user", "alice", "--dry-run", "--format", "json")
        #expect(try shown.code == 0 && shown.answer()["applied"] == false, "\(shown.errors)")
        #expect(try imported(chatdb) == "0 0")
        let done = try chatdb.succeed("preset", "import", "list.txt", "--user", "alice", "--yes", "--format", "json")
            .answer()
        #expect(try done["applied"] == true && done["changes"] == shown.answer()["changes"])
        #expect(done["changes"]?.arrayValue?.map { $0["kind"] } == ["smpServer", "relay"])
        #expect(try imported(chatdb) == "1 1")
        #expect(try chatdb.succeed("relay", "list", "--user", "alice").output.contains("relay.friend.example"))
        #expect(try chatdb.succeed("server", "list", "--user", "alice").output.contains("smp.friend.example"))
        let again = try chatdb.succeed("preset", "import", "list.txt", "--user", "alice", "--yes", "--format", "json")
            .answer()
        #expect(again["applied"] == false && again["changes"] == [] && again["before"] == .null)
        #expect(try imported(chatdb) == "1 1")
    }

    @Test("preset import keeps the configuration from before, and the command in its answer restores it")
    func undo() throws {
        let chatdb = try store()
        try Data(Self.theirs.utf8).write(to: URL(fileURLWithPath: chatdb.run.file("list.txt")))
        func export() throws -> String {
            try chatdb.succeed("preset", "export", "--user", "alice", "--with-secrets").output
        }
        let before = try export()
        let done = try chatdb.succeed(
            "preset", "import", "list.txt", "--user", "alice", "--mode", "replace", "--yes", "--format", "json")
        let kept = try #require(done.answer()["before"])
        #expect(kept["file"]?.stringValue?.hasPrefix(chatdb.run.file("data")) == true, "\(kept)")
        #expect(try imported(chatdb) == "1 1")
        #expect(try chatdb.sql("SELECT count(*) FROM main_chat.chat_relays WHERE display_name = 'mine'") == "0")
        let command = try #require(kept["command"]?.stringValue)
        let restored = try chatdb.run.shell(
            command.replacing("chatdb ", with: "$CHATDB ", maxReplacements: 1) + " --yes --no-before")
        #expect(restored.code == 0, "\(restored.errors)")
        #expect(try export() == before)
        #expect(try imported(chatdb) == "0 0")
    }
}
