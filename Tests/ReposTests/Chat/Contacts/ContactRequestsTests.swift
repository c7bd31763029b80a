import ChatDBKit
import Testing

@Suite struct ContactRequestsTests {
    let world: ContactWorld
    let address: UserContactLink
    var test: TestStore { world.test }
    var alice: User { world.alice }

    init() throws {
        world = try ContactWorld()
        address = try world.addAddress("alice-address", of: world.alice)
    }

    private func request(
        _ name: String, invitation: String, id: String? = nil, link: String? = nil, by: UserContactLink? = nil
    ) -> NewContactRequest {
        NewContactRequest(
            linkID: (by ?? address).id, agentInvitationID: InvitationID(invitation), xContactID: id,
            profile: ContactProfileContent(displayName: name, contactLink: link))
    }

    private func receive(_ request: NewContactRequest) throws -> ReceivedRequest {
        try test.write { try ContactRequestsWriter($0, clock: TestStore.clock).receive(request, of: alice.id) }
    }

    private func all() throws -> [ContactRequest] {
        try test.read { try ContactRequestsRepo($0).all(of: alice.id) }
    }

    @Test("a request has a profile and a name of its own, and the last one is the first of the list")
    func receive() throws {
        _ = try world.addContact("carol", of: alice)
        let first = try receive(request("carol", invitation: "i1", id: "x1"))
        let second = try receive(request("dan", invitation: "i2", id: "x2"))
        #expect(first.outcome == .received && first.request.localDisplayName == "carol_1")
        #expect(first.request.linkID == address.id && first.request.agentInvitationID == InvitationID("i1"))
        #expect(first.request.xContactID == "x1" && first.request.contactID == nil)
        #expect(try all() == [second.request, first.request])
        try test.read { chat throws in
            let requests = ContactRequestsRepo(chat)
            #expect(try requests.get(first.request.id, of: alice.id) == first.request)
            #expect(try requests.find(first.request.id, of: world.bob.id) == nil)
            #expect(try requests.all(of: world.bob.id).isEmpty)
        }
    }

    @Test("a request with the same `xcontact_id` replaces the one before")
    func repeated() throws {
        let first = try receive(request("carol", invitation: "i1", id: "x1"))
        let again = try receive(request("carla", invitation: "i2", id: "x1"))
        #expect(again.outcome == .repeated && again.request.id == first.request.id)
        #expect(again.request.agentInvitationID == InvitationID("i2") && again.request.localDisplayName == "carla")
        #expect(again.request.profile.id == first.request.profile.id)
        #expect(again.request.profile.content.displayName == "carla")
        #expect(try all() == [again.request])
        #expect(try world.names(of: alice) == ["alice", "carla"])
        let bobs = try world.addAddress("bob-address", of: world.bob)
        let others = try test.write {
            try ContactRequestsWriter($0).receive(
                request("carol", invitation: "i1", id: "x1", by: bobs), of: world.bob.id)
        }
        #expect(others.outcome == .received)
    }

    @Test("without an id, the same person is known by their own address with all else they say, and by the agent's id")
    func repeatedWithoutID() throws {
        let first = try receive(request("carol", invitation: "i1", link: "c"))
        let same = try receive(request("carol", invitation: "i2", link: "c"))
        #expect(same.outcome == .repeated && same.request.id == first.request.id)
        let delivered = try receive(request("caro", invitation: "i2"))
        #expect(delivered.outcome == .repeated && delivered.request.id == first.request.id)
        #expect(delivered.request.localDisplayName == "caro")
    }

    @Test("without an id, two people with one name are two requests, and so is one address with another name")
    func notRepeated() throws {
        let requests = [
            request("carol", invitation: "i1"), request("carol", invitation: "i2"),
            request("carol", invitation: "i3", link: "c"), request("dan", invitation: "i4", link: "c"),
            request("carol", invitation: "i5", id: "x", link: "c"),
        ]
        for one in requests { #expect(try receive(one).outcome == .received) }
        #expect(try all().map(\.localDisplayName) == ["carol_3", "dan", "carol_2", "carol_1", "carol"])
    }

    @Test("accepting creates a contact with the profile and name of the request, and removes the request")
    func accept() throws {
        let request = try receive(request("carol", invitation: "i1", id: "x1")).request
        let contact = try test.write {
            try ContactRequestsWriter($0, clock: TestStore.clock).accept(request.id, of: alice.id)
        }
        #expect(contact.profile == request.profile && contact.localDisplayName == "carol")
        #expect(contact.isUsed && contact.status == .active && !contact.isDeleted)
        #expect(try all().isEmpty)
        #expect(try test.read { try ContactsRepo($0).page(of: alice.id).contacts } == [contact])
        #expect(try world.names(of: alice) == ["alice", "carol"])
        try world.refuses("contactRequestNotFound", ContactsError.self) {
            _ = try ContactRequestsWriter($0).accept(request.id, of: alice.id)
        }
        #expect(try test.count("SELECT count(*) FROM pragma_foreign_key_check") == 0)
    }

    @Test("rejecting leaves nothing of a request")
    func reject() throws {
        let before = try world.rows()
        let request = try receive(request("carol", invitation: "i1", id: "x1")).request
        let rejected = try test.write { try ContactRequestsWriter($0).reject(request.id, of: alice.id) }
        #expect(rejected == request)
        #expect(try world.rows() == before)
    }

    @Test("a contact made before the answer is the one that is accepted, and stays when the request is rejected")
    func contactBeforeAnswer() throws {
        let one = try receive(request("carol", invitation: "i1", id: "x1")).request
        let contact = try test.write { chat throws in
            let id = try chat.insert(
                """
                INSERT INTO contacts (user_id, contact_profile_id, local_display_name, deleted)
                VALUES (\(alice.id), \(one.profile.id), 'carol', 1)
                """, returning: "contact_id")
            try chat.run("UPDATE contact_requests SET contact_id = \(id)")
            return ContactID(id)
        }
        // They call themselves something else meanwhile: both rows follow.
        let again = try receive(request("carla", invitation: "i2", id: "x1")).request
        #expect(again.contactID == contact && again.localDisplayName == "carla")
        #expect(try world.names(of: alice) == ["alice", "carla"])
        try test.write { chat throws in
            #expect(try ContactRequestsWriter(chat).accept(one.id, of: alice.id).id == contact)
            #expect(try ContactsRepo(chat).get(contact, of: alice.id).localDisplayName == "carla")
            #expect(try chat.count("SELECT count(*) FROM contacts WHERE user_id = \(alice.id)") == 2)
        }
        let other = try receive(request("dan", invitation: "i3", id: "x3")).request
        try test.write { try $0.run("UPDATE contact_requests SET contact_id = \(contact)") }
        _ = try test.write { try ContactRequestsWriter($0).reject(other.id, of: alice.id) }
        #expect(try test.read { try ContactsRepo($0).find(contact, of: alice.id) } != nil)
        #expect(try world.names(of: alice) == ["alice", "carla"])
    }

    @Test("when a contact made before the answer is deleted, the request keeps name and profile, and can be accepted")
    func contactBeforeAnswerDeleted() throws {
        let one = try receive(request("carol", invitation: "i1", id: "x1")).request
        try test.write { chat throws in
            let id = try chat.insert(
                """
                INSERT INTO contacts (user_id, contact_profile_id, local_display_name, deleted)
                VALUES (\(alice.id), \(one.profile.id), 'carol', 1)
                """, returning: "contact_id")
            try chat.run("UPDATE contact_requests SET contact_id = \(id)")
            _ = try ContactsWriter(chat).delete(ContactID(id), of: alice.id)
        }
        #expect(try all() == [one])
        let contact = try test.write { try ContactRequestsWriter($0).accept(one.id, of: alice.id) }
        #expect(contact.localDisplayName == "carol" && contact.profile == one.profile)
        #expect(try test.count("SELECT count(*) FROM pragma_foreign_key_check") == 0)
    }

    @Test("a request by a link of another profile, or with an invalid name, makes nothing")
    func refused() throws {
        let bobs = try world.addAddress("bob-address", of: world.bob)
        try world.refuses("linkNotFound", ContactsError.self) {
            _ = try ContactRequestsWriter($0).receive(request("carol", invitation: "i", by: bobs), of: alice.id)
        }
        try world.refuses("invalidContactName", ContactsError.self) {
            _ = try ContactRequestsWriter($0).receive(request("\u{1B}", invitation: "i"), of: alice.id)
        }
        for bytes in [[0xFF], []] as [[UInt8]] {
            var none = request("carol", invitation: "i")
            none.agentInvitationID = InvitationID(bytes: bytes)
            try world.refuses("invalidInvitation", ContactsError.self) {
                _ = try ContactRequestsWriter($0).receive(none, of: alice.id)
            }
        }
    }
}
