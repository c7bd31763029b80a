import Engine
import Foundation
import Schema

extension Verifier {
    /// A rehearsal: brings a private copy of a real store to the build's version, one migration at a time, and answers
    /// what each took. The store itself is only read; the copy goes when it is done, also after an error.
    public func rehearse(_ migrator: Migrator) throws -> Report {
        let folder = NSTemporaryDirectory() + "/chatdb-rehearsal-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let copy = try StoreLocation(prefix: folder + "/copy")
        var report = Report()
        for database in migrator.databases {
            let source = try engine.open(migrator.location.path(of: database), as: .untrusted)
            defer { try? source.close() }
            try source.copy(to: copy.path(of: database))
            try rehearse(migrator.build[database] ?? [], of: database, at: copy.path(of: database), into: &report)
        }
        return report
    }

    private func rehearse(
        _ build: [Migration], of database: DatabaseName, at path: String, into report: inout Report
    ) throws {
        let change = try DatabaseChange(database, path: path, engine: engine)
        defer { change.connection.close() }
        let plan = try DatabasePlan.all(for: .build, ledgers: [database: change.ledger], build: [database: build])
        for step in plan[database]?.steps ?? [] {
            let began = ContinuousClock.now
            try change.perform(step, countingRows: true, cancellation: Cancellation())
            let duration = ContinuousClock.now - began
            let rows = try change.connection.ordinaryTables().reduce(0) {
                $0 + (try change.connection.rowCount(of: $1))
            }
            report.steps.append(
                Step(
                    database: database, migration: step.name, direction: step.direction,
                    milliseconds: Double(duration.components.attoseconds) / 1e15
                        + Double(duration.components.seconds) * 1e3,
                    rows: rows, bytes: try change.connection.size().total))
        }
    }
}
