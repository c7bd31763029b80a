import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBTool

/// Lost definitions are replaced by those of the program that made the store. Rule: docs/support.md, "Salvage a damaged
/// store".
@Suite("definitions that a salvage takes") struct SalvageDefinitionsTests {
    /// The rows of each table of a database, without those of SQLite and of full-text indexes.
    private func counts(_ store: ToolRun, _ file: String) throws -> [String: Int] {
        let names = try store.sql(
            """
            SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT GLOB '*_fts*'
            """, in: file)
        var counts: [String: Int] = [:]
        for name in names.split(separator: "\n").map(String.init) {
            counts[name] = Int(try store.sql("SELECT count(*) FROM \"\(name)\"", in: file))
        }
        return counts
    }

    /// Salvages a store once for each page of its schema, which is overwritten.
    private func eachPage(
        of store: ToolRun, _ prefix: String,
        _ body: (_ before: [String: Int], _ after: [String: Int], JSONValue) throws
            -> Void
    ) throws {
        let file = "\(prefix)_chat.db"
        let before = try counts(store, file)
        let pages = try store.sql(
            "SELECT pageno FROM dbstat WHERE name = 'sqlite_schema' AND pagetype = 'leaf' AND pageno > 1", in: file)
        let url = URL(fileURLWithPath: store.file(file))
        let good = Array(try Data(contentsOf: url))
        for page in pages.split(separator: "\n").compactMap({ Int($0) }) {
            var bytes = good
            bytes.replaceSubrange((page - 1) * 4096..<page * 4096, with: [UInt8](repeating: 0, count: 4096))
            try Data(bytes).write(to: url)
            let run = try store("salvage", "-d", prefix, "--output", "new\(page)", "--format", "json")
            #expect(run.code == 1, "\(page): \(run.errors)")
            try body(before, try counts(store, "new\(page)_chat.db"), try run.answer()["chat"] ?? .null)
        }
        try Data(good).write(to: url)
    }

    @Test("a page of the schema is lost: the rows of its tables come back, with this build's definitions")
    func own() throws {
        let store = try DemoStore.finished()
        var (lost, back) = (0, 0)
        try eachPage(of: store, "x") { before, after, chat in
            for table in chat["tables"]?.arrayValue ?? [] where table["definitionLost"] == true {
                let name = table["table"]?.stringValue ?? ""
                lost += before[name] ?? 0
                back += after[name] ?? 0
            }
            #expect(Set(after.keys).isSubset(of: before.keys), "\(Set(after.keys).subtracting(before.keys))")
        }
        // Rows that fit two lost tables equally well are set aside.
        #expect(lost > 0 && back * 10 >= lost * 9, "\(back) of \(lost)")
    }

    @Test(
        "a truncated file has the schema of its version again, and check names the command that writes its list again",
        arguments: [45, 56, 68, 79])
    func truncated(percent: Int) throws {
        let store = try DemoStore.make()
        let schema = """
            SELECT m.name || '.' || ifnull(c.name, '') FROM sqlite_master m LEFT JOIN pragma_table_info(m.name) c
            WHERE m.name NOT LIKE 'sqlite_%' ORDER BY 1
            """
        let before = try store.sql(schema)
        let version = try store.sql("SELECT max(name) FROM migrations")
        let url = URL(fileURLWithPath: store.file("x_chat.db"))
        let whole = try Data(contentsOf: url)
        try whole.prefix(whole.count * percent / 100).write(to: url)
        let run = try store("salvage", "-d", "x", "--output", "new")
        #expect(run.code == 1, "\(run.errors)")
        #expect(run.output.contains("was lost, and that of \(version) was taken"), "\(run.output)")
        #expect(try store.sql(schema, in: "new_chat.db") == before)
        let found = try store("check", "-d", "new").output
        #expect(found.contains("lostMigrations") && !found.contains("otherHistory"), "\(found)")
        let command = "chatdb migrate baseline --to \(version) -d new"
        #expect(found.contains(command), "\(found)")
        try store.succeed("migrate", "baseline", "--to", version, "-d", "new", "--yes")
        let after = try store("check", "-d", "new").output
        #expect(!after.contains("lostMigrations") && !after.contains("otherHistory"), "\(after)")
        try store.succeed("relay", "list", "-d", "new")
        try store.succeed("search", "hello", "-d", "new")
    }

    @Test("rows of a table whose definition is lost are saved with the definition of the version that an index names")
    func membersOfTruncated() throws {
        let store = try DemoStore.make()
        let members = "SELECT * FROM group_members ORDER BY 1"
        let before = try store.sql(members)
        try #require(!before.isEmpty)
        let url = URL(fileURLWithPath: store.file("x_chat.db"))
        // The rows are behind the definition, so the file is cut behind the page of the rows.
        let page = try #require(
            Int(store.sql("SELECT max(pageno) FROM dbstat WHERE name IN ('group_members', 'migrations')")))
        let rows = try #require(Int(store.sql("SELECT max(pageno) FROM dbstat WHERE name = 'group_members'")))
        try #require(page > rows, "the list of migrations goes on behind the members")
        try Data(contentsOf: url).prefix(rows * 4096).write(to: url)
        try #expect(store("salvage", "-d", "x", "--output", "new").code == 1)
        #expect(try store.sql(members, in: "new_chat.db") == before)
    }

    @Test("a single adopted file is checked as a whole store, and the next command names it")
    func adopted() throws {
        let store = try ToolRun()
        try store.sql("CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)", in: "app.db")
        let adoption = try store.shell(
            """
            mkdir -p m/chat && $CHATDB schema dump --database chat=app.db > m/chat/20260101_first.up.sql
            $CHATDB migrate baseline --to 20260101_first --migrations-dir m --database chat=app.db --yes
            """)
        try #require(adoption.code == 0, "\(adoption.errors)")
        let saved = try store("salvage", "--database", "chat=app.db", "--output", "new")
        #expect(saved.code == 0 && !saved.output.contains("missingDatabase"), "\(saved.output)")
        #expect(saved.output.contains("chatdb check --database 'chat=") && !saved.output.contains("check -d"))
        #expect(try store("check", "--database", "chat=new_chat.db").code == 0)
    }

    @Test("a store of SimpleX Chat gets the app's definitions, and nothing of chatdb's")
    func simplex() throws {
        let store = try ToolRun()
        _ = try SimplexStore(in: store.folder, isHealthy: true)
        let objects = "SELECT type || ' ' || name FROM sqlite_master WHERE sql IS NOT NULL"
        let columns = """
            SELECT m.name || '.' || c.name || c.type || c."notnull" || c.pk FROM sqlite_master m, pragma_table_info(m.name) c
            WHERE m.type = 'table'
            """
        let file = "simplex_v1_chat.db"
        let (all, described) = try (store.sql(objects, in: file), store.sql(columns, in: file))
        var (lost, back) = (0, 0)
        try eachPage(of: store, "simplex_v1") { before, after, chat in
            for table in chat["tables"]?.arrayValue ?? [] where table["definitionLost"] == true {
                let name = table["table"]?.stringValue ?? ""
                lost += before[name] ?? 0
                back += after[name] ?? 0
            }
            let new = (chat["path"]?.stringValue ?? "").split(separator: "/").last.map(String.init) ?? ""
            for (query, known) in [(objects, all), (columns, described)] {
                let found = Set(try store.sql(query, in: new).split(separator: "\n"))
                #expect(found.isSubset(of: known.split(separator: "\n")), "\(new): \(found)")
            }
        }
        #expect(lost > 0 && back * 10 >= lost * 9, "\(back) of \(lost)")
    }

    @Test("the definitions of the app are the described tables, by the newest migration that the store has")
    func described() throws {
        let described = try SimplexSchema.known.get()
        for database in DatabaseName.allCases {
            for date in described.dates(of: database) {
                let tables = described.tables(of: database, at: date)
                let found = try SimplexDefinitions(of: database, upTo: ["20220101_initial", "m\(date)_x"]).tables
                let names = found.map(\.name)
                #expect(Set(names) == Set(tables.keys) && names.count == tables.count + 1, "\(database) \(date)")
                for (name, table) in tables {
                    let sql = table.sql(name, among: tables)
                    #expect(found.contains { $0.name == name && $0.sql == sql }, "\(database) \(date): \(name)")
                }
                let ledgers = found.filter { $0.name == "migrations" }.map { $0.sql?.contains("WITHOUT ROWID") }
                #expect(ledgers == [false, true])
            }
            let newest = try SimplexDefinitions(of: database, upTo: []).tables.map(\.sql)
            let last = try #require(described.dates(of: database).last)
            #expect(try SimplexDefinitions(of: database, upTo: ["\(last)_x"]).tables.map(\.sql) == newest)
            #expect(try SimplexDefinitions(of: database, upTo: ["99990101_later"]).tables.map(\.sql) == newest)
        }
    }
}
