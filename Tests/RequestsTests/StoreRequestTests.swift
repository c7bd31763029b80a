import ChatDBKit
import ChatDBReports
import Foundation
import Testing

@testable import ChatDBRequests

/// Requests about the store as a whole, and the deletion of a profile. Rule: docs/requests.md.
@Suite struct StoreRequestTests {
    @Test("store.check finds what is wrong, and leaves the service's locks on the files")
    func check() throws {
        let test = try TestService()
        let session = test.service.session()
        _ = try session.result(of: "users.list")
        let locks = try Self.locks(test)
        let sound = try session.result(of: "store.check")
        #expect(sound["ok"] == true && sound["findings"] == [])
        try test.service.store().write { chat in
            _ = try chat.run("DROP INDEX idx_chat_relays_address_key")
        }
        let damaged = try session.result(of: "store.check")
        #expect(damaged["ok"] == false)
        let ids = damaged["findings"]?.arrayValue?.compactMap { $0["id"]?.stringValue } ?? []
        #expect(ids.contains(StoreCheck.schemaLost(.chat)), "\(ids)")
        #expect(try Self.locks(test) == locks)
    }

    @Test("store.inspect shows the profiles of the store, and hidden ones only to a client that has unlocked them")
    func inspect() throws {
        let test = try TestService()
        let (session, other) = (test.service.session(), test.service.session())
        _ = try session.result(of: "users.hide", ["userId": 1, "password": "secret"])
        let locks = try Self.locks(test)
        let names = { (page: JSONValue) in page["users"]?.arrayValue?.compactMap { $0["user"]?["name"] ?? $0["name"] } }
        let without = try session.result(of: "store.inspect", ["sizes": true])
        #expect(names(without) == ["alice"] && without["hiddenUsers"] == 1)
        _ = try session.result(of: "users.unlock", ["password": "secret"])
        #expect(names(try session.result(of: "store.inspect"))?.count == 2)
        #expect(names(try other.result(of: "store.inspect")) == ["alice"])
        #expect(try Self.locks(test) == locks)
    }

    @Test("The end of the service stops a check")
    func ending() throws {
        let test = try TestService()
        test.service.checks.request()
        #expect(test.service.session().code(of: "store.check") == "interrupted")
    }

    @Test("users.delete deletes a profile after a backup, and a hidden one only for a client that has unlocked it")
    func deletion() throws {
        let test = try TestService()
        let (session, other) = (test.service.session(), test.service.session())
        _ = try session.result(of: "users.hide", ["userId": 1, "password": "secret"])
        _ = try session.result(of: "users.unlock", ["password": "secret"])
        #expect(other.code(of: "users.delete", ["userId": 1]) == "profileNotFound")
        let shown = try session.result(of: "users.delete", ["userId": 1])
        #expect(shown["applied"] == false && shown["backup"] == .null)
        let fingerprint = try #require(shown["fingerprint"])
        #expect(other.code(of: "users.delete", ["userId": 1, "fingerprint": fingerprint]) == "profileNotFound")
        #expect(session.code(of: "users.delete", ["userId": 1, "fingerprint": "0"]) == "planOutdated")
        let made = try session.result(of: "users.delete", ["userId": 1, "fingerprint": fingerprint])
        #expect(made["applied"] == true && made["user"]?["name"] == "work")
        let backup = try #require(made["backup"]?.stringValue)
        #expect(FileManager.default.fileExists(atPath: backup), "\(backup)")
        #expect(session.code(of: "users.show", ["userId": 1]) == "profileNotFound")
        #expect(try session.result(of: "store.check")["ok"] == true)
    }

    /// The locks that this process has on the databases of a store, as Linux lists them.
    private static func locks(_ test: TestService) throws -> [String] {
        #if os(Linux)
            let list = try String(contentsOfFile: "/proc/locks", encoding: .utf8).split(separator: "\n")
            var found: [String] = []
            for name in ["x_chat.db", "x_agent.db"] {
                let file = try FileManager.default.attributesOfItem(atPath: test.folder.file(name))
                let inode = try #require(file[.systemFileNumber] as? Int)
                let own = list.filter { $0.contains(":\(inode) ") && $0.contains(" \(getpid()) ") }
                found += own.map { "\(name): " + $0.split(separator: " ").dropFirst().joined(separator: " ") }
            }
            #expect(!found.isEmpty)
            return found.sorted()
        #else
            return []
        #endif
    }
}
