import ChatDBKit
import Foundation
import TestKit
import Testing

@Suite struct StoreTests {
    @Test("a store with one database missing can be read, and names the missing one")
    func loneDatabase() throws {
        let test = try TestStore()
        try test.addUser("alice")
        try test.store.close()
        try FileManager.default.removeItem(atPath: test.location.path(of: .agent))
        let store = try Store.openForReading(test.location, with: SQLiteEngine())
        #expect(store.missing == [.agent])
        #expect(try store.read { try UsersRepo($0).all().map(\.name) } == ["alice"])
        #expect { try store.read(.agent) { try $0.count("SELECT 1") } } throws: {
            ($0 as? StoreError)?.kind == .missing
        }
        try store.close()
    }

    @Test("writing needs both databases", arguments: DatabaseName.allCases)
    func writingNeedsBoth(_ name: DatabaseName) throws {
        let test = try TestStore()
        try test.store.close()
        try FileManager.default.removeItem(atPath: test.location.path(of: name))
        let error = #expect(throws: StoreError.self) {
            try Store.openForWriting(test.location, with: SQLiteEngine())
        }
        #expect(error?.kind == .missing && error?.message.contains("the \(name) database") == true)
    }

    @Test("without databases, opening a store fails and creates nothing")
    func nothingThere() throws {
        let test = try TestStore()
        let nowhere = try StoreLocation(prefix: test.location.prefix + "-other")
        let reading = #expect(throws: StoreError.self) { try Store.openForReading(nowhere, with: SQLiteEngine()) }
        let writing = #expect(throws: StoreError.self) { try Store.openForWriting(nowhere, with: SQLiteEngine()) }
        #expect(reading?.kind == .missing && writing?.kind == .missing)
        #expect(nowhere.missing.count == 2)
    }

    @Test("a store opened for reading cannot be written")
    func readingCannotWrite() throws {
        let test = try TestStore()
        try test.store.close()
        let store = try Store.openForReading(test.location, with: SQLiteEngine())
        #expect(throws: StoreError.self) {
            try store.write { try $0.run("INSERT INTO server_operators (trade_name) VALUES ('x')") }
        }
        try store.close()
    }

    @Test("the database that is to commit first has committed when the other fails to")
    func commitOrder() throws {
        for order in CommitOrder.allCases {
            let test = try TestStore()
            // A reference that leads nowhere is found at the commit of the chat database.
            #expect(throws: StoreError.self) {
                try test.store.writeBoth(committing: order) { chat, agent in
                    try agent.run("INSERT INTO users (deleted) VALUES (0)")
                    try chat.run(
                        "INSERT INTO users (agent_user_id, contact_id, local_display_name) VALUES (1, 99, 'x')")
                }
            }
            #expect(try test.count("SELECT count(*) FROM users") == 0)
            #expect(
                try test.count("SELECT count(*) FROM users", in: .agent) == (order == .agentFirst ? 1 : 0),
                "\(order)")
        }
    }

    @Test("an error in the work undoes it in both databases", arguments: CommitOrder.allCases)
    func errorUndoesBoth(_ order: CommitOrder) throws {
        struct Stop: Error {}
        let test = try TestStore()
        #expect(throws: Stop.self) {
            try test.store.writeBoth(committing: order) { chat, agent in
                try agent.run("INSERT INTO users (deleted) VALUES (0)")
                try chat.run("INSERT INTO server_operators (trade_name) VALUES ('x')")
                throw Stop()
            }
        }
        #expect(try test.count("SELECT count(*) FROM users", in: .agent) == 0)
        #expect(try test.count("SELECT count(*) FROM server_operators") == 0)
    }

    @Test("callers that commit in different orders take turns, and all finish", .timeLimit(.minutes(60)))
    func ordersAtOnce() throws {
        let test = try TestStore()
        let store = test.store
        try OwnThreads.results(6) { number in
            for _ in 0..<50 {
                switch number % 3 {
                case 0:
                    try store.readBoth { chat, agent in
                        let counts = try [chat, agent].map { try $0.count("SELECT count(*) FROM users") }
                        #expect(counts[0] == 0 && counts[1].isMultiple(of: 2), "\(counts)")
                    }
                case let order:
                    try store.writeBoth(committing: order == 1 ? .chatFirst : .agentFirst) { chat, agent in
                        try chat.run("UPDATE server_operators SET trade_name = trade_name")
                        try agent.run("INSERT INTO users (deleted) VALUES (0), (0)")
                    }
                }
            }
        }.forEach {}
        #expect(try test.count("SELECT count(*) FROM users", in: .agent) == 400)
    }

    @Test("a transaction of both databases inside another one is refused", arguments: DatabaseName.allCases)
    func nested(_ name: DatabaseName) throws {
        let test = try TestStore()
        try test.store.write(name) { _ in
            for order in CommitOrder.allCases {
                #expect(throws: StoreError.self) { try test.store.writeBoth(committing: order) { _, _ in } }
            }
            #expect(throws: StoreError.self) { try test.store.readBoth { _, _ in } }
        }
        try test.store.readBoth { (_, _) -> Void in
            #expect(throws: StoreError.self) { try test.store.readBoth { _, _ in } }
        }
    }

    @Test("the asynchronous methods do the same as the synchronous ones")
    func asynchronously() async throws {
        let test = try TestStore()
        let made = try await test.store.writeBoth(committing: .agentFirst) { chat, agent in
            try UsersWriter(chat).create("alice", agent: agent)
        }
        let (name, agents) = try await test.store.readBoth { chat, agent in
            (try UsersRepo(chat).get(made.id).name, try agent.count("SELECT count(*) FROM users"))
        }
        #expect(name == "alice" && agents == 1)
        #expect(try await test.store.read { try UsersRepo($0).all().count } == 1)
        try await test.store.write { _ = try ChatRelaysWriter($0).add(relay("r.example"), of: made.id) }
        #expect(try test.count("SELECT count(*) FROM chat_relays") == 1)
    }
}
