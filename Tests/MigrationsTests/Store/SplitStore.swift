import ChatDBKit
import Foundation
import TestKit

@testable import ChatDBMigrations

/// A store whose run was interrupted between its two commits: agent at one version, chat at the other, and the record.
struct SplitStore {
    let store: SyntheticStore
    let record: IntentRecord

    private typealias Step = SyntheticHistory.Step
    private static let chat = ["t", "u", "v"].enumerated().map { index, table in
        Step(
            ["first", "second", "third"][index], "CREATE TABLE \(table) (id INTEGER PRIMARY KEY, note TEXT) STRICT;",
            down: "-- chatdb: data-loss\nDROP TABLE \(table);")
    }
    private static let agent = ["a", "b", "c"].enumerated().map { index, table in
        Step(
            ["agent_first", "agent_second", "agent_third"][index],
            "CREATE TABLE \(table) (id INTEGER PRIMARY KEY) STRICT;", down: "DROP TABLE \(table);")
    }

    /// The first migrations of both databases, this many.
    static func history(_ count: Int) throws -> [DatabaseName: [Migration]] {
        try SyntheticHistory.make(chat: Array(chat.prefix(count)), agent: Array(agent.prefix(count)))
    }

    /// A store between the versions with these numbers of migrations. The newest table of the chat database has one
    /// row.
    init(from: Int, to: Int) throws {
        store = try SyntheticStore()
        _ = try store.migrator(Self.history(from)).run()
        try store.execute("INSERT INTO \(["t", "u", "v"][from - 1]) VALUES (1, 'kept')")
        let (chat, copy) = (store.location.path(of: .chat), store.folder.file("copy.db"))
        try FileManager.default.copyItem(atPath: chat, toPath: copy)
        let (before, after) = (try Self.history(from), try Self.history(to))
        _ = try store.migrator(after).run()
        try FileManager.default.removeItem(atPath: chat)
        try FileManager.default.moveItem(atPath: copy, toPath: chat)
        var courses: [DatabaseName: IntentRecord.Course] = [:]
        for database in DatabaseName.allCases {
            courses[database] = .init(from: before[database]?.last?.name, to: after[database]?.last?.name, steps: [])
        }
        record = IntentRecord(
            run: "run", startedAt: "2030-01-02T10:00:00Z", creates: false,
            storeID: try store.rows("SELECT store_id FROM store").first ?? "", generation: 2, courses: courses,
            backup: "/backups/one")
        try record.write(store.location.intentPath)
    }

    /// The number of migrations in each database.
    func counts() throws -> [Int] { [try store.applied(.agent).count, try store.applied(.chat).count] }
}
