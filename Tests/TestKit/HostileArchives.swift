import Foundation

/// The archives that `archives.py` of the tests of archives makes by hand, to do harm or to be read differently by
/// different programs.
package enum HostileArchives {
    /// The code and a part of the message of the error, by the name of the archive. An archive without an entry here
    /// fails the test, except `bomb-nested`, which is read as any other.
    package static let refused: [String: (code: String, text: String)] = [
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
        "journal": ("archiveHasJournal", "has simplex_v1_chat.db-journal"),
        "log": ("archiveHasJournal", "has simplex_v1_agent.db-wal"),
        "empty": ("notAStoreArchive", "has no simplex_v1_chat.db"), "no-archive": ("notAnArchive", "is not a ZIP"),
        "no-bytes": ("notAnArchive", "is not a ZIP"), "signature-alone": ("archiveTruncated", "is cut"),
    ]

    /// The script that writes archives into a folder: `good`, `hostile` and others.
    package static let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../ArchivesTests/Support/archives.py").standardizedFileURL.path
}
