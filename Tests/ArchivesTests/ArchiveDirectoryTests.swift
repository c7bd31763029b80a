import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBArchives

/// The list of the entries of an archive, as several programs write it. Rule: docs/support.md, "An archive".
@Suite struct ArchiveDirectoryTests {
    @Test("an archive of every program has the same contents")
    func good() throws {
        let names = try TestArchives.names(in: "good")
        try #require(names.count >= 8)
        for name in names {
            let contents = try ArchiveContents(of: ArchiveReader(TestArchives.path(name)))
            #expect(contents.missing.isEmpty, "\(name)")
            #expect(
                contents.databases[.chat]?.size == 600_000 && contents.databases[.agent]?.size == 150_001, "\(name)")
            #expect(contents.files.count == 4 && contents.files.bytes == 70_000 + 8_000 + 10, "\(name)")
            #expect(contents.assets.count == 1 && contents.assets.bytes == 20_000, "\(name)")
            #expect(contents.others.count == 0 && contents.otherNames.isEmpty, "\(name)")
            #expect(contents.bytes == 848_011, "\(name)")
        }
    }

    @Test(
        "a cut archive says what is missing",
        arguments: [
            ("end", "archiveTruncated", "the end of the archive is missing"),
            ("list", "archiveTruncated", "begins with simplex_v1_chat.db (whole), simplex_v1_agent.db (whole)"),
            ("middle", "archiveTruncated", "what is there begins with simplex_v1_chat.db (cut)"),
            ("start", "archiveTruncated", "the end of the archive is missing"),
            ("beginning", "archiveTruncated", "5000 bytes are missing before the list"),
            ("inside", "archiveTruncated", "4096 bytes are missing before the list"),
        ])
    func cut(_ name: String, _ code: String, _ text: String) throws {
        let path = try TestArchives.path("cut/\(name)")
        let error = try #require(throws: ArchiveError.self) { try ArchiveReader(path) }
        #expect(error.code == code && error.message.contains(text), "\(error)")
        #expect(error.message.hasPrefix(path))
    }

    @Test("what is no file, or cannot be read, has a reason of its own")
    func noFile() throws {
        let folder = try TemporaryFolder()
        #expect(throws: ArchiveError(folder.file("no"), .missing)) { try ArchiveReader(folder.file("no")) }
        #expect(throws: ArchiveError("a\0b", .missing)) { try ArchiveReader("a\0b") }
        #expect(throws: ArchiveError(folder.path, .notAFile(.directory))) { try ArchiveReader(folder.path) }
        mkfifo(folder.file("pipe"), 0o600)
        #expect(throws: ArchiveError(folder.file("pipe"), .notAFile(.fifo))) { try ArchiveReader(folder.file("pipe")) }
        #expect(!ArchiveReader.isArchive(folder.file("pipe")) && !ArchiveReader.isArchive(folder.file("no")))
        #expect(ArchiveReader.isArchive(try TestArchives.path("good/stored")))
        #expect(ArchiveReader.isArchive(try TestArchives.path("hostile/empty")))
        #expect(!ArchiveReader.isArchive(try TestArchives.path("hostile/no-archive")))
    }

    @Test("limits of entries, of the list and of all contents hold")
    func limits() throws {
        let path = try TestArchives.path("good/deflated")
        func code(_ change: (inout ArchiveLimits) -> Void) -> String? {
            var limits = ArchiveLimits()
            change(&limits)
            do throws(ArchiveError) {
                _ = try ArchiveReader(path, limits)
                return nil
            } catch {
                return error.code
            }
        }
        #expect(code { $0.entries = 7 } == nil && code { $0.contents = 848_011 } == nil)
        #expect(code { $0.entries = 6 } == "archiveBeyondLimits")
        #expect(code { $0.list = 400 } == "archiveBeyondLimits")
        #expect(code { $0.contents = 848_010 } == "archiveBeyondLimits")
    }

    @Test("very many entries are read quickly, and more than 150,000 are refused", arguments: [150_000, 150_001])
    func many(_ count: Int) throws {
        let folder = try TemporaryFolder()
        var (local, list) = ([UInt8](), [UInt8]())
        func short(_ number: Int) -> [UInt8] {
            [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
        }
        func word(_ number: Int) -> [UInt8] { short(number) + short(number >> 16) }
        for number in 0..<count {
            let name = Array(String(number).utf8)
            list += word(0x0201_4B50) + short(20) + short(20) + [UInt8](repeating: 0, count: 20)
            list += short(name.count) + [UInt8](repeating: 0, count: 12) + word(local.count) + name
            local += word(0x0403_4B50) + [UInt8](repeating: 0, count: 22) + short(name.count) + short(0) + name
        }
        let place = local.count + list.count
        var end = word(0x0606_4B50) + word(44) + word(0) + short(45) + short(45) + word(0) + word(0)
        for number in [count, count, list.count, local.count] { end += word(number) + word(0) }
        end += word(0x0706_4B50) + word(0) + word(place) + word(0) + word(1)
        end += word(0x0605_4B50) + short(0) + short(0) + short(0xFFFF) + short(0xFFFF) + word(-1) + word(-1) + short(0)
        try Data(local + list + end).write(to: URL(fileURLWithPath: folder.file("many.zip")))
        let start = ContinuousClock.now
        if count <= 150_000 {
            #expect(try ArchiveReader(folder.file("many.zip")).directory.entries.count == count)
        } else {
            let error = try #require(throws: ArchiveError.self) { try ArchiveReader(folder.file("many.zip")) }
            #expect(error.code == "archiveBeyondLimits", "\(error)")
        }
        #expect(ContinuousClock.now - start < .seconds(60))
    }

    @Test("a name of an entry is shown escaped and shortened, unless it is a database's")
    func shownNames() {
        #expect(ArchiveName.shown("simplex_v1_chat.db".utf8) == "simplex_v1_chat.db")
        #expect(ArchiveName.shown("a\u{1b}[2J\"é".utf8) == "\"a?[2J???\"")
        #expect(
            ArchiveName.shown(String(repeating: "x", count: 41).utf8) == "\"\(String(repeating: "x", count: 40))…\"")
    }
}
