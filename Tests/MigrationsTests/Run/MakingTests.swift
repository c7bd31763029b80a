import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBMigrations

/// The creation of a store or of one database of it, and states in which no store is created.
@Suite struct MakingTests {
    @Test("a new store has permissions for the owner only, WAL mode, and one id and generation")
    func created() throws {
        let store = try SyntheticStore()
        let report = try store.migrator(TwoVersions.new()) { $0.confirmation = .error }.run()
        #expect(report.created && report.backup == nil)
        for database in DatabaseName.allCases {
            let path = store.location.path(of: database)
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            #expect(try TwoVersions.headerMode(path) == "WAL")
        }
        let lock = try FileManager.default.attributesOfItem(atPath: store.location.lockPath)
        #expect(lock[.posixPermissions] as? Int == 0o600)
        #expect(try store.rows("SELECT * FROM store") == store.rows("SELECT * FROM store", in: .agent))
        #expect(FileState(at: store.location.intentPath) == .missing)
    }

    @Test("T04: a missing database, an empty file and a missing folder are named, and nothing is created")
    func incomplete() throws {
        let store = try TwoVersions.oldStore()
        try FileManager.default.removeItem(atPath: store.location.path(of: .agent))
        let before = try store.folder.fingerprint()
        #expect(TwoVersions.code { _ = try store.migrator(TwoVersions.new()).run() } == "incompleteStore")
        #expect(try store.folder.fingerprint() == before)
        #expect(FileManager.default.createFile(atPath: store.location.path(of: .agent), contents: Data()))
        #expect(TwoVersions.code { _ = try store.migrator(TwoVersions.new()).run() } == "notADatabase")
        #expect(FileState(at: store.location.path(of: .agent)) == .empty)

        let nowhere = try StoreLocation(prefix: store.folder.file("nowhere/x"))
        let migrator = Migrator(engine: SQLiteEngine(), location: nowhere, build: try TwoVersions.new())
        #expect(TwoVersions.code { _ = try migrator.run() } == "folderNotFound")
        #expect(FileState(at: nowhere.folder) == .missing)
    }

    @Test("when one database is named, the other is not created, read or required")
    func only() throws {
        let store = try SyntheticStore()
        _ = try store.migrator(TwoVersions.old(), only: .chat).run()
        #expect(FileState(at: store.location.path(of: .agent)) == .missing)
        try Data("not a database".utf8).write(to: URL(fileURLWithPath: store.location.path(of: .agent)))
        _ = try store.migrator(TwoVersions.new(), only: .chat).run()
        #expect(try store.applied().count == 2)
    }

    @Test("one database is not created beside the other, which is not opened: they would not belong together")
    func onlyBesideTheOther() throws {
        for made in DatabaseName.allCases {
            let store = try SyntheticStore()
            let other = made == .chat ? DatabaseName.agent : .chat
            _ = try store.migrator(TwoVersions.old(), only: other).run()
            // Without read permission, chatdb cannot have opened it.
            try Data("not a database".utf8).write(to: URL(fileURLWithPath: store.location.path(of: other)))
            let before = try store.folder.fingerprint()
            let migrator = store.migrator(try TwoVersions.old(), only: made)
            #expect(TwoVersions.code { _ = try migrator.plan() } == "incompleteStore")
            #expect(TwoVersions.code { _ = try migrator.run() } == "incompleteStore")
            #expect(try store.folder.fingerprint() == before)
        }
    }
}
