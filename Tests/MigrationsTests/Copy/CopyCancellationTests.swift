import ChatDBKit
import Synchronization
import TestKit
import Testing

/// A copy that is stopped while it looks for values that the target cannot hold has made nothing. Rule:
/// docs/copying.md, "What is refused".
@Suite(.enabled(if: PostgresServer.isSupported, "needs PostgreSQL"), .timeLimit(.minutes(60)))
struct CopyCancellationTests {
    /// Runs a copy that is asked to stop when it begins to check the messages of a database, and returns what it
    /// reported of the source.
    private func stop(_ copy: StoreCopy, checking database: DatabaseName) -> [MigrationProgress] {
        let stages = Mutex<[MigrationProgress]>([])
        var source = copy.source
        let cancellation = source.cancellation
        source.progress = { progress in
            stages.withLock { $0.append(progress) }
            if progress == .copying(database, .checking(table: "messages")) { cancellation.request() }
        }
        let stopped = StoreCopy(from: source, to: copy.target, options: copy.options)
        #expect(throws: MigrationError.interrupted) { _ = try stopped.run() }
        return stages.withLock { $0 }
    }

    @Test(
        "stopped while it checks files, a copy leaves no mark and nothing on the server, and can be made again",
        arguments: DatabaseName.allCases, [false, true])
    func files(_ database: DatabaseName, _ keepsBoth: Bool) throws {
        let world = try CopyWorld()
        try world.fill()
        let before = try world.dump(world.files.location)
        let stages = stop(try world.toServer { $0.keepsBoth = keepsBoth }, checking: database)
        #expect(stages.last == .copying(database, .checking(table: "messages")))
        #expect(try world.isEmpty())
        #expect(try world.marksInFiles() == 0)
        #expect(try world.dump(world.files.location) == before)
        _ = try StoreGate(world.context(of: world.files.location)).enter()
        try world.files.execute("INSERT INTO people (id, name) VALUES (50, 'after')", in: database)
        let report = try world.toServer { $0.keepsBoth = keepsBoth }.run()
        #expect(report.rows == 6_017 && report.hasMoved == !keepsBoth && !report.wasThere)
        #expect(try world.sql("SELECT name FROM made_\(database).people WHERE id = 50") == "after")
    }

    @Test(
        "stopped while it checks a server, a copy leaves no mark and no files, and can be made again",
        arguments: DatabaseName.allCases)
    func server(_ database: DatabaseName) throws {
        let world = try CopyWorld()
        try world.fill()
        _ = try world.toServer().run()
        let stages = stop(try world.patientlyToFiles(), checking: database)
        #expect(stages.last == .copying(database, .checking(table: "messages")))
        #expect(try world.filesOfCopy() == [])
        #expect(try world.marksOnServer() == 0)
        // It waits until the server has ended the transaction of the copy.
        try world.sql("INSERT INTO made_\(database).people (name) VALUES ('after')")
        _ = try StoreGate(world.context(of: world.place)).enter()
        let report = try world.patientlyToFiles().run()
        #expect(report.rows == 6_017 && report.hasMoved && !report.wasThere)
    }
}
