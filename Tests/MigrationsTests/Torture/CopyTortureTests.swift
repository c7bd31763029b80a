import ChatDBKit
import Foundation
import TestKit
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// `chatdb copy` with a fault at every operation on a file. `make torture` tries every operation, the suite a sample.
/// Rule: docs/copying.md, "The store that was copied".
@Suite(
    "Torture of a copy", .timeLimit(.minutes(600)),
    .enabled(
        if: PostgresServer.isSupported && (try? FaultShimLibrary.find()) != nil, "needs Linux and PostgreSQL"))
struct CopyTortureTests {
    @Test("a fault at any operation of a copy to files leaves nothing, a record, or the complete store")
    func files() throws {
        let world = try CopyTortureWorld()
        let command = try world.copy(from: world.server, "--keep-both") { $0.path + "/x" }
        let campaign = FaultCampaign(
            command: command, seedFolder: URL(fileURLWithPath: world.empty.path), sample: .everyIfTortured(else: 3)
        ) { folder, fault in
            let state = try world.stateOfFiles(folder, after: fault)
            let next = try world.run(command, in: folder)
            // The copy of a store that gets no mark is complete, or it is made again.
            let isThere = next.termination == .exit(1) && next.errors.contains("targetExists")
            guard isThere || state != "complete" && next.termination == .exit(0) else {
                throw Damage(what: "the next copy ended with \(next.termination): \(next.errors)")
            }
            try world.requireWhole(folder)
            return .whole(state)
        }
        let summary = try campaign.run([
            .kill, .tear, .fail(errno: EIO, sticky: false), .fail(errno: ENOSPC, sticky: true),
            .powerCut(variants: FaultSample.isTortured ? 12 : 1),
        ])
        world.report("copy to files", summary)
        #expect(summary.isClean, "\(summary)")
    }

    @Test("a copy to files that is killed anywhere is completed by the next one, and only a complete copy is a mark")
    func markOnServer() throws {
        let world = try CopyTortureWorld()
        // Every run begins with a store that has no mark. One run at a time changes it.
        let forget = """
            ALTER TABLE main_chat.store DROP COLUMN IF EXISTS moved_to; \
            ALTER TABLE main_agent.store DROP COLUMN IF EXISTS moved_to
            """
        let place: @Sendable (URL) -> String = { $0.path + "/x" }
        let command = try world.copy(after: forget, from: world.server, to: place)
        let next = try world.copy(from: world.server, to: place)
        let campaign = FaultCampaign(
            command: command, seedFolder: URL(fileURLWithPath: world.empty.path), sample: .everyIfTortured(else: 5),
            workers: 1
        ) { folder, fault in
            let state = try world.stateOfFiles(folder, after: fault)
            let isMarked = try world.isMarkedOnServer()
            if isMarked, state != "complete" { return .damaged("there is a mark, and \(state) of the copy") }
            if fault.finished, !isMarked { return .lost("the run said it was done") }
            let outcome = try world.run(next, in: folder)
            try world.requireCompletion(outcome, isMarked: isMarked, isThere: state == "complete")
            guard try world.isMarkedOnServer() else { throw Damage(what: "the next copy set no mark") }
            try world.requireWhole(folder)
            return .whole(isMarked ? "\(state), with the mark" : state)
        }
        let summary = try campaign.run([.kill, .fail(errno: EIO, sticky: true)])
        world.report("copy to files with its mark", summary)
        #expect(summary.isClean, "\(summary)")
    }

    @Test("a copy to a server that is killed anywhere is completed by the next one, and only a complete copy is a mark")
    func markInFiles() throws {
        let world = try CopyTortureWorld()
        let database = try world.postgres.makeDatabase()
        let place = world.postgres.uri(database: database) + "&store=main"
        let source: @Sendable (URL) -> String = { $0.path + "/x" }
        let command = try world.copy(
            after: "DROP SCHEMA IF EXISTS main_chat, main_agent CASCADE", in: database, from: source, to: { _ in place }
        )
        let next = try world.copy(from: source, to: { _ in place })
        let campaign = FaultCampaign(
            command: command, seedFolder: URL(fileURLWithPath: world.folder.path), sample: .everyIfTortured(else: 6),
            workers: 1
        ) { folder, fault in
            let found = try Fingerprint(StoreLocation(prefix: folder.path + "/x"))
            guard found == world.fingerprint else { return .damaged("the rows of the store are not what they were") }
            let schemas = try world.postgres.psql(
                "SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'main\\_%'", database: database)
            let isThere = schemas.hasPrefix("2")
            guard isThere || schemas.hasPrefix("0") else { return .damaged("a part of the copy is on the server") }
            if fault.finished, !isThere { return .lost("the run said it was done") }
            let outcome = try world.run(next, in: folder)
            let isMarked = outcome.errors.contains("storeMoved")
            if fault.finished, !isMarked { return .lost("the run said that it set the mark") }
            if isMarked, !isThere { return .damaged("there is a mark, and no copy") }
            try world.requireCompletion(outcome, isMarked: isMarked, isThere: isThere)
            return .whole(isMarked ? "copied, with the mark" : isThere ? "copied" : "nothing")
        }
        let summary = try campaign.run([.kill, .tear, .fail(errno: EIO, sticky: true)])
        world.report("copy to a server with its mark", summary)
        #expect(summary.isClean, "\(summary)")
    }
}
