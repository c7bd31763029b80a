import ChatDBKit
import Foundation
import TestKit
import Testing

/// One bad cell costs one row, and `check` finds it. Rule: docs/architecture.md, "Rows that cannot be read".
@Suite("rows that cannot be read")
struct UnreadableRowsTests {
    private static let bad = [
        "'not a time'", "'2026-13-01 00:00:00'", "'2026-02-30 10:00:00'", "'2026-02-28 24:00:00.5'",
        "'2026-02-28 10:00:00Z'", "''", "x'00ff'", "NULL", "2", "-9", "1.5", "9223372036854775807",
        "CAST(x'ff41' AS TEXT)", "'a' || char(0) || 'b'",
    ]

    @Test(
        "in a store of SimpleX Chat with one bad cell, all lists show the other rows, and check finds the cell",
        arguments: SimplexStore.versions)
    func simplex(_ version: SimplexStore.Version) throws {
        let simplex = try SimplexStore(version)
        let cells = try DatabaseName.allCases.flatMap { database in
            try version.tables(of: database).sorted { $0.key < $1.key }.flatMap { table in
                table.value.columns.map { Cell(database: database, table: table.key, column: $0.name) }
            }
        }.filter { Catalogue.table($0.table, of: $0.database) != nil && $0.table != "migrations" }
        try spoil(cells, seed: UInt64(version.chat) ?? 0, at: simplex.location) {
            try Store.openForReading(
                simplex.location, with: SQLiteEngine(), through: OpenedStore.plans.get())
        }
    }

    @Test("so in a store of chatdb")
    func own() throws {
        let world = try CheckWorld()
        try world.test.store.close()
        // SQLite makes sure of everything else in a STRICT table.
        let cells = DatabaseName.allCases.flatMap { database in
            Catalogue.tables(of: database).filter { !["migrations", "store"].contains($0.name) }.flatMap { table in
                table.columns.filter { ValueForm.of($0.name, in: database) == .time }.map {
                    Cell(database: database, table: table.name, column: $0.name)
                }
            }
        }
        try spoil(cells, seed: 16, at: world.test.location) {
            try Store.openForReading(world.test.location, with: SQLiteEngine())
        }
    }

    private struct Cell {
        let database: DatabaseName
        let table: String
        let column: String
    }

    /// Sets one random cell to a bad value, many times, each time in the store as it was.
    private func spoil(
        _ cells: [Cell], seed: UInt64, at location: StoreLocation, _ open: () throws -> Store
    ) throws {
        var random = SplitMix64(seed: seed)
        let files = try DatabaseName.allCases.map { name in
            try (path: location.path(of: name), bytes: Data(contentsOf: URL(fileURLWithPath: location.path(of: name))))
        }
        var (spoilt, leftOut) = (0, 0)
        for cell in cells.shuffled(using: &random) where spoilt < 40 {
            let value = Self.bad.randomElement(using: &random) ?? ""
            guard try update(cell, to: value, at: location, using: &random) else { continue }
            spoilt += 1
            let store = try open()
            let name = "\(cell.database) \(cell.table).\(cell.column) = \(value)"
            // A reference to a missing row is no unreadable value: `chatDanglingReference` finds it.
            let left = try lists(of: store, name).rows.filter { !$0.reason.hasSuffix("is missing") }
            if !left.isEmpty { leftOut += 1 }
            var found: [String] = []
            for database in DatabaseName.allCases {
                let structure = try store.connection(database).structure()
                try store.read(database) { tx in
                    try UnreadableValues(in: tx, of: database, structure).find {
                        found.append($0)
                    } failed: {
                        Issue.record("\(name): \($0): \($1)")
                    }
                }
            }
            #expect(left.isEmpty || !found.isEmpty, "\(name): \(left.map(\.description))")
            for value in found {
                #expect(value.contains(cell.table) && value.hasSuffix(cell.column), "\(name): \(value)")
            }
            try store.close()
            for file in files { try file.bytes.write(to: URL(fileURLWithPath: file.path)) }
        }
        #expect(spoilt > 20 && leftOut > 0, "\(spoilt) \(leftOut)")
    }

    /// Whether the table has a row, and allows the value.
    private func update(
        _ cell: Cell, to value: String, at location: StoreLocation, using random: inout SplitMix64
    ) throws -> Bool {
        let connection = try SQLiteEngine().openForMigration(location.path(of: cell.database), creating: false)
        defer { connection.close() }
        func ask(_ sql: String) throws -> [ResultRow] { try connection.rows(.unchecked(sql: sql)) }
        let rows = try ask("SELECT rowid AS number FROM \"\(cell.table)\"")
        guard let row = rows.randomElement(using: &random) else { return false }
        let number: Int64 = try row.get("number")
        do {
            _ = try ask("UPDATE \"\(cell.table)\" SET \"\(cell.column)\" = \(value) WHERE rowid = \(number)")
            return true
        } catch let error as StoreError
            where [.constraintViolation, .uniqueViolation, .foreignKeyViolation].contains(error.kind)
        {
            return false
        }
    }

    /// Reads all lists. None fails.
    private func lists(of store: Store, _ name: String) throws -> LeftOutRows {
        try store.read { chat in
            let listing = ListingTransaction(chat)
            do {
                _ = try StoreFacts(of: listing, hidden: .shown)
                _ = try UsersRepo(listing).infos(hidden: .shown)
                _ = try OperatorsRepo(listing).conditions()
                for user in try UsersRepo(listing).all(hidden: .shown) {
                    _ = try ServersRepo(listing).grouped(of: user.id)
                    _ = try ContactsRepo(listing).page(of: user.id)
                    _ = try GroupRelaysRepo(listing).all(of: user.id)
                    for group in try GroupsRepo(listing).all(of: user.id) {
                        _ = try GroupMembersRepo(listing).page(of: group.group.id, of: user.id)
                    }
                }
            } catch {
                Issue.record("\(name): \(error)")
            }
            return listing.leftOut
        }
    }

    @Test("a list leaves out the row and names it; export, find and write keep the error")
    func modes() throws {
        let world = try CheckWorld()
        try world.execute(["UPDATE chat_relays SET tested_at = 'soon' WHERE chat_relay_id = 1"])
        try world.test.read { chat in
            let listing = ListingTransaction(chat)
            let all = try ChatRelaysRepo(listing).usage(of: world.alice.id)
            #expect(all.map(\.relay.name) == ["two"])
            #expect(listing.leftOut.sentence == "1 row is left out: chat_relays 1, column tested_at: not a time")
            #expect(throws: (any Error).self) { try ChatRelaysRepo(listing).find(ChatRelayID(1), of: world.alice.id) }
            #expect(throws: (any Error).self) { try ChatRelaysRepo(chat).usage(of: world.alice.id) }
        }
        #expect(throws: (any Error).self) {
            try world.test.write { chat in
                try ChatRelaysWriter(chat, clock: TestStore.clock).delete(ChatRelayID(1), of: world.alice.id)
            }
        }
    }

    @Test("check tells a channel whose creation has no readable time from others")
    func unfinished() throws {
        let world = try CheckWorld()
        try world.execute(["UPDATE groups SET creating_in_progress = 1, created_at = 'x' WHERE group_id = 1"])
        let findings = try world.checkup().findings
        #expect(findings.map(\.id) == ["unreadableValue", "unfinishedChannel"])
        #expect(findings.last?.sample == [.text("group 1 (profile 1, of unknown age)")])
    }

    @Test("a page from which rows are left out is not taken for the last one")
    func pages() throws {
        let world = try CheckWorld()
        try world.execute([
            """
            WITH RECURSIVE n (n) AS (SELECT 100 UNION ALL SELECT n + 1 FROM n WHERE n < 129)
            INSERT INTO group_members (group_member_id, user_id, group_id, member_id, member_role, member_category,
                member_status, local_display_name, contact_profile_id)
                SELECT n, 1, 11, 'm' || n, 'member', 'pre', 'connected', 'dan', 13 FROM n
            """
        ])
        let group = GroupID(11)
        try world.test.read { chat in
            var (ids, after): ([GroupMemberID], GroupMemberID?) = ([], nil)
            repeat {
                let page = try GroupMembersRepo(SpoiltRows(chat, from: 100, to: 119).listing).page(
                    of: group, of: world.alice.id, after: after, limit: 4)
                ids += page.members.map(\.id)
                after = page.next
            } while after != nil
            #expect(ids.map(\.rawValue) == [11, 12, 13] + Array(120...129))
        }
    }

    @Test("check accepts exactly the times that records can read")
    func times() throws {
        let world = try CheckWorld()
        var random = SplitMix64(seed: 4)
        let healthy = ["2026-07-20 09:05:00", "2024-02-29 23:59:59.999", "0000-01-01 00:00:00.123456789012"]
        var texts =
            healthy + ["", " ", "2026-07-20", "2026-07-20T09:05:00Z", "2026-07-20 09:05:00.", "-026-07-20 09:05:00"]
        let parts = Array("0123456789 -:.TZ+\0é")
        for year in ["1900", "2000", "2023", "2024"] {
            for month in 1...12 {
                for day in 28...31 { texts.append("\(year)-\(month < 10 ? "0" : "")\(month)-\(day) 09:05:00") }
            }
        }
        while texts.count < 1_000 {
            var text = Array(healthy.randomElement(using: &random) ?? "")
            for _ in 0...Int.random(in: 0...1, using: &random) where !text.isEmpty {
                let place = text.indices.randomElement(using: &random) ?? 0
                switch Int.random(in: 0...3, using: &random) {
                case 0: text.remove(at: place)
                case 1: text.insert(parts.randomElement(using: &random) ?? "0", at: place)
                default: text[place] = parts.randomElement(using: &random) ?? "0"
                }
            }
            texts.append(String(text))
        }
        try world.test.write { chat in
            for (number, text) in texts.enumerated() {
                try chat.run(
                    """
                    INSERT INTO contact_profiles (contact_profile_id, user_id, display_name, created_at)
                    VALUES (\(number + 1000), 1, 'x', \(text))
                    """)
            }
        }
        var found: Set<String> = []
        let structure = try world.test.store.connection(.chat).structure()
        try world.test.read { chat in
            try UnreadableValues(in: chat, of: .chat, structure).find {
                found.insert($0)
            } failed: { _, _ in
            }
        }
        let expected = texts.enumerated().filter { StoredTime(text: $0.element) == nil }.map {
            "contact_profiles \($0.offset + 1000) created_at"
        }
        #expect(expected.count > 100 && expected.count < 900)
        #expect(found == Set(expected))
    }

    @Test("every value of a large table is counted")
    func everyValue() throws {
        let world = try CheckWorld()
        try world.test.write { chat in
            try chat.run(
                """
                WITH RECURSIVE numbers(number) AS (SELECT 1001 UNION ALL SELECT number + 1 FROM numbers LIMIT 100001)
                INSERT INTO contact_profiles (contact_profile_id, user_id, display_name, created_at)
                SELECT number, 1, 'x', '2026-01-01T00:00:00Z' FROM numbers
                """)
        }
        let structure = try world.test.store.connection(.chat).structure()
        var count = 0
        try world.test.read { chat in
            try UnreadableValues(in: chat, of: .chat, structure).find { _ in
                count += 1
            } failed: { table, error in
                Issue.record("\(table): \(error)")
            }
        }
        #expect(count == 100_001)
    }

    @Test("the form of every column is that of the schema")
    func forms() throws {
        for (database, migrations) in try MigrationSource.build.load() {
            let schema = try SchemaText.structure(of: migrations, engine: SQLiteEngine())
            for (table, structure) in schema.tables where structure.virtualDefinition == nil {
                for column in structure.columns where !["migrations", "store"].contains(table) {
                    let form = ValueForm.of(column.name, in: database)
                    let isTime = column.name.hasSuffix("_at") || column.name.hasSuffix("_ts")
                    let forms: [ValueForm] =
                        switch column.type {
                        case "INTEGER": [.number, .switch]
                        case "TEXT": isTime ? [.time] : [.other, .id]
                        default: [.bytes]
                        }
                    #expect(forms.contains(form), "\(database) \(table).\(column.name)")
                }
            }
        }
    }
}

/// A transaction in which some members have no number in their role.
private struct SpoiltRows: ReadTransaction {
    let base: any ReadTransaction
    let from: Int64
    let to: Int64

    init(_ base: any ReadTransaction, from: Int64, to: Int64) {
        (self.base, self.from, self.to) = (base, from, to)
    }

    var listing: ListingTransaction { ListingTransaction(self) }
    var dialect: Dialect { base.dialect }

    func rows(_ query: Query) throws(StoreError) -> [ResultRow] {
        try base.rows(query).map { row in
            guard case .integer(let number)? = try? row.stored("group_member_id"), (from...to).contains(number)
            else { return row }
            let values = zip(row.columns.names, row.values).map { $0 == "member_role" ? .blob([0]) : $1 }
            return ResultRow(columns: row.columns, values: values)
        }
    }

    func forEach(_ query: Query, _ body: (ResultRow) throws -> Void) throws { try base.forEach(query, body) }
}
