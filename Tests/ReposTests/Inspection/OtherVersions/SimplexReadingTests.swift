import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBInspection

/// The repositories on stores of SimpleX Chat of every described version.
@Suite struct SimplexReadingTests {
    private typealias Version = SimplexStore.Version
    private let alice = UserID(1)
    private let work = UserID(2)

    @Test(
        "profiles, operators, servers, contacts and groups are read, and not a byte changes",
        arguments: SimplexStore.versions)
    func everyVersion(_ version: SimplexStore.Version) throws {
        let simplex = try SimplexStore(version)
        let before = try simplex.folder.fingerprint()
        let opened = try OpenedStore(simplex)
        try opened.store.readBoth { chat, agent throws in
            let users = UsersRepo(chat)
            #expect(try users.all().map(\.name) == ["alice", "work", "lost"])
            #expect(try users.all(hidden: .shown).map(\.name) == ["alice", "work", "mask", "lost"])
            #expect(try users.hiddenCount() == 1)
            #expect(try users.active()?.id == alice)
            let operators = try OperatorsRepo(chat).all()
            #expect(operators.map(\.tradeName) == ["SimpleX Chat", "Flux", "Nobody"])
            #expect(operators.map(\.isEnabled) == [true, false, true])
            #expect(operators.map(\.domains) == [["simplex.im"], ["simplexonflux.com"], []])
            #expect(try OperatorsRepo(chat).latestAcceptedConditions()?.commit == "abc")
            #expect(try ServersRepo(chat).all(of: alice).count == 4)
            let facts = try StoreFacts(of: chat)
            #expect(facts.profiles.map(\.contacts) == [2, 1, 0])
            #expect(facts.profiles.map(\.groups) == (version.hasRelays ? [1, 1, 0] : [3, 1, 0]))
            #expect(facts.profiles.map(\.channels.count) == (version.hasRelays ? [2, 0, 0] : [0, 0, 0]))
            #expect(facts.profiles.map(\.relays.count) == (version.hasRelays ? [4, 1, 0] : [0, 0, 0]))
            #expect(facts.warnings.contains { $0.kind == .noEnabledRelays } == version.hasRelays)
            #expect(try agent.count("SELECT count(*) FROM users WHERE deleted = 0") == 4)
        }
        try opened.store.close()
        #expect(try simplex.folder.fingerprint() == before)
    }

    @Test("one clause notes everything that a version lacks")
    func notes() throws {
        let notes = try SimplexStore.versions.map { try OpenedStore(SimplexStore($0)).store.notes }
        let roles = "no role for names, no roles of single servers"
        #expect(
            notes == [
                [
                    "the chat database: this version has \(roles), no relays, no use of relays, no channels, "
                        + "no groups prepared without joining, no links of groups"
                ],
                [
                    "the chat database: this version has \(roles), no relays, no use of relays, no channels, "
                        + "no links of groups"
                ],
                ["the chat database: this version has \(roles)"], [], [], [],
            ])
    }

    @Test(
        "text in a BLOB: addresses, links, key hashes and agent connection ids are found by their text",
        arguments: SimplexStore.versions)
    func textInBlobs(_ version: SimplexStore.Version) throws {
        let opened = try OpenedStore(SimplexStore(version))
        try opened.store.readBoth { chat, agent throws in
            let server = try #require(try ServersRepo(chat).all(of: alice).first)
            #expect(server.keyHash == "0YuTwO05YJWS8rkjn9eLJDjQhFKvIYd8d4xG8X1blIU=")
            #expect(
                try server.address().text(withPassword: true).hasPrefix(
                    "smp://0YuTwO05YJWS8rkjn9eLJDjQhFKvIYd8d4xG8X1blIU=@"))
            let hash = try agent.rows("SELECT host FROM servers WHERE key_hash = \(server.keyHash)")
            #expect(hash.first?.values == [.text("smp8.simplex.im")])
            let id = AgentConnectionID(bytes: Array("Ym9i".utf8))
            #expect(try ConnectionsRepo(chat).entity(of: id)?.connection.id == ConnectionID(1))
            #expect(
                try UserContactLinksRepo(chat).find(text: "simplex:/contact#x", of: alice)?.id == UserContactLinkID(1))
            guard version.hasRelays else { return }
            let address = try RelayAddress("https://relay.example.org/r#Fp5RWXkiRFg-hgcDwC2v-MWnPfvEf42RgCqREntW0mw")
            #expect(try ChatRelaysRepo(chat).find(sameAs: address, of: alice)?.id == ChatRelayID(2))
            #expect(try ChatRelaysRepo(chat).find(sameAs: address, of: work)?.id == ChatRelayID(4))
            #expect(
                try GroupRelaysRepo(chat).all(of: GroupID(2), of: alice).first?.groupRelay.relayLink == "simplex:/r#one"
            )
            #expect(try GroupsRepo(chat).get(GroupID(2), of: alice).group.link == "simplex:/g#news")
        }
    }

    @Test("bytes in columns of text, before tables were STRICT, are text", arguments: SimplexStore.versions)
    func bytesInText(_ version: SimplexStore.Version) throws {
        let simplex = try SimplexStore(version)
        let opened = try OpenedStore(simplex)
        try opened.store.read { chat throws in
            let owners: Query = "SELECT count(*) FROM group_members WHERE member_role = 'owner'"
            #expect(try chat.count(owners) == 1)
            let stored: Query = "SELECT count(*) FROM main.group_members WHERE member_role = 'owner'"
            #expect(try chat.count(stored) == (version.isStrict ? 1 : 0))
            #expect(try GroupMembersRepo(chat).all(with: .owner, in: GroupID(2), of: alice).count == 1)
            #expect(try UserContactLinksRepo(chat).groupLink(of: GroupID(1), of: alice)?.memberRole == .member)
            #expect(try chat.rows("SELECT app_settings FROM app_settings").first?.values == [.text("{}")])
            #expect(try chat.count("SELECT count(*) FROM chat_items WHERE msg_content_tag = 'text'") == 1)
        }
    }

    @Test("text in STRICT tables of a version is read as it is: only tables that differ become views")
    func strict() throws {
        let opened = try OpenedStore(SimplexStore())
        try opened.store.read { chat throws in
            let views = try chat.rows("SELECT name FROM sqlite_temp_master ORDER BY name").map(\.values)
            #expect(!views.contains([.text("usage_conditions")]))
            #expect(!views.contains([.text("settings")]))
            let members = try chat.rows("SELECT sql FROM sqlite_temp_master WHERE name = 'group_members'")
            let sql: String = try #require(members.first).get("sql")
            #expect(sql.contains("    member_role,\n"))
            #expect(sql.contains("CAST(relay_link AS TEXT) AS relay_link"))
        }
    }

    @Test("members: roles and statuses this build does not know are kept as text; current ones are counted")
    func members() throws {
        let opened = try OpenedStore(SimplexStore())
        try opened.store.read { chat throws in
            let members = try chat.rows("SELECT \(GroupMember.columns) FROM group_members WHERE group_id = 2")
                .map(GroupMember.init(row:))
            #expect(members.map(\.role.text).sorted() == ["android", "observer", "owner", "relay", "relay"])
            #expect(
                members.map(\.status.text).sorted() == ["connected", "connected", "creator", "intro-inv", "invited"])
            #expect(members.filter(\.status.isCurrent).count == 4)
        }
    }

    @Test("orphans both ways: a profile the agent does not know, and one only the agent knows")
    func orphans() throws {
        let simplex = try SimplexStore()
        try simplex.execute("UPDATE users SET agent_user_id = NULL WHERE user_id = 2")
        let opened = try OpenedStore(simplex)
        try opened.store.readBoth { chat, agent throws in
            #expect(try UsersRepo(chat).get(UserID(4)).agentUserID.rawValue == 99)
            // A number of no profile: the agent counts from 1.
            #expect(try UsersRepo(chat).get(work).agentUserID.rawValue == 0)
            #expect(try agent.count("SELECT count(*) FROM users WHERE user_id = 99") == 0)
            #expect(try UsersRepo(chat).find(agentUser: AgentUserID(7)) == nil)
            #expect(try ConnectionsRepo(chat).entity(of: AgentConnectionID(bytes: Array("bmVpdGhlcg==".utf8))) == nil)
            #expect(try agent.count("SELECT count(*) FROM connections WHERE conn_id = CAST('Y2Fyb2w=' AS BLOB)") == 0)
        }
    }

    @Test("connections of kinds that only old files have keep their text")
    func oldConnections() throws {
        let opened = try OpenedStore(SimplexStore(SimplexStore.versions[0]))
        try opened.store.read { chat throws in
            #expect(try ConnectionsRepo(chat).get(ConnectionID(3), of: alice).type.text == "rcv_file")
        }
    }

    @Test("times have six digits; a time that was not stored is the nearest of its row, never now")
    func times() throws {
        let opened = try OpenedStore(SimplexStore())
        try opened.store.read { chat throws in
            let group = try GroupsRepo(chat).get(GroupID(2), of: alice).group
            #expect(group.chatTime.iso8601 == "2026-07-20T09:05:00.123Z")
            #expect(group.chatTime.microseconds % 1_000 == 456)
        }
        let simplex = try SimplexStore()
        try simplex.execute("UPDATE groups SET updated_at = NULL")
        let other = try OpenedStore(simplex)
        try other.store.read { chat throws in
            #expect(
                try GroupsRepo(chat).get(GroupID(2), of: alice).group.chatTime.iso8601 == "2026-01-01T00:00:00.000Z")
        }
    }

    @Test("ids that are bytes and no text are base64url, each its own", arguments: SimplexStore.versions)
    func ids(_ version: SimplexStore.Version) throws {
        let opened = try OpenedStore(SimplexStore(version))
        try opened.store.read { chat throws in
            let ids = try chat.rows("SELECT member_id FROM group_members WHERE group_id = 2 ORDER BY group_member_id")
                .map { try $0.get("member_id") as String }
            // x'30ff', x'33ff', …
            #expect(ids == ["MP8=", "M_8=", "NP8=", "Nf8=", "Nv8="])
            let shared = try chat.rows("SELECT shared_msg_id FROM messages ORDER BY message_id").map(\.values)
            #expect(shared == [[.text("AQI=")], [.null]])
        }
    }

    @Test("messages have no column for their profile: they belong to that of their connection or group")
    func messages() throws {
        let opened = try OpenedStore(SimplexStore())
        try opened.store.read { chat throws in
            let users = try chat.rows("SELECT user_id FROM messages ORDER BY message_id").map(\.values)
            #expect(users == [[.integer(1)], [.integer(2)]])
        }
    }
}
