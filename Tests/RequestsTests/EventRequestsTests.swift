import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBRequests

/// What a client is told of changes. Rule: docs/requests.md, "Events".
@Suite("Events for clients") struct EventRequestsTests {
    /// The events of a session that wait, or come within ten seconds, up to this subject.
    private func events(of session: RequestSession, to subject: String) throws -> [JSONValue] {
        let added = DispatchSemaphore(value: 0)
        session.outgoing.whenAdded { added.signal() }
        defer { session.outgoing.whenAdded(nil) }
        var events: [JSONValue] = []
        while events.last?["method"] != .string(subject) {
            if let line = session.outgoing.next() {
                events.append(try JSONValue(parsing: line))
            } else {
                try #require(added.wait(timeout: .now() + 10) == .success, "\(subject) did not come: \(events)")
            }
        }
        return events
    }

    @Test("a change is told to every client that subscribed, with profile and transactions, and to no other")
    func subscribers() throws {
        let test = try TestService()
        // The folder of the store is removed with the last reference.
        defer { withExtendedLifetime(test) {} }
        let (one, two, other) = (test.service.session(), test.service.session(), test.service.session())
        for session in [one, two] {
            #expect(try session.result(of: "events.subscribe") == ["subscribed": true])
            _ = try session.result(of: "events.subscribe")
        }
        let user = try other.result(of: "users.show")["user"]?["userId"]
        _ = try other.result(of: "relays.add", ["address": .string(TestService.otherRelay)])
        for session in [one, two] {
            let event = try events(of: session, to: "relays.changed").last
            #expect(event?["params"] == ["userId": user ?? .null, "transactions": 1])
            #expect(event?["jsonrpc"] == "2.0" && event?["id"] == nil)
        }
        #expect(other.outgoing.next() == nil)
        #expect(try two.result(of: "events.unsubscribe") == ["subscribed": false])
        _ = try other.result(of: "users.rename", ["userId": user ?? .null, "name": "al"])
        _ = try events(of: one, to: "profiles.changed")
        #expect(two.outgoing.next() == nil)
    }

    @Test("a change of the relays of a channel comes with the channel, its relays, and how many are active")
    func channel() throws {
        let test = try TestService()
        defer { withExtendedLifetime(test) {} }
        let session = test.service.session()
        let relay = try session.result(of: "relays.list")["relays"]?.arrayValue?.first { $0["name"] == "mine" }
        _ = try session.result(of: "events.subscribe")
        let made = try session.result(
            of: "groups.createChannel", ["name": "news", "chatRelayIds": [relay?["chatRelayId"] ?? .null]])
        let channel = try events(of: session, to: "groupRelays.changed").last?["params"]?["channel"]
        #expect(channel?["groupId"] == made["group"]?["groupId"])
        #expect(channel?["relays"]?[0]?["relayStatus"] == "new" && channel?["progress"]?["total"] == 1)
    }

    @Test("a client that reads nothing gets the newest state of each subject, with the number of transactions")
    func merged() throws {
        let test = try TestService()
        defer { withExtendedLifetime(test) {} }
        let session = test.service.session()
        func event(_ subject: StoreChange.Subject, of profile: Int64) -> StoreEvent {
            var event = StoreEvent(subject)
            event.profile = UserID(profile)
            return event
        }
        for _ in 0..<1_000 { session.notify(event(.relays, of: 1)) }
        session.notify(event(.groups, of: 1))
        session.notify(event(.relays, of: 2))
        session.notify(event(.relays, of: 1))
        let lines = try [0, 1, 2].map { _ in try JSONValue(parsing: session.outgoing.next() ?? "") }
        #expect(lines.map { $0["method"] } == ["relays.changed", "groups.changed", "relays.changed"])
        #expect(lines.map { $0["params"]?["transactions"] } == [1_001, 1, 1])
        #expect(session.outgoing.next() == nil)
    }

    @Test("a hidden profile's changes come only to a client that gave its password")
    func hidden() throws {
        let test = try TestService()
        // The folder of the store is removed with the last reference.
        defer { withExtendedLifetime(test) {} }
        let (one, other) = (test.service.session(), test.service.session())
        let work = try one.result(of: "users.list")["users"]?.arrayValue?.first { $0["name"] == "work" }
        let id = work?["userId"] ?? .null
        _ = try one.result(of: "users.hide", ["userId": id, "password": "secret"])
        _ = try one.result(of: "users.unlock", ["password": "secret"])
        for session in [one, other] { _ = try session.result(of: "events.subscribe") }
        _ = try one.result(of: "relays.add", ["address": .string(TestService.otherRelay), "userId": id])
        #expect(try events(of: one, to: "relays.changed").last?["params"]?["userId"] == id)
        // What comes after it has arrived shows that nothing came before.
        _ = try other.result(of: "tags.add", ["text": "one"])
        #expect(try events(of: other, to: "settings.changed").map { $0["method"] } == ["settings.changed"])
    }

    @Test("That a profile is hidden or deleted comes to every client, without its number where it is hidden")
    func hidingAndDeleting() throws {
        let test = try TestService()
        defer { withExtendedLifetime(test) {} }
        let (one, other) = (test.service.session(), test.service.session())
        let users = try one.result(of: "users.list")["users"]?.arrayValue ?? []
        let id = users.first { $0["name"] == "work" }?["userId"] ?? .null
        _ = try other.result(of: "events.subscribe")
        _ = try one.result(of: "users.hide", ["userId": id, "password": "secret"])
        #expect(try events(of: other, to: "profiles.changed").last?["params"]?["userId"] == .null)
        _ = try one.result(of: "users.unlock", ["password": "secret"])
        let fingerprint = try one.result(of: "users.delete", ["userId": id])["fingerprint"] ?? .null
        _ = try one.result(of: "users.delete", ["userId": id, "fingerprint": fingerprint])
        #expect(try events(of: other, to: "profiles.changed").last?["params"]?["userId"] == .null)
    }

    @Test("A profile that was hidden again, or whose number a new profile has, is locked for every client")
    func locksAgain() throws {
        let test = try TestService()
        defer { withExtendedLifetime(test) {} }
        let (one, other) = (test.service.session(), test.service.session())
        _ = try one.result(of: "users.hide", ["userId": 1, "password": "secret"])
        for session in [one, other] { _ = try session.result(of: "users.unlock", ["password": "secret"]) }
        _ = try one.result(of: "users.unhide", ["userId": 1, "password": "secret"])
        _ = try one.result(of: "users.hide", ["userId": 1, "password": "another secret"])
        for session in [one, other] { #expect(session.code(of: "users.show", ["userId": 1]) == "profileNotFound") }
    }

    @Test("a change of another program is told without details")
    func otherProgram() throws {
        let test = try TestService()
        defer { withExtendedLifetime(test) {} }
        let session = test.service.session()
        _ = try session.result(of: "events.subscribe")
        let other = try TestService.context(test.folder)
        let pass = try StoreGate(other).enter()
        let store = try Store.openForWriting(other.location, with: other.engine)
        try store.write { _ = try UsersWriter($0).rename(UserID(1), to: "renamed") }
        try store.close()
        withExtendedLifetime(pass) {}
        let event = try events(of: session, to: "store.changed").last
        #expect(event?["params"]?["userId"] == .null)
    }

    @Test("a client that is gone is told nothing, and the store can be closed while others wait")
    func ends() throws {
        let test = try TestService()
        defer { withExtendedLifetime(test) {} }
        let writer = test.service.session()
        do {
            let gone = test.service.session()
            _ = try gone.result(of: "events.subscribe")
        }
        let left = test.service.session()
        _ = try left.result(of: "events.subscribe")
        _ = try writer.result(of: "tags.add", ["text": "one"])
        _ = try events(of: left, to: "settings.changed")
        test.service.end()
        #expect(left.code(of: "events.subscribe") == "serviceEnding")
    }
}
