import ChatDBEngine
import Foundation
import TestKit
import Testing

/// Stores whose databases have names of their own.
@Suite("Location of named files") struct NamedFilesTests {
    @Test("chatdb's files take the name of the chat database")
    func sideFiles() throws {
        let location = try StoreLocation(files: [.agent: "/data/keys.db", .chat: "/data/app.sqlite"])
        #expect(location.path(of: .chat) == "/data/app.sqlite")
        #expect(location.path(of: .agent) == "/data/keys.db")
        #expect(location.databases == [.chat, .agent])
        #expect(location.prefix == "/data/app.sqlite" && location.name == "app.sqlite")
        #expect(location.lockPath == "/data/app.sqlite.lock")
        #expect(location.intentPath == "/data/app.sqlite.migrating")
        #expect(location.backupsPath == "/data/app.sqlite.backups")
        #expect(location.restoringPath == "/data/app.sqlite.restoring")
    }

    @Test("of one database alone, the other one is not missing, and has no file")
    func alone() throws {
        let folder = try TemporaryFolder()
        try write("x", to: folder.file("keys.db"))
        let location = try StoreLocation(files: [.agent: folder.file("keys.db")])
        #expect(location.databases == [.agent])
        #expect(location.missing.isEmpty && !location.isAbsent && location.loneDatabaseNote == nil)
        #expect(location.state(of: .chat) == .missing)
        #expect(location.prefix == folder.file("keys.db"))
        let absent = try StoreLocation(files: [.chat: folder.file("no.db")])
        #expect(absent.isAbsent && absent.missing == [.chat])
    }

    @Test("one file for both databases, and files in two folders, are refused")
    func refused() throws {
        #expect(throws: StoreLocationError.sameFile("/a/x")) {
            try StoreLocation(files: [.chat: "/a/x", .agent: "/a/x"])
        }
        #expect(throws: StoreLocationError.twoFolders(["/a/x", "/b/y"])) {
            try StoreLocation(files: [.chat: "/a/x", .agent: "/b/y"])
        }
        #expect(throws: StoreLocationError.emptyPath) { try StoreLocation(files: [:]) }
        #expect(throws: StoreLocationError.emptyPath) { try StoreLocation(files: [.chat: ""]) }
    }

    private func write(_ text: String, to path: String) throws {
        try text.write(toFile: path, atomically: false, encoding: .utf8)
    }
}
