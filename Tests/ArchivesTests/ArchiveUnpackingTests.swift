import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBArchives

/// What is written to the disk from an archive. Rule: docs/support.md, "An archive".
@Suite struct ArchiveUnpackingTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test("everything is unpacked as Python wrote it, for the owner alone")
    func everything() throws {
        let contents = try TestArchives.files(below: TestArchives.folder().file("contents"))
        for name in try TestArchives.names(in: "good") {
            let target = folder.file("new-" + name.dropFirst(5))
            try TestArchives.unpack(TestArchives.path(name), into: target)
            #expect(try TestArchives.files(below: target) == contents, "\(name)")
            #expect(try mode(target) == 0o700)
            for file in try FileManager.default.subpathsOfDirectory(atPath: target) {
                let mode = try #require(try mode("\(target)/\(file)"))
                #expect(mode == 0o600 || mode == 0o700, "\(file)")
            }
        }
    }

    @Test("the databases alone are unpacked into a private folder, under the names of a store")
    func databases() throws {
        let reader = try ArchiveReader(TestArchives.path("good/deflated"))
        let contents = try ArchiveContents(of: reader)
        let place = try LockedFolder.make(for: .copy, in: folder.path)
        var seen: [Int64] = []
        let paths = try ArchiveUnpacking(reader, contents) { seen.append($0) }.databases(into: place)
        let location = try StoreLocation.resolve(place.path)
        #expect(location.prefix == ArchiveUnpacking.prefix(in: place.path))
        for database in DatabaseName.allCases {
            #expect(paths[database] == location.path(of: database))
            #expect(try mode(location.path(of: database)) == 0o600)
        }
        let written = try TestArchives.files(below: place.path).filter { $0.key != "lock" }
        #expect(written.count == 2 && written.allSatisfy { !$0.value.isEmpty })
        #expect(seen.last == contents.databaseBytes && seen == seen.sorted())
        // A second time, the files exist.
        #expect(throws: StoreError.self) { try ArchiveUnpacking(reader, contents).databases(into: place) }
    }

    @Test("an existing empty folder is used, and stays when the archive is damaged; any other is refused")
    func target() throws {
        let good = try TestArchives.path("good/stored")
        let empty = folder.file("empty")
        try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: false)
        #expect(throws: ArchiveError.self) {
            try TestArchives.unpack(TestArchives.path("hostile/crc"), into: empty)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: empty).isEmpty)
        try TestArchives.unpack(good, into: empty)
        let before = try folder.fingerprint()
        func code(_ path: String) -> String? {
            do {
                try TestArchives.unpack(good, into: path)
                return nil
            } catch {
                return (error as? any ChatDBError)?.code
            }
        }
        #expect(code(empty) == "folderNotEmpty")
        #expect(code(empty + "/simplex_v1_chat.db") == "fileExists")
        #expect(code(folder.file("no/such")) == "cannotWrite" && code("") == "cannotWrite")
        #expect(try folder.fingerprint() == before)
    }

    @Test("a stop on request leaves nothing")
    func stopped() throws {
        let cancellation = Cancellation()
        let reader = try ArchiveReader(TestArchives.path("good/deflated"))
        let unpacking = try ArchiveUnpacking(reader, ArchiveContents(of: reader), cancellation: cancellation) {
            if $0 > 300_000 { cancellation.request() }
        }
        let error = try #require(throws: StoreError.self) { try unpacking.everything(into: folder.file("new")) }
        #expect(error.kind == .interrupted)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test("one database alone is unpacked too")
    func single() throws {
        let path = folder.file("one.zip")
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "python3", "-c",
            "import sys, zipfile; zipfile.ZipFile(sys.argv[1], 'w').writestr('simplex_v1_agent.db', 'a')",
            path,
        ]
        try process.run()
        process.waitUntilExit()
        #expect(try ArchiveContents(of: ArchiveReader(path)).missing == [.chat])
        try TestArchives.unpack(path, into: folder.file("new"))
        #expect(try TestArchives.files(below: folder.file("new")) == ["simplex_v1_agent.db": Data("a".utf8)])
    }
}
