import ChatDBKit
import Foundation
import TestKit
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A change of a store of SimpleX Chat with a fault at every operation on a file. `make torture` tries every operation,
/// the suite a sample. Rule: docs/simplex.md, "Writing relays and servers".
@Suite(
    "Torture of writing into a store of SimpleX Chat", .timeLimit(.minutes(300)),
    .enabled(if: (try? FaultShimLibrary.find()) != nil, "needs Linux"))
struct SimplexTortureTests {
    /// The schema and the rows of a store, without the times of the written tables, and the modes of its files.
    private struct Content: Hashable {
        let schema: [String]
        let chat: [String]
        let agent: [UInt8]
        let modes: [Int]

        init(_ folder: URL) throws {
            let location = try StoreLocation(prefix: folder.path + "/simplex_v1")
            // As the app does: SQLite rolls back what the journal has.
            let connection = try SQLiteEngine().open(location.path(of: .chat), as: .existing)
            defer { try? connection.close() }
            schema = try connection.read { chat in
                try chat.rows("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY rowid").map {
                    "\($0.values)"
                }
            }
            modes = try DatabaseName.allCases.map { database in
                let attributes = try FileManager.default.attributesOfItem(atPath: location.path(of: database))
                return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? -1
            }
            chat = try connection.read { chat in
                let tables = try chat.rows(
                    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name")
                return try tables.flatMap { table -> [String] in
                    let name: String = try table.get("name")
                    let isWritten = AppTable(rawValue: name) != nil
                    return try chat.rows("SELECT * FROM \(identifier: name)").map { row in
                        let values = zip(row.columns.names, row.values).filter {
                            !isWritten || !["created_at", "updated_at"].contains($0.0)
                        }
                        return "\(name) \(values.map { "\($0.1)" })"
                    }.sorted()
                }
            }
            let check = try connection.read { try $0.rows("PRAGMA integrity_check").map { "\($0.values)" } }
            guard check.count == 1, check[0].contains("ok") else { throw Failed(what: "\(check)") }
            agent = Array(try Data(contentsOf: URL(fileURLWithPath: location.path(of: .agent))))
        }
    }

    /// Writes as the app does at its start, which ends with a journal that another program has left.
    private static func startApp(in folder: URL) throws {
        let location = try StoreLocation(prefix: folder.path + "/simplex_v1")
        let connection = try SQLiteEngine().open(location.path(of: .chat), as: .existing)
        defer { try? connection.close() }
        try connection.write { _ = try $0.run("UPDATE server_operators SET updated_at = datetime('now')") }
    }

    private struct Failed: Error { let what: String }

    private static let errors = [ENOSPC, EIO].flatMap { errno in
        [Fault.fail(errno: errno, sticky: false), .fail(errno: errno, sticky: true), .failHalfway(errno: errno)]
    }

    @Test(
        """
        after a kill, an error or a power cut at any operation the store is that of before or of after, the agent's \
        file has the same bytes, and after a start of the app the same command makes the change
        """)
    func everyOperation() throws {
        let phone = try SimplexPhone()
        let file = phone.run.file("list.txt")
        try Data("\(SimplexPhone.server)\n\(SimplexPhone.relay)\n".utf8).write(to: URL(fileURLWithPath: file))
        let command = FaultCommand(try BuiltTool.find()) {
            ["preset", "import", $0.path + "/list.txt", "--yes", "--format", "json", "-d", $0.path + "/simplex_v1"]
        }
        let seed = URL(fileURLWithPath: phone.run.folder.path)
        let old = try Content(seed)
        let done = try ToolRun()
        let made = URL(fileURLWithPath: done.file("made"))
        try FileManager.default.copyItem(at: seed, to: made)
        let reference = try FaultRun(
            command, in: made, scratch: URL(fileURLWithPath: done.file("scratch")), plan: .count
        ).run()
        #expect(reference.termination == .exit(0), "\(reference.errors)")
        let new = try Content(made)
        #expect(new != old && new.agent == old.agent)
        let campaign = FaultCampaign(
            command: command, seedFolder: seed, sample: .everyIfTortured(else: 5),
            check: { folder, fault in
                // A program that another test is starting can seem to have the store open.
                if fault.termination == .exit(75) { return .whole("not tried") }
                let found = try Content(folder)
                guard found == old || found == new else { return .damaged("neither of before nor of after") }
                guard found.agent == old.agent else { return .damaged("the agent's file was changed") }
                let isNew = found == new
                let text = fault.output + fault.errors
                if isNew, text.contains("Nothing was changed.") { return .damaged("it said that nothing was changed") }
                if !isNew, fault.finished || text.contains("\"applied\"") { return .lost("it said it was done") }
                let backups =
                    (try? FileManager.default.contentsOfDirectory(atPath: folder.path + "/simplex_v1.backups"))
                let isSaved = (backups ?? []).contains {
                    FileState(at: folder.path + "/simplex_v1.backups/\($0)/backup.json") != .missing
                }
                if isNew, !isSaved { return .damaged("changed without a backup") }
                try Self.startApp(in: folder)
                let scratch = folder.deletingLastPathComponent().appendingPathComponent("next")
                var next = try FaultRun(command, in: folder, scratch: scratch, plan: .count).run()
                for _ in 0..<5 where next.termination == .exit(75) {
                    next = try FaultRun(command, in: folder, scratch: scratch, plan: .count).run()
                }
                guard next.termination == .exit(0), try Content(folder) == new else {
                    return .damaged("the next run: \(next.errors)")
                }
                return .whole(isNew ? "after" : "before")
            })
        let summary = try campaign.run(
            [.kill, .tear, .powerCut(variants: FaultSample.isTortured ? 12 : 3)]
                + (FaultSample.isTortured
                    ? Self.errors : [.fail(errno: EIO, sticky: true), .failHalfway(errno: ENOSPC)]))
        if FaultSample.isTortured { FileHandle.standardOutput.write(Data("\n== simplex\n\(summary)\n".utf8)) }
        #expect(summary.isClean, "\(summary)")
        #expect(summary.count(of: "before") > 0 && summary.count(of: "after") > 0, "\(summary)")
        let tried = summary.count(of: "before") + summary.count(of: "after")
        #expect(summary.count(of: "not tried") * 4 <= tried, "\(summary)")
    }

    @Test("a kill or an error at the last operations, which commit, leaves the store of before or of after")
    func commit() throws {
        let phone = try SimplexPhone()
        let command = FaultCommand(try BuiltTool.find()) {
            ["relay", "disable", "mine", "--format", "json", "-d", $0.path + "/simplex_v1"]
        }
        let seed = URL(fileURLWithPath: phone.run.folder.path)
        let old = try Content(seed)
        let campaign = FaultCampaign(
            command: command, seedFolder: seed, sample: FaultSample.isTortured ? .every : .last(10),
            check: { folder, fault in
                if fault.termination == .exit(75) { return .whole("not tried") }
                let found = try Content(folder)
                guard found.agent == old.agent else { return .damaged("the agent's file was changed") }
                if found == old {
                    return fault.finished ? .lost("it said it was done") : .whole("before")
                }
                let location = try StoreLocation(prefix: folder.path + "/simplex_v1")
                let connection = try SQLiteEngine().open(location.path(of: .chat), as: .readOnly)
                defer { try? connection.close() }
                let enabled = try connection.read {
                    try $0.count("SELECT enabled FROM chat_relays WHERE chat_relay_id = 2")
                }
                guard enabled == 0, found.schema == old.schema, found.modes == old.modes,
                    Set(found.chat).symmetricDifference(old.chat).count == 2
                else {
                    return .damaged("neither of before nor of after")
                }
                if fault.errors.contains("Nothing was changed.") {
                    return .damaged("it said that nothing was changed")
                }
                return .whole("after")
            })
        let summary = try campaign.run([.kill, .fail(errno: EIO, sticky: true), .powerCut(variants: 3)])
        #expect(summary.isClean, "\(summary)")
        #expect(summary.count(of: "before") > 0 && summary.count(of: "after") > 0, "\(summary)")
        let tried = summary.count(of: "before") + summary.count(of: "after")
        #expect(summary.count(of: "not tried") * 4 <= tried, "\(summary)")
    }
}
