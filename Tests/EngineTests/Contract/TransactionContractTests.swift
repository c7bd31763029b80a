import ChatDBKit
import Testing

/// What a transaction grants, and that it is kept whole or not at all.
@Suite struct TransactionContractTests {
    private struct Surprise: Error, Equatable {
        let number: Int
    }

    @Test("a statement returns a new row's number or the number of changed rows", arguments: EngineContract.all)
    func changes(_ contract: EngineContract) throws {
        let database = try contract.database()
        let (first, second, changed, none) = try database.connection.write { transaction in
            (
                try transaction.insert("INSERT INTO kept(words) VALUES ('a')", returning: "id"),
                try transaction.insert("INSERT INTO kept(words) VALUES ('b')", returning: "id"),
                try transaction.run("UPDATE kept SET whole = 1"),
                try transaction.run("DELETE FROM kept WHERE whole = 2")
            )
        }
        #expect(first != second && changed == 2 && none == 0)
    }

    @Test("an INSERT that makes no row is an error", arguments: EngineContract.all)
    func insertOfNothing(_ contract: EngineContract) throws {
        let database = try contract.database()
        try storeError(.unexpectedRow) {
            try database.connection.write { transaction in
                try transaction.run("INSERT INTO parents(name) VALUES ('a')")
                _ = try transaction.insert(
                    "INSERT INTO parents(name) VALUES ('a') ON CONFLICT DO NOTHING", returning: "id")
            }
        }
    }

    @Test("an error of the body rolls back everything and is rethrown unchanged", arguments: EngineContract.all)
    func undone(_ contract: EngineContract) async throws {
        let database = try contract.database()
        let fail: @Sendable (any WriteTransaction) throws -> Void = { transaction in
            try transaction.run("INSERT INTO kept(words) VALUES ('a')")
            throw Surprise(number: 7)
        }
        #expect(throws: Surprise(number: 7)) { try database.connection.write(fail) }
        await #expect(throws: Surprise(number: 7)) { try await database.connection.write(fail) }
        #expect(throws: Surprise(number: 8)) { try database.connection.read { _ in throw Surprise(number: 8) } }
        await #expect(throws: Surprise(number: 8)) {
            try await database.connection.read { _ in throw Surprise(number: 8) }
        }
        #expect(try database.count("kept") == 0)
        // The connection is as good as before.
        let again: (any WriteTransaction) throws -> Int = { try $0.run("INSERT INTO kept(words) VALUES ('b')") }
        #expect(try database.connection.write(again) == 1)
        #expect(try database.count("kept") == 1)
    }

    @Test("a statement that fails undoes the statements before it in its transaction", arguments: EngineContract.all)
    func failedStatement(_ contract: EngineContract) throws {
        let database = try contract.database()
        try storeError(.uniqueViolation) {
            try database.connection.write { transaction in
                try transaction.run("INSERT INTO parents(name) VALUES ('a')")
                try transaction.run("INSERT INTO parents(name) VALUES ('a')")
            }
        }
        #expect(try database.count("parents") == 0)
    }

    @Test("a transaction goes on after an attempt that failed, and keeps the others", arguments: EngineContract.all)
    func attempts(_ contract: EngineContract) throws {
        let database = try contract.database()
        func add(_ name: String, to transaction: any WriteTransaction) throws {
            try transaction.attempt { _ = try transaction.run("INSERT INTO parents(name) VALUES (\(name))") }
        }
        try database.connection.write { transaction in
            try add("a", to: transaction)
            try storeError(.uniqueViolation) { try add("a", to: transaction) }
            #expect(throws: Surprise(number: 7)) { try transaction.attempt { throw Surprise(number: 7) } }
            try add("b", to: transaction)
        }
        let count = try database.connection.read { transaction in
            try storeError(.sql) { try transaction.attempt { _ = try transaction.rows("SELECT missing FROM parents") } }
            return try transaction.attempt { try transaction.count("SELECT count(*) FROM parents") }
        }
        #expect(count == 2)
    }

    @Test("both variants, waiting and suspending, keep and answer the same", arguments: EngineContract.all)
    func suspending(_ contract: EngineContract) async throws {
        let database = try contract.database()
        let number = try await database.connection.write { transaction in
            try transaction.insert("INSERT INTO kept(words) VALUES ('a')", returning: "id")
        }
        let read = try await database.connection.read { try $0.first("SELECT id FROM kept")?.get("id") as Int64? }
        #expect(read == number)
        #expect(try database.row("SELECT id FROM kept").get("id") == number)
        do {
            try await database.connection.write { _ = try $0.run("INSERT INTO parents(name) VALUES (NULL)") }
            Issue.record("nothing was thrown")
        } catch let error as StoreError {
            #expect(error.kind == .constraintViolation)
        }
    }

    @Test("every kind of refused row has its kind of error, without the row's values", arguments: EngineContract.all)
    func constraints(_ contract: EngineContract) throws {
        let database = try contract.database()
        try database.connection.write { transaction in
            try transaction.run("INSERT INTO parents(id, name) VALUES (4711, 's3cret')")
            try transaction.run("INSERT INTO children(parent_id) VALUES (4711)")
        }
        let refused: [(Query, StoreError.Kind)] = [
            ("INSERT INTO parents(name) VALUES (\("s3cret"))", .uniqueViolation),
            ("INSERT INTO parents(id, name) VALUES (\(4711), 'other')", .uniqueViolation),
            ("INSERT INTO children(parent_id) VALUES (\(4712))", .foreignKeyViolation),
            ("DELETE FROM parents WHERE id = \(4711)", .foreignKeyViolation),
            ("UPDATE parents SET id = \(4713) WHERE id = \(4711)", .foreignKeyViolation),
            ("INSERT INTO parents(name) VALUES (\("forbidden"))", .constraintViolation),
            ("INSERT INTO parents(name) VALUES (NULL)", .constraintViolation),
        ]
        for (query, kind) in refused {
            let error = try storeError(kind) { try database.connection.write { _ = try $0.run(query) } }
            let text = String(reflecting: error)
            #expect(!text.contains("s3cret") && !text.contains("471"), "\(text)")
            #expect((error.engineCode != nil) == contract.numbersErrors && !error.message.isEmpty)
        }
    }

    @Test("invalid SQL is an error of a separate kind", arguments: EngineContract.all)
    func wrongSQL(_ contract: EngineContract) throws {
        let database = try contract.database()
        for query in ["SELECT * FROM nowhere", "SELEKT 1", "SELECT nothing FROM kept"] as [Query] {
            try storeError(.sql) { _ = try database.connection.read { try $0.rows(query) } }
        }
    }

    @Test("a reading transaction cannot write in any way", arguments: EngineContract.all)
    func readGrant(_ contract: EngineContract) throws {
        let database = try contract.database()
        // `any ReadTransaction` has no `run`: this is the compiler's part. SQL that writes is the engine's.
        for mode in [OpenMode.existing, .readOnly, .untrusted] {
            let connection = try database.open(as: mode)
            let writing: [Query] = [
                "INSERT INTO kept(words) VALUES ('a') RETURNING id", "DELETE FROM kept", "DROP TABLE kept",
                "CREATE TABLE more(a INTEGER)",
            ]
            for query in writing {
                let error = try storeError { _ = try connection.read { try $0.rows(query) } }
                #expect([.readOnly, .denied].contains(error.kind), "\(mode) \(error.kind): \(error)")
            }
            if mode != .existing {
                let error = try storeError {
                    try connection.write { _ = try $0.run("INSERT INTO kept(words) VALUES ('a')") }
                }
                #expect([.readOnly, .denied].contains(error.kind), "\(mode) \(error.kind): \(error)")
            }
            try connection.close()
        }
        #expect(try database.count("kept") == 0)
    }

    @Test("a walk ends with the body's error, and the next one begins anew", arguments: EngineContract.all)
    func walk(_ contract: EngineContract) throws {
        let database = try contract.database()
        try database.connection.write { transaction in
            for number in 1...5 { try transaction.run("INSERT INTO kept(whole) VALUES (\(number))") }
            var seen: [Int] = []
            #expect(throws: Surprise(number: 3)) {
                try transaction.forEach("SELECT whole FROM kept ORDER BY whole") { row in
                    let number: Int = try row.get("whole")
                    seen.append(number)
                    if number == 3 { throw Surprise(number: 3) }
                }
            }
            #expect(seen == [1, 2, 3])
            seen = []
            try transaction.forEach("SELECT whole FROM kept ORDER BY whole") { seen.append(try $0.get("whole")) }
            #expect(seen == [1, 2, 3, 4, 5])
        }
    }

    @Test("a walk is not disturbed by the same query asked inside it", arguments: EngineContract.all)
    func walkInWalk(_ contract: EngineContract) throws {
        let database = try contract.database()
        try database.connection.write { transaction in
            for number in 1...3 { try transaction.run("INSERT INTO kept(whole) VALUES (\(number))") }
        }
        try database.connection.read { transaction in
            func above(_ number: Int) -> Query { "SELECT whole FROM kept WHERE whole > \(number) ORDER BY whole" }
            var pairs: [[Int]] = []
            try transaction.forEach(above(0)) { outer in
                let number: Int = try outer.get("whole")
                guard pairs.count < 20 else { throw Surprise(number: number) }
                try transaction.forEach(above(number)) { pairs.append([number, try $0.get("whole")]) }
            }
            #expect(pairs == [[1, 2], [1, 3], [2, 3]])
        }
    }
}
