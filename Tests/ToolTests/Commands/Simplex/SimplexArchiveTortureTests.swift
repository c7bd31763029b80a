import ChatDBKit
import Foundation
import TestKit
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A changed copy of an archive with a fault at every operation on a file. `make torture` tries every operation, the
/// suite a sample. Rule: docs/simplex.md, "From one phone to another".
@Suite(
    "Torture of changed copies of archives of SimpleX Chat", .timeLimit(.minutes(300)),
    .enabled(if: (try? FaultShimLibrary.find()) != nil, "needs Linux"))
struct SimplexArchiveTortureTests {
    private static func bytes(_ folder: URL, _ name: String) -> Data? {
        try? Data(contentsOf: folder.appendingPathComponent(name))
    }

    @Test(
        """
        after a kill, an error or a power cut at any operation the archive has the same bytes, the new one is whole or \
        not there, and an error says that nothing was changed
        """,
        arguments: [
            ["server", "delete", "my.example.org"], ["relay", "delete", "odd"], ["preset", "import", "list.txt"],
        ])
    func everyOperation(_ words: [String]) throws {
        let phone = try SimplexPhone()
        try Data("\(SimplexPhone.server)\n".utf8).write(to: URL(fileURLWithPath: phone.run.file("list.txt")))
        try phone.run.archive(of: "simplex_v1")
        for database in DatabaseName.allCases {
            try FileManager.default.removeItem(atPath: phone.store.location.path(of: database))
        }
        let command = FaultCommand(try BuiltTool.find()) { folder in
            words.map { $0 == "list.txt" ? folder.path + "/list.txt" : $0 }
                + ["--yes", "-d", folder.path + "/archive.zip", "--output", folder.path + "/new.zip"]
        }
        let seed = URL(fileURLWithPath: phone.run.folder.path)
        let old = try #require(Self.bytes(seed, "archive.zip"))
        let names = Set(try FileManager.default.contentsOfDirectory(atPath: seed.path))
        let campaign = FaultCampaign(
            command: command, seedFolder: seed, sample: .everyIfTortured(else: 4),
            check: { folder, fault in
                guard Self.bytes(folder, "archive.zip") == old else { return .damaged("the archive was changed") }
                let isThere = Self.bytes(folder, "new.zip") != nil
                if isThere { try ArchiveReader(folder.path + "/new.zip").verifyAll() }
                if fault.errors.contains("cannot determine") { return .damaged("the state is known: \(fault.errors)") }
                if fault.finished { return isThere ? .whole("after") : .lost("it said it was done") }
                guard case .exit? = fault.termination else { return .whole(isThere ? "after" : "before") }
                if isThere {
                    let isSaid = fault.errors.contains("new.zip is complete, but may not be on the disk.")
                    return isSaid ? .whole("after") : .damaged("there in spite of an error: \(fault.errors)")
                }
                var left = Set(try FileManager.default.contentsOfDirectory(atPath: folder.path)).subtracting(names)
                // Then no file can be removed either.
                if case .fail(_, true) = fault.fault { left = left.filter { !$0.hasPrefix("new.zip.new-") } }
                if !left.isEmpty { return .damaged("left behind: \(left) \(fault.errors)") }
                guard fault.errors.contains("Nothing was ") else { return .damaged("no state: \(fault.errors)") }
                return .whole("before")
            })
        let summary = try campaign.run([
            .kill, .tear, .fail(errno: EIO, sticky: false), .fail(errno: ENOSPC, sticky: true),
            .failHalfway(errno: ENOSPC), .powerCut(variants: FaultSample.isTortured ? 12 : 2),
        ])
        if FaultSample.isTortured { FileHandle.standardOutput.write(Data("\n== archive \(words)\n\(summary)\n".utf8)) }
        #expect(summary.isClean, "\(summary)")
        #expect(summary.count(of: "before") > 0 && summary.count(of: "after") > 0, "\(summary)")
    }
}
