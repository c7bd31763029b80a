import ChatDBKit
import Testing

/// Rule: docs/domain.md, "Numbers of new rows".
@Suite struct NewNumberTests {
    @Test(
        "the list of references has every foreign key to these tables, each with an index",
        arguments: NumberedTable.allCases)
    func references(_ table: NumberedTable) throws {
        let test = try TestStore()
        try test.read { tx in
            let tables = try tx.rows("SELECT name FROM sqlite_schema WHERE type = 'table'").map { row in
                try row.get("name") as String
            }
            var found: Set<NumberedTable.Reference> = []
            for name in tables {
                let keys = try tx.rows(
                    """
                    SELECT "from" AS column_name FROM pragma_foreign_key_list(\(name))
                    WHERE "table" = \(table.rawValue) AND "to" = \(table.key)
                    """)
                for row in keys { found.insert(.init(table: name, column: try row.get("column_name") as String)) }
            }
            #expect(Set(table.references) == found)
            for reference in table.references {
                let plan = try tx.rows(
                    """
                    EXPLAIN QUERY PLAN SELECT max(\(identifier: reference.column))
                    FROM \(identifier: reference.table) WHERE \(identifier: reference.column) < 9007199254740992
                    """
                ).map { row in try row.get("detail") as String }
                #expect(plan.allSatisfy { $0.hasPrefix("SEARCH ") }, "\(reference): \(plan)")
            }
        }
    }

    @Test("a store that lost nothing has no lost numbers, and its rows are numbered one by one")
    func nothingLost() throws {
        let test = try TestStore()
        let (alice, bob) = (try test.addUser("alice"), try test.addUser("bob"))
        #expect(bob.id.rawValue == alice.id.rawValue + 1)
        let relays = [try test.addRelay("a.example", of: alice), try test.addRelay("b.example", of: alice)]
        #expect(relays[1].id.rawValue == relays[0].id.rawValue + 1)
        for table in NumberedTable.allCases {
            #expect(try test.read { try table.lostNumbers(in: $0) } == [], "\(table)")
        }
    }
}
