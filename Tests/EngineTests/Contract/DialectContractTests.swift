import ChatDBKit
import Testing

/// The pieces of SQL that an engine provides.
@Suite struct DialectContractTests {
    private func text(_ query: Query, _ contract: EngineContract) throws -> String? {
        let database = try contract.database()
        return try withExtendedLifetime(database) {
            try database.connection.read { try $0.first("SELECT \(query) AS answer")?.get("answer") }
        }
    }

    @Test(
        "a later time is stored text like others, across days and backwards; beyond the range of times it is nil",
        arguments: EngineContract.all)
    func later(_ contract: EngineContract) throws {
        let database = try contract.database()
        let dialect = try database.connection.read { $0.dialect }
        func later(_ seconds: Int64) throws -> String? {
            try text(dialect.later("\("2026-02-28 23:59:59.120")", "\(seconds)"), contract)
        }
        #expect(try later(1) == "2026-03-01 00:00:00.120")
        #expect(try later(-86_400) == "2026-02-27 23:59:59.120")
        #expect(try later(0) == "2026-02-28 23:59:59.120")
        #expect(try later(.max) == nil && later(.min) == nil)
        withExtendedLifetime(database) {}
    }

    @Test("a list of many numbers is one bound value, and an empty list matches no row", arguments: EngineContract.all)
    func numbers(_ contract: EngineContract) throws {
        let database = try contract.database()
        let many = Array(Int64(1)...100_000) + [.max, .min]
        let (found, none) = try database.connection.read { tx in
            (
                try tx.rows(
                    "SELECT 1 WHERE 70000 IN (\(tx.dialect.numbers(many))) AND \(Int64.min) IN (\(tx.dialect.numbers(many)))"
                ).count,
                try tx.rows("SELECT 1 WHERE 1 IN (\(tx.dialect.numbers([])))").count
            )
        }
        #expect(found == 1 && none == 0)
        withExtendedLifetime(database) {}
    }

    @Test("the place of a part of a text, the bytes of a text, and a table of the file", arguments: EngineContract.all)
    func pieces(_ contract: EngineContract) throws {
        let database = try contract.database()
        let row = try database.connection.write { tx in
            try tx.run("INSERT INTO kept(words, bytes) VALUES ('a\\é,b', \([UInt8]([0, 0xFF])))")
            return try tx.first(
                """
                SELECT \(tx.dialect.position("','", "words")) AS place, \(tx.dialect.position("'x'", "words")) AS none,
                    \(tx.dialect.utf8("words")) AS words, \(tx.dialect.bytes("bytes")) AS bytes
                FROM \(tx.dialect.ofFile("kept"))
                """)
        }
        let found = try #require(row)
        #expect(try found.get("place") == 4 && found.get("none") == 0)
        #expect(try found.get("words") == [UInt8]("a\\é,b".utf8) && found.get("bytes") == [UInt8]([0, 0xFF]))
        withExtendedLifetime(database) {}
    }

    @Test("a day that a month lacks is no time, and neither is another text", arguments: EngineContract.all)
    func times(_ contract: EngineContract) throws {
        let database = try contract.database()
        let texts = [
            "2024-02-29 09:05:00", "2026-02-29 09:05:00", "2026-07-20 24:00:00", "2026-07-20T09:05:00",
            "2026-07-20 09:05:00.", "",
        ]
        let are = try database.connection.read { tx in
            try texts.map { text in
                try tx.count("SELECT CASE WHEN \(tx.dialect.isTime("\(text)")) THEN 1 ELSE 0 END")
            }
        }
        #expect(are == [1, 0, 0, 0, 0, 0])
        withExtendedLifetime(database) {}
    }
}
