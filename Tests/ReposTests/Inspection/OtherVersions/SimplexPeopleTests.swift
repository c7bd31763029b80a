import ChatDBKit
import TestKit
import Testing

/// What is stored about people, business chats, public groups and colours, in stores of SimpleX Chat. A version without
/// a column gives nothing for it.
@Suite struct SimplexPeopleTests {
    private let alice = UserID(1)
    private let bob = ContactID(11)

    /// Runs SQL, and returns whether the version has the columns.
    private func isPossible(_ sql: String, in simplex: SimplexStore) -> Bool {
        (try? simplex.execute(sql)) != nil
    }

    @Test("profiles, preferences and colours are read", arguments: SimplexStore.versions)
    func profiles(_ version: SimplexStore.Version) throws {
        let simplex = try SimplexStore(version)
        try simplex.execute(
            """
            UPDATE contact_profiles SET full_name = 'Full', image = 'data:image/png;base64,QUJD'
            WHERE contact_profile_id IN (1, 11);
            UPDATE users SET ui_themes = '{"light":{}}' WHERE user_id = 1;
            UPDATE contacts SET ui_themes = '{"dark":{}}', user_preferences = '{"calls":{"allow":"no"}}'
            WHERE contact_id = 11
            """)
        let hasShort = isPossible("UPDATE contact_profiles SET short_descr = 'short'", in: simplex)
        let hasLong = isPossible("UPDATE contact_profiles SET description = 'long'", in: simplex)
        let hasType = isPossible("UPDATE contact_profiles SET chat_peer_type = 'bot'", in: simplex)
        #expect(hasLong == (version.chat >= "20260720"))
        let opened = try OpenedStore(simplex)
        try opened.store.read { chat throws in
            let users = UsersRepo(chat)
            for profile in try [users.profile(of: alice), ContactsRepo(chat).profile(of: bob, of: alice)] {
                #expect(profile.content.fullName == "Full" && profile.content.image?.isEmpty == false)
                #expect(profile.content.contactLink == "simplex:/a#x")
                #expect(profile.content.shortDescription == (hasShort ? "short" : nil))
                #expect(profile.content.description == (hasLong ? "long" : nil))
                #expect(profile.content.peerType == (hasType ? .bot : nil))
            }
            #expect(try users.profiles(hidden: .shown).count == 4)
            #expect(try users.themes(of: alice) == #"{"light":{}}"#)
            #expect(try ChatListRepo(chat).themes(of: .contact(bob), of: alice) == #"{"dark":{}}"#)
            #expect(try ChatListRepo(chat).themes(of: .group(GroupID(1)), of: alice) == nil)
            #expect(try ContactsRepo(chat).preferences(for: bob, of: alice) == #"{"calls":{"allow":"no"}}"#)
        }
    }

    @Test("codes, counters of errors and blocked members are read", arguments: SimplexStore.versions)
    func states(_ version: SimplexStore.Version) throws {
        let simplex = try SimplexStore(version)
        try simplex.execute(
            """
            UPDATE connections
            SET security_code = '12345', security_code_verified_at = '2026-07-20 09:05:00.123456',
                auth_err_counter = 10
            WHERE connection_id = 1;
            UPDATE connections SET auth_err_counter = NULL, quota_err_counter = 5 WHERE connection_id = 2;
            UPDATE group_members SET show_messages = 0, invited_by = 11 WHERE group_member_id = 25;
            UPDATE group_members SET invited_by = 1 WHERE group_member_id = 26;
            UPDATE group_members SET invited_by_group_member_id = 20 WHERE group_member_id = 24
            """)
        let hasCode = isPossible(
            """
            UPDATE group_members SET member_security_code = '67890',
                member_security_code_verified_at = '2026-07-20 09:05:00.123456'
            WHERE group_member_id = 25
            """, in: simplex)
        let opened = try OpenedStore(simplex)
        try opened.store.read { chat throws in
            let failing = try ConnectionsRepo(chat).failing(of: alice)
            #expect(failing.map(\.isDisabled) == [true, false] && failing.map(\.isInactive) == [false, true])
            #expect(failing.map(\.authenticationErrors) == [10, 0])
            let code = try ContactsRepo(chat).verifiedCode(of: bob, of: alice)
            #expect(code?.code == "12345" && code?.verifiedAt.text == "2026-07-20 09:05:00.123456")
            let members = GroupMembersRepo(chat)
            let reader = try members.get(GroupMemberID(25), of: alice)
            #expect(!reader.showsMessages && reader.invitedBy == .contact(bob) && reader.restriction == .blocked)
            #expect(try members.get(GroupMemberID(26), of: alice).invitedBy == .user)
            #expect(try members.get(GroupMemberID(24), of: alice).invitedBy == .member(GroupMemberID(20)))
            #expect(
                try members.verifiedCode(of: GroupMemberID(25), of: alice)?.code == (hasCode ? "67890" : nil))
            #expect(try members.profile(of: GroupMemberID(25), of: alice).content.displayName == "alice")
            #expect(try members.profiles(of: [GroupMemberID(24), GroupMemberID(25)], of: alice).count == 2)
        }
    }

    @Test("business chats and public groups are read, with ids in base64url", arguments: SimplexStore.versions)
    func groups(_ version: SimplexStore.Version) throws {
        let simplex = try SimplexStore(version)
        try simplex.execute(
            """
            UPDATE groups SET business_chat = 'customer', business_member_id = x'00ff', customer_member_id = x'01ff',
                business_xcontact_id = x'02ff'
            WHERE group_id = 1;
            UPDATE groups SET business_chat = 'business' WHERE group_id = 2;
            UPDATE user_contact_links SET business_address = 1;
            UPDATE contacts SET contact_group_member_id = 25, contact_grp_inv_sent = 1 WHERE contact_id = 11
            """)
        let isPublic = isPossible(
            """
            UPDATE group_profiles SET public_group_id = x'00ff', group_type = 'channel' WHERE group_profile_id = 2
            """, in: simplex)
        let opened = try OpenedStore(simplex)
        try opened.store.read { chat throws in
            let groups = GroupsRepo(chat)
            let found = try #require(try groups.find(businessRequest: "Av8=", of: alice))
            #expect(found.group.id == GroupID(1))
            #expect(
                found.group.businessChat
                    == BusinessChat(.customer, businessMemberID: "AP8=", customerMemberID: "Af8="))
            #expect(try groups.get(GroupID(2), of: alice).group.businessChat == nil)
            let known = PublicGroup(id: "AP8=", kind: .channel)
            #expect(try groups.publicGroup(of: GroupID(2), of: alice) == (isPublic ? known : nil))
            #expect(try groups.all(publicID: "AP8=", of: alice).map(\.group.id) == (isPublic ? [GroupID(2)] : []))
            #expect(try UserContactLinksRepo(chat).all(of: alice).map(\.isBusinessAddress) == [true])
            let contact = try ContactsRepo(chat).get(bob, of: alice)
            #expect(contact.memberID == GroupMemberID(25) && contact.isInvitationSent)
        }
    }
}
