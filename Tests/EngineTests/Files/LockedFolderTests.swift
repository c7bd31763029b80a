import ChatDBKit
import Foundation
import TestKit
import Testing

/// Folders for private copies, and what becomes of them.
@Suite struct LockedFolderTests {
    private let parent: TemporaryFolder

    init() throws {
        parent = try TemporaryFolder()
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: parent.path).sorted()
    }

    /// As a killed process leaves it: without a lock.
    private func abandon(_ name: String) throws {
        try FileManager.default.createDirectory(atPath: parent.file(name), withIntermediateDirectories: true)
        for file in ["lock", "copy.db"] {
            try Data([1]).write(to: URL(fileURLWithPath: parent.file("\(name)/\(file)")))
        }
    }

    @Test(
        "a folder is readable by its owner only, has its purpose in its name, and goes when it is removed or released")
    func life() throws {
        var folder: LockedFolder? = try .make(for: .copy, in: parent.path)
        let path = try #require(folder?.path)
        #expect(path.hasPrefix(parent.path + "/chatdb-copy-"))
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o700)
        try Data([1]).write(to: URL(fileURLWithPath: path + "/copy.db"))
        folder = nil
        #expect(folder == nil)
        #expect(try names().isEmpty)
        let other = try LockedFolder.make(for: .copy, in: parent.path)
        other.remove()
        other.remove()
        #expect(try names().isEmpty)
    }

    @Test("R16: folders of any purpose that dead processes left are removed; others', and those in use, stay")
    func abandoned() throws {
        for name in ["chatdb-copy-dead", "chatdb-search-dead", "chatdb-rehearsal-dead"] { try abandon(name) }
        let others = ["chatdb-copy", "chatdb-new-copy-x", "chatdb-other-x", "other-copy-x"]
        for name in others { try abandon(name) }
        try FileManager.default.createDirectory(
            atPath: parent.file("chatdb-copy-unlocked"), withIntermediateDirectories: true)
        let living = try LockedFolder.make(for: .copy, in: parent.path)
        let second = try LockedFolder.make(for: .search, in: parent.path)
        LockedFolder.removeAbandoned(in: parent.path)
        #expect(FileManager.default.fileExists(atPath: living.path))
        let own = [living, second].map { ($0.path as NSString).lastPathComponent }
        #expect(try Set(names()) == Set(own + others + ["chatdb-copy-unlocked"]))
    }

    @Test("where no folder can be made, the error names the place")
    func nowhere() throws {
        let place = parent.file("nothing")
        let error = try #require(throws: StoreError.self) { try LockedFolder.make(for: .copy, in: place) }
        #expect(error.message.contains(place))
    }
}
