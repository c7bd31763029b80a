import ChatDBKit
import Foundation
import Synchronization
import TestKit
import Testing

/// The connection and the server's process end at every statement of a copy: the place of the copy has nothing of the
/// store, or everything. A client that is killed is a connection that ends; `CopyKilledToolTests` kills the tool.
@Suite(.enabled(if: PostgresServer.isSupported, "needs PostgreSQL"), .timeLimit(.minutes(60))) struct CopyKillTests {
    /// What ends at a statement: one of the two, and under `make torture` both.
    private static func victims(at statement: Int) -> [StatementProxy.Victim] {
        let both: [StatementProxy.Victim] = [.connection, .server]
        return FaultSample.isTortured ? both : [both[statement % 2]]
    }

    /// Every ninth statement; under `make torture` each of them.
    private static let step = FaultSample.isTortured ? 1 : 9

    /// Runs a copy with an end at each of these statements in turn, until no statement is left. Returns the names of
    /// the statements. `check` gets the result, and says whether the copy may be tried again.
    private func atEachStatement(
        of world: CopyWorld, _ copy: (StatementProxy) throws -> StoreCopy,
        _ check: (_ result: Result<CopyReport, any Error>, _ fault: Comment) throws -> Void
    ) throws -> [String] {
        let proxy = try world.server.statementProxy()
        var names: [String] = []
        while true {
            let statement = names.count * Self.step
            var name: String?
            for victim in Self.victims(at: names.count) {
                try proxy.kill(victim, at: statement)
                let result = Result { try copy(proxy).run() }
                name = try proxy.state().killedAt
                try check(result, "the \(victim.rawValue) at statement \(statement), \(name ?? "after the end")")
            }
            guard let name else { return names }
            names.append(name)
        }
    }

    @Test("the connection or the server's process ends at each statement of a copy to a server: nothing, or everything")
    func toServer() throws {
        let world = try CopyWorld()
        try world.fillLittle()
        let before = try world.dump(world.files.location)
        let names = try atEachStatement(of: world, { try world.patientlyToServer(through: $0) }) { result, fault in
            switch result {
            case .success(let report):
                // Nothing ended, or chatdb connected again: before the first change, or after the commit.
                #expect(report.hasMoved && report.rows == 10, fault)
                #expect(try world.sql("SELECT count(*) FROM made_agent.messages") == "2", fault)
                #expect(try world.marksInFiles() == 2, fault)
                try world.forgetServer()
            case .failure(let error):
                #expect((error as? any ChatDBError)?.info.kind == .unavailable, "\(fault): \(error)")
                #expect(try world.isEmpty(), fault)
                #expect(try world.marksInFiles() == 0, fault)
            }
        }
        #expect(try world.dump(world.files.location) == before)
        requireEveryKind(names)
        let parts = names.filter { $0 == "rows" }.count
        #expect(parts >= 8 || Self.step > 1, "the first table of each database comes in two parts")
    }

    @Test("the connection or the server's process ends at each statement of a copy to files: no file, or everything")
    func toFiles() throws {
        let world = try CopyWorld()
        try world.fillLittle()
        let before = try world.dump(world.files.location)
        _ = try world.patientlyToServer().run()
        let names = try atEachStatement(of: world, { try world.patientlyToFiles(through: $0) }) { result, fault in
            switch result {
            case .success(let report):
                #expect(report.hasMoved && !report.wasThere, fault)
                #expect(try world.dump(world.back) == before, fault)
                #expect(try world.marksOnServer() == 2, fault)
            case .failure(CopyError.notMarked):
                // The next copy compares the rows, and sets the mark.
                #expect(try world.dump(world.back) == before, fault)
                #expect(try world.marksOnServer() == 0, fault)
                #expect(try world.patientlyToFiles().run().wasThere, fault)
                #expect(try world.marksOnServer() == 2, fault)
            case .failure(let error):
                #expect((error as? any ChatDBError)?.info.kind == .unavailable, "\(fault): \(error)")
                #expect(try world.filesOfCopy() == [], fault)
                #expect(try world.marksOnServer() == 0, fault)
            }
            try world.forgetFiles()
        }
        requireEveryKind(names)
        let rows = names.filter { $0 == "row of the server" }.count
        #expect(rows >= 10 || Self.step > 1, "the server sends ten rows")
    }

    private func requireEveryKind(_ names: [String]) {
        #expect(names.count * Self.step > 50 && names.contains("execution"), "\(names)")
        guard Self.step == 1 else { return }
        for kind in ["query: BEGIN", "query: COPY", "query: COMMIT"] {
            #expect(names.contains { $0.hasPrefix(kind) }, "no \(kind) in \(names)")
        }
    }

    @Test("the server crashes when all rows are there, and starts again: it has nothing, and the next copy is complete")
    func crash() throws {
        let world = try CopyWorld()
        try world.fillLittle()
        let server = try OwnServer()
        let place = StoreLocation(server: try ServerStore(server.uri() + "&store=made"))
        let source = try world.context(of: world.files.location)
        var target = try world.context(of: place)
        let crashes = Mutex(0)
        target.progress = { progress in
            guard case .copying(.chat, .verifying) = progress else { return }
            let number = crashes.withLock { count in
                count += 1
                return count
            }
            if number == 1 { try? server.stop(.immediate) }
        }
        let copy = StoreCopy(from: source, to: target)
        let error = #expect(throws: (any Error).self) { _ = try copy.run() }
        #expect((error as? any ChatDBError)?.info.kind == .unavailable, "\(String(describing: error))")
        #expect(try world.marksInFiles() == 0)
        try server.start()
        #expect(try server.psql("SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'made\\_%'") == "0")
        #expect(try copy.run().rows == 10)
        #expect(try world.marksInFiles() == 2)
    }

    // MARK: The commits

    @Test("a connection cut at the COMMIT of a copy is told as what it was", arguments: PostgresProxy.Moment.allCases)
    func commit(_ moment: PostgresProxy.Moment) throws {
        let world = try CopyWorld()
        try world.fillLittle()
        let proxy = try world.server.proxy(cutting: moment)
        defer { withExtendedLifetime(proxy) {} }
        let copy = try world.patientlyToServer(cutting: proxy)
        switch moment {
        case .before:
            let error = #expect(throws: (any Error).self) { _ = try copy.run() }
            #expect((error as? any ChatDBError)?.info.kind == .unavailable, "\(String(describing: error))")
            #expect(try world.isEmpty())
            #expect(try world.marksInFiles() == 0)
        case .after:
            #expect(try copy.run().hasMoved)
            #expect(try world.sql("SELECT count(*) FROM made_chat.people") == "2")
            #expect(try world.marksInFiles() == 2)
        }
    }

    @Test("a connection cut at the COMMIT of the mark is told as what it was", arguments: PostgresProxy.Moment.allCases)
    func mark(_ moment: PostgresProxy.Moment) throws {
        let world = try CopyWorld()
        try world.fillLittle()
        let before = try world.dump(world.files.location)
        _ = try world.patientlyToServer().run()
        let proxy = try world.server.proxy(cutting: moment)
        defer { withExtendedLifetime(proxy) {} }
        let copy = try world.patientlyToFiles(cutting: proxy)
        switch moment {
        case .before:
            let error = #expect(throws: CopyError.self) { _ = try copy.run() }
            #expect(error?.info.code == "notMarked" && error?.info.kind == .unavailable)
            #expect(try world.marksOnServer() == 0)
        case .after:
            #expect(try copy.run().hasMoved)
            #expect(try world.marksOnServer() == 2)
        }
        #expect(try world.dump(world.back) == before)
    }
}
