import Testing

@testable import ChatDBMigrations

/// Rule: docs/migrations.md, "The plan": the table, over all pairs of histories of up to four migrations.
@Suite struct PlannerTests {
    /// A migration of a history: its name, and whether it can be undone.
    struct Item: Hashable {
        let name: String
        let hasDown: Bool
    }

    /// All histories of up to four migrations out of five names in order, with and without down SQL.
    static let histories: [[Item]] = {
        let names = ["20300101_a", "20300102_b", "20300103_c", "20300104_d", "20300105_e"]
        var all: [[Item]] = [[]]
        for mask in 1..<32 where mask.nonzeroBitCount <= 4 {
            let chosen = names.indices.filter { mask & 1 << $0 != 0 }.map { names[$0] }
            for downs in 0..<(1 << chosen.count) {
                all.append(chosen.indices.map { Item(name: chosen[$0], hasDown: downs & 1 << $0 != 0) })
            }
        }
        return all
    }()

    @Test("the planning table holds for every pair of histories of up to four migrations")
    func everyPair() throws {
        let builds = try Self.histories.map { try migrations($0) }
        var checked = 0
        for (items, build) in zip(Self.histories, builds) {
            // The build's own down SQL does not affect the contract: half of the histories are enough.
            guard items.allSatisfy(\.hasDown) || items.allSatisfy({ !$0.hasDown }) else { continue }
            for database in Self.histories {
                let ledger = database.map {
                    LedgerEntry(name: $0.name, appliedAt: "", down: $0.hasDown ? "DROP TABLE x" : nil, checksum: nil)
                }
                let found = Result { () throws(Planner.Refusal) in
                    try Planner.steps(to: build[...], from: ledger, known: build).map { "\($0.direction) \($0.name)" }
                }
                #expect(found == expected(items, database), "build \(items), database \(database)")
                checked += 1
            }
        }
        #expect(checked > 10_000)
    }

    /// The table in the documentation.
    private func expected(_ build: [Item], _ database: [Item]) -> Result<[String], Planner.Refusal> {
        var (a, d) = (build[...], database[...])
        while let mine = a.first, let theirs = d.first {
            if mine.name != theirs.name { return .failure(.differentHistory(build: mine.name, database: theirs.name)) }
            a.removeFirst()
            d.removeFirst()
        }
        if d.isEmpty { return .success(a.map { "up \($0.name)" }) }
        let impossible = d.reversed().filter { !$0.hasDown }.map(\.name)
        return impossible.isEmpty
            ? .success(d.reversed().map { "down \($0.name)" }) : .failure(.noDownMigration(impossible))
    }

    private func migrations(_ items: [Item]) throws -> [Migration] {
        let files = items.flatMap { item -> [(path: String, content: String)] in
            let up = ("sqlite/chat/\(item.name).up.sql", "CREATE TABLE t (id INTEGER)")
            return item.hasDown ? [up, ("sqlite/chat/\(item.name).down.sql", "DROP TABLE t")] : [up]
        }
        return try MigrationSource.embedded(files).load()[.chat] ?? []
    }

    @Test("a migration of the build is undone by the build's SQL, an unknown one by the SQL in the file")
    func origin() throws {
        let build = try migrations([Item(name: "20300101_a", hasDown: true), Item(name: "20300102_b", hasDown: true)])
        let ledger = ["20300101_a", "20300102_b", "20300103_c"].map {
            LedgerEntry(name: $0, appliedAt: "", down: "DROP TABLE stored", checksum: nil)
        }
        let steps = try Planner.steps(to: build[..<1], from: ledger, known: build)
        #expect(steps.map(\.origin) == [.file, .build])
        #expect(steps.map(\.script.text) == ["DROP TABLE stored", "DROP TABLE t"])
    }

    @Test(
        "S09: stored down SQL with transaction control, ATTACH, PRAGMA or load_extension is refused before anything runs",
        arguments: [
            "DELETE FROM t; COMMIT; ATTACH 'x' AS y", "BEGIN", "ATTACH 'x.db' AS x", "PRAGMA writable_schema = 1",
            "SELECT load_extension('x')", "DELETE FROM migrations", "",
        ])
    func unfitDown(_ sql: String) throws {
        let ledger = [LedgerEntry(name: "20300101_a", appliedAt: "", down: sql, checksum: nil)]
        #expect {
            try Planner.steps(to: [], from: ledger, known: [])
        } throws: { error in
            if case Planner.Refusal.unfitMigration = error { true } else { false }
        }
    }
}
