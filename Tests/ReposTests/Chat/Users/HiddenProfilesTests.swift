import ChatDBKit
import Foundation
import Testing

/// Rule: docs/domain.md, "Profiles", Hidden.
@Suite struct HiddenProfilesTests {
    let test: TestStore
    let alice: User
    let bob: User

    init() throws {
        test = try TestStore()
        alice = try test.addUser("alice")
        bob = try test.addUser("bob")
    }

    @discardableResult
    private func hide(_ user: User, _ password: String = "secret") throws -> User {
        try test.write { try UsersWriter($0, clock: TestStore.clock).hide(user.id, password: password) }
    }

    @Test("the store has the SHA-512 of the password followed by 16 random bytes, as another program computes it")
    func stored() throws {
        try hide(alice, "pässword")
        let (hash, salt) = try protection(of: alice)
        #expect(salt.count == 16 && hash.count == 64)
        #expect(try hash == sha512sum(Array("pässword".utf8) + salt))
        try test.write { try UsersWriter($0).unhide(alice.id, password: "pässword") }
        try hide(alice, "pässword")
        #expect(try protection(of: alice).salt != salt, "a salt of its own every time")
    }

    @Test(
        "a hidden profile is muted and left out of lists; unhiding it with its password brings it back with its sound")
    func hideAndUnhide() throws {
        let hidden = try hide(alice)
        #expect(hidden.isHidden && !hidden.showsNotifications && hidden.id == alice.id)
        #expect(try test.read { try UsersRepo($0).all().map(\.name) } == ["bob"])
        #expect(try test.read { try UsersRepo($0).infos().map(\.user.name) } == ["bob"])
        #expect(throws: UsersError.profileNotFound(.id(alice.id))) {
            try test.read { try UsersRepo($0).contents(of: alice.id) }
        }
        let error = #expect(throws: UsersError.self) {
            try test.write { try UsersWriter($0).unhide(alice.id, password: "Secret") }
        }
        #expect(error == .profileNotFound(.id(alice.id)), "a wrong password does not reveal that the profile exists")
        let shown = try test.write { try UsersWriter($0).unhide(alice.id, password: "secret") }
        #expect(!shown.isHidden && shown.showsNotifications)
        #expect(try test.count("SELECT count(*) FROM users WHERE view_pwd_salt IS NOT NULL") == 0)
        #expect(throws: UsersError.profileNotHidden(shown)) {
            try test.write { try UsersWriter($0).unhide(alice.id, password: "secret") }
        }
    }

    @Test("the profile in use cannot be hidden, nor the last to see, nor one that is hidden, nor behind no password")
    func refused() throws {
        #expect(throws: UsersError.activeProfileCannotBeHidden(bob)) { try hide(bob) }
        #expect(throws: UsersError.invalidPassword) { try hide(alice, "") }
        let hidden = try hide(alice)
        #expect(throws: UsersError.profileNotFound(.id(alice.id))) { try hide(alice) }
        #expect(throws: UsersError.profileAlreadyHidden(hidden)) {
            try test.write { try UsersWriter($0).hide(alice.id, password: "x", hidden: .shown) }
        }
        #expect(throws: UsersError.lastProfileCannotBeHidden(bob)) { try hide(bob) }
        try test.write { try UsersWriter($0).activate(alice.id, hidden: .shown) }
        let error = #expect(throws: UsersError.self) { try hide(bob) }
        #expect(error?.code == "lastProfileCannotBeHidden" && error?.message.contains("\"bob\" (id 2)") == true)
        #expect(try test.read { try UsersRepo($0).verify("secret", of: alice.id) }, "the password is as it was")
    }

    @Test("a password unlocks the hidden profiles that have it, and no others")
    func unlock() throws {
        let carol = try test.addUser("carol")
        try hide(alice, "one")
        try hide(bob, "two")
        try test.read { chat in
            let users = UsersRepo(chat)
            #expect(try users.unlocked(by: "one") == [alice.id])
            #expect(try users.unlocked(by: "two") == [bob.id])
            for wrong in ["", "One", "one ", "three"] { #expect(try users.unlocked(by: wrong).isEmpty) }
            #expect(try users.verify("one", of: alice.id) && !users.verify("two", of: alice.id))
            #expect(throws: UsersError.profileNotHidden(carol)) { try users.verify("one", of: carol.id) }
            let one = HiddenProfiles.unlocked(try users.unlocked(by: "one"))
            #expect(try users.all(hidden: one).map(\.name) == ["carol", "alice"])
            #expect(try users.find(named: "alice", hidden: one)?.id == alice.id)
            #expect(try users.find(named: "bob", hidden: one) == nil)
            #expect(try users.all(hidden: .unlocked([])).map(\.name) == ["carol"])
        }
    }

    @Test("a hidden profile stays muted, with any setting")
    func muted() throws {
        let hidden = try hide(alice)
        try test.write { chat in
            let users = UsersWriter(chat)
            #expect(throws: UsersError.hiddenProfileIsMuted(hidden)) {
                try users.setNotifications(true, of: alice.id, hidden: .shown)
            }
            let muted = try users.setNotifications(false, of: alice.id, hidden: .shown)
            #expect(!muted.showsNotifications)
            #expect(throws: UsersError.profileNotFound(.id(alice.id))) {
                try users.setNotifications(false, of: alice.id)
            }
        }
    }

    @Test("messages for a hidden profile find it")
    func network() throws {
        try hide(alice)
        #expect(try test.read { try UsersRepo($0).find(agentUser: alice.agentUserID)?.name } == "alice")
        #expect(try test.read { try UsersRepo($0).find(contact: alice.contactID)?.isHidden } == true)
    }

    @Test("a row with a hash or a salt alone does not unlock a profile")
    func damaged() throws {
        try test.write { try $0.run("UPDATE users SET view_pwd_hash = x'', view_pwd_salt = NULL WHERE user_id = 1") }
        #expect(try test.read { try UsersRepo($0).unlocked(by: "x") }.isEmpty)
        #expect(try test.read { try UsersRepo($0).verify("", of: alice.id) } == false)
    }

    private func protection(of user: User) throws -> (hash: [UInt8], salt: [UInt8]) {
        try test.read { chat in
            let row = try chat.first("SELECT view_pwd_hash, view_pwd_salt FROM users WHERE user_id = \(user.id)")
            return (try row?.get("view_pwd_hash") ?? [], try row?.get("view_pwd_salt") ?? [])
        }
    }

    /// The hash as the program of that name makes it.
    private func sha512sum(_ bytes: [UInt8]) throws -> [UInt8] {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("chatdb-\(UUID().uuidString)")
        try Data(bytes).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["sha512sum", file.path]
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let digits = Array(text.prefix(128))
        return stride(from: 0, to: digits.count, by: 2).compactMap { UInt8(String(digits[$0..<($0 + 2)]), radix: 16) }
    }

    @Test("a profile that is unhidden while no profile is active becomes active, and otherwise does not")
    func unhiddenAlone() throws {
        try hide(alice)
        #expect(try !test.write { try UsersWriter($0).unhide(alice.id, password: "secret") }.isActive)
        try hide(alice)
        let deleted = try test.store.writeBoth(committing: .chatFirst) { chat, agent in
            try UsersWriter(chat).delete(bob.id, agent: agent)
        }
        #expect(deleted.active == nil)
        #expect(try test.write { try UsersWriter($0).unhide(alice.id, password: "secret") }.isActive)
        #expect(try test.read { try UsersRepo($0).active()?.id } == alice.id)
    }
}
