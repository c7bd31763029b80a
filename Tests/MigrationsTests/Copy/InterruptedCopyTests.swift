import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBMigrations

/// What is left of an interrupted copy to files is no store: only the same copy goes on. Rule: docs/copying.md, "Two
/// commands".
@Suite(.enabled(if: PostgresServer.isSupported, "needs PostgreSQL"), .timeLimit(.minutes(60)))
struct InterruptedCopyTests {
    /// A store on a server, and beside the files the record of a copy that was interrupted.
    private func interrupted(storeID: String? = nil) throws -> (CopyWorld, StoreCopy) {
        let world = try CopyWorld()
        try world.fill()
        _ = try world.toServer().run()
        let copy = try world.toFiles()
        let id = try world.sql("SELECT store_id FROM made_chat.store")
        try IntentRecord(
            run: "run", startedAt: "2030-01-02T10:00:00Z", creates: true, storeID: storeID ?? id, generation: 3,
            courses: [
                .agent: .init(from: nil, to: "x", steps: []), .chat: .init(from: nil, to: "x", steps: []),
            ], backup: nil, copiedFrom: copy.source.location.prefix
        ).write(copy.target.location.intentPath)
        return (world, copy)
    }

    @Test("a migration makes no store in the place of an interrupted copy, and the same copy completes it")
    func migration() throws {
        let (world, copy) = try interrupted()
        defer { withExtendedLifetime(world) {} }
        #expect {
            _ = try Migrator(copy.target).run()
        } throws: {
            ($0 as? MigrationFailure)?.error.code == "interruptedMigration"
        }
        let error = #expect(throws: MigrationError.self) {
            _ = try Migrator(copy.target).plan()
        }
        let text = error?.info.message ?? ""
        #expect(text.contains("a copy of \(copy.source.location.prefix) to this place"), "\(text)")
        #expect(try copy.run().hasMoved)
        #expect(FileState(at: copy.target.location.intentPath) == .missing)
    }

    @Test("a copy of another store does not remove what is left")
    func another() throws {
        let (world, copy) = try interrupted(storeID: "another")
        defer { withExtendedLifetime(world) {} }
        let error = #expect(throws: MigrationError.self) { _ = try copy.run() }
        #expect(error?.code == "interruptedMigration")
        #expect(FileState(at: copy.target.location.intentPath) != .missing)
    }
}
