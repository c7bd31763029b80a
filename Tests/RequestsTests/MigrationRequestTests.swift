import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBRequests

/// Migrations by requests, on stores that are new, old and in use. Rule: docs/requests.md, "Migrations".
@Suite struct MigrationRequestTests {
    @Test("a store that is missing is made by migrations.run with the fingerprint of its plan")
    func creates() throws {
        let folder = try TemporaryFolder()
        let context = try TestService.context(folder)
        #expect(throws: MigrationError.self) { try RequestService(opening: context) }
        let service = try RequestService(opening: context, mayCreate: true)
        let session = service.session()
        #expect(session.code(of: "users.list") == "storeNotFound")
        #expect(try session.result(of: "store.status")["open"] == false)
        let plan = try session.result(of: "migrations.plan")
        #expect(plan["creates"] == true)
        let fingerprint = try #require(plan["fingerprint"])
        #expect(try session.result(of: "migrations.run", ["fingerprint": fingerprint])["created"] == true)
        #expect(try session.result(of: "users.list")["users"] == [])
        // The plan is no longer the one that was consented to.
        #expect(session.code(of: "migrations.run", ["fingerprint": fingerprint]) == "planOutdated")
        service.end()
    }

    @Test("an older store answers needsUpgrade until it is migrated, and other clients prevent that")
    func upgrades() throws {
        let folder = try TemporaryFolder()
        try TestService.make(folder)
        var migrator = Migrator(try TestService.context(folder))
        migrator.options.confirmation = .yesUpDown
        migrator.options.backup = .none
        migrator.options.target = .downSteps(1)
        _ = try migrator.run()
        let service = try RequestService(opening: TestService.context(folder))
        let session = service.session()
        #expect(session.code(of: "users.list") == "needsUpgrade")
        let fingerprint = try #require(try session.result(of: "migrations.plan")["fingerprint"])
        do {
            let other = service.session()
            #expect(session.code(of: "migrations.run", ["fingerprint": fingerprint]) == "otherClients")
            withExtendedLifetime(other) {}
        }
        #expect(session.code(of: "migrations.run", ["fingerprint": "0"]) == "planOutdated")
        let run = try session.result(of: "migrations.run", ["fingerprint": fingerprint])
        #expect(run["created"] == false && run["restore"] != .null)
        #expect(try session.result(of: "users.list")["users"]?.arrayValue?.count == 2)
        service.end()
    }

    @Test("A service whose store could not be opened for a moment opens it with the next request")
    func opensAgain() throws {
        let test = try TestService()
        let (service, session) = (test.service, test.service.session())
        let path = test.folder.file("x_chat.db")
        struct Stopped: Error {}
        #expect(throws: Stopped.self) {
            try service.migrating {
                try FileManager.default.moveItem(atPath: path, toPath: path + ".away")
                try Data("not a database, but a text of some length".utf8).write(to: URL(fileURLWithPath: path))
                throw Stopped()
            }
        }
        #expect(session.code(of: "users.list") == "notADatabase")
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.moveItem(atPath: path + ".away", toPath: path)
        #expect(try session.result(of: "users.list")["users"]?.arrayValue?.count == 2)
    }

    @Test("Subscribers learn that the store was closed for a migration that failed")
    func failedRun() throws {
        let test = try TestService()
        let session = test.service.session()
        _ = try session.result(of: "events.subscribe")
        struct Stopped: Error {}
        #expect(throws: Stopped.self) { try test.service.migrating { throw Stopped() } }
        #expect(try JSONValue(parsing: session.outgoing.next() ?? "")["method"] == "store.changed")
        #expect(session.code(of: "migrations.run", ["fingerprint": "0"]) == "planOutdated")
        #expect(session.outgoing.next() == nil)
    }

    @Test("after the end of the service, every request is answered with serviceEnding")
    func ending() throws {
        let test = try TestService()
        let session = test.service.session()
        test.service.end()
        test.service.end()
        #expect(session.code(of: "users.list") == "serviceEnding")
    }
}
