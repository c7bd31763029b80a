import ChatDBKit
import Testing

/// Requests of owners, and the profile that takes them. Rule: docs/domain.md, "Relay operators".
@Suite struct RelayRequestsTests {
    let test: TestStore
    let relay: User
    let other: User

    init() throws {
        test = try TestStore()
        relay = try test.addUser("relay")
        other = try test.addUser("other")
        let user = relay.id
        try test.write { try UsersWriter($0).setChatRelay(true, of: user) }
    }

    private static func request(_ number: Int, link: String? = nil) throws -> NewRelayRequest {
        try NewRelayRequest(
            invitationID: InvitationID(bytes: Array("inv-\(number)".utf8)),
            link: GroupLink(link ?? channelLink(number)),
            peerVersions: RelayRequest.PeerVersions(lowest: 3, highest: 9), ownerName: "olga",
            ownerMemberID: "owner-\(number)", relayMemberID: "relay-\(number)")
    }

    @discardableResult
    private func receive(
        _ number: Int, link: String? = nil, at seconds: Int64 = 0
    ) throws -> ReceivedRelayRequest {
        try change(at: seconds) { try $0.receive(Self.request(number, link: link), of: relay.id) }
    }

    private func change<T>(at seconds: Int64 = 0, _ body: (RelayRequestsWriter) throws -> T) throws -> T {
        try test.write { try body(RelayRequestsWriter($0, clock: .fixed(TestStore.time(seconds)))) }
    }

    private func ask<T>(_ body: (RelayRequestsRepo) throws -> T) throws -> T {
        try test.read { try body(RelayRequestsRepo($0)) }
    }

    private func code(_ body: () throws -> Void) -> String? {
        #expect(throws: RelayServiceError.self) { try body() }?.code
    }

    @Test("a request makes a channel with its owner, in which the profile is the relay")
    func received() throws {
        let received = try receive(1)
        #expect(received.outcome == .received && received.group.status == .invited)
        #expect(received.group.requestState == .waiting && received.group.localDisplayName == "relay_request_olga")
        let request = try #require(received.group.request)
        #expect(request.link == channelLink(1) && request.invitationID == InvitationID(bytes: Array("inv-1".utf8)))
        #expect(request.peerVersions == RelayRequest.PeerVersions(lowest: 3, highest: 9))
        #expect(request.retries == 0 && request.delay == 5_000_000 && request.executeAt == TestStore.time())
        let info = try test.read { try GroupsRepo($0).info(of: received.group.id, of: relay.id) }
        #expect(info.summary.group.isChannel && info.summary.group.membership?.role == .relay)
        #expect(info.owners.map(\.localDisplayName) == ["olga"] && info.ownRelayStatus == .invited)
        let before = try test.everything()
        let again = try receive(1)
        #expect(again.outcome == .repeated && again.group == received.group)
        #expect(try test.everything() == before)
        #expect(try receive(2, link: channelLink(1)).outcome == .received, "another invitation for the same channel")
    }

    @Test("only a chat relay takes requests, and a store has one; it stays one while it serves groups")
    func profile() throws {
        #expect(code { try change { _ = try $0.receive(Self.request(1), of: other.id) } } == "notChatRelay")
        func set(_ isOn: Bool, _ user: User) throws -> User {
            try test.write { try UsersWriter($0).setChatRelay(isOn, of: user.id) }
        }
        #expect(throws: UsersError.otherChatRelay(try set(true, relay), than: other)) { try set(true, other) }
        let group = try receive(1).group.id
        func refused() -> String? { #expect(throws: UsersError.self) { try set(false, relay) }?.code }
        #expect(refused() == "chatRelayInUse")
        _ = try change { try $0.accept(group, profile: GroupProfile(displayName: "news"), of: relay.id) }
        #expect(refused() == "chatRelayInUse")
        try test.write { _ = try RelayedGroupsWriter($0).reject(group, of: relay.id) }
        #expect(try !set(false, relay).isChatRelay)
        #expect(try set(true, other).isChatRelay)
        #expect(try test.read { try UsersRepo($0).chatRelay() }?.id == other.id)
    }

    @Test("requests with fewer attempts come first, then older ones; one that is put off is not due before its time")
    func order() throws {
        let (first, second) = (try receive(1).group.id, try receive(2, at: 1).group.id)
        #expect(try ask { try $0.next(of: relay.id, by: TestStore.time(2)) }?.id == first)
        try change(at: 2) { _ = try $0.retryLater(first, delay: 10_000_000, of: relay.id) }
        let put = try #require(try test.read { try RelayedGroupsRepo($0).get(first, of: relay.id).request })
        #expect(put.retries == 1 && put.delay == 10_000_000 && put.executeAt == TestStore.time(12))
        #expect(try ask { try $0.next(of: relay.id, by: TestStore.time(3)) }?.id == second)
        #expect(try ask { try $0.waiting(of: relay.id).map(\.id) } == [second, first])
        #expect(try ask { try $0.nextTime(of: relay.id) } == TestStore.time(1))
        try change(at: 3) { _ = try $0.retryLater(second, delay: 60_000_000, of: relay.id) }
        #expect(try ask { try $0.next(of: relay.id, by: TestStore.time(11)) } == nil)
        #expect(try ask { try $0.next(of: relay.id, by: TestStore.time(12)) }?.id == first)
        #expect(try ask { try $0.nextTime(of: relay.id) } == TestStore.time(12))
        #expect(try ask { try $0.next(of: other.id, by: TestStore.time(100)) } == nil)
    }

    @Test("of the requests that are due, the one that was tried least comes next, then the oldest")
    func leastTried() throws {
        let (first, second) = (try receive(1).group.id, try receive(2, at: 1).group.id)
        try change(at: 2) { _ = try $0.retryLater(first, delay: 0, of: relay.id) }
        #expect(try ask { try $0.next(of: relay.id, by: TestStore.time(3)) }?.id == second)
        try change(at: 2) { _ = try $0.retryLater(second, delay: 0, of: relay.id) }
        #expect(try ask { try $0.next(of: relay.id, by: TestStore.time(3)) }?.id == first)
    }

    @Test("the worker gives up on a request that is older than a day and was tried 10 times, and not before both")
    func expiry() throws {
        let group = try receive(1).group.id
        let day: Int64 = 86_400
        for attempt in 1...10 {
            let state = try change(at: day * 2) { try $0.retryLater(group, delay: 1, of: relay.id) }
            #expect(state.requestState == .waiting && state.request?.retries == attempt)
        }
        let young = try receive(2, at: day * 2).group.id
        for _ in 1...11 { _ = try change(at: day * 3) { try $0.retryLater(young, delay: 1, of: relay.id) } }
        let still = try test.read { try RelayedGroupsRepo($0).get(young, of: relay.id) }
        #expect(still.requestState == .waiting && still.request?.retries == 11, "it is a day old, not older")
        #expect(try change(at: day * 2) { try $0.retryLater(group, delay: 1, of: relay.id) }.requestState == .gaveUp)
        #expect(code { try change { _ = try $0.retryLater(group, delay: 1, of: relay.id) } } == "requestNotWaiting")
        #expect(try ask { try $0.failed(of: relay.id).map(\.id) } == [group])
    }

    @Test("a request that failed keeps its reason, is not tried, and may be tried again as if it were new")
    func failing() throws {
        let group = try receive(1).group.id
        _ = try change { try $0.retryLater(group, delay: 1, of: relay.id) }
        #expect(
            try change { try $0.fail(group, reason: " bad link ", of: relay.id) }.requestState
                == .failed(reason: "bad link"))
        #expect(try ask { try $0.next(of: relay.id, by: TestStore.time(9)) } == nil)
        #expect(try ask { try $0.nextTime(of: relay.id) } == nil)
        for body in [
            { _ = try $0.fail(group, reason: "x", of: $1) }, { _ = try $0.giveUp(group, of: $1) },
            { _ = try $0.accept(group, profile: GroupProfile(displayName: "x"), of: $1) },
        ] as [(RelayRequestsWriter, UserID) throws -> Void] {
            #expect(code { try change { try body($0, relay.id) } } == "requestNotWaiting")
        }
        let again = try change(at: 7) { try $0.restart(group, of: relay.id) }
        #expect(again.requestState == .waiting && again.request?.retries == 0)
        #expect(again.request?.executeAt == TestStore.time(7))
        #expect(code { try change { _ = try $0.restart(group, of: relay.id) } } == "requestNotFailed")
        #expect(try change { try $0.giveUp(group, of: relay.id) }.requestState == .gaveUp)
        #expect(try change { try $0.restart(group, of: relay.id) }.requestState == .waiting)
        #expect(code { try change { _ = try $0.restart(group, of: other.id) } } == "relayedGroupNotFound")
    }

    @Test("an accepted request gives the channel its profile and link, and the profile serves it")
    func accepted() throws {
        let group = try receive(1).group.id
        let served = try change { try $0.accept(group, profile: GroupProfile(displayName: "news"), of: relay.id) }
        #expect(served.status == .accepted && served.isServed && served.requestState == nil)
        let found = try test.group(group, of: relay)
        #expect(found.displayName == "news" && found.link == channelLink(1) && found.localDisplayName == "news")
        #expect(try ask { try $0.waiting(of: relay.id).isEmpty })
    }

    @Test("a channel that the profile left is refused in every spelling of its link, until it is allowed again")
    func refused() throws {
        let key = key(1)
        let group = try receive(1, link: "https://h.example/c#\(key)").group.id
        _ = try change { try $0.accept(group, profile: GroupProfile(displayName: "news"), of: relay.id) }
        try test.write { _ = try GroupsWriter($0).leave(group, of: relay.id) }
        let before = try test.everything()
        for (number, link) in ["https://h.example/c#\(key)", "simplex:/c#\(key)?h=H.example"].enumerated() {
            let answer = try receive(5 + number, link: link)
            #expect(answer.outcome == .refused && answer.group.id == group && answer.group.status == .rejected)
            #expect(try ask { try $0.refusal(of: GroupLink(link), of: relay.id) }?.id == group)
            #expect(try ask { try $0.refusal(of: GroupLink(link), of: other.id) } == nil)
        }
        #expect(try test.everything() == before)
        #expect(try ask { try $0.refusal(of: GroupLink(channelLink(2)), of: relay.id) } == nil)
        try test.write { _ = try RelayedGroupsWriter($0).allow(group, of: relay.id) }
        #expect(try receive(7, link: "https://h.example/c#\(key)").outcome == .received)
    }
}
