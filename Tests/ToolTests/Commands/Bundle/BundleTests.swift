import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBTool

/// `bundle`: the report for support.
@Suite(.timeLimit(.minutes(60))) struct BundleTests {
    @Test("the bundle begins with its contents and omissions, and is as recorded")
    func recorded() throws {
        let chatdb = try DemoStore.make()
        let preview = try chatdb("bundle", "--preview")
        #expect(preview.code == 0 && preview.errors.isEmpty)
        #expect(preview.output.hasPrefix("{\n  \"manifest\": {"))
        try Snapshot.check(preview.output, "bundle.json", in: chatdb)
    }

    @Test("the manifest lists every section, and no other")
    func manifest() throws {
        let bundle = try DemoStore.make()("bundle", "--preview").answer()
        let sections = bundle.members?.map(\.name).dropFirst() ?? []
        #expect(Array(sections) == BundleManifest.contents.map(\.section))
    }

    @Test("on a terminal the list of what is left out wraps, and is not cut")
    func wraps() throws {
        let run = try DemoStore.make().onTerminal("bundle", "out.json", "--no-progress")
        #expect(run.code == 0 && !run.output.contains("…"), "\(run.output)")
        #expect(run.output.split(whereSeparator: \.isNewline).allSatisfy { $0.count <= 80 })
        #expect(run.output.split(whereSeparator: \.isWhitespace).contains("channels"))
    }

    @Test("bundle writes what --preview shows, to a file with mode 600, which only --force replaces")
    func written() throws {
        let chatdb = try DemoStore.make()
        let before = try chatdb.folder.fingerprint()
        let preview = try chatdb("bundle", "out.json", "--preview")
        #expect(preview.errors == "note: --preview writes nothing: out.json was not written\n")
        #expect(try chatdb.folder.fingerprint() == before)
        let report = try chatdb("bundle", "out.json", "--format", "json").answer()
        #expect(report["file"] == "out.json")
        #expect(report["leftOut"]?.arrayValue?.count == 8)
        let file = chatdb.file("out.json")
        let text = try String(contentsOfFile: file, encoding: .utf8)
        #expect(report["bytes"] == .integer(Int64(text.utf8.count)))
        #expect(settled(text) == settled(preview.output))
        let withFile = try chatdb.folder.fingerprint()
        #expect(try settled(chatdb("bundle", "-").output) == settled(preview.output))
        #expect(try chatdb.folder.fingerprint() == withFile)
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o600)
        let again = try chatdb("bundle", "out.json", "--format", "json")
        #expect(again.code == 73)
        #expect(try again.refusal()["code"] == "fileExists")
        #expect(try chatdb("bundle", "out.json", "--force").code == 0)
        #expect(try chatdb("bundle").code == 64)
        #expect(try chatdb("bundle", "x_chat.db/y.json").code == 73)
    }

    private func settled(_ text: String) -> String { text.replacing(#/"made": "[^"]*"/#, with: "") }

    @Test("the bundle names hosts of this build, custom ones with --include hosts, and never more than the host")
    func hosts() throws {
        let chatdb = try DemoStore.make()
        try chatdb.sql(
            """
            UPDATE protocol_servers SET host = 'mine.example.org', basic_auth = 'hush' WHERE smp_server_id = 1;
            UPDATE chat_relays SET address = 'no link at all' WHERE chat_relay_id = 2
            """)
        for (arguments, areShown) in [([], false), (["--include", "hosts"], true)] {
            let preview = try chatdb(["bundle", "--preview"] + arguments)
            let relays = try preview.answer()["relays"]?.arrayValue ?? []
            #expect(relays.contains { $0["host"] == "smp5.simplex.im" && $0["operator"] == "simplex" })
            #expect(relays.contains { $0["host"] == "relay.example.org" } == areShown)
            #expect(preview.output.contains("mine.example.org") == areShown)
            #expect(preview.output.contains("--include hosts includes them") != areShown)
            for text in ["hush", "no link", "Fp5RWXk", "alice", "news", chatdb.folder.path] {
                #expect(!preview.output.contains(text), "\(text)")
            }
        }
    }

    @Test("the bundle omits hidden profiles")
    func hidden() throws {
        let chatdb = try DemoStore.make()
        try chatdb.sql("UPDATE users SET view_pwd_hash = x'01', view_pwd_salt = x'02' WHERE user_id = 2")
        let bundle = try chatdb("bundle", "--preview").answer()
        for section in ["profiles", "relays", "servers", "channels", "warnings"] {
            let ids = bundle[section]?.arrayValue?.compactMap { $0["userId"]?.integerValue } ?? [0]
            #expect(!ids.contains(2), "\(section)")
        }
    }

    @Test("bundle describes a store that is unreadable, incomplete, older, or of another program")
    func troubled() throws {
        let chatdb = try DemoStore.make()
        try Data("hello, world\n".utf8).write(to: URL(fileURLWithPath: chatdb.file("x_agent.db")))
        var bundle = try chatdb("bundle", "--preview")
        #expect(try bundle.answer()["store"]?["agent"]?["error"]?["code"] == "notADatabase")
        #expect(!bundle.output.contains(chatdb.folder.path))
        try FileManager.default.removeItem(atPath: chatdb.file("x_agent.db"))
        bundle = try chatdb("bundle", "--preview")
        #expect(try bundle.answer()["store"]?["agent"] == .null)
        let old = try MigrationFixture.oldStore()("bundle", "--preview").answer()
        #expect(old["store"]?["chat"]?["pending"]?.arrayValue?.isEmpty == false)
        let folder = try ToolRun()
        try folder.sql("CREATE TABLE people (name TEXT); INSERT INTO people VALUES ('Bob')")
        bundle = try folder("bundle", "--preview")
        #expect(try bundle.answer()["rows"]?["chat"] == [:])
        #expect(try bundle.answer()["otherTables"]?["chat"] == ["tables": 1, "rows": 1])
        #expect(!bundle.output.contains("Bob") && !bundle.output.contains("people"))
        #expect(try ToolRun()("bundle", "--preview").code == 66)
    }

    @Test("the bundle lists drift without texts from the schema")
    func drift() throws {
        let chatdb = try DemoStore.make()
        try chatdb.sql("CREATE TABLE extra (a TEXT DEFAULT 'alice at home', b TEXT CHECK (b <> x'616c696365'))")
        let preview = try chatdb("bundle", "--preview")
        let drift = try preview.answer()["schema"]?["chat"]?.arrayValue
        #expect(drift?.count == 1 && drift?[0]["name"] == "other")
        #expect(!preview.output.contains("alice") && !preview.output.lowercased().contains("616c696365"))
    }

    @Test("of an unknown definition, the bundle shows only SQL keywords and names of this build")
    func definitions() throws {
        let chatdb = try DemoStore.make()
        try chatdb.sql(
            """
            CREATE TABLE extra (phone INTEGER DEFAULT 491701234567, who TEXT DEFAULT "Bob Marley", bare DEFAULT Robert);
            CREATE INDEX called ON contacts (local_display_name) WHERE contact_id <> 491709999999;
            CREATE TRIGGER t AFTER INSERT ON contacts BEGIN SELECT "Bob A", `Bob B`, [Bob C], 'Bob D', 4917155, x'426F62'; END;
            CREATE VIEW v AS SELECT "Bob E" AS whose FROM contacts
            """)
        let preview = try chatdb("bundle", "--preview")
        #expect(preview.code == 0)
        for text in ["491", "Bob", "bob", "ROBERT", "obert", "426F62", "426f62"] {
            #expect(!preview.output.contains(text), "\(text)")
        }
        let drift = try preview.answer()["schema"]?["chat"]?.arrayValue ?? []
        #expect(drift.count == 4 && drift.allSatisfy { $0["name"] == "other" })
        let found = drift.first { $0["object"] == "index" }?["found"]?.stringValue
        #expect(found?.contains("contacts") == true && found?.contains("local_display_name") == true)
    }

    @Test("a bundle has only the first word of a state, and only when this build knows the word")
    func states() throws {
        let chatdb = try DemoStore.make()
        try chatdb.sql(
            """
            PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF;
            INSERT INTO files (user_id, file_name, file_size, chunk_size, protocol, ci_file_status)
                VALUES (1, 'f', 1, 1, 'xftp', 'snd_error other FILE_IO "/home/alice"'),
                    (1, 'f', 1, 1, 'xftp', 'snd_error auth'),
                    (1, 'f', 1, 1, 'xftp', 'alice.example'),
                    (1, 'f', 1, 1, 'xftp', 'bob.example');
            UPDATE group_members SET member_status = 'alice', member_role = 'alice';
            """)
        try chatdb.sql("UPDATE store SET store_id = 'alice'")
        try chatdb.sql("UPDATE store SET store_id = 'alice'", in: "x_agent.db")
        let preview = try chatdb("bundle", "--preview")
        for text in ["alice", "bob.example", "FILE_IO"] { #expect(!preview.output.contains(text), "\(text)") }
        let states = try preview.answer()["states"]?["chat"]?["files.ci_file_status"]?.arrayValue ?? []
        #expect(states.contains(["state": "snd_error", "rows": 2]) && states.contains(["state": "other", "rows": 2]))
    }

    @Test("no text of any public column gets into a bundle, unless this build knows it")
    func plantedTexts() throws {
        for includesHosts in [false, true] {
            let chatdb = try DemoStore.finished()
            for (database, file) in [(DatabaseName.chat, "x_chat.db"), (.agent, "x_agent.db")] {
                for table in Catalogue.tables(of: database) where table.name != "migrations" {
                    // Times stay, so that the rows can be read.
                    let texts = table.columns.filter {
                        $0.columnClass == .public && !$0.name.hasSuffix("_at") && !$0.name.hasSuffix("_ts")
                    }
                    for column in texts {
                        try chatdb.sql(
                            """
                            PRAGMA ignore_check_constraints = ON; PRAGMA foreign_keys = OFF;
                            UPDATE OR IGNORE "\(table.name)" SET "\(column.name)" = 'zqx marker ' || rowid
                            WHERE (SELECT type FROM pragma_table_info('\(table.name)') WHERE name = '\(column.name)')
                                = 'TEXT'
                            """, in: file)
                    }
                }
            }
            #expect(try chatdb.sql("SELECT count(*) FROM group_members WHERE member_role LIKE 'zqx%'") != "0")
            let preview = try chatdb(["bundle", "--preview"] + (includesHosts ? ["--include", "hosts"] : []))
            #expect(preview.code == 0 && !preview.output.contains("zqx"), "\(preview.output)")
            let roles = try preview.answer()["states"]?["chat"]?["group_members.member_role"]
            #expect(roles?[0]?["state"] == "other", "\(preview.output)")
        }
    }

    @Test("of a migration that this build does not know, the bundle has only the date")
    func plantedMigrations() throws {
        let chatdb = try DemoStore.finished()
        for file in ["x_chat.db", "x_agent.db"] {
            try chatdb.sql(
                "INSERT INTO migrations VALUES ('20261125_marksmith_bob', '2099-01-01 00:00:00.000', NULL, NULL, NULL)",
                in: file)
        }
        let known = try chatdb.sql("SELECT min(name) FROM migrations")
        let record = """
            {"run": "r", "startedAt": "marksmith", "creates": false, "storeId": "s", "generation": 2, "databases":
             {"chat": {"from": "20261125_marksmith_eve", "to": "\(known)", "steps": []}}, "backup": null}
            """
        try Data(record.utf8).write(to: URL(fileURLWithPath: chatdb.file("x.migrating")))
        let preview = try chatdb("bundle", "--preview")
        #expect(preview.code == 0 && !preview.output.contains("marksmith"), "\(preview.output) \(preview.errors)")
        let store = try #require(try preview.answer()["store"])
        for database in ["chat", "agent"] {
            #expect(
                store[database]?["version"] == "20261125_other" && store[database]?["unknown"] == ["20261125_other"])
            #expect(store[database]?["applied"]?.arrayValue?.contains("20261125_other") == true)
        }
        #expect(store["chat"]?["applied"]?.arrayValue?.first == .string(known))
        #expect(store["interrupted"]?["chat"] == ["from": "20261125_other", "to": .string(known)])
        #expect(store["interrupted"]?["startedAt"] == "other")
    }

    @Test("a bundle compares the migrations of SimpleX Chat with the known ones, without names that are not known")
    func history() throws {
        let simplex = try SimplexFolder()
        try simplex.store.execute(
            "DELETE FROM migrations WHERE name = '20250105_indexes'",
            "UPDATE migrations SET name = '20250126_marksmith' WHERE name = '20250126_mentions'",
            "INSERT INTO migrations (name, ts) VALUES ('20250401_marksmith', '')")
        try simplex.store.execute(
            "INSERT INTO migrations (name, ts) VALUES ('m20270101_marksmith', ''), ('marksmith', '')", in: .agent)
        let preview = try simplex(["bundle", "--preview"])
        #expect(preview.code == 0 && !preview.output.contains("marksmith"), "\(preview.output) \(preview.errors)")
        let store = try #require(try preview.answer()["store"])
        let chat = store["chat"]?["history"]
        #expect(chat?["state"] == "different" && chat?["missing"] == ["20250105_indexes"])
        #expect(chat?["renamed"] == [["known": "20250126_mentions", "found": "20250126_other"]])
        #expect(chat?["unknown"] == ["20250401_other"] && chat?["newer"] == [])
        #expect(chat?["difference"] == ["app": "20250105_indexes", "database": "20250115_chat_ttl"])
        #expect(store["chat"]?["unknown"]?.texts?.count == 2)
        #expect(store["agent"]?["history"]?["newer"] == ["20270101_other", "other"])
        #expect(store["agent"]?["applied"]?.texts?.contains("m20261008_rcv_switch_status") == true)
        // What inspect says of the same store.
        #expect(try simplex.answer("inspect")["store"]?["chat"]?["history"]?["missing"] == chat?["missing"])
        #expect(try DemoStore.make()("bundle", "--preview").answer()["store"]?["chat"]?["history"] == .null)
    }

    @Test("a bundle compares the schema of a store of SimpleX Chat as check does, without names that are not known")
    func simplexSchema() throws {
        let simplex = try SimplexFolder()
        #expect(try simplex(["bundle", "--preview"]).answer()["schema"] == ["chat": [], "agent": []])
        try simplex.store.execute(
            "ALTER TABLE contacts DROP COLUMN favorite", "ALTER TABLE contacts ADD COLUMN marksmith INTEGER",
            "CREATE TABLE lost_and_found_marksmith (a)",
            "CREATE TRIGGER marksmith BEFORE DELETE ON chat_items BEGIN SELECT RAISE(ABORT, 'x'); END")
        let preview = try simplex(["bundle", "--preview"])
        #expect(preview.code == 0 && !preview.output.contains("marksmith"), "\(preview.output)")
        func part(_ kind: String, _ object: String, _ name: String) -> JSONValue {
            [
                "kind": .string(kind), "object": .string(object), "name": .string(name), "expected": .null,
                "found": .null,
            ]
        }
        #expect(
            try preview.answer()["schema"]?["chat"] == [
                part("missing", "column", "contacts.favorite"), part("extra", "column", "contacts.other"),
                part("extra", "table", "other"), part("extra", "trigger", "other"),
            ])
        #expect(try preview.answer()["notes"]?.texts?.contains { $0.contains("not compared") } == false)
        try simplex.store.execute("INSERT INTO migrations (name, ts) VALUES ('20990101_future', '')")
        let newer = try simplex(["bundle", "--preview"]).answer()
        #expect(newer["schema"]?["chat"] == nil)
        #expect(
            newer["notes"]?.texts?.contains(
                "the schema of the chat database was not compared: its version is not described") == true)
    }

    @Test("of a section that cannot be read, a bundle has the code of the error, and inspect the message")
    func failedSection() {
        let failure = InspectContents.Failure(section: "relays", error: StoreError(.damaged, "zqx marker"))
        #expect(failure.publicText == "the relays are not shown: the error is damaged")
        #expect(failure.text == "the relays are not shown: zqx marker")
    }

    @Test("no bundle and no error has SQLite's message for a damaged schema, which contains names of the schema")
    func damagedSchema() throws {
        // Only check names the definition, for the person who has the file.
        for command in [["bundle", "--preview"], ["inspect"], ["relay", "list"], ["query", "SELECT 1"]] {
            let chatdb = try DemoStore.make()
            try chatdb.sql(
                """
                PRAGMA writable_schema = ON;
                INSERT INTO sqlite_master VALUES ('table', 'zqxalice', 'zqxalice', 0, 'CREATE TABLE zqxalice (');
                """)
            let run = try chatdb(command + ["--format", "json"])
            #expect(!(run.output + run.errors).contains("zqxalice"), "\(command): \(run.output) \(run.errors)")
        }
    }

    @Test("names of tables, columns, indexes and triggers that this build does not know are counted and not shown")
    func names() throws {
        let chatdb = try DemoStore.make()
        try chatdb.sql(
            """
            CREATE TABLE zqxalice (a); INSERT INTO zqxalice VALUES (1), (2); CREATE TABLE "zqx bob" (a);
            ALTER TABLE users ADD COLUMN zqxcarol TEXT; CREATE INDEX zqxdan ON users (user_id);
            CREATE TRIGGER zqxeve AFTER INSERT ON users BEGIN SELECT 1; END;
            """)
        let preview = try chatdb("bundle", "--preview")
        #expect(preview.code == 0 && !preview.output.contains("zqx"), "\(preview.output)")
        #expect(try preview.answer()["otherTables"]?["chat"] == ["tables": 2, "rows": 2])
        #expect(try preview.answer()["rows"]?["chat"]?["users"] == 2)
        let names = try preview.answer()["schema"]?["chat"]?.arrayValue?.compactMap { $0["name"]?.stringValue }
        #expect(Set(names ?? []) == ["other", "users.other"])
        for command in [["migrate", "down", "--steps", "1", "--yes"], ["migrate", "run", "--confirm", "yes-up"]] {
            #expect(!(try chatdb(command + ["--format", "json"]).errors.contains("zqxeve")), "\(command)")
        }
    }

    @Test("a finding about missing rows has the tables and columns that this build knows, and no numbers of rows")
    func references() throws {
        let chatdb = try DemoStore.make()
        try chatdb.sql(
            """
            UPDATE group_relays SET chat_relay_id = 99;
            CREATE TABLE zqxalice (zqxbob INTEGER REFERENCES users (user_id), zqxcarol INTEGER REFERENCES zqxdan (a));
            CREATE TABLE zqxdan (a INTEGER PRIMARY KEY);
            INSERT INTO zqxalice VALUES (77, 78), (79, NULL);
            """)
        let preview = try chatdb("bundle", "--preview")
        #expect(preview.code == 0 && !preview.output.contains("zqx"), "\(preview.output)")
        let findings = try preview.answer()["findings"]?.arrayValue ?? []
        let dangling = findings.first { $0["id"] == "chatDanglingReference" }
        #expect(dangling?["count"] == 5, "\(findings)")
        #expect(
            Set(dangling?["references"]?.texts ?? []) == [
                "group_relays.chat_relay_id in chat_relays", "other.other in users", "other.other in other",
            ])
        let others = findings.filter { $0["id"] != "chatDanglingReference" }
        #expect(!others.isEmpty && others.allSatisfy { $0["references"] == [] }, "\(others)")
    }

    @Test("an error about damage names tables and indexes of this build, and no others")
    func damagedIndex() throws {
        let chatdb = try DemoStore.make()
        try chatdb.sql(
            """
            CREATE TABLE zqxtable (a); INSERT INTO zqxtable VALUES (1), (2); CREATE INDEX zqxindex ON zqxtable (a);
            PRAGMA writable_schema = ON;
            UPDATE sqlite_master SET sql = 'CREATE INDEX zqxindex ON zqxtable (a) WHERE a > 5' WHERE name = 'zqxindex';
            """)
        for command in [
            ["backup"], ["check", "--fix", "--yes"], ["bundle", "--preview"], ["migrate", "down", "--steps", "1"],
        ] {
            let run = try chatdb(command + ["--format", "json"])
            #expect(!run.errors.contains("zqx"), "\(command): \(run.errors)")
            if command == ["backup"] { #expect(run.code != 0 && run.errors.contains("other"), "\(run.errors)") }
        }
    }

    @Test("bundle reads the profiles of an older store as other commands do")
    func older() throws {
        let bundle = try MigrationFixture.oldStore()("bundle", "--preview").answer()
        #expect(bundle["servers"] != .null && bundle["relays"] != .null)
    }

    @Test("the bundle omits all parts of paths: with blanks, through links, and of private copies")
    func paths() throws {
        let folder = try TemporaryFolder()
        let real = folder.file("Bob Jones")
        try FileManager.default.createDirectory(atPath: real, withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(atPath: folder.file("lnk"), withDestinationPath: real)
        let redaction = BundleRedaction(try StoreLocation(prefix: folder.file("lnk/x")))
        for (input, shown) in [
            (
                "\(real)/x_chat.db-wal cannot be read: Permission denied",
                "STORE_chat.db-wal cannot be read: Permission denied"
            ),
            ("see \(folder.file("lnk/x_agent.db"))", "see STORE_agent.db"),
            ("copied to /media/Jane Roe/tmp: done", "copied to PATH: done"),
            ("\(real)/other file", "PATH"),
        ] {
            let text = redaction.text(input)
            #expect(text == shown && !text.contains("Jones") && !text.contains("Roe"), "\(text)")
        }
    }

    @Test("the bundle omits a definition that is not SQL, and shows a value of this build's own definition")
    func masking() {
        var known = KnownWords()
        known.add(["a"])
        known.add(tokensOf: "a TEXT DEFAULT 'ours' CHECK (a > 77)")
        #expect(known.shown("a TEXT DEFAULT 'ours' CHECK (a > 77)") == "a TEXT DEFAULT 'ours' CHECK ( a > 77 )")
        #expect(
            known.shown("a TEXT DEFAULT 'x' CHECK (a > 78 AND b <> 1)")
                == "a TEXT DEFAULT '…' CHECK ( a > … AND … <> 1 )")
        #expect(known.shown("a DEFAULT 'x") == "…")
    }
}
