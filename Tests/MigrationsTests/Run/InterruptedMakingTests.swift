import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBMigrations

/// A run interrupted while it created the store, and the files it may have left.
@Suite struct InterruptedMakingTests {
    private typealias Step = SyntheticHistory.Step

    private func history(_ count: Int) throws -> [DatabaseName: [Migration]] {
        let chat = ["t", "u"].enumerated().map { index, table in
            Step(["first", "second"][index], "CREATE TABLE \(table) (id INTEGER PRIMARY KEY) STRICT;")
        }
        let agent = ["a", "b"].enumerated().map { index, table in
            Step(["agent_first", "agent_second"][index], "CREATE TABLE \(table) (id INTEGER PRIMARY KEY) STRICT;")
        }
        return try SyntheticHistory.make(chat: Array(chat.prefix(count)), agent: Array(agent.prefix(count)))
    }

    enum Remains: CaseIterable { case nothing, emptyFile, agentOnly, both }

    @Test("an interrupted creation is finished or started again", arguments: Remains.allCases)
    func making(_ remains: Remains) throws {
        let store = try SyntheticStore()
        let (chat, agent) = (store.location.path(of: .chat), store.location.path(of: .agent))
        var id = "none"
        switch remains {
        case .nothing: break
        case .emptyFile: #expect(FileManager.default.createFile(atPath: agent, contents: Data()))
        case .agentOnly, .both:
            _ = try store.migrator(history(2)).run()
            id = try store.rows("SELECT store_id FROM store").first ?? ""
            if remains == .agentOnly { try FileManager.default.removeItem(atPath: chat) }
        }
        try IntentRecord(
            run: "run", startedAt: "2030-01-02T10:00:00Z", creates: true, storeID: id, generation: 1,
            courses: [
                .agent: .init(from: nil, to: "20300102_agent_second", steps: []),
                .chat: .init(from: nil, to: "20300102_second", steps: []),
            ], backup: nil
        ).write(store.location.intentPath)
        _ = try store.migrator(history(2)).run()
        #expect(try store.applied().count == 2 && store.applied(.agent).count == 2)
        if remains == .both { #expect(try store.rows("SELECT store_id FROM store") == [id]) }
        #expect(FileState(at: store.location.intentPath) == .missing)
    }

    private func creating(_ id: String, _ databases: [DatabaseName]) -> IntentRecord {
        IntentRecord(
            run: "run", startedAt: "2030-01-02T10:00:00Z", creates: true, storeID: id, generation: 1,
            courses: Dictionary(uniqueKeysWithValues: databases.map { ($0, .init(from: nil, to: "x", steps: [])) }),
            backup: nil)
    }

    enum Strange: CaseIterable { case database, text, folder }

    @Test("files that an interrupted creation cannot have left are never removed", arguments: Strange.allCases)
    func strangeFile(_ strange: Strange) throws {
        let store = try SyntheticStore()
        let path = store.location.path(of: .chat)
        switch strange {
        case .database:
            _ = try store.migrator(history(1), only: .chat).run()
            try store.execute("DROP TABLE store", "DROP TABLE migrations", "PRAGMA wal_checkpoint(TRUNCATE)")
        case .text: try Data(repeating: 0x61, count: 10_000).write(to: URL(fileURLWithPath: path))
        case .folder: try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        }
        try creating("id", [.agent, .chat]).write(store.location.intentPath)
        let before = try store.folder.fingerprint()
        #expect {
            _ = try store.migrator(history(2)).run()
        } throws: { error in
            guard case .interruptedMigration(_, let reason)? = (error as? MigrationFailure)?.error else { return false }
            return reason == .foreignFile(path: path)
        }
        #expect(try store.folder.fingerprint().filter { !$0.key.hasSuffix(".lock") } == before)
    }

    @Test("a complete store with later changes stays, although the record of its creation still exists")
    func finishedAndWentOn() throws {
        let store = try SyntheticStore()
        _ = try store.migrator(history(1)).run()
        let id = try store.rows("SELECT store_id FROM store").first ?? ""
        try store.execute("INSERT INTO t VALUES (7)")
        _ = try store.migrator(history(2)).run()
        try creating(id, [.agent, .chat]).write(store.location.intentPath)
        _ = try store.migrator(history(2)).run()
        #expect(try store.rows("SELECT id FROM t") == ["7"])
        #expect(FileState(at: store.location.intentPath) == .missing)
    }

    @Test("the creation of one database starts again; beside the other one, only its own files are removed")
    func makingOne() throws {
        for isOtherThere in [false, true] {
            let store = try SyntheticStore()
            if isOtherThere { _ = try store.migrator(history(2), only: .agent).run() }
            let chat = store.location.path(of: .chat)
            #expect(FileManager.default.createFile(atPath: chat, contents: Data()))
            try creating("id", [.chat]).write(store.location.intentPath)
            #expect(throws: (any Error).self) { try store.migrator(history(2), only: .agent).run() }
            let run = Result { try store.migrator(history(2), only: .chat).run() }
            #expect(FileState(at: store.location.intentPath) == .missing)
            if isOtherThere {
                #expect(throws: MigrationFailure.self) { try run.get() }
                #expect(try FileState(at: chat) == .missing && store.applied(.agent).count == 2)
            } else {
                #expect(try run.get().created && store.applied().count == 2)
            }
        }
    }

    @Test("a record that is not a regular file counts as unreadable", .timeLimit(.minutes(60)))
    func recordIsNoFile() throws {
        let store = try SyntheticStore()
        _ = try store.migrator(history(1)).run()
        #expect(mkfifo(store.location.intentPath, 0o600) == 0)
        #expect { _ = try store.migrator(history(2)).plan() } throws: {
            ($0 as? MigrationError)?.code == "unreadableIntentRecord"
        }
    }

    @Test("a file of another store is never removed, regardless of the record")
    func foreignFile() throws {
        let store = try SyntheticStore()
        _ = try store.migrator(history(2)).run()
        try FileManager.default.removeItem(atPath: store.location.path(of: .agent))
        try IntentRecord(
            run: "run", startedAt: "", creates: true, storeID: "another", generation: 1,
            courses: [.agent: .init(from: nil, to: "x", steps: []), .chat: .init(from: nil, to: "x", steps: [])],
            backup: nil
        ).write(store.location.intentPath)
        #expect { _ = try store.migrator(history(2)).run() } throws: {
            ($0 as? MigrationFailure)?.error.code == "interruptedMigration"
        }
        #expect(try store.applied().count == 2)
    }
}
