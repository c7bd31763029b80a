import ChatDBKit
import Foundation
import TestKit
import Testing

/// The connection, the server's process and the tool end at every statement of a run: the store is as before, or as
/// after. Rule: docs/postgresql.md, "What differs".
@Suite(.enabled(if: PostgresServer.isSupported, "needs PostgreSQL"), .timeLimit(.minutes(60))) struct ServerKillTests {
    private static let second = (
        name: "20260102_second",
        up: """
        ALTER TABLE kept ADD COLUMN note TEXT;
        UPDATE kept SET note = 'noted';
        CREATE INDEX idx_kept_note ON kept (note);
        """, down: String?.none
    )

    /// Every ninth statement, and one of the two victims at each; under `make torture` every statement and both.
    private static let step = FaultSample.isTortured ? 1 : 9

    private static func victims(at statement: Int) -> [StatementProxy.Victim] {
        let both: [StatementProxy.Victim] = [.connection, .server]
        return FaultSample.isTortured ? both : [both[statement % 2]]
    }

    /// The run waits until the server has ended the transaction of a client that is gone.
    private static let patience = 60.0

    private let store: SyntheticServerStore
    private let build: [DatabaseName: [Migration]]
    /// What the store has before the run, and after it.
    private let (before, after): ([String], [String])

    init() throws {
        store = try SyntheticServerStore()
        build = try SyntheticServerStore.build(chat: [Self.second], agent: [Self.second])
        _ = try store.migrator(SyntheticServerStore.build()).run()
        before = try Self.contents(store)
        _ = try store.migrator(build).run()
        after = try Self.contents(store)
        try undo()
        try #require(Self.contents(store) == before)
    }

    /// The time of a migration, in the list of applied ones.
    private static var time: Regex<Substring> { #/20\d\d-\d\d-\d\d \d\d:\d\d:\d\d\S*/# }

    /// Makes the store as it was before the run.
    private func undo() throws {
        for database in DatabaseName.allCases {
            try store.sql(
                """
                ALTER TABLE made_\(database).kept DROP COLUMN note;
                DELETE FROM made_\(database).migrations WHERE name = '\(Self.second.name)';
                UPDATE made_\(database).store SET generation = 1;
                """)
        }
    }

    /// The contents of the store without times, sorted: rows that were changed stand at another place.
    private static func contents(_ store: SyntheticServerStore) throws -> [String] {
        try store.contents().replacing(time, with: "").split(separator: "\n").map(String.init).sorted()
    }

    /// Whether the store is as after the run, which is undone then. It may only be that or as before.
    private func isMigrated(_ fault: Comment) throws -> Bool {
        let now = try Self.contents(store)
        if now == before { return false }
        #expect(now.difference(from: after).isEmpty, fault)
        try undo()
        return true
    }

    @Test("the connection or the server's process ends at each statement of a run: nothing is changed, or everything")
    func eachStatement() throws {
        let proxy = try store.server.statementProxy()
        let place = try store.location(through: proxy)
        var names: [String] = []
        while true {
            var name: String?
            let statement = names.count * Self.step
            for victim in Self.victims(at: names.count) {
                try proxy.kill(victim, at: statement)
                let result = Result { try store.migrator(build, at: place, patience: Self.patience).run() }
                name = try proxy.state().killedAt
                let fault: Comment = "the \(victim.rawValue) at statement \(statement), \(name ?? "after the end")"
                switch result {
                case .success(let report):
                    // Nothing ended, or chatdb connected again: before the first change, or at the commit.
                    #expect(report.applied(.chat) == [Self.second.name], fault)
                    #expect(try isMigrated(fault), fault)
                case .failure(let error):
                    let failure = error as? MigrationFailure
                    #expect(failure?.state == .unchanged, "\(fault): \(error)")
                    #expect(failure?.error.info.kind == .unavailable, "\(fault): \(error)")
                    #expect(try !isMigrated(fault), fault)
                }
            }
            guard let name else { break }
            names.append(name)
        }
        #expect(names.count * Self.step > 200 && names.contains("execution"), "\(names)")
        for kind in ["query: BEGIN", "query: COMMIT"] where Self.step == 1 {
            #expect(names.contains { $0.hasPrefix(kind) }, "no \(kind) in \(names)")
        }
    }

    @Test("the tool is killed at each statement of a run: nothing is changed, or everything")
    func tool() throws {
        let folder = try TemporaryFolder()
        for (database, migrations) in build {
            let path = folder.file("\(database)")
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            for one in migrations {
                try one.up.text.write(toFile: "\(path)/\(one.name).up.sql", atomically: false, encoding: .utf8)
            }
        }
        let proxy = try store.server.statementProxy()
        let address = try store.location(through: proxy).prefix
        func end() throws -> Int32 {
            let tool = Process()
            tool.executableURL = try BuiltTool.find()
            tool.arguments = [
                "migrate", "run", "--yes", "--migrations-dir", folder.path, "--no-backup", "-d", address,
            ]
            tool.standardInput = FileHandle.nullDevice
            tool.standardOutput = FileHandle.nullDevice
            tool.standardError = FileHandle.nullDevice
            try tool.run()
            tool.waitUntilExit()
            return tool.terminationStatus
        }
        try proxy.count()
        #expect(try end() == 0)
        let count = try proxy.state().statements
        #expect(try count > 200 && isMigrated("a run without a fault"))
        var migrated: [Int] = []
        for statement in FaultSample.everyIfTortured(else: 15).pick(Array(0..<count)) {
            try proxy.kill(.client, at: statement)
            #expect(try end() == SIGKILL, "statement \(statement)")
            if try isMigrated("statement \(statement)") { migrated.append(statement) }
        }
        // What follows the commit changes nothing.
        #expect(migrated.allSatisfy { $0 > count / 2 }, "\(migrated) of \(count)")
    }

    @Test("a connection cut at the COMMIT is told as what it was", arguments: PostgresProxy.Moment.allCases)
    func commit(_ moment: PostgresProxy.Moment) throws {
        let proxy = try store.server.proxy(cutting: moment)
        let migrator = try store.migrator(build, at: store.location(through: proxy))
        switch moment {
        case .before:
            let failure = #expect(throws: MigrationFailure.self) { try migrator.run() }
            #expect(failure?.state == .unchanged, "\(String(describing: failure))")
            #expect(try Self.contents(store) == before)
        case .after:
            #expect(try migrator.run().applied(.chat) == [Self.second.name])
            #expect(try store.sql("SELECT generation FROM made_chat.store") == "2")
        }
    }
}
