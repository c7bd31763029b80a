import ChatDBKit
import Testing

/// Rule: docs/domain.md, "Profiles", Details and Colours.
@Suite struct ProfileDetailsTests {
    let world: ContactWorld

    init() throws { world = try ContactWorld() }

    private static let picture = "data:image/jpg;base64,/9j/4AAQ"

    private func set(_ details: ProfileDetails, of user: User? = nil) throws -> ContactProfile {
        try world.test.write {
            try UsersWriter($0, clock: TestStore.clock).setProfile(details, of: (user ?? world.alice).id)
        }
    }

    @Test("the details of a profile are stored without blanks at their ends, and its name and other profiles stay")
    func stored() throws {
        let before = try world.test.read { try UsersRepo($0).profile(of: world.bob.id) }
        let set = try set(
            ProfileDetails(
                fullName: " Alice A. ", shortDescription: "writes\n", description: " a long text\nwith lines ",
                image: Self.picture, contactLink: "https://simplex.chat/a#x ",
                preferences: #" {"calls":{"allow":"no"}} "#))
        let expected = ContactProfileContent(
            displayName: "alice", fullName: "Alice A.", shortDescription: "writes",
            description: "a long text\nwith lines", image: Self.picture, contactLink: "https://simplex.chat/a#x",
            preferences: #"{"calls":{"allow":"no"}}"#)
        #expect(set.content == expected && set.details == ProfileDetails(expected))
        try world.test.read { chat throws in
            let users = UsersRepo(chat)
            #expect(try users.profile(of: world.alice.id) == set)
            #expect(try users.profile(of: world.bob.id) == before)
            #expect(try users.profiles() == [world.alice.id: set, world.bob.id: before])
            #expect(try users.get(world.alice.id).name == "alice")
        }
        let emptied = try self.set(
            ProfileDetails(fullName: " ", shortDescription: "", description: " ", contactLink: ""))
        #expect(emptied.content == ContactProfileContent(displayName: "alice"))
    }

    @Test("a part of a profile that is not valid or too large is refused, and nothing changes")
    func refused() throws {
        let largest = 12_500
        let prefix = "data:image/png;base64,"
        let large = prefix + String(repeating: "A", count: largest - prefix.utf8.count + 2)
        let cases: [(ProfileDetails, ProfileProblem)] = [
            (ProfileDetails(fullName: String(repeating: "a", count: 201)), .fullName(.tooLong(201))),
            (ProfileDetails(fullName: "a\u{202E}b"), .fullName(.character("U+202E"))),
            (
                ProfileDetails(shortDescription: String(repeating: "é", count: 81)),
                .shortDescription(162, longest: 160)
            ),
            (
                ProfileDetails(shortDescription: String(repeating: "\"", count: 81)),
                .shortDescription(162, longest: 160)
            ),
            (ProfileDetails(image: large), .largePicture(largest + 2, largest: largest)),
            (ProfileDetails(image: "https://h.example/x.png"), .picture),
            (ProfileDetails(image: "data:text/html;base64,QUJD"), .picture),
            (ProfileDetails(image: "data:image/;base64,QUJD"), .picture),
            (ProfileDetails(image: "data:image/png,QUJD"), .picture),
            (ProfileDetails(image: "data:image/png;base64,"), .picture),
            (ProfileDetails(image: "data:image/png;base64,A\nBCD"), .picture),
            (ProfileDetails(contactLink: "me@h.example"), .contactLink),
            (ProfileDetails(contactLink: "https://h.example/a b"), .contactLink),
            (ProfileDetails(preferences: "[]"), .preferences(.notAnObject)),
            (
                ProfileDetails(preferences: "{\"a\":\"\(String(repeating: "b", count: 16_384))\"}"),
                .preferences(.tooLarge(16_392, largest: 16_384))
            ),
        ]
        for (details, problem) in cases {
            try world.refuses("invalidProfileDetail", UsersError.self) { chat in
                let error = #expect(throws: UsersError.self) {
                    try UsersWriter(chat, clock: TestStore.clock).setProfile(details, of: world.alice.id)
                }
                #expect(error == .invalidProfileDetail(problem))
                throw try #require(error)
            }
        }
        try world.refuses("invalidProfileDetail", UsersError.self) {
            try UsersWriter($0).setProfile(ProfileDetails(preferences: "{"), of: world.alice.id)
        }
        // At the limits.
        let fits = prefix + String(repeating: "A", count: (largest - prefix.utf8.count) / 4 * 4)
        #expect(fits.utf8.count > largest - 4)
        let set = try set(ProfileDetails(shortDescription: String(repeating: "é", count: 80), image: fits))
        #expect(set.content.image == fits)
    }

    @Test("a hidden profile is found only on request, and its profile is in no list")
    func hidden() throws {
        try world.test.hide(world.bob)
        try world.test.write { chat throws in
            let (users, writer) = (UsersRepo(chat), UsersWriter(chat))
            let bodies: [() throws -> Void] = [
                { _ = try users.profile(of: world.bob.id) }, { _ = try users.themes(of: world.bob.id) },
                { _ = try writer.setProfile(ProfileDetails(), of: world.bob.id) },
                { try writer.setThemes(nil, of: world.bob.id) },
            ]
            for body in bodies {
                #expect(throws: UsersError.profileNotFound(.id(world.bob.id))) { try body() }
            }
            #expect(try users.profiles().keys.sorted { $0.rawValue < $1.rawValue } == [world.alice.id])
            #expect(try users.profiles(hidden: .unlocked([world.bob.id])).count == 2)
            #expect(try users.profile(of: world.bob.id, hidden: .shown).content.displayName == "bob")
        }
    }

    @Test("renaming keeps the details, and changes the name in them")
    func renamed() throws {
        _ = try set(ProfileDetails(fullName: "Alice A.", image: Self.picture))
        try world.test.write { try UsersWriter($0, clock: TestStore.clock).rename(world.alice.id, to: "ann") }
        let profile = try world.test.read { try UsersRepo($0).profile(of: world.alice.id) }
        #expect(
            profile.content == ContactProfileContent(displayName: "ann", fullName: "Alice A.", image: Self.picture))
    }

    @Test("the colours of a profile and of chats are JSON objects, kept as they were given")
    func themes() throws {
        let friend = try world.addContact("friend", of: world.alice)
        let (group, _) = try world.addGroup("group", of: world.alice)
        let notes = try world.test.addNotes(of: world.alice)
        let (user, text) = (world.alice.id, #"{"light": {"mode": "light"}}"#)
        try world.test.write { chat throws in
            let (users, list) = (UsersWriter(chat), ChatListWriter(chat))
            #expect(try UsersRepo(chat).themes(of: user) == nil)
            try users.setThemes(" \(text)\n", of: user)
            #expect(try UsersRepo(chat).themes(of: user) == text)
            #expect(try UsersRepo(chat).themes(of: world.bob.id) == nil)
            try users.setThemes(nil, of: user)
            #expect(try UsersRepo(chat).themes(of: user) == nil)
            for chatID in [ChatID.contact(friend.id), .group(group)] {
                #expect(try ChatListRepo(chat).themes(of: chatID, of: user) == nil)
                try list.setThemes(text, of: chatID, of: user)
                #expect(try ChatListRepo(chat).themes(of: chatID, of: user) == text)
                try list.setThemes(nil, of: chatID, of: user)
                #expect(try ChatListRepo(chat).themes(of: chatID, of: user) == nil)
            }
            #expect(try ChatListRepo(chat).themes(of: .notes(notes), of: user) == nil)
        }
        for given in ["", "[]", "{", "{\"a\":\"\(String(repeating: "b", count: 16_384))\"}"] {
            try world.refuses("invalidThemes", UsersError.self) { try UsersWriter($0).setThemes(given, of: user) }
            try world.refuses("invalidThemes", ChatsError.self) {
                try ChatListWriter($0).setThemes(given, of: .group(group), of: user)
            }
        }
        try world.refuses("noSuchChatSetting", ChatsError.self) {
            try ChatListWriter($0).setThemes(text, of: .notes(notes), of: user)
        }
        try world.refuses("chatNotFound", ChatsError.self) {
            try ChatListWriter($0).setThemes(text, of: .group(group), of: world.bob.id)
        }
    }
}
