import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBMigrations

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The adoption of a pair, with a fault at every operation on a file. `make torture` tries every operation, the suite a
/// sample.
@Suite("Torture of baseline", .enabled(if: (try? FaultShimLibrary.find()) != nil, "needs Linux"))
struct BaselineTortureTests {
    private static let errors = [ENOSPC, EIO].flatMap { errno in
        [Fault.fail(errno: errno, sticky: false), .fail(errno: errno, sticky: true), .failHalfway(errno: errno)]
    }

    @Test(
        "after any fault in an adoption no row is lost, and the same command completes it",
        arguments: ["DELETE", "WAL"])
    func adoption(_ journal: String) throws {
        let app = try AppDatabases(journal: journal)
        let content = try app.content()
        let migrations = app.folder.file("migrations")
        for (database, all) in try AppDatabases.build() {
            let folder = "\(migrations)/\(database)"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            for migration in all {
                try migration.up.text.write(
                    toFile: "\(folder)/\(migration.name).up.sql", atomically: false, encoding: .utf8)
            }
        }
        let version = try AppDatabases.first()
        let command = FaultCommand(try BuiltTool.find()) { folder in
            [
                "migrate", "baseline", "--to", version, "--yes", "--format", "json",
                "--migrations-dir", folder.path + "/migrations", "--database", "chat=\(folder.path)/app.sqlite",
                "--database", "agent=\(folder.path)/keys.db",
            ]
        }
        let campaign = FaultCampaign(
            command: command, seedFolder: URL(fileURLWithPath: app.folder.path), sample: .everyIfTortured(else: 4),
            check: { folder, fault in
                let adopted = try Self.adopted(in: folder.path)
                guard try AppDatabases.content(in: folder.path) == content else {
                    return .damaged("the app's rows or schema are not what they were")
                }
                let isWhole = adopted.count == 2
                if fault.finished || fault.output.contains("\"applied\": true"), !isWhole {
                    return .lost("it said that both are adopted")
                }
                if !adopted.isEmpty, fault.errors.contains("Nothing was changed.") {
                    return .damaged("it said that nothing was changed")
                }
                let scratch = folder.deletingLastPathComponent().appendingPathComponent("next")
                let next = try FaultRun(command, in: folder, scratch: scratch, plan: .count).run()
                guard next.termination == .exit(isWhole ? 1 : 0) else {
                    throw Damage(what: "the next adoption ended with \(next.termination): \(next.errors)")
                }
                guard try Self.adopted(in: folder.path).count == 2, try Self.identities(in: folder.path).count == 1
                else { throw Damage(what: "the next adoption did not complete the pair") }
                guard try AppDatabases.content(in: folder.path) == content else {
                    throw Damage(what: "the next adoption changed the app's rows")
                }
                return .whole(isWhole ? "adopted" : adopted.isEmpty ? "as before" : "between")
            })
        let summary = try campaign.run(
            [.kill, .tear, .powerCut(variants: FaultSample.isTortured ? 12 : 3)] + Self.errors)
        report("baseline \(journal)", summary)
        #expect(summary.isClean, "\(summary)")
        #expect(summary.count(of: "as before") > 0, "\(summary)")
    }

    private static func adopted(in folder: String) throws -> [DatabaseName] {
        try DatabaseName.allCases.filter { database in
            try AppDatabases.sql(
                "SELECT count(*) FROM sqlite_master WHERE name = 'store'",
                in: AppDatabases.path(of: database, in: folder)) == "1"
        }
    }

    private static func identities(in folder: String) throws -> Set<String> {
        Set(
            try DatabaseName.allCases.map {
                try AppDatabases.sql(
                    "SELECT store_id, generation FROM store", in: AppDatabases.path(of: $0, in: folder))
            })
    }

    private func report(_ name: String, _ summary: FaultSummary) {
        if FaultSample.isTortured { print("\(name): \(summary)") }
    }
}
