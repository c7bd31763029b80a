import ChatDBKit
import Testing

/// Values go in and come back as they were, or an error says where, and never what.
@Suite struct ValueContractTests {
    @Test("every value that is bound is read back unchanged", arguments: EngineContract.all)
    func roundTrip(_ contract: EngineContract) throws {
        let database = try contract.database()
        let texts = [
            "", "a'b\"c", "x'); DELETE FROM kept; --", "\u{1F469}\u{200D}\u{1F4BB}", "e\u{301}", "line\r\n?\n$1",
        ]
        let blobs: [[UInt8]] = [[], [0], [0xFF, 0, 0x27], Array(0...255)]
        let numbers: [Int64] = [.min, -1, 0, 1, .max]
        let reals = [-0.5, 0, 1e300, .leastNonzeroMagnitude]
        try database.connection.write { transaction in
            for text in texts { try transaction.run("INSERT INTO kept(words) VALUES (\(text))") }
            for blob in blobs { try transaction.run("INSERT INTO kept(bytes) VALUES (\(blob))") }
            for number in numbers { try transaction.run("INSERT INTO kept(whole) VALUES (\(number))") }
            for real in reals { try transaction.run("INSERT INTO kept(number) VALUES (\(real))") }
        }
        try database.connection.read { transaction throws in
            func all<Value: ColumnValue>(_ column: String) throws -> [Value] {
                try transaction.rows(
                    "SELECT \(identifier: column) AS v FROM kept WHERE \(identifier: column) IS NOT NULL ORDER BY id"
                ).map { try $0.get("v") }
            }
            // By bytes: Swift takes texts for equal that are not.
            #expect(try (all("words") as [String]).map { Array($0.utf8) } == texts.map { Array($0.utf8) })
            #expect(try all("bytes") == blobs)
            #expect(try all("whole") == numbers)
            #expect(try all("number") == reals)
            for text in texts {
                #expect(try transaction.count("SELECT count(*) FROM kept WHERE words = \(text)") == 1)
            }
            #expect(
                try transaction.count("SELECT count(*) FROM kept WHERE whole IN (\(list: numbers))") == numbers.count)
            #expect(try transaction.count("SELECT count(*) FROM kept WHERE whole IN (\(list: [Int64]()))") == 0)
        }
    }

    @Test("a column is read into the type that the caller names", arguments: EngineContract.all)
    func types(_ contract: EngineContract) throws {
        let database = try contract.database()
        _ = try database.connection.write {
            try $0.run("INSERT INTO kept(whole, words, number) VALUES (1, 'owner', 2.5)")
        }
        let row = try database.row("SELECT id, whole, words, number, bytes, 7 AS count FROM kept")
        #expect(try row.get("whole") == Int64(1))
        #expect(try row.get("whole") == 1)
        #expect(try row.get("whole") == true)
        #expect(try row.get("number") == 2.5)
        #expect(try row.get("whole") == 1.0)
        #expect(try row.get("whole") == UserID(1))
        #expect(try row.get("words") as GroupMemberRole == GroupMemberRole(text: "owner"))
        #expect(try row.get("count") == 7)
        #expect(try row.get("whole") as SQLValue == .integer(1))
        #expect(row.columns.names == ["id", "whole", "words", "number", "bytes", "count"])
        let nothing: [Bool] = [
            try row.get("bytes") as [UInt8]? == nil, try row.get("bytes") as String? == nil,
            try row.get("bytes") as Int64? == nil, try row.get("bytes") as UserID? == nil,
            try row.get("bytes") as GroupMemberRole? == nil, try row.stored("bytes") == .null,
        ]
        #expect(!nothing.contains(false))
        #expect(try row.get("words") as String? == "owner")
        #expect(try row.get("whole") as UserID? == UserID(1))
    }

    @Test("an enumeration's text that this build does not know is kept", arguments: EngineContract.all)
    func unknownEnumeration(_ contract: EngineContract) throws {
        let database = try contract.database()
        _ = try database.connection.write { try $0.run("INSERT INTO kept(words) VALUES ('from the future')") }
        let role: GroupMemberRole = try database.row("SELECT words FROM kept").get("words")
        #expect(role.text == "from the future" && !GroupMemberRole.known.contains(role))
    }

    @Test(
        "a value of another type gives an error with column and types, not the value", arguments: EngineContract.all)
    func errors(_ contract: EngineContract) throws {
        let database = try contract.database()
        let planted = "s3cret-4711"
        _ = try database.connection.write {
            try $0.run(
                """
                INSERT INTO kept(whole, number, words, bytes)
                VALUES (4711471147114711, 4711.4711, \(planted), \(Array(planted.utf8)))
                """)
        }
        let row = try database.row("SELECT whole, number, words, bytes, 2 AS two, NULL AS gap FROM kept")
        let wrong: [(column: String, expected: String, found: String, read: () throws -> Void)] = [
            ("words", "a whole number", "a text", { _ = try row.get("words") as Int64 }),
            ("words", "a whole number", "a text", { _ = try row.get("words") as Int }),
            ("words", "a number", "a text", { _ = try row.get("words") as Double }),
            ("words", "0 or 1", "a text", { _ = try row.get("words") as Bool }),
            ("words", "a whole number", "a text", { _ = try row.get("words") as UserID }),
            ("words", "a whole number", "a text", { _ = try row.get("words") as UserID? }),
            ("words", "bytes", "a text", { _ = try row.get("words") as [UInt8] }),
            ("whole", "a text", "a number", { _ = try row.get("whole") as String }),
            ("whole", "a text", "a number", { _ = try row.get("whole") as GroupMemberRole }),
            ("whole", "0 or 1", "a number", { _ = try row.get("whole") as Bool }),
            ("two", "0 or 1", "a number", { _ = try row.get("two") as Bool? }),
            ("number", "a whole number", "a decimal number", { _ = try row.get("number") as Int64? }),
            ("bytes", "a text", "bytes", { _ = try row.get("bytes") as String }),
            ("gap", "a text", "no value", { _ = try row.get("gap") as String }),
            ("gap", "a whole number", "no value", { _ = try row.get("gap") as UserID }),
            ("gap", "a value", "no value", { _ = try row.get("gap") as SQLValue }),
            ("absent", "no column", "the answer", { _ = try row.get("absent") as String }),
            ("absent", "no column", "the answer", { _ = try row.get("absent") as String? }),
            ("absent", "no column", "the answer", { _ = try row.stored("absent") }),
        ]
        for (column, expected, found, read) in wrong {
            let error = try storeError(.unexpectedRow, read)
            let text = "\(error) \(error.message) \(String(reflecting: error))"
            #expect(text.contains(column) && text.contains(expected) && text.contains(found), "\(text)")
            #expect(!text.contains("4711") && !text.contains("s3cret"), "\(text)")
        }
    }

    @Test("a count is a whole number or an error; no row counts as 0", arguments: EngineContract.all)
    func counts(_ contract: EngineContract) throws {
        let database = try contract.database()
        try database.connection.read { transaction throws in
            #expect(try transaction.count("SELECT count(*) FROM kept") == 0)
            #expect(try transaction.count("SELECT id FROM kept") == 0)
            #expect(try transaction.count("SELECT max(whole) FROM kept") == 0)
            try storeError(.unexpectedRow) { _ = try transaction.count("SELECT 'many' AS n") }
        }
    }

    @Test("of two columns with the same name, the name reads the first", arguments: EngineContract.all)
    func duplicateNames(_ contract: EngineContract) throws {
        let row = try contract.database().row("SELECT 1 AS a, 2 AS a")
        #expect(try row.get("a") == 1 && row.values == [.integer(1), .integer(2)])
    }
}
