import ChatDBKit
import Testing

/// What the checks of channels and their relays find, and what they leave out. Rule: docs/checks.md, "Relays and
/// channels".
@Suite("Checks of channels and relays")
struct RelayChecksTests {
    private func ids(_ world: CheckWorld) throws -> [String] { try world.checkup().findings.map(\.id) }

    @Test("A link that only the row of the member has is a finding of its own, and the fix stores it in both rows")
    func linkOfMember() throws {
        let world = try CheckWorld()
        try world.execute(CheckFault.linkOfMember)
        #expect(try ids(world) == ["relayLinkOfMemberOnly"])
        _ = try world.mend(world.checkup().findings)
        #expect(try ids(world).isEmpty)
        #expect(
            try world.test.count("SELECT count(*) FROM group_relays WHERE relay_link = 'https://h.example/r#made'") == 1
        )
        // Without the link of the member, the link is lost.
        try world.execute(CheckFault.linkOfMember + ["UPDATE group_members SET relay_link = ''"])
        #expect(try ids(world) == ["acceptedRelayWithoutLink"])
        // A relay whose membership has ended needs no link.
        for status in ["left", "removed"] {
            try world.execute(["UPDATE group_members SET member_status = '\(status)' WHERE member_role = 'relay'"])
            #expect(try ids(world).isEmpty)
        }
    }

    @Test("An unknown status counts for the latest row of a relay that is in the channel, also a soft-deleted relay")
    func unknownStatus() throws {
        let world = try CheckWorld()
        try world.execute(["UPDATE group_relays SET relay_status = 'dreaming'"])
        #expect(try world.checkup().findings.first?.rows.first?.chatRelayID == 1)
        // A channel cannot add a disabled relay.
        try world.execute(["UPDATE chat_relays SET enabled = 0 WHERE chat_relay_id = 1"])
        let disabled = try world.checkup().findings.first { $0.id == "unknownRelayStatus" }
        #expect(disabled != nil && disabled?.rows.first?.chatRelayID == nil)
        try world.execute(["UPDATE chat_relays SET enabled = 1 WHERE chat_relay_id = 1"])
        // The channel keeps a soft-deleted relay, but cannot add it again.
        try world.execute(["UPDATE chat_relays SET deleted = 1 WHERE chat_relay_id = 1"])
        #expect(try ids(world) == ["unknownRelayStatus"])
        #expect(try world.checkup().findings.first?.rows.first?.chatRelayID == nil)
        for status in ["left", "removed", "rejected", "deleted"] {
            try world.execute(["UPDATE group_members SET member_status = '\(status)' WHERE member_role = 'relay'"])
            #expect(try ids(world).isEmpty, "\(status)")
        }
        // A row without its member does not count. It has a check of its own.
        try world.execute(["UPDATE group_members SET member_role = 'member' WHERE member_role = 'relay'"])
        #expect(try !ids(world).contains("unknownRelayStatus"))
    }

    @Test("Of two equal entries, the finding is about the one that is no preset, which commands can delete")
    func equalPresets() throws {
        let changes = [
            (
                "duplicateRelayName",
                ["UPDATE chat_relays SET display_name = 'one', preset = 1 WHERE chat_relay_id = 3"], 1
            ),
            (
                "duplicateRelay",
                [
                    "DROP INDEX idx_chat_relays_address_key",
                    """
                    UPDATE chat_relays SET preset = 1, (address, address_key) =
                        (SELECT address, address_key FROM chat_relays WHERE chat_relay_id = 1)
                    WHERE chat_relay_id = 3
                    """,
                ], 1
            ),
            (
                "duplicateServer",
                [
                    """
                    INSERT INTO protocol_servers (smp_server_id, user_id, protocol, host, key_hash, preset)
                    VALUES (13, 1, 'smp', 'A.example', 'k', 1)
                    """
                ], 11
            ),
        ]
        for (id, change, row) in changes {
            let world = try CheckWorld()
            try world.execute(change)
            let rows = try world.checkup().findings.first { $0.id == id }?.rows.map { Int($0.row) }
            #expect(rows == [row], "\(id)")
        }
    }

    @Test("A created channel needs an owner, who may be another member")
    func owner() throws {
        let changes = [
            """
            INSERT INTO group_members (group_member_id, user_id, group_id, member_id, member_role, member_category,
                member_status, local_display_name, contact_profile_id)
            SELECT 19, user_id, group_id, 'other', 'owner', 'invitee', 'connected', local_display_name,
                contact_profile_id
            FROM group_members WHERE group_member_id = 2
            """,
            "UPDATE groups SET use_relays = 0",
            "UPDATE group_members SET member_status = 'connected' WHERE group_member_id = 1",
            "UPDATE group_members SET member_status = 'left' WHERE group_member_id = 1",
        ]
        for change in changes {
            let world = try CheckWorld()
            try world.execute(["UPDATE group_members SET member_role = 'admin' WHERE group_member_id = 1"])
            #expect(try ids(world) == ["createdChannelWithoutOwner"])
            try world.execute([change])
            #expect(try !ids(world).contains("createdChannelWithoutOwner"), "\(change)")
        }
    }

    @Test(
        "The role of a relay matters while the profile serves the channel, or is asked to", arguments: RelayStatus.known
    )
    func ownRole(_ status: RelayStatus) throws {
        let world = try CheckWorld()
        try world.execute(["UPDATE groups SET relay_own_status = '\(status.text)' WHERE group_id = 11"])
        let isFound = try ids(world).contains("relayServiceWithoutRole")
        #expect(isFound == [.invited, .accepted, .acknowledgedRoster, .active].contains(status))
        try world.execute(["UPDATE group_members SET member_role = 'relay' WHERE group_member_id = 11"])
        #expect(try !ids(world).contains("relayServiceWithoutRole"))
        #expect(try !ids(world).contains("unknownOwnRelayStatus"))
    }

    @Test("A request that the profile received has no finding, before and after it is accepted")
    func request() throws {
        let world = try CheckWorld()
        let link = try GroupLink("https://h.example/c#AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")
        let request = NewRelayRequest(
            invitationID: InvitationID(bytes: Array("inv".utf8)), link: link,
            peerVersions: RelayRequest.PeerVersions(lowest: 1, highest: 16), ownerName: "olga",
            ownerMemberID: "owner", relayMemberID: "relay")
        try world.execute(["UPDATE users SET is_user_chat_relay = 1 WHERE user_id = 2"])
        let group = try world.test.write {
            try RelayRequestsWriter($0, clock: TestStore.clock).receive(request, of: world.bob.id).group
        }
        #expect(try ids(world).isEmpty)
        try world.test.write {
            _ = try RelayRequestsWriter($0, clock: TestStore.clock).accept(
                group.id, profile: GroupProfile(displayName: "relayed"), of: world.bob.id)
        }
        #expect(try ids(world).isEmpty)
    }
}
