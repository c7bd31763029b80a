import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBArchives

/// The content of an entry, read a part at a time.
@Suite struct EntryStreamTests {
    private func read(_ entry: ArchiveEntry, of reader: ArchiveReader, by size: Int) throws -> Data {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: size, alignment: 1)
        defer { buffer.deallocate() }
        let stream = try reader.stream(of: entry)
        var content = Data()
        while true {
            let count = try stream.read(into: buffer)
            if count == 0 { break }
            content.append(contentsOf: buffer[..<count])
        }
        // A second call after the end has nothing.
        #expect(try stream.read(into: buffer) == 0)
        return content
    }

    @Test("the bytes of every entry are those that Python wrote, with buffers of any size")
    func bytes() throws {
        let contents = try TestArchives.files(below: TestArchives.folder().file("contents"))
        for name in try TestArchives.names(in: "good") {
            let reader = try ArchiveReader(TestArchives.path(name))
            for entry in reader.directory.entries where entry.kind != .folder {
                let expected = contents[String(decoding: reader.directory.name(of: entry), as: UTF8.self)]
                try #require(expected != nil, "\(name)")
                #expect(try read(entry, of: reader, by: 1 << 18) == expected, "\(name)")
            }
        }
        let reader = try ArchiveReader(TestArchives.path("good/deflated"))
        for size in [1, 7, 4_096, 599_999, 600_000, 600_001] {
            let entry = try #require(ArchiveContents(of: reader).databases[.chat])
            #expect(try read(entry, of: reader, by: size) == contents["simplex_v1_chat.db"], "\(size)")
        }
    }

    @Test("reading that takes longer than the archive may take is stopped")
    func time() throws {
        var limits = ArchiveLimits()
        limits.seconds = 0
        limits.bytesPerSecond = 1 << 40
        let reader = try ArchiveReader(TestArchives.path("good/deflated"), limits)
        let entry = try #require(ArchiveContents(of: reader).databases[.chat])
        let error = try #require(throws: ArchiveError.self) { try read(entry, of: reader, by: 1) }
        #expect(error.problem == .tooSlow && error.code == "archiveBeyondLimits")
    }

    @Test("an archive that becomes shorter while it is read is an error, not other bytes")
    func shorter() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("a.zip")
        try FileManager.default.copyItem(atPath: TestArchives.path("good/stored"), toPath: path)
        let reader = try ArchiveReader(path)
        let entry = try #require(ArchiveContents(of: reader).databases[.agent])
        truncate(path, 1_000)
        let error = try #require(throws: ArchiveError.self) { try read(entry, of: reader, by: 4_096) }
        #expect(error.code == "archiveDamaged")
    }
}
