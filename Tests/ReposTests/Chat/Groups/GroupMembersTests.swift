import ChatDBKit
import Testing

@Suite struct GroupMembersTests {
    let test: TestStore
    let alice: User
    let bob: User
    let group: GroupSummary

    init() throws {
        test = try TestStore()
        alice = try test.addUser("alice")
        bob = try test.addUser("bob")
        group = try test.addGroup("talk", of: alice)
    }

    @Test("a member has a name and a profile of its own; a name in use gets a suffix")
    func add() throws {
        let one = try test.addMember("carol", .admin, .accepted, to: group, of: alice)
        #expect(one.localDisplayName == "carol" && one.role == .admin && one.status == .accepted && !one.isOwn)
        #expect(one.category == .post && one.memberID == "id of carol" && one.groupID == group.group.id)
        let two = try test.write {
            try writer($0).add(
                NewMember(name: " carol ", memberID: "other", role: .member, category: .pre, status: .connected),
                to: group.group.id, of: alice.id)
        }
        #expect(two.localDisplayName == "carol_1")
        try test.read { chat in
            let members = GroupMembersRepo(chat)
            let found = try members.find(memberID: "other", in: group.group.id, of: alice.id)
            #expect(found == two)
            #expect(try members.find(memberID: "other", in: group.group.id, of: bob.id) == nil)
            #expect(try members.find(memberID: "none", in: group.group.id, of: alice.id) == nil)
            #expect(try members.find(one.id, of: bob.id) == nil)
        }
        #expect(throws: GroupsError.memberNotFound(.id(one.id))) {
            try test.read { try GroupMembersRepo($0).get(one.id, of: bob.id) }
        }
        #expect(try test.count("SELECT count(*) FROM pragma_foreign_key_check") == 0)
    }

    @Test("the name of a contact, a group or a member is in use even if its row of display_names is lost")
    func lostNames() throws {
        try test.addMember("carol", to: group, of: alice)
        try test.write {
            _ = try ContactsWriter($0).create(ContactProfileContent(displayName: "dan"), of: alice.id)
        }
        try test.loseNames()
        for name in ["carol", "dan", "talk", "alice"] {
            let added = try test.write {
                try writer($0).add(
                    NewMember(name: name, memberID: name, role: .member, category: .pre, status: .connected),
                    to: group.group.id, of: alice.id)
            }
            #expect(added.localDisplayName == "\(name)_1")
        }
    }

    @Test("an invalid member is refused, and nothing is created")
    func addRefused() throws {
        let existing = try test.addMember("carol", to: group, of: alice)
        let before = try test.everything()
        func code(_ member: NewMember, _ user: User? = nil) -> String? {
            let error = #expect(throws: GroupsError.self) {
                try test.write { try writer($0).add(member, to: group.group.id, of: (user ?? alice).id) }
            }
            return error?.code
        }
        func member(_ name: String, _ id: String, _ category: GroupMemberCategory = .post) -> NewMember {
            NewMember(name: name, memberID: id, role: .member, category: category, status: .connected)
        }
        #expect(code(member("", "x")) == "invalidMemberName")
        #expect(code(member("a\u{7}", "x")) == "invalidMemberName")
        #expect(code(member("dave", " ")) == "invalidMemberId")
        #expect(code(member("dave", existing.memberID)) == "duplicateMember")
        #expect(code(member("dave", "x", .user)) == "ownMembership")
        #expect(code(member("dave", "x"), bob) == "groupNotFound")
        #expect(try test.everything() == before)
    }

    @Test("roles can change, except that of the only owner and those of relays")
    func roles() throws {
        let own = try #require(group.group.membership).memberID
        let carol = try test.addMember("carol", to: group, of: alice)
        let relay = try test.addMember("relay", .relay, to: group, of: alice)
        #expect(try setRole(.admin, carol.id).role == .admin)
        #expect(throws: GroupsError.self) { try setRole(.member, relay.id) }
        let admin = try test.read { try GroupMembersRepo($0).get(carol.id, of: alice.id) }
        #expect(throws: GroupsError.relayRole(admin, to: .relay)) { try setRole(.relay, carol.id) }
        #expect(try setRole(.relay, relay.id).role == .relay)
        #expect(try setRole(.owner, own).role == .owner)
        #expect(throws: GroupsError.soleOwner(group.group)) { try setRole(.admin, own) }
        #expect(try setRole(.owner, carol.id).role == .owner)
        #expect(try setRole(.admin, own).role == .admin)
        #expect(try setRole(.unknown("newer"), carol.id).role == .unknown("newer"))
        #expect(throws: GroupsError.memberNotFound(.id(carol.id))) {
            try test.write { try writer($0).setRole(.member, of: carol.id, of: bob.id) }
        }
    }

    @Test("an owner who has left, or has not joined yet, does not let the other owner leave")
    func otherOwnerGone() throws {
        let own = try #require(group.group.membership).memberID
        let carol = try test.addMember("carol", .owner, .left, to: group, of: alice)
        for status in GroupMemberStatus.known + [.unknown("newer")] {
            try test.write { try writer($0).setStatus(status, of: carol.id, of: alice.id) }
            let mayLeave = try test.read { try GroupMembersRepo($0).mayLeave(group.group.id, of: alice.id) }
            #expect(mayLeave == status.isCurrent, "\(status)")
            let owners = try test.read { try GroupMembersRepo($0).owners(of: group.group.id, of: alice.id) }
            #expect(owners.map(\.id) == (status.isCurrent ? [own, carol.id] : [own]), "\(status)")
            if !status.isCurrent {
                #expect(throws: GroupsError.soleOwner(group.group)) {
                    try test.write { try writer($0).setStatus(.left, of: own, of: alice.id) }
                }
            }
        }
    }

    @Test("the profile may leave its groups in any role, unless it is the only owner")
    func mayLeave() throws {
        for status in GroupMemberStatus.known + [.unknown("newer")] {
            for role in GroupMemberRole.known {
                try test.setOwnStatus(status, in: group)
                try test.setOwnRole(role, in: group)
                let mayLeave = try test.read { try GroupMembersRepo($0).mayLeave(group.group.id, of: alice.id) }
                let isOutside = status.isHistory || status == .unknownMember
                let isSoleOwner = status.isCurrent && role == .owner
                #expect(mayLeave == (!isOutside && !isSoleOwner), "\(status) \(role)")
            }
        }
        #expect(throws: GroupsError.groupNotFound(.id(group.group.id))) {
            try test.read { try GroupMembersRepo($0).mayLeave(group.group.id, of: bob.id) }
        }
    }

    @Test("removing keeps the row with the status removed; the profile itself and former members cannot be removed")
    func remove() throws {
        let own = try #require(group.group.membership).memberID
        let carol = try test.addMember("carol", to: group, of: alice)
        #expect(throws: GroupsError.memberNotFound(.id(carol.id))) {
            try test.write { try writer($0).remove(carol.id, of: bob.id) }
        }
        #expect(try test.write { try writer($0).remove(carol.id, of: alice.id) }.status == .removed)
        #expect(throws: GroupsError.ownMembership(group.group)) {
            try test.write { try writer($0).remove(own, of: alice.id) }
        }
        for status in GroupMemberStatus.known {
            try test.write { try writer($0).setStatus(status, of: carol.id, of: alice.id) }
            if status.isHistory {
                let error = #expect(throws: GroupsError.self) {
                    try test.write { try writer($0).remove(carol.id, of: alice.id) }
                }
                #expect(error?.code == "memberGone")
            } else {
                #expect(try test.write { try writer($0).remove(carol.id, of: alice.id) }.status == .removed)
            }
        }
    }

    @Test("a relay that leaves or is removed becomes inactive in its channel, unless it was rejected")
    func relayGone() throws {
        let relay = try test.addRelay("r1.example", of: alice)
        let other = try test.addRelay("r2.example", of: alice)
        let channel = try test.addChannel("news", relays: [relay, other], of: alice)
        let member = try test.read { chat in
            try GroupRelaysRepo(chat).all(of: channel.group.id, of: alice.id)[0].groupRelay.memberID
        }
        for status in RelayStatus.known + [.unknown("newer")] {
            for gone in GroupMemberStatus.known {
                try test.setStatus(status, of: relay, in: channel)
                try test.setStatus(.active, of: other, in: channel)
                try test.write { try writer($0).setStatus(gone, of: member, of: alice.id) }
                let relays = try test.read { try GroupRelaysRepo($0).all(of: channel.group.id, of: alice.id) }
                let expected = gone.isHistory && status != .rejected ? .inactive : status
                #expect(relays[0].groupRelay.status == expected, "\(status) \(gone)")
                #expect(relays[1].groupRelay.status == .active)
            }
        }
    }

    private func setRole(_ role: GroupMemberRole, _ id: GroupMemberID) throws -> GroupMember {
        try test.write { try writer($0).setRole(role, of: id, of: alice.id) }
    }

    private func writer(_ chat: any WriteTransaction) -> GroupMembersWriter {
        GroupMembersWriter(chat, clock: TestStore.clock)
    }
}
