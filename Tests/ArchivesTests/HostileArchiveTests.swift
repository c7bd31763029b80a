import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBArchives

/// Archives made to do harm, or to be read differently by different programs. Rule: docs/support.md, "An archive".
@Suite struct HostileArchiveTests {
    @Test("each trick is refused with its reason, within seconds, and nothing is left on the disk")
    func refused() throws {
        let names = try TestArchives.names(in: "hostile").map { String($0.dropFirst("hostile/".count)) }
        #expect(Set(names) == Set(HostileArchives.refused.keys).union(["bomb-nested"]))
        for (name, expected) in HostileArchives.refused.sorted(by: { $0.key < $1.key }) {
            let folder = try TemporaryFolder()
            let path = try TestArchives.path("hostile/" + name)
            let start = ContinuousClock.now
            let error = try #require(throws: ArchiveError.self, "\(name)") {
                try TestArchives.unpack(path, into: folder.file("new"))
            }
            #expect(error.code == expected.code && error.message.contains(expected.text), "\(name): \(error)")
            #expect(!error.message.utf8.contains { $0 < 0x20 }, "\(name): \(error)")
            #expect(ContinuousClock.now - start < .seconds(10), "\(name)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty, "\(name)")
        }
    }

    @Test("an archive in an archive stays as it is, and what a store does not have is left out")
    func nested() throws {
        let folder = try TemporaryFolder()
        let path = try TestArchives.path("hostile/bomb-nested")
        let contents = try ArchiveContents(of: ArchiveReader(path))
        #expect(contents.others.count == 1 && contents.otherNames == ["\"bomb.zip\""])
        try TestArchives.unpack(path, into: folder.file("new"))
        let files = try TestArchives.files(below: folder.file("new"))
        #expect(Set(files.keys) == ["simplex_v1_chat.db", "simplex_v1_agent.db", "simplex_v1_files/bomb.zip"])
        #expect((files["simplex_v1_files/bomb.zip"]?.count ?? 0) < 100_000)
    }
}
