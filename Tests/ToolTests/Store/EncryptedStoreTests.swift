import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBTool

/// Encrypted stores and archives as stores of commands. Rule: docs/encryption.md.
@Suite(
    "encrypted stores", .timeLimit(.minutes(60)),
    .enabled(if: EncryptedStore.python != nil, "needs sqlcipher3, which make test installs"))
struct EncryptedStoreTests {
    private static let commands = [
        ["group", "list", "-u", "alice"], ["group", "relays", "news", "-u", "alice"], ["relay", "list", "-u", "alice"],
        ["relay", "show", "mine", "-u", "alice"], ["server", "list", "-u", "alice"], ["user", "list"],
        ["query", "SELECT * FROM chat_relays"], ["query", "SELECT count(*) FROM users", "--only", "agent"],
        ["migrate", "status"], ["migrate", "plan"], ["schema", "diff"], ["preset", "export", "-u", "alice"],
        ["schema", "show"],
    ]

    /// An output of the plain store, as it should be of the other one.
    private func expected(_ text: String, _ store: EncryptedStore, of name: String) -> String {
        let path = store.run.file(name).replacing("//", with: "/")
        let database = name == "y" ? "\(path)_" : "\(path)/simplex_v1_"
        return text.replacing(store.run.file("x").replacing("//", with: "/") + "_", with: database)
            .replacing(store.run.file("x").replacing("//", with: "/"), with: path)
            .replacing("-d x", with: "-d \(name)")
    }

    @Test("reading commands answer as on the plain store, and no byte changes", arguments: ["y", "archive.zip"])
    func answers(_ name: String) throws {
        let store = try EncryptedStore(of: DemoStore.make())
        let before = try store.run.folder.fingerprint()
        let temporary = try TemporaryFolder()
        for command in Self.commands {
            for format in [command[0] == "group" ? "table" : "json"] {
                let plain = try store.run(command + ["-d", "x", "--format", format])
                let encrypted = try store.run(
                    command + ["-d", name, "--passphrase-file", "pass", "--format", format],
                    environment: ["TMPDIR": temporary.path])
                #expect(encrypted.code == plain.code, "\(command): \(encrypted.errors)")
                let output = encrypted.output.replacing(" --passphrase-file pass", with: "")
                #expect(output == expected(plain.output, store, of: name), "\(command)")
                #expect(encrypted.errors == expected(plain.errors, store, of: name), "\(command)")
                #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path) == [])
            }
        }
        #expect(try store.run.folder.fingerprint() == before)
    }

    @Test("inspect, check and bundle report what they report of the plain store", arguments: ["y", "archive.zip"])
    func reports(_ name: String) throws {
        let store = try EncryptedStore()
        for (command, members) in [
            (
                ["inspect", "--format", "json"],
                ["users", "channels", "relays", "warnings", "servers", "channelCreation", "next"]
            ),
            (["bundle", "--preview"], ["rows", "states", "profiles", "relays", "servers", "findings", "schema"]),
            (["check", "--format", "json"], ["ok"]),
        ] {
            let plain = try store.run(command + ["-d", "x"])
            let encrypted = try store.run(command + ["-d", name, "--passphrase-file", "pass"])
            #expect(encrypted.code == plain.code, "\(encrypted.errors)")
            let answer = try JSONValue(parsing: encrypted.output.replacing(" --passphrase-file pass", with: ""))
            let wanted = try JSONValue(parsing: expected(plain.output, store, of: name))
            for member in members { #expect(answer[member] == wanted[member], "\(command) \(member)") }
            #expect(!encrypted.output.contains("chatdb-copy"))
        }
        let checked = try store("check", "--format", "json", store: name).answer()
        #expect(checked["leftOut"]?.arrayValue?.contains { $0["reason"] == "encrypted" } == true)
        let inspected = try store("inspect", "--format", "json", store: name).answer()
        #expect(inspected["store"]?["prefix"]?.stringValue == store.run.file(name).replacing("//", with: "/"))
        #expect(inspected["store"]?["chat"]?["journalMode"] == "rollback")
        #expect(inspected["store"]?["chat"]?["encrypted"] == true && inspected["store"]?["agent"]?["encrypted"] == true)
        let page = { (run: ToolRun.Outcome) in run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
        #expect(try page(store("inspect", store: name)).contains("Encrypted: both databases"))
        #expect(try !page(store.run("inspect", "-d", "x")).contains("Encrypted:"))
    }

    @Test("check names each page that was changed or zeroed, and still checks what other pages hold")
    func damagedPages() throws {
        let store = try EncryptedStore("UPDATE groups SET conn_link_started_connection = 1")
        let root = { (table: String) in
            let sql = "SELECT rootpage FROM sqlite_schema WHERE name = '\(table)'"
            let script =
                "import sqlcipher3; c = sqlcipher3.connect('y_chat.db'); "
                + "c.execute(\"PRAGMA key = 'it''s a café'\"); print(c.execute(\"\(sql)\").fetchone()[0])"
            let run = try store.run.shell("'\(EncryptedStore.python ?? "")' - <<'END'\n\(script)\nEND")
            return try #require(Int(run.output.trimmingCharacters(in: .whitespacesAndNewlines)), "\(run.errors)")
        }
        let (changed, zeroed) = (try root("chat_tags"), try root("app_settings"))
        let damage = try store.run.shell(
            """
            printf 'chatdb wrote here' | dd of=y_chat.db bs=1 seek=$((\(changed - 1) * 4096 + 9)) conv=notrunc status=none
            dd if=/dev/zero of=y_chat.db bs=4096 seek=\(zeroed - 1) count=1 conv=notrunc status=none
            """)
        #expect(damage.code == 0)
        let run = try store("check", "--format", "json")
        #expect(run.code == 1, "\(run.errors)")
        let findings = try run.answer()["findings"]?.arrayValue ?? []
        let pages = try #require(findings.first { $0["id"] == "chatDamagedPage" })
        #expect(pages["severity"] == "error" && pages["count"] == 2 && pages["fixable"] == false)
        let samples = pages["sample"]?.arrayValue ?? []
        #expect(samples.contains(.integer(Int64(changed))) && samples.contains(.string("\(zeroed) (zeros)")))
        #expect(
            findings.contains { $0["id"] == "chatDamaged" } && findings.contains { $0["id"] == "startedWithoutLink" })
        let text = try store("check").output
        #expect(text.contains("Pages of the chat database that were changed or overwritten with zeros"), "\(text)")
        #expect(text.contains("\(zeroed) (zeros)"))
    }

    @Test("check names the pages because of which a database cannot be opened at all")
    func damagedSchema() throws {
        let store = try EncryptedStore(of: DemoStore.make())
        let damage = "printf 'chatdb wrote here' | dd of=y_chat.db bs=1 seek=$((1 * 4096 + 9)) conv=notrunc status=none"
        #expect(try store.run.shell(damage).code == 0)
        let before = try store.run.folder.fingerprint()
        let run = try store("check", "--format", "json")
        #expect(run.code == 1, "\(run.errors)")
        #expect(try store.run.folder.fingerprint() == before)
        let findings = try run.answer()["findings"]?.arrayValue ?? []
        let pages = findings.first { $0["id"] == "chatDamagedPage" }
        #expect(pages?["count"] == 1 && pages?["sample"]?.arrayValue == [2], "\(run.output)")
        #expect(findings.contains { $0["id"] == "unreadableDatabase" })
        try store.run.archive(of: "y")
        let checked = try store.run("archive", "check", "archive.zip", "--passphrase-file", "pass")
        #expect(checked.code == 1 && checked.output.contains("overwritten with zeros: 2"), "\(checked.output)")
    }

    @Test("a plain archive is a store too, whatever its name is")
    func plainArchive() throws {
        let run = try DemoStore.make()
        try run.archive()
        #expect(try run.shell("mv archive.zip some.thing").code == 0)
        #expect(try run("group", "list", "-u", "alice", "-d", "some.thing").output.contains("news"))
        let there = try run("schema", "diff", "some.thing")
        #expect(there.code == 0 && there.output.contains("no differences"), "\(there.output) \(there.errors)")
    }

    @Test("the passphrase comes from a file, a variable, standard input, or the terminal")
    func sources() throws {
        let store = try EncryptedStore()
        let (run, list) = (store.run, ["user", "list", "-d", "y"])
        #expect(try run(list, environment: ["CHATDB_PASSPHRASE_FILE": "pass"]).output.contains("alice"))
        #expect(try run.shell("$CHATDB user list -d y --passphrase-stdin < pass").output.contains("alice"))
        #expect(try run.shell("$CHATDB --passphrase-file <(cat pass) user list -d y").output.contains("alice"))
        let asked = try TerminalRun(list, in: run, answer: .shown)
        // The terminal forgets what was typed before the question.
        var shown = try asked.terminal.read(until: "Passphrase of ")
        asked.terminal.type("no\n")
        shown += try asked.terminal.read(until: "does not open it.\nPassphrase of ")
        asked.terminal.type(EncryptedStore.passphrase + "\n")
        let typed = try asked.end()
        #expect(typed.code == 0 && typed.shown.contains("alice"), "\(typed.shown)")
        #expect(!(shown + typed.shown).contains(EncryptedStore.passphrase))
        let other = "it's a cafe\u{301}"
        try store.write("other", other)
        #expect(try run(list + ["--passphrase-file", "other"]).errors.contains("another normal form"))
        // A plain store needs none.
        #expect(try run(["user", "list"], environment: ["CHATDB_PASSPHRASE_FILE": "nowhere"]).code == 0)
    }

    @Test("a passphrase that is wrong, empty, missing, or given twice is an error with its own code")
    func mistakes() throws {
        let store = try EncryptedStore()
        try store.write("wrong", "wrong\n")
        try store.write("empty", "\n")
        try store.write("long", String(repeating: "x", count: 5_000))
        let file = { (name: String) in try store.refusal("user", "list", "-d", "y", "--passphrase-file", name) }
        var found = try file("wrong")
        #expect(found.code == "wrongPassphrase" && found.exit == 66 && !found.text.contains("\"wrong\""))
        found = try file("empty")
        #expect(found.code == "invalidPassphrase" && found.exit == 65)
        #expect(try file("long").code == "invalidPassphrase" && file("nowhere").code == "fileNotFound")
        found = try store.refusal("user", "list", "-d", "y")
        #expect(found.code == "encrypted" && found.exit == 64 && found.text.contains("--passphrase-file FILE"))
        found = try store.refusal("user", "list", "-d", "y", "--passphrase-file", "pass", "--passphrase-stdin")
        #expect(found.code == "usage" && found.exit == 64)
        for command in ["query - -d y", "query - -d x", "preset import - -d x -u alice --yes"] {
            let both = try store.run.shell("$CHATDB \(command) --passphrase-stdin < pass")
            #expect(both.code == 64 && both.errors.contains("standard input gives the passphrase"), "\(both.errors)")
        }
        let line = try store.run.shell("echo 'SELECT 1' | $CHATDB query - -d y --passphrase-stdin")
        #expect(line.code == 64 && line.errors.contains("standard input gives the passphrase"), "\(line.errors)")
        found = try store.refusal("bundle", "report.json", "-d", "y")
        #expect(found.code == "encrypted" && found.exit == 64, "\(found.text)")
        #expect(!FileManager.default.fileExists(atPath: store.run.file("report.json")))
        try store.write("open", EncryptedStore.passphrase, mode: 0o644)
        let warned = try store.run("user", "list", "-d", "y", "--passphrase-file", "open")
        #expect(warned.code == 0 && warned.errors.contains("chmod 600 open"), "\(warned.errors)")
        #expect(try !store("user", "list").errors.contains("chmod"))
    }

    @Test("with two passphrases, the error says that a change was interrupted, and inspect shows the half that opens")
    func twoPassphrases() throws {
        let store = try EncryptedStore()
        try store.encrypt("agent", with: "other")
        let found = try store.refusal("user", "list", "-d", "y", "--passphrase-file", "pass")
        #expect(found.code == "wrongPassphrase" && found.exit == 66)
        #expect(found.text.contains("probably interrupted"), "\(found.text)")
        #expect(!found.text.contains("in the app"), "\(found.text)")
        let inspected = try store("inspect")
        #expect(inspected.code == 0 && inspected.output.contains("news"), "\(inspected.errors)")
    }

    @Test("two stores with different passphrases are compared: the second comes from a file or the terminal")
    func comparison() throws {
        let store = try EncryptedStore(of: DemoStore.make())
        for name in ["chat", "agent"] {
            try EncryptedStore.encrypt("x_\(name).db", to: "z_\(name).db", with: "other", in: store.run)
        }
        try store.write("other", "other\n")
        let diff = ["preset", "diff", "-u", "alice", "-d", "y", "--passphrase-file", "pass", "--with-store", "z"]
        #expect(try store.run(diff).code == 66)
        let same = try store.run(diff + ["--other-passphrase-file", "other", "--exit-code"])
        #expect(same.code == 0, "\(same.output) \(same.errors)")
        let usage = try store.run("preset", "diff", "preset.txt", "-d", "y", "--other-passphrase-file", "other")
        #expect(usage.code == 64 && usage.errors.contains("requires --with-store"), "\(usage.errors)")
        // The archive's passphrase first, then that of the other store.
        let check = try TerminalRun(
            ["archive", "check", "archive.zip", "--against", "z"], in: store.run, answer: .shown)
        var shown = try check.terminal.read(until: "(without it, press Enter): ")
        #expect(shown.contains("archive.zip/simplex_v1_chat.db (without"), "\(shown)")
        check.terminal.type(EncryptedStore.key + "\n")
        shown = try check.terminal.read(until: "z_chat.db: ")
        check.terminal.type("other\n")
        let end = try check.end()
        #expect(end.code == 1 && end.shown.contains(#/the same\s+version/#), "\(end.shown)")
    }

    @Test(
        "what writes refuses an archive before it does anything, and what would write plain text an encrypted store",
        arguments: ["archive.zip"])
    func writers(_ name: String) throws {
        let store = try EncryptedStore()
        try store.write("preset.txt", DemoStore.third + "\n")
        try FileManager.default.createDirectory(atPath: store.run.file("b"), withIntermediateDirectories: true)
        let before = try store.run.folder.fingerprint()
        for command in [
            ["migrate", "run", "--yes"], ["migrate", "up", "--yes"], ["migrate", "down", "--steps", "1", "--yes"],
            ["backup"],
            ["backup", "make", "b"], ["restore", "b", "--yes"], ["check", "--fix", "--yes"], ["user", "add", "bob"],
            ["relay", "delete", "mine", "-u", "alice", "--yes"],
            ["preset", "import", "preset.txt", "-u", "alice", "--yes"],
            ["group", "delete", "news", "-u", "alice", "--yes"], ["relay", "disable", "mine", "-u", "alice"],
        ] {
            let outcome = try store.run(command + ["-d", name, "--passphrase-file", "pass", "--format", "json"])
            let code = try outcome.refusal()["code"]
            #expect(code == "archiveReadOnly", "\(command) \(outcome.errors)")
            #expect(outcome.code == 66)
        }
        for name in ["y", name] {
            let rehearsal = try store.refusal("migrate", "verify", "--data", name)
            #expect(rehearsal.code == "encryptedUnsupported", "\(rehearsal.text)")
        }
        let help = try store.run("migrate", "verify", "--help").output.split(whereSeparator: \.isWhitespace)
        #expect(help.joined(separator: " ").contains("It refuses an encrypted store"), "\(help)")
        let copy = try store.refusal(
            "copy", "--to", "postgres:///chats?store=main", "-d", "y", "--passphrase-file", "pass")
        #expect(copy.code == "encryptedUnsupported" && copy.exit == 66, "\(copy.text)")
        let bundle = try store("bundle", "archive.zip", "--force", store: "archive.zip")
        #expect(bundle.code == 73 && bundle.errors.contains("it is the archive"), "\(bundle.errors)")
        #expect(try store.run.folder.fingerprint() == before)
    }

    /// Every command that reads a store, with the numbers of alice's things. `ARCHIVE` is the archive, `NEW` a folder.
    private static let reading: [(command: String, arguments: [String])] = [
        ("inspect", ["--sizes"]), ("check", []), ("diagnose", []),
        ("bundle write", ["--preview", "--include", "hosts"]),
        ("query", ["SELECT * FROM users, chat_relays", "--show", "personal"]),
        // Sorted, it has more bytes than SQLite keeps in memory by itself.
        (
            "query",
            [
                """
                WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 60000)
                SELECT count(*) FROM (SELECT DISTINCT display_name || x FROM chat_relays, n WHERE chat_relay_id = 7)
                """
            ]
        ),
        ("schema show", ["users"]), ("schema diff", []), ("schema dump", []), ("user list", []),
        ("user show", ["id:1"]),
        ("operator list", ["-u", "id:1"]), ("server list", ["-u", "id:1"]), ("relay list", ["-u", "id:1"]),
        ("relay show", ["7", "-u", "id:1"]), ("relay usage", ["-u", "id:1"]), ("group list", ["-u", "id:1"]),
        ("group show", ["id:1", "-u", "id:1"]), ("group members", ["id:1", "-u", "id:1", "--past"]),
        ("group relays", ["id:1", "-u", "id:1"]), ("preset export", ["-u", "id:1", "--with-origin"]),
        ("preset diff", ["-u", "id:1", "--with-user", "id:2", "--show-hidden"]), ("migrate status", []),
        ("migrate plan", []),
        ("server show", ["id:1", "-u", "id:1"]),
        ("conditions list", []), ("contact list", ["-u", "id:1"]), ("contact show", ["id:1", "-u", "id:1"]),
        ("settings get", ["-u", "id:1"]), ("search", ["word", "-u", "id:1"]),
        ("notification target", ["smp.example.org/abc"]),
        ("find", ["--below", "FOLDER"]), ("archive check", ["ARCHIVE"]),
        ("archive unpack", ["ARCHIVE", "--to", "NEW"]),
    ]
    /// Commands that read no store, or write one.
    private static let others: Set<String> = [
        "server test", "relay test", "serve",
        "server edit", "server set-roles", "server mark-tested", "group set-link", "group relay add",
        "group relay invite", "group relay accept", "group relay acknowledge", "group relay activate",
        "group relay reject", "group relay deactivate", "group relay remove",
        "conditions accept", "settings set", "bundle diff", "completion", "config show",
        "user edit", "copy", "archive pack", "passphrase set", "passphrase change",
        "passphrase remove",
        "schema docs", "preset list", "preset show", "preset validate", "migrate verify", "migrate new",
        "migrate baseline",
        "migrate run", "migrate up", "migrate down", "backup make", "backup list",
        "backup verify", "backup prune", "restore", "salvage", "user add", "user activate",
        "user rename",
        "user hide", "user unhide", "user delete", "operator enable", "operator disable", "operator set-roles",
        "server add", "server enable", "server disable", "server delete", "relay add", "relay edit", "relay enable",
        "relay disable", "relay mark-tested", "relay delete", "group create", "group prepare", "group start",
        "group finish", "group cancel", "group leave", "group delete", "preset import", "preset sync",
    ]

    @Test("the lists of commands that read and of others contain every command")
    func complete() {
        let names = Self.reading.map(\.command) + Self.others
        #expect(ErrorReport.readingCommands.subtracting(["bundle"]).isSubset(of: names))
        let reading = Set(Self.reading.map(\.command)).subtracting(["check", "archive unpack"])
        #expect(reading.isSubset(of: ErrorReport.readingCommands))
        #expect(Set(names) == Set(CommandTree.leaves.map { $0.words.dropFirst().joined(separator: " ") }))
    }

    @Test(
        "no reading command writes a text of an encrypted store into a file, or leaves one",
        .enabled(if: FaultShimLibrary.isSupported), arguments: ["y", "archive.zip", "journal"])
    func noPlainText(_ kind: String) throws {
        let store = try EncryptedStore(of: MarkedStore.make().chatdb)
        if kind == "journal" { try store.crash() }
        // The plain store would show the marker too.
        try store.run.succeed("user", "list")
        for name in ["chat", "agent"] { try FileManager.default.removeItem(atPath: store.run.file("x_\(name).db")) }
        let (folder, prefix) = (store.run.folder.path, store.run.file(kind == "journal" ? "y" : kind))
        try FileManager.default.createDirectory(atPath: folder + "/tmp", withIntermediateDirectories: false)
        let before = try store.run.folder.fingerprint().filter { $0.key != "tmp" }
        for (command, arguments) in Self.reading {
            let scratch = try TemporaryFolder()
            let log = URL(fileURLWithPath: scratch.file("log"))
            let places = ["ARCHIVE": folder + "/archive.zip", "NEW": folder + "/tmp/new", "FOLDER": folder]
            let takesStore = !command.hasPrefix("archive") && command != "find"
            let words =
                command.split(separator: " ").map(String.init) + arguments.map { places[$0] ?? $0 }
                + (takesStore ? ["-d", prefix, "--passphrase-file", store.run.file("pass")] : [])
            // Everything that chatdb can write to is in the folder.
            let variables = ["TMPDIR": folder + "/tmp", "HOME": folder + "/tmp", "XDG_DATA_HOME": folder + "/tmp"]
            let run = FaultRun(
                FaultCommand(try BuiltTool.find(), environment: variables) { _ in words },
                in: URL(fileURLWithPath: folder), scratch: URL(fileURLWithPath: scratch.path), plan: .log(to: log))
            let outcome = try run.run()
            // A marker in the place of a time, or of a JSON document, cannot be read.
            let unreadable = ["operator list", "conditions list", "settings get"]
            let codes: [Termination] = [.exit(0), .exit(1)] + (unreadable.contains(command) ? [.exit(65)] : [])
            #expect(codes.contains(outcome.termination), "\(words): \(outcome.errors)")
            let operations = try OperationLog(contentsOf: log).operations
            let written = operations.filter { $0.kind == .write }
            if takesStore { #expect(written.isEmpty == (kind == "y"), "\(words): \(operations.map(\.name))") }
            for write in written {
                #expect(Data(write.bytes).range(of: Data(MarkedStore.marker.utf8)) == nil, "\(words): \(write.path)")
            }
            #expect(outcome.unseen.isEmpty)
            try? FileManager.default.removeItem(atPath: folder + "/tmp/new")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder + "/tmp") == [], "\(words)")
        }
        #expect(try store.run.folder.fingerprint().filter { $0.key != "tmp" } == before)
    }

    @Test("the programs that have an encrypted database open are named, and it is read beside them")
    func holders() throws {
        #if os(Linux)
            let store = try EncryptedStore(of: DemoStore.make())
            let script = """
                import sqlcipher3, sys
                c = sqlcipher3.connect('y_chat.db', isolation_level=None)
                c.execute("PRAGMA key = \\"\(EncryptedStore.key)\\""); c.execute("SELECT count(*) FROM users").fetchall()
                print('open', flush=True); sys.stdin.read()
                """
            let process = try store.run.process([EncryptedStore.python ?? "python3", "-c", script])
            process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
            let (input, output) = (Pipe(), Pipe())
            (process.standardInput, process.standardOutput) = (input, output)
            try process.run()
            defer {
                try? input.fileHandleForWriting.close()
                process.waitUntilExit()
            }
            try #require(!output.fileHandleForReading.availableData.isEmpty)
            let before = try store.run.folder.fingerprint()
            let stores = try store.run("find", "--below", ".", "--format", "json").answer()["stores"]?.arrayValue
            let found = stores?.first { $0["encrypted"] == true }
            #expect(found?["chat"]?["heldBy"]?.arrayValue?.first?["pid"] == .integer(Int64(process.processIdentifier)))
            #expect(found?["agent"]?["heldBy"] == [])
            #expect(try store("group", "list", "-u", "alice").output.contains("news"))
            #expect(try store("inspect").output.contains("news"))
            #expect(try store.run.folder.fingerprint() == before)
        #endif
    }
}
