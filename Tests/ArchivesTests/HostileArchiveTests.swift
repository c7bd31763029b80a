import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBArchives

/// Archives made to do harm, or to be read differently by different programs. Rule: docs/support.md, "An archive".
@Suite struct HostileArchiveTests {
    /// The code and a part of the message, by the name of the archive. An archive without an entry here fails the test.
    private static let expected: [String: (code: String, text: String)] = [
        "parent": ("unsafeArchive", "has . or .. as a part"),
        "parent-alone": ("unsafeArchive", "has . or .. as a part"),
        "dot": ("unsafeArchive", "has . or .. as a part"), "absolute": ("unsafeArchive", "begins at the root"),
        "backslash": ("unsafeArchive", "has a backslash"), "drive": ("unsafeArchive", "the letter of a drive"),
        "nul": ("unsafeArchive", "has a zero byte"), "control": ("unsafeArchive", "has a control character"),
        "empty-part": ("unsafeArchive", "has an empty part"), "empty-name": ("unsafeArchive", "is empty"),
        "long-name": ("unsafeArchive", "more than 1,024 bytes"), "long-part": ("unsafeArchive", "more than 255 bytes"),
        "deep": ("unsafeArchive", "more than 16 parts"), "not-utf8": ("unsafeArchive", "is not UTF-8"),
        "link": ("unsafeArchive", "is a symbolic link"), "link-database": ("unsafeArchive", "is a symbolic link"),
        "device": ("unsafeArchive", "is a device"),
        "duplicate": ("unsafeArchive", "simplex_v1_chat.db more than once"),
        "duplicate-file": ("unsafeArchive", "\"simplex_v1_files/a\" more than once"),
        "overlap": ("unsafeArchive", "belong to another part too"),
        "overlap-part": ("unsafeArchive", "belong to another part too"),
        "overlap-list": ("unsafeArchive", "belong to another part too"),
        "overlap-extra": ("unsafeArchive", "belong to another part too"),
        "bomb": ("archiveBeyondLimits", "more than 1,000 times"),
        "bomb-silent": ("archiveDamaged", "more content than"),
        "size-less": ("archiveDamaged", "more content than"), "size-more": ("archiveDamaged", "less content than"),
        "crc": ("archiveDamaged", "another checksum"), "local-crc": ("archiveDamaged", "list of entries disagree"),
        "local-size": ("archiveDamaged", "list of entries disagree"),
        "local-packed": ("archiveDamaged", "list of entries disagree"),
        "local-method": ("archiveDamaged", "list of entries disagree"),
        "local-flags": ("archiveDamaged", "list of entries disagree"),
        "local-name": ("archiveDamaged", "list of entries disagree"),
        "stored-sizes": ("archiveDamaged", "is stored, and has two sizes"),
        "offset-wrong": ("archiveDamaged", "does not begin where"),
        "offset-far": ("archiveDamaged", "a place outside the file"),
        "offset-list": ("archiveTruncated", "bytes are missing before the list"),
        "list-size": ("archiveTruncated", "bytes are missing before the list"),
        "count-more": ("archiveDamaged", "fewer entries than"), "count-less": ("archiveDamaged", "more entries than"),
        "count-many": ("archiveDamaged", "something else in it"),
        "large-size": ("archiveDamaged", "a place outside the file"),
        "large-place": ("archiveDamaged", "a place outside the file"),
        "large-cut": ("archiveDamaged", "a ZIP64 field that is cut"),
        "encrypted": ("archiveEncrypted", "ZIP encryption"), "aes": ("archiveEncrypted", "AES"),
        "strong": ("archiveEncrypted", "PKWARE's strong encryption"),
        "method-64": ("archiveUnsupported", "compressed with Deflate64"),
        "method-unknown": ("archiveUnsupported", "compressed with method 77"),
        "split": ("archiveUnsupported", "split archive"), "split-entry": ("archiveUnsupported", "split archive"),
        "split-here": ("archiveUnsupported", "split archive"),
        "two-ends": ("unsafeArchive", "it has two ends"),
        "garbage-in-list": ("archiveDamaged", "something else in it"),
        "folder-content": ("archiveDamaged", "is a folder with content"),
        "cut-inflated": ("archiveDamaged", "ends before its content does"),
        "cut-middle": ("archiveDamaged", "ends before its content does"),
        "deflate-garbage": ("archiveDamaged", "simplex_v1_chat.db"),
        "descriptor-wrong": ("archiveDamaged", "the numbers behind its content disagree"),
        "no-databases": ("notAStoreArchive", "has no simplex_v1_chat.db"),
        "empty": ("notAStoreArchive", "has no simplex_v1_chat.db"), "no-archive": ("notAnArchive", "is not a ZIP"),
        "no-bytes": ("notAnArchive", "is not a ZIP"), "signature-alone": ("archiveTruncated", "is cut"),
    ]

    @Test("each trick is refused with its reason, within seconds, and nothing is left on the disk")
    func refused() throws {
        let names = try TestArchives.names(in: "hostile").map { String($0.dropFirst("hostile/".count)) }
        #expect(Set(names) == Set(Self.expected.keys).union(["bomb-nested"]))
        for (name, expected) in Self.expected.sorted(by: { $0.key < $1.key }) {
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
