import ChatDBKit
import Foundation
import TestKit
import Testing

/// Personal and secret values of SimpleX Chat's newest stores, in the tables that only they have too.
@Suite(.timeLimit(.minutes(60))) struct SimplexPrivacyTests {
    /// A column of the newest version, with its class as `query` sees it.
    private struct StoredColumn {
        let database: DatabaseName
        let table: String
        let name: String
        let type: String
        var columnClass: ColumnClass {
            ColumnMask(of: database, showsPersonal: false).columnClass(name, of: table)
        }
        /// A profile with a password is hidden, and its rows are not shown.
        var isMarked: Bool { columnClass != .public && !name.hasPrefix("view_pwd") }

        var marker: String {
            if type == "INTEGER" { return "777100000 + abs(random()) % 99999" }
            let text = "'\(MarkedStore.marker)-\(table)-\(name)-' || hex(randomblob(4))"
            return type == "BLOB" ? "CAST(\(text) AS BLOB)" : text
        }
    }

    private static func columns() throws -> [StoredColumn] {
        try DatabaseName.allCases.flatMap { database in
            try SimplexStore.newest.tables(of: database).sorted { $0.key < $1.key }.flatMap { table, entry in
                entry.columns.map {
                    StoredColumn(database: database, table: table, name: $0.name, type: $0.type)
                }
            }
        }
    }

    /// A store of the newest version, every table of which has a row with a marker in each column that is not public.
    private static func marked(_ columns: [StoredColumn]) throws -> SimplexFolder {
        let simplex = try SimplexFolder()
        for (table, columns) in Dictionary(grouping: columns, by: { "\($0.database) \($0.table)" }) {
            let (database, table) = (columns[0].database, table.split(separator: " ")[1])
            let fillers = columns.map { $0.type == "INTEGER" ? "1" : $0.type == "BLOB" ? "x'01'" : "'x'" }
            try simplex.store.execute(
                """
                INSERT INTO \(table) (\(columns.map(\.name).joined(separator: ", ")))
                SELECT \(fillers.joined(separator: ", ")) WHERE NOT EXISTS (SELECT 1 FROM \(table))
                """, in: database)
            for column in columns where column.isMarked {
                try simplex.store.execute("UPDATE \(table) SET \(column.name) = \(column.marker)", in: database)
            }
        }
        return simplex
    }

    @Test("keys, codes and credentials of badges and of the agent's services are secret, and other facts personal")
    func classes() {
        let secrets: [DatabaseName: [String: Set<String>]] = [
            .chat: [
                "badge_purchases": ["purchase_key", "master_key", "purchase_priv_key"],
                "badge_code_redemptions": ["code", "purchase_key", "purchase_priv_key", "master_key"],
                "badge_issuances": ["credential"], "file_badge_proofs": ["badge_proof", "badge_pres_header"],
                "badge_ledger": [], "badge_prices": [], "badge_offers": [], "simplex_names": [],
                "invoices": ["payment_url"], "payments": ["provider_ref"],
            ],
            .agent: [
                "client_services": [
                    "service_cert", "service_cert_hash", "service_priv_key", "service_id", "service_queue_ids_hash",
                ],
                "address_ratchet_keys": ["x3dh_priv_key_1", "x3dh_priv_key_2", "pq_priv_kem"],
            ],
        ]
        for (database, tables) in secrets {
            for (table, names) in tables {
                let columns = Catalogue.tableOfAnyProgram(table, of: database)?.columns ?? []
                #expect(Set(columns.filter { $0.columnClass == .secret }.map(\.name)) == names, "\(table)")
            }
        }
        func classes(_ table: String, _ column: String) -> ColumnClass {
            ColumnMask(of: .chat, showsPersonal: false).columnClass(column, of: table)
        }
        for table in ["contact_profiles", "group_profiles"] {
            #expect(classes(table, "preferences_json") == .personal)
        }
        #expect(classes("simplex_names", "simplex_domain") == .personal)
        #expect(classes("badge_purchases", "status") == .personal)
        #expect(classes("users", "auto_accept_group_invitations") == .public)
    }

    @Test("the catalogue has every table and column that came with the newest versions, and none that they lack")
    func complete() throws {
        for (database, before) in [(DatabaseName.chat, 3), (.agent, 3)] {
            let old = try SimplexStore.versions[before].tables(of: database)
            let new = try SimplexStore.newest.tables(of: database)
            for (table, entry) in new {
                let known = Set(Catalogue.tableOfAnyProgram(table, of: database)?.columns.map(\.name) ?? [])
                let added = Set(entry.columns.map(\.name)).subtracting(old[table]?.columns.map(\.name) ?? [])
                #expect(added.subtracting(known) == [], "\(table)")
            }
            for table in Catalogue.simplexTables(of: database) {
                let columns = Set(new[table.name]?.columns.map(\.name) ?? [])
                #expect(Set(table.columns.map(\.name)).subtracting(columns) == [], "\(table.name)")
            }
        }
    }

    @Test("query shows nothing of a marked column, and with --show personal no secret")
    func query() throws {
        let columns = try Self.columns()
        let simplex = try Self.marked(columns)
        for (table, columns) in Dictionary(grouping: columns, by: { "\($0.database) \($0.table)" }) {
            let (database, name) = (columns[0].database.rawValue, String(table.split(separator: " ")[1]))
            let ask = ["query", "SELECT * FROM \(name)", "--only", database, "--format", "json"]
            let few = try simplex(ask)
            #expect(few.code == 0 && MarkedStore.marks(in: few.output + few.errors) == [], "\(table): \(few.errors)")
            let all = try simplex(ask + ["--show", "personal"])
            let masked = Set(try all.answer()["masked"]?.arrayValue?.compactMap { $0["column"]?.stringValue } ?? [])
            #expect(masked == Set(columns.filter { $0.columnClass == .secret }.map(\.name)), "\(table)")
            for column in columns where column.columnClass == .secret {
                #expect(!all.output.contains("\(MarkedStore.marker)-\(name)-\(column.name)-"), "\(table)")
            }
            // Control.
            for column in columns where column.columnClass == .personal && column.type == "TEXT" && column.isMarked {
                #expect(all.output.contains("\(MarkedStore.marker)-\(name)-\(column.name)-"), "\(table)")
            }
        }
    }

    @Test("a bundle has no marker, names every table of the newest version, and counts the rows of none as others")
    func bundle() throws {
        let simplex = try Self.marked(Self.columns())
        for extra in [[], ["--include", "hosts"]] {
            let run = try simplex(["bundle", "--preview", "-v"] + extra)
            #expect(run.code == 0, "\(run.errors)")
            let marks = MarkedStore.marks(in: run.output + run.errors)
            #expect(marks.filter { extra.isEmpty || !$0.contains("-host-") } == [])
            let bundle = try run.answer()
            for database in DatabaseName.allCases {
                #expect(bundle["otherTables"]?[database.rawValue] == ["tables": 0, "rows": 0], "\(database)")
            }
            #expect(bundle["rows"]?["chat"]?["badge_purchases"] == 1)
            #expect(bundle["rows"]?["agent"]?["client_services"] == 1)
        }
        // Rows that the markers leave readable.
        let plain = try SimplexFolder()(["bundle", "--preview"])
        #expect(try plain.answer()["profiles"]?.arrayValue?.count == 3)
        for text in ["SECRET-CODE", "alice.simplex", "lighthouse"] {
            #expect(!plain.output.contains(text), "\(text)")
        }
    }

    @Test("a bundle has the names of known migrations, and of others only the date, with the m of the agent")
    func migrations() throws {
        let simplex = try SimplexFolder()
        for (database, name) in [(DatabaseName.chat, "20261124_marksmith_bob"), (.agent, "m20261124_marksmith_bob")] {
            try simplex.store.execute(
                "INSERT INTO migrations VALUES ('\(name)', '2099-01-01 00:00:00', NULL)", in: database)
        }
        let run = try simplex(["bundle", "--preview"])
        #expect(run.code == 0 && !run.output.contains("marksmith"), "\(run.errors)")
        let store = try #require(try run.answer()["store"])
        #expect(store["chat"]?["version"] == "20260924_simplex_names")
        #expect(store["agent"]?["version"] == "20261008_rcv_switch_status")
        for (database, other) in [(DatabaseName.chat, "20261124_other"), (.agent, "m20261124_other")] {
            let applied = store[database.rawValue]?["applied"]?.texts ?? []
            #expect(try Set(applied) == Set(SimplexStore.newest.migrations(of: database) + [other]), "\(applied)")
        }
    }

    @Test("schema show says the meaning and the class of a table that only SimpleX Chat has")
    func schema() throws {
        let answer = try SimplexFolder().answer("schema", "show", "badge_issuances")
        let columns = answer["tables"]?[0]?["columns"]?.arrayValue ?? []
        let credential = columns.first { $0["name"] == "credential" }
        #expect(credential?["class"] == "secret", "\(answer)")
        #expect(columns.count == 9 && columns.allSatisfy { $0["meaning"]?.stringValue != nil })
    }
}
