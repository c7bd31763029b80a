import ChatDBKit
import TestKit
import Testing

@testable import ChatDBInspection

/// Relays, servers and channels of SimpleX Chat's stores: where it keeps them otherwise than chatdb.
@Suite struct SimplexRelaysTests {
    private let alice = UserID(1)
    private let work = UserID(2)

    private func read<T>(
        _ version: SimplexStore.Version = SimplexStore.newest, after statement: String? = nil,
        _ body: (any ReadTransaction) throws -> T
    ) throws -> T {
        let simplex = try SimplexStore(version)
        if let statement { try simplex.execute(statement) }
        let opened = try OpenedStore(simplex)
        return try opened.store.read(.chat, body)
    }

    @Test(
        "relays have their own name, domains between commas, and may be deleted", arguments: SimplexStore.versions[2...]
    )
    func relays(_ version: SimplexStore.Version) throws {
        try read(version) { chat throws in
            let relays = try ChatRelaysRepo(chat).all(of: alice, includingDeleted: true)
            #expect(relays.map(\.name) == ["SimpleX 5", "mine", "mine before", "Flux 1", "odd"])
            #expect(relays.map(\.domains) == [["simplex.im"], [], [], ["x.org", "simplexonflux.com"], []])
            #expect(relays.map(\.isDeleted) == [false, false, true, false, false])
            #expect(relays.map(\.tested) == [nil, true, nil, nil, nil])
            #expect(relays.allSatisfy { $0.testedAt == nil })
        }
    }

    @Test("addresses are unique there byte by byte: the same relay in two spellings has one key")
    func sameRelay() throws {
        try read(after: "UPDATE chat_relays SET deleted = 0") { chat throws in
            let relays = try ChatRelaysRepo(chat).all(of: alice)
            #expect(relays[1].addressKey == relays[2].addressKey)
            #expect(relays[1].addressKey == "r#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw@relay.example.org")
            let keys = try chat.rows("SELECT chat_relay_id FROM chat_relays WHERE address_key = \("not a link")")
            #expect(keys.map(\.values) == [[.integer(6)]])
        }
    }

    @Test(
        "links have no keys there: every spelling of one is found by a computed key, and a text without a key by itself",
        arguments: SimplexStore.versions)
    func sameLink(_ version: SimplexStore.Version) throws {
        let unread = "simplex:/contact#/?v=2-7&smp=x"
        let hasLinks = version.chat > "20250512"
        func blob(_ text: String) -> String { "CAST('\(text)' AS BLOB)" }
        let links = """
            UPDATE groups SET conn_full_link_to_connect = \(blob(unread)),
                conn_short_link_to_connect = \(blob(LinkSpellingTests.short)) WHERE group_id = 3
            """
        let own = "UPDATE user_contact_links SET conn_req_contact = \(blob(LinkSpellingTests.full)), group_id = NULL"
        try read(version, after: hasLinks ? links : nil) { chat throws in
            let groups = GroupsRepo(chat)
            for text in [unread, LinkSpellingTests.short] + LinkSpellingTests.spellings.prefix(3) {
                let link = try #require(GroupLink(storedFull: text, short: nil))
                let found = try groups.all(link: link, of: alice).map(\.group.id)
                #expect(found == (hasLinks ? [GroupID(3)] : []), "\(text)")
            }
            let other = try #require(GroupLink(storedFull: unread + "&data=1", short: nil))
            #expect(try groups.plan(for: other, of: alice) == .ok)
        }
        try read(version, after: own) { chat throws in
            let link = try GroupLink(LinkSpellingTests.spellings[3])
            #expect(try GroupsRepo(chat).plan(for: link, of: alice) == .ownAddress)
            #expect(try UserContactLinksRepo(chat).find(text: link.text, of: alice) != nil)
        }
    }

    @Test("check names a channel that a profile of SimpleX Chat has twice")
    func twice() throws {
        let simplex = try SimplexStore()
        try simplex.execute(
            "UPDATE groups SET conn_short_link_to_connect = CAST('\(LinkSpellingTests.short)' AS BLOB) WHERE group_id = 3",
            "UPDATE group_profiles SET group_link = CAST('\(LinkSpellingTests.spellings[0])' AS BLOB) WHERE group_profile_id = 2"
        )
        let opened = try OpenedStore(simplex)
        let findings = try CheckResult(of: opened.store, isOurs: false).findings
        let double = try #require(findings.first { $0.id == "duplicateGroup" })
        #expect(double.sample.map(\.description) == ["groups 2 and 3"])
    }

    @Test(
        "the use of relays is the owner's; other columns of that table do not matter",
        arguments: SimplexStore.versions[2...])
    func use(_ version: SimplexStore.Version) throws {
        try read(version) { chat throws in
            let usage = try ChatRelaysRepo(chat).usage(of: alice)
            #expect(usage.map(\.use.using) == [1, 1, 0, 0])
            #expect(usage.map(\.use.active) == [1, 0, 0, 0])
            let news = try GroupsRepo(chat).get(GroupID(2), of: alice)
            #expect(news.progress.active == 1 && news.progress.total == 2)
            let relays = try GroupRelaysRepo(chat).all(of: GroupID(2), of: alice)
            #expect(relays.map(\.groupRelay.status) == [.active, .acknowledgedRoster])
            #expect(relays.map(\.memberStatus.text) == ["connected", "invited"])
        }
    }

    @Test(
        "every status of a relay is read, and an unknown status is kept",
        arguments: [
            "new", "invited", "accepted", "acknowledged_roster", "active", "inactive", "rejected", "dreaming",
        ])
    func statuses(_ status: String) throws {
        try read(after: "UPDATE group_relays SET relay_status = '\(status)'") { chat in
            let relays = try GroupRelaysRepo(chat).all(of: GroupID(2), of: alice)
            #expect(relays.map(\.groupRelay.status.text) == [status, status])
            let isUse = status != "inactive" && status != "rejected"
            let usage = try ChatRelaysRepo(chat).usage(of: alice)
            #expect(usage.map(\.use.using) == (isUse ? [1, 1, 0, 0] : [0, 0, 0, 0]))
            #expect(usage.map(\.use.others) == (isUse ? [0, 0, 0, 0] : [1, 1, 0, 0]))
            let first = relays[0].relay.id
            #expect(try ChatRelaysRepo(chat).usedBy(first, of: alice).count == (isUse ? 1 : 0))
            #expect(
                try ChatRelaysRepo(chat).otherChannels(first, of: alice).map(\.status.text) == (isUse ? [] : [status]))
        }
    }

    @Test("a channel that is prepared and not joined: both links, no host, own status unknown")
    func prepared() throws {
        try read { chat throws in
            let coming = try GroupsRepo(chat).get(GroupID(3), of: alice).group
            #expect(coming.isChannel && coming.isPrepared && !coming.isStarted)
            #expect(coming.membership?.status.text == "unknown")
            #expect(try chat.count("SELECT count(*) FROM group_members WHERE group_id = 3") == 1)
        }
        // A version that does not know whether channels are prepared has none that are.
        try read(SimplexStore.versions[0]) { chat throws in
            let coming = try GroupsRepo(chat).get(GroupID(3), of: alice).group
            #expect(!coming.isChannel && !coming.isPrepared)
        }
    }

    @Test(
        "servers: several hosts, no port, a password, and roles of their own where the version has them",
        arguments: SimplexStore.versions)
    func servers(_ version: SimplexStore.Version) throws {
        try read(version) { chat throws in
            let servers = Dictionary(grouping: try ServersRepo(chat).all(of: alice), by: \.id.rawValue)
            #expect(servers[1]?.first?.hosts.count == 2)
            #expect(servers[1]?.first?.port == "" && servers[2]?.first?.port == "7001")
            #expect(servers[2]?.first?.password == "secret" && servers[2]?.first?.tested == true)
            #expect(servers[4]?.first?.serverProtocol == .xftp)
            let hasRoles = version.hasServerRoles
            #expect(servers[2]?.first?.roles.proxy == (hasRoles ? false : nil))
            #expect(servers[1]?.first?.roles.proxy == nil)
            #expect(try OperatorsRepo(chat).all().map(\.smpRoles.names) == [false, false, false])
        }
    }

    @Test(
        "a server is its operator's by a suffix of its host, a relay by an equal domain; an operator off is off for all"
    )
    func operators() throws {
        try read(after: "UPDATE server_operators SET enabled = 0 WHERE server_operator_id = 1") { chat throws in
            let operators = try OperatorsRepo(chat).all()
            let owners = try ServersRepo(chat).all(of: alice).map { operators.owner(of: $0)?.tradeName }
            #expect(owners.filter { $0 == "SimpleX Chat" }.count == 2 && owners.filter { $0 == "Flux" }.count == 1)
            let relays = try ChatRelaysRepo(chat).all(of: alice).map { operators.owner(of: $0)?.tradeName }
            #expect(relays == ["SimpleX Chat", nil, "Flux", nil])
            // smp8 and xftp1 of every profile are off with it.
            #expect(try ChatRelaysRepo(chat).choosable(of: alice).map(\.name) == ["mine"])
            #expect(try ChatRelaysRepo(chat).choosable(of: work).map(\.name) == ["shared"])
            let ofChannel = try GroupRelaysRepo(chat).all(of: GroupID(2), of: alice)
            #expect(ofChannel.map(\.isOperatorOff) == [true, false])
            let off = try StoreFacts(of: chat).profiles.first { $0.user.id == alice }?.relaysOff
            #expect(off?.map(\.groupRelay.id) == [ofChannel[0].groupRelay.id])
        }
    }

    @Test("presets of two versions of a profile differ only in the parts that the older one lacks")
    func preset() throws {
        let files = try SimplexStore.versions.map { version in
            try read(version) { try PresetExport(of: alice, in: $0).file().file }
        }
        #expect(
            files[0].custom.smpServers.map { $0.address.text(withPassword: true) }
                == ["smp://0YuTwO05YJWS8rkjn9eLJDjQhFKvIYd8d4xG8X1blIU=:secret@my.example.org:7001"])
        #expect(PresetDiff(from: files[0], to: files[1]).changes.isEmpty)
        let relays = PresetDiff(from: files[1], to: files[2])
        #expect(relays.changes.map(\.action) == [.add, .add, .add] && relays.changes.allSatisfy { $0.kind == .relay })
        let roles = PresetDiff(from: files[2], to: files[3])
        #expect(roles.changes.map(\.action) == [.update] && roles.changes.first?.kind == .smpServer)
        for file in files[4...] { #expect(PresetDiff(from: files[3], to: file).changes.isEmpty) }
    }
}
