import ChatDBKit
import Foundation
import Synchronization
import TestKit
import Testing

/// A connection under threads, interruption and closing.
@Suite struct ConnectionContractTests {
    @Test("several threads read and write one connection", arguments: EngineContract.all)
    func threads(_ contract: EngineContract) throws {
        let database = try contract.database()
        let failures = Mutex<[String]>([])
        OwnThreads.perform(8) { thread in
            do {
                for number in 0..<25 {
                    if thread.isMultiple(of: 2) {
                        try database.connection.write { transaction in
                            try transaction.run("INSERT INTO kept(whole) VALUES (\(number))")
                            try transaction.run("INSERT INTO kept(whole) VALUES (\(-number))")
                        }
                    } else {
                        let (count, sum) = try database.connection.read {
                            (try $0.count("SELECT count(*) FROM kept"), try $0.count("SELECT sum(whole) FROM kept"))
                        }
                        if !count.isMultiple(of: 2) || sum != 0 { failures.withLock { $0.append("\(count) \(sum)") } }
                    }
                }
            } catch {
                failures.withLock { $0.append("\(error)") }
            }
        }
        #expect(failures.withLock(\.self) == [])
        #expect(try database.count("kept") == 200)
    }

    @Test("several connections to one database see each other's commits whole", arguments: EngineContract.all)
    func severalConnections(_ contract: EngineContract) throws {
        let database = try contract.database()
        let other = try database.open(as: .existing)
        try database.connection.write { transaction throws in
            try transaction.run("INSERT INTO kept(whole) VALUES (1)")
            #expect(try other.read { try $0.count("SELECT count(*) FROM kept") } == 0)
        }
        #expect(try other.read { try $0.count("SELECT count(*) FROM kept") } == 1)
        try other.close()
    }

    @Test(
        "a running query stops on request, and its caller gets the error", .timeLimit(.minutes(60)),
        arguments: EngineContract.all)
    func interrupt(_ contract: EngineContract) async throws {
        let database = try contract.database()
        let isOver = Mutex(false)
        let asking = ThreadResult {
            // Whenever the query begins: the request is repeated until it is over.
            while !isOver.withLock(\.self) {
                database.connection.interrupt()
                sched_yield()
            }
        }
        try storeError(.interrupted) { _ = try database.connection.read { try $0.count(contract.endless) } }
        do {
            _ = try await database.connection.read { try $0.count(contract.endless) }
            Issue.record("nothing was thrown")
        } catch let error as StoreError {
            #expect(error.kind == .interrupted)
        }
        isOver.withLock { $0 = true }
        try asking.value()
        #expect(try database.count("kept") == 0)
    }

    @Test("a closed connection refuses every call and stays closed", arguments: EngineContract.all)
    func closed(_ contract: EngineContract) async throws {
        let database = try contract.database()
        let connection = database.connection
        try connection.close()
        try storeError { _ = try connection.read { try $0.count("SELECT 1") } }
        try storeError { try connection.write { _ = try $0.run("DELETE FROM kept") } }
        await #expect(throws: StoreError.self) { _ = try await connection.read { try $0.count("SELECT 1") } }
        await #expect(throws: StoreError.self) { try await connection.write { _ = try $0.run("DELETE FROM kept") } }
        try storeError { _ = try connection.structure() }
        try storeError { _ = try connection.applicationMark() }
        try storeError { _ = try connection.integrityProblems() }
        try storeError { _ = try connection.rowCount(of: "kept") }
        connection.interrupt()
        try connection.close()
    }

    @Test(
        "a call inside a transaction of the same connection is refused, and the transaction goes on",
        .timeLimit(.minutes(60)), arguments: EngineContract.all)
    func nested(_ contract: EngineContract) throws {
        let database = try contract.database()
        let connection = database.connection
        let calls: [() throws -> Void] = [
            { _ = try connection.read { try $0.count("SELECT 1") } },
            { try connection.write { _ = try $0.run("DELETE FROM kept") } },
            { _ = try connection.structure() }, { _ = try connection.applicationMark() },
            { _ = try connection.integrityProblems() }, { _ = try connection.rowCount(of: "kept") },
            { try connection.copy(to: database.folder.file("copy.db")) }, { try connection.close() },
            { try connection.requireOutsideTransaction() },
        ]
        try connection.requireOutsideTransaction()
        try connection.write { transaction throws in
            try transaction.run("INSERT INTO kept(whole) VALUES (1)")
            for call in calls { #expect(try storeError { try call() }.message.contains("inside a transaction")) }
            try transaction.run("INSERT INTO kept(whole) VALUES (2)")
        }
        try connection.read { transaction throws in
            for call in calls { #expect(try storeError { try call() }.message.contains("inside a transaction")) }
            #expect(try transaction.count("SELECT count(*) FROM kept") == 2)
        }
        #expect(try database.count("kept") == 2)
        #expect(try database.folder.names().contains("copy.db") == false)
    }

    @Test("it is refused inside an asynchronous transaction too", arguments: EngineContract.all)
    func nestedAsynchronous(_ contract: EngineContract) async throws {
        let database = try contract.database()
        let connection = database.connection
        let inner = try await connection.read { _ throws -> StoreError in
            try storeError { _ = try connection.read { try $0.count("SELECT 1") } }
        }
        #expect(inner.message.contains("inside a transaction"))
    }

    @Test("a connection reports facts of its database", arguments: EngineContract.all)
    func facts(_ contract: EngineContract) throws {
        let database = try contract.database()
        _ = try database.connection.write { try $0.run("INSERT INTO kept(whole) VALUES (1), (2)") }
        let connection = database.connection
        #expect(try connection.rowCount(of: "kept") == 2)
        #expect(try connection.integrityProblems().isEmpty)
        #expect(try connection.applicationMark() == nil && connection.notes.isEmpty)
        #expect(try Set(connection.structure().tables.keys) == ["kept", "parents", "children"])
        let now = try #require(
            try connection.read { try $0.first("SELECT \($0.dialect.now) AS now")?.get("now") as String? })
        #expect(now.wholeMatch(of: /\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}/) != nil)
        #expect(try connection.read { try $0.first($0.dialect.tableExists("kept")) } != nil)
        #expect(try connection.read { try $0.first($0.dialect.tableExists("nowhere' OR '1'='1")) } == nil)
    }
}
