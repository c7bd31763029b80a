import ChatDBKit
import Foundation
import TestKit
import Testing

/// `find`. Rule: docs/support.md, "Where is the store?".
@Suite struct FindTests {
    /// A folder that is the home of the user.
    private struct Home {
        let run: ToolRun

        init(_ run: ToolRun) { self.run = run }

        /// A path as chatdb makes it from a relative one.
        func path(_ name: String) -> String { (run.file(name) as NSString).standardizingPath }

        var environment: [String: String] { ["HOME": run.file("home"), "XDG_DATA_HOME": run.file("data")] }

        /// Runs chatdb, and checks that not a byte of the folder changed.
        func callAsFunction(_ arguments: [String]) throws -> ToolRun.Outcome {
            let before = try run.folder.fingerprint()
            let outcome = try run(["find"] + arguments, environment: environment)
            #expect(try run.folder.fingerprint() == before)
            return outcome
        }

        /// The stores of the JSON answer.
        func stores(_ arguments: String...) throws -> [JSONValue] {
            let outcome = try self(arguments + ["--format", "json"])
            #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
            return try outcome.answer()["stores"]?.arrayValue ?? []
        }

        /// Runs a line of bash that must succeed. `noise FILE` writes an encrypted database.
        func shell(_ line: String) throws {
            let noise = "noise() { head -c 40960 /dev/urandom > \"$1\"; }; set -e; "
            let outcome = try run.shell(noise + line)
            guard outcome.code == 0 else { throw ToolRun.Failure(description: outcome.errors) }
        }
    }

    @Test("each usual place is listed with program, version, encryption and sizes")
    func places() throws {
        let simplex = try SimplexFolder()
        let home = Home(simplex.run)
        try home.run.succeed("migrate", "run", "-q", "-d", home.run.store)
        try home.shell(
            """
            mkdir -p data/simplex data/chatdb home/.simplex home/.var/app/chat.simplex.simplex/data/simplex
            mv simplex_v1_chat.db simplex_v1_agent.db data/simplex
            mv x_chat.db data/chatdb/chatdb_chat.db; mv x_agent.db data/chatdb/chatdb_agent.db
            for i in chat agent; do
              noise home/.simplex/simplex_v1_$i.db
              noise home/.var/app/chat.simplex.simplex/data/simplex/simplex_v1_$i.db
            done
            """)
        let stores = try home.stores()
        #expect(stores.map { $0["place"] } == ["desktop", "flatpak", "terminal", "chatdb"])
        #expect(stores.map { $0["kind"] } == ["simplex", "unknown", "unknown", "chatdb"])
        #expect(stores.map { $0["encrypted"] } == [false, true, true, false])
        #expect(stores.first?["prefix"] == .string(home.run.file("data/simplex/simplex_v1")))
        #expect(stores.first?["chat"]?["version"]?.stringValue?.hasPrefix("2026") == true)
        #expect(stores[1]["chat"]?["state"] == "encrypted" && stores[1]["agent"]?["bytes"] == 40_960)
        #expect(stores[1]["chat"]?["version"] == .null && stores[1]["chat"]?["problem"] == .null)
        #expect(stores[3]["agent"]?["state"] == "plain" && stores[3]["agent"]?["version"]?.stringValue != nil)
        let table = try home([])
        #expect(table.output.contains("SimpleX Chat") && table.output.contains("shows a store"))
        let csv = try home(["--format", "csv"]).output.split(whereSeparator: \.isNewline)
        let columns: [Substring] = [
            "prefix", "place", "kind", "encrypted", "chatState", "chatVersion", "chatBytes", "agentState",
            "agentVersion", "agentBytes", "heldBy", "backup", "role",
        ]
        #expect(csv.first?.split(separator: ",") == columns)
        #expect(csv.count == 5 && csv[2].hasSuffix(",flatpak,unknown,yes,encrypted,,40960,encrypted,,40960,,no,store"))
    }

    @Test("the default store of migrate run is listed")
    func own() throws {
        let home = Home(try ToolRun())
        let made = try home.run(
            ["migrate", "run", "-q"], environment: home.environment.merging(["CHATDB_STORE": ""]) { $1 })
        #expect(made.code == 0)
        #expect(try home.stores().map { $0["place"] } == ["chatdb"])
    }

    @Test("the store of CHATDB_STORE is listed, unless it is an archive or does not exist")
    func named() throws {
        let home = Home(try DemoStore.empty())
        let found = try home.run(
            ["find", "--format", "json"], environment: home.environment.merging(["CHATDB_STORE": "x_chat.db"]) { $1 })
        let stores = try found.answer()["stores"]?.arrayValue ?? []
        #expect(stores.map { $0["place"] } == ["named"])
        #expect(stores.first?["prefix"] == .string(home.path("x")))
        for other in ["none", "x.zip", "chat=none.db", "chat="] {
            let without = try home.run(["find"], environment: home.environment.merging(["CHATDB_STORE": other]) { $1 })
            #expect(without.code == 0 && without.output.contains("no stores at the usual places"), "\(without.output)")
        }
    }

    @Test("an adopted store that CHATDB_STORE names is listed, with the command that shows it")
    func adopted() throws {
        let home = Home(try ToolRun())
        try home.run.sql("CREATE TABLE t (a)", in: "q.db")
        try home.shell("mkdir -p m/chat; echo 'CREATE TABLE t (a);' > m/chat/20260101_first.up.sql")
        let variable = ["CHATDB_STORE": "chat=q.db"]
        let environment = home.environment.merging(variable) { $1 }
        func list() throws -> (JSONValue, String) {
            let answer = try home.run(["find", "--format", "json"], environment: environment).answer()
            #expect(answer["stores"]?.arrayValue?.count == 1)
            return (try #require(answer["stores"]?[0]), try home.run(["find"], environment: environment).output)
        }
        let (before, _) = try list()
        #expect(before["place"] == "named" && before["kind"] == "unknown")
        let words = ["migrate", "baseline", "--yes", "--to", "20260101_first", "--migrations-dir", "m"]
        #expect(try home.run(words, environment: environment).code == 0)
        let (store, table) = try list()
        #expect(store["prefix"] == .string(home.path("q.db")) && store["kind"] == "chatdb")
        #expect(store["chat"]?["state"] == "plain" && store["agent"] == .null)
        #expect(table.contains("another program, adopted by chatdb") && !table.contains("is missing"), "\(table)")
        let command = try #require(table.firstMatch(of: #/chatdb (inspect .*) shows a store/#)).1
        #expect(try home.run.shell("$CHATDB \(command)").code == 0, "\(command)")
        // Its name may be any, so a search of a folder does not find it.
        #expect(try home.stores("--below", ".").allSatisfy { $0["prefix"] != store["prefix"] })
    }

    @Test("below a folder: pairs, single databases, links and other files, each with what is wrong")
    func below() throws {
        let home = Home(try DemoStore.make())
        try home.shell(
            """
            mkdir -p a/b; mv x_chat.db a/b; noise a/b/half_agent.db; cp x_agent.db a/half_chat.db
            noise a/half_agent.db; ln -s ../.. a/b/loop; ln -s ../../x_agent.db a/b/x_agent.db
            echo text > a/t_chat.db
            """)
        let stores = try home.stores("--below", "a/")
        let prefixes = ["a/b/half", "a/b/x", "a/half", "a/t"].map { JSONValue.string(home.path($0)) }
        #expect(stores.compactMap { $0["prefix"] } == prefixes && stores.allSatisfy { $0["place"] == "below" })
        #expect(stores[0]["encrypted"] == true && stores[0]["chat"]?["state"] == "missing")
        #expect(stores[1]["kind"] == "chatdb" && stores[1]["agent"]?["state"] == "link")
        #expect(stores[1]["encrypted"] == false && stores[1]["agent"]?["heldBy"] == .null)
        #expect(stores[3]["chat"]?["state"] == "unreadable" && stores[3]["encrypted"] == .null)
        let table = try home(["--below", "a"]).output
        #expect(table.contains("the chat database of \(home.path("a/b/half")) is missing"))
        #expect(table.contains("only the agent database of \(home.path("a/half")) is encrypted"))
        #expect(table.contains("x_agent.db is a symbolic link, which the search does not follow"))
        #expect(table.contains("t_chat.db is a text file"))
        // The folders of several options, and each store once.
        #expect(try home.stores("--below", "a/b", "--below", "a").count == 4)
    }

    @Test("a backup is marked as one, and what a restore replaced is not")
    func backups() throws {
        let home = Home(try DemoStore.make())
        let path = try #require(home.run.succeed("backup", "--format", "json").answer()["backup"]?["path"]?.stringValue)
        try home.run.succeed("restore", path, "--yes")
        let stores = try home.stores("--below", ".")
        #expect(stores.count == 3 && stores.count { $0["backup"] == true } == 1)
        #expect(stores.first { $0["backup"] == true }?["prefix"]?.stringValue == path.replacing("//", with: "/") + "/x")
        let lines = try home(["--below", "."]).output.split(separator: "\n").filter { $0.contains("chatdb (backup)") }
        #expect(lines.count == 1 && lines.first?.contains("/x.backups/") == true)
    }

    @Test("nothing found is an answer with the next command; a folder that is not there is an error")
    func nothing() throws {
        let home = Home(try ToolRun())
        let usual = try home([])
        #expect(usual.code == 0 && usual.output.hasPrefix("no stores at the usual places; chatdb find --below FOLDER"))
        #expect(try home.stores().isEmpty)
        try home.shell("mkdir empty; touch file")
        let below = try home(["--below", "empty"])
        #expect(below.code == 0 && below.output.hasPrefix("no stores below empty; chatdb find looks at"))
        let missing = try home(["--below", "no", "--format", "json"])
        #expect(try missing.code == 66 && missing.refusal()["code"] == "folderNotFound")
        let file = try home(["--below", "file", "--format", "json"])
        #expect(try file.code == 66 && file.refusal()["code"] == "notReadable")
        #expect(try home(["--below", ""]).code == 64)
    }

    @Test("on a terminal of 80 columns every line fits, and no path is shortened")
    func terminal() throws {
        let demo = try DemoStore.make()
        let name = String(repeating: "long-name-", count: 8)
        try Home(demo).shell("mkdir \(name) s; cp x_*.db \(name); mv x_*.db s")
        let shown = try demo.onTerminal("find", "--below", ".")
        #expect(shown.code == 0 && shown.output.contains("MiB"), "\(shown.output)")
        #expect(shown.output.contains(Home(demo).path("\(name)/x")) && shown.output.contains(Home(demo).path("s/x")))
        let lines = shown.output.split(whereSeparator: \.isNewline)
        #expect(lines.allSatisfy { $0.count <= 80 || $0.contains(name) }, "\(shown.output)")
    }

    @Test("a large database with a journal is not copied to be read; a small one is read")
    func journals() throws {
        let store = try DemoStore.make()
        let shell = try HeldShell(store)
        try shell.run(
            "PRAGMA cache_spill = 1; PRAGMA cache_size = 1; BEGIN; CREATE TABLE t (x); INSERT INTO t SELECT randomblob(900) FROM sqlite_master a, sqlite_master b LIMIT 2000;"
        )
        shell.crash()
        let home = Home(store)
        #expect(try home.stores("--below", ".").first?["chat"]?["version"]?.stringValue != nil)
        try home.shell("truncate -s 70M x_chat.db")
        let large = try home.stores("--below", ".").first
        #expect(large?["chat"]?["state"] == "unreadable" && large?["agent"]?["state"] == "plain")
        #expect(large?["chat"]?["problem"]?.stringValue?.contains("would have to be copied") == true)
    }

    #if os(Linux)
        @Test("the programs that have a store open are named")
        func held() throws {
            let store = try DemoStore.make()
            let shell = try HeldShell(store)
            try shell.run("SELECT count(*) FROM users;")
            defer { shell.end() }
            let found = try #require(try Home(store).stores("--below", ".").first)
            let holder: JSONValue = ["pid": .integer(Int64(shell.pid)), "program": "sqlite3"]
            #expect(found["chat"]?["heldBy"] == [holder] && found["agent"]?["heldBy"] == [])
            #expect(try Home(store)(["--below", "."]).output.contains("sqlite3 (\(shell.pid)"))
        }

        @Test(
            "a folder that cannot be read is named, and the others are searched",
            .enabled(if: geteuid() == 0 && access("/usr/bin/setpriv", X_OK) == 0))
        func unreadable() throws {
            let demo = try DemoStore.make()
            let home = Home(demo)
            try home.shell("mkdir -p in/locked in/open; mv x_*.db in/open; chmod 700 in/locked; chmod 755 . in in/open")
            // A copy of the tool, because other users may lack permission for the build folder.
            try FileManager.default.copyItem(atPath: BuiltTool.find().path, toPath: demo.file("chatdb"))
            let user = "setpriv --reuid=65534 --regid=65534 --clear-groups ./chatdb find --below"
            let outcome = try demo.shell("\(user) in --format json")
            let answer = try outcome.answer()
            #expect(outcome.code == 0 && answer["stores"]?.arrayValue?.count == 1 && answer["unreadable"] == 1)
            #expect(
                answer["notes"]?.texts?.contains("\(home.path("in/locked")) cannot be read: Permission denied") == true)
            let refused = try demo.shell("\(user) in/locked")
            #expect(refused.code == 66 && refused.errors.contains("permission denied"))
        }
    #endif
}
