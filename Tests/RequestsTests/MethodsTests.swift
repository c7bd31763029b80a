import ChatDBKit
import Testing

@testable import ChatDBRequests

/// Every method of the table, on a real store. Rule: docs/requests.md.
@Suite struct MethodsTests {
    /// A request of each method, in an order in which each one has what it needs.
    private static let requests: [(method: String, parameters: JSONValue)] = [
        ("events.subscribe", [:]), ("events.unsubscribe", [:]),
        ("store.status", [:]), ("store.inspect", [:]), ("store.check", [:]),
        ("migrations.status", [:]), ("migrations.plan", [:]),
        ("users.list", [:]), ("users.show", [:]), ("users.add", ["name": "third", "preset": false]),
        ("users.activate", ["userId": 2]), ("users.rename", ["userId": 3, "name": "other"]),
        ("users.edit", ["userId": 2, "fullName": "Alice", "shortDescr": "a line"]),
        ("users.hide", ["userId": 3, "password": "secret"]), ("users.unlock", ["password": "secret"]),
        ("users.unhide", ["userId": 3, "password": "secret"]), ("users.delete", ["userId": 3]),
        ("settings.get", [:]), ("settings.set", ["name": "showNtfs", "value": false]),
        ("settings.setTimeToLive", ["seconds": 86_400]),
        ("relays.list", ["deleted": true]), ("relays.show", ["chatRelayId": .integer(own)]),
        ("relays.use", ["chatRelayId": .integer(own)]),
        ("relays.add", ["address": .string(TestService.otherRelay), "name": "second", "domains": ["example.net"]]),
        ("relays.edit", ["chatRelayId": .integer(own + 1), "name": "renamed"]),
        ("relays.disable", ["chatRelayId": .integer(own + 1)]), ("relays.enable", ["chatRelayId": .integer(own + 1)]),
        ("relays.setTested", ["chatRelayId": .integer(own + 1), "passed": true]),
        ("relays.delete", ["chatRelayId": .integer(own + 1)]),
        ("servers.list", ["protocol": "smp"]), ("servers.add", ["address": .string(server)]),
        ("servers.show", ["serverId": .integer(ownServer)]), ("servers.disable", ["serverId": .integer(ownServer)]),
        ("servers.enable", ["serverId": .integer(ownServer)]),
        ("servers.setTested", ["serverId": .integer(ownServer), "passed": false]),
        ("servers.edit", ["serverId": .integer(ownServer), "address": .string(server + ":5999")]),
        ("servers.delete", ["serverId": .integer(ownServer)]),
        ("operators.list", [:]), ("operators.disable", ["operatorId": 2]), ("operators.enable", ["operatorId": 2]),
        ("conditions.list", [:]), ("conditions.accept", [:]),
        ("presets.export", ["customOnly": true]),
        ("presets.diff", ["preset": .string(TestService.otherRelay)]),
        ("presets.import", ["preset": .string(TestService.otherRelay)]),
        ("groups.createChannel", ["name": "news", "chatRelayIds": [.integer(own)]]),
        ("groups.list", [:]), ("groups.show", ["groupId": 1]), ("groups.members", ["groupId": 1]),
        ("groups.relays.list", ["groupId": 1]),
        ("groups.relays.setStatus", ["groupRelayId": 1, "status": "invited"]),
        ("groups.relays.setStatus", ["groupRelayId": 1, "status": "accepted", "relayLink": .string(channelLink)]),
        ("groups.relays.setStatus", ["groupRelayId": 1, "status": "active"]),
        ("groups.setLink", ["groupId": 1, "link": .string(channelLink)]), ("groups.finish", ["groupId": 1]),
        ("groups.relays.add", ["groupId": 1, "chatRelayId": .integer(own + 1)]),
        ("groups.relays.remove", ["groupRelayId": 2]),
        ("groups.plan", ["link": .string(otherChannel)]),
        ("groups.prepare", ["link": .string(otherChannel), "name": "joined"]), ("groups.join", ["groupId": 2]),
        ("groups.delete", ["groupId": 1]),
        ("chats.page", ["limit": 10]), ("chats.setUnread", ["kind": "group", "id": 1, "unread": true]),
        ("chats.setFavourite", ["kind": "group", "id": 1, "favourite": true]),
        ("items.add", ["kind": "group", "id": 1, "content": ["type": "text"], "text": "holiday photos"]),
        ("items.page", ["kind": "group", "id": 1]), ("items.show", ["chatItemId": 1]),
        ("items.search", ["words": "holiday", "texts": true]), ("items.markRead", ["kind": "group", "id": 1]),
        ("items.markDeleted", ["chatItemId": 1]),
        ("contacts.list", [:]), ("contacts.search", ["text": "bob"]),
        ("tags.add", ["text": "family", "emoji": nil]), ("tags.list", [:]),
        ("tags.edit", ["chatTagId": 1, "text": "friends"]), ("tags.reorder", ["chatTagIds": [1]]),
        ("tags.set", ["kind": "group", "id": 1, "chatTagIds": [1]]), ("tags.delete", ["chatTagId": 1]),
        ("files.toReceive", [:]), ("connections.counts", [:]),
    ]

    /// Methods whose rows no other method makes: the test asks for rows that are missing.
    private static let missing: [(method: String, parameters: JSONValue, code: String)] = [
        ("contacts.show", ["contactId": 99], "contactNotFound"),
        ("contacts.setAlias", ["contactId": 99, "alias": "b"], "contactNotFound"),
        ("groups.leave", ["groupId": 99], "groupNotFound"),
        ("files.show", ["fileId": 99], "chatFileNotFound"), ("files.cancel", ["fileId": 99], "chatFileNotFound"),
        ("notifications.target", ["queue": "smp.example.org/bm90aWZpZXI"], "notificationTargetNotFound"),
        ("migrations.run", ["fingerprint": "0"], "planOutdated"),
    ]

    private static let own: Int64 = 9
    private static let ownServer: Int64 = 53
    private static let server = "smp://LcJUMfVhwD8yxjAiSaDzzGF3-kLG4Uh0Fl_ZIjrRwjI=@smp.example.org"
    private static let channelLink = "https://relay.example.org/c#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw"
    private static let otherChannel = "https://other.example.org/c#_qlQfogHGDJ8MAF2wKmkglRBM-xHR142gDJstKiGRQQ"

    @Test("every method of the table answers on a real store, in the shape that the OpenRPC document describes")
    func shapes() throws {
        let test = try TestService()
        let session = test.service.session()
        let relays = try session.result(of: "relays.list")["relays"]?.arrayValue ?? []
        let own = try #require(relays.first { $0["name"] == "mine" }?["chatRelayId"]?.integerValue)
        let servers = try session.result(of: "servers.list")["servers"]?.arrayValue ?? []
        let others = try session.result(of: "servers.list", ["userId": 1])["servers"]?.arrayValue ?? []
        let last = (servers + others).compactMap { $0["serverId"]?.integerValue }.max() ?? 0
        let shift: [Int64: Int64] = [Self.own: own, Self.own + 1: own + 1, Self.ownServer: last + 1]
        for (method, given) in Self.requests {
            let parameters: JSONValue = .object(
                (given.members ?? []).map { member in
                    let isID = ["chatRelayId", "serverId"].contains(member.name)
                    if isID, let number = member.value.integerValue {
                        return .init(member.name, .integer(shift[number] ?? number))
                    }
                    if member.name == "chatRelayIds" { return .init(member.name, [.integer(own)]) }
                    return member
                })
            let described = try #require(MethodTable.all.first { $0.name == method }, "\(method)")
            do {
                let result = try session.result(of: method, parameters)
                let problems = SchemaCheck.problems(result, described.result.schema)
                #expect(problems.isEmpty, "\(method): \(problems.joined(separator: "; "))")
            } catch let error as AnsweredError {
                // A store without conditions of use has none to accept.
                let isExpected = method == "conditions.accept" && error.data?["code"] == "noConditions"
                #expect(isExpected, "\(method): \(error)")
            }
        }
        for (method, parameters, code) in Self.missing {
            #expect(session.code(of: method, parameters) == code, "\(method)")
        }
    }

    @Test("every method of the table is called by this test")
    func isComplete() {
        let called = Set(Self.requests.map(\.method) + Self.missing.map(\.method))
        #expect(Set(MethodTable.all.map(\.name)).subtracting(called).sorted() == [])
        #expect(Set(MethodTable.all.map(\.name)).count == MethodTable.all.count)
    }

    @Test("rpc.discover describes every method with its parameters, and says whether it writes")
    func discover() throws {
        let test = try TestService()
        // The folder of the store is removed with the last reference.
        defer { withExtendedLifetime(test) {} }
        let session = test.service.session()
        let document = try session.result(of: "rpc.discover")
        #expect(document["openrpc"]?.stringValue == OpenRPC.version)
        let methods = document["methods"]?.arrayValue ?? []
        #expect(methods.compactMap { $0["name"]?.stringValue } == MethodTable.all.map(\.name))
        for (described, method) in zip(methods, MethodTable.all) {
            #expect(described["params"]?.arrayValue?.count == method.parameters.count)
            #expect(["read", "write"].contains(described["x-access"]?.stringValue))
            #expect(described["summary"]?.stringValue?.hasSuffix(".") == true, "\(method.name)")
        }
    }

    @Test("a read-only session refuses every method that writes, and answers the others")
    func readOnly() throws {
        let test = try TestService()
        let session = test.service.session(readOnly: true)
        for (method, parameters) in Self.requests {
            let access = MethodTable.all.first { $0.name == method }?.access
            let code = session.code(of: method, parameters)
            #expect((code == "readOnlySession") == (access == .write), "\(method): \(code ?? "a result")")
        }
    }

    @Test("a change with consent is made by the fingerprint of the change that was shown, and by no other")
    func consent() throws {
        let test = try TestService()
        let session = test.service.session()
        let relays = try session.result(of: "relays.list")["relays"]?.arrayValue ?? []
        let own = try #require(relays.first { $0["name"] == "mine" }?["chatRelayId"])
        let shown = try session.result(of: "relays.delete", ["chatRelayId": own])
        #expect(shown["applied"] == false)
        let fingerprint = try #require(shown["fingerprint"])
        #expect(session.code(of: "relays.delete", ["chatRelayId": own, "fingerprint": "0"]) == "planOutdated")
        // A channel that uses the relay changes what the deletion does.
        _ = try session.result(of: "groups.createChannel", ["name": "news", "chatRelayIds": [own]])
        #expect(session.code(of: "relays.delete", ["chatRelayId": own, "fingerprint": fingerprint]) == "planOutdated")
        let again = try session.result(of: "relays.delete", ["chatRelayId": own])
        #expect(again["outcome"] == "softDeleted")
        let made = try session.result(
            of: "relays.delete", ["chatRelayId": own, "fingerprint": try #require(again["fingerprint"])])
        #expect(made["applied"] == true && made["fingerprint"] == .null)
        #expect(made["relay"]?["deleted"] == true)
    }

    @Test("groups.relays.remove makes a backup before it ends an old row, and none for a relay with its row")
    func backupOfOldRow() throws {
        let test = try TestService()
        let session = test.service.session()
        let relays = try session.result(of: "relays.list")["relays"]?.arrayValue ?? []
        let own = try #require(relays.first { $0["name"] == "mine" }?["chatRelayId"])
        _ = try session.result(of: "groups.createChannel", ["name": "news", "chatRelayIds": [own]])
        _ = try session.result(of: "groups.relays.setStatus", ["groupRelayId": 1, "status": "inactive"])
        _ = try session.result(of: "groups.relays.add", ["groupId": 1, "chatRelayId": own])
        let old = try session.result(of: "groups.relays.remove", ["groupRelayId": 1])
        #expect(old["kept"]?["kind"] == "backup" && old["kept"]?["path"] == .null, "\(old)")
        let made = try session.result(
            of: "groups.relays.remove", ["groupRelayId": 1, "fingerprint": try #require(old["fingerprint"])])
        let path = try #require(made["kept"]?["path"]?.stringValue, "\(made)")
        #expect(made["applied"] == true && path.contains("/x.backups/"), "\(made)")
        let relay = try session.result(of: "groups.relays.remove", ["groupRelayId": 2])
        #expect(relay["kept"] == .null, "\(relay)")
        let removed = try session.result(
            of: "groups.relays.remove", ["groupRelayId": 2, "fingerprint": try #require(relay["fingerprint"])])
        #expect(removed["applied"] == true && removed["kept"] == .null, "\(removed)")
    }

    @Test("a hidden profile does not exist for a connection that has not unlocked it")
    func hiddenProfiles() throws {
        let test = try TestService()
        let (session, other) = (test.service.session(), test.service.session())
        _ = try session.result(of: "users.hide", ["userId": 1, "password": "secret"])
        #expect(session.code(of: "users.show", ["userId": 1]) == "profileNotFound")
        #expect(try session.result(of: "users.unlock", ["password": "wrong"])["users"] == [])
        #expect(session.code(of: "relays.list", ["userId": 1]) == "profileNotFound")
        #expect(try session.result(of: "users.unlock", ["password": "secret"])["users"]?.arrayValue?.count == 1)
        #expect(session.code(of: "relays.list", ["userId": 1]) == nil)
        #expect(other.code(of: "relays.list", ["userId": 1]) == "profileNotFound")
        let names = try other.result(of: "connections.counts")["profiles"]?.arrayValue?.map { $0["userId"] }
        #expect(names == [2])
    }
}
