import ChatDBKit
import Testing

/// Rule: docs/domain.md, "Settings and tags".
@Suite struct SettingsTests {
    @Test("messages are kept until a time is set, per profile; less than a second is no time")
    func ttl() throws {
        let test = try TestStore()
        let (alice, bob) = (try test.addUser("alice"), try test.addUser("bob"))
        func ttl(_ user: User) throws -> Int64? { try test.read { try SettingsRepo($0).chatItemTTL(of: user.id) } }
        #expect(try ttl(alice) == nil)
        try test.write { try SettingsWriter($0).setChatItemTTL(86_400, of: alice.id) }
        #expect(try ttl(alice) == 86_400 && ttl(bob) == nil)
        for seconds in [Int64(0), -1, .min] {
            let error = #expect(throws: SettingsError.self) {
                try test.write { try SettingsWriter($0).setChatItemTTL(seconds, of: alice.id) }
            }
            #expect(error == .invalidTTL(seconds))
        }
        try test.write { try SettingsWriter($0).setChatItemTTL(.max, of: alice.id) }
        #expect(try ttl(alice) == .max)
        try test.write { try SettingsWriter($0).setChatItemTTL(nil, of: alice.id) }
        #expect(try ttl(alice) == nil)
        #expect(try test.count("SELECT count(*) FROM settings") == 1)
        #expect(throws: SettingsError.profileNotFound(UserID(9))) {
            try test.write { try SettingsWriter($0).setChatItemTTL(1, of: UserID(9)) }
        }
    }

    @Test("the app's settings are one JSON object, kept to the letter, and read by name")
    func appSettings() throws {
        let test = try TestStore()
        #expect(try test.read { try SettingsRepo($0).appSettings() } == nil)
        let text = #"{"theme": "dark",  "size": 1.10, "zoom": 2, "sound": true, "none": null}"#
        try test.write { try SettingsWriter($0).setAppSettings(text: " \n\(text)\n") }
        let kept = try #require(try test.read { try SettingsRepo($0).appSettings() })
        #expect(kept.text == text && kept.names == ["theme", "size", "zoom", "sound", "none"])
        #expect(kept.text("theme") == "dark" && kept.number("zoom") == 2 && kept.flag("sound") == true)
        #expect(kept.text("zoom") == nil && kept.number("theme") == nil && kept.flag("none") == nil)
        try test.write { try SettingsWriter($0).setAppSettings(AppSettings("{}")) }
        #expect(try test.read { try SettingsRepo($0).appSettings()?.text } == "{}")
        try test.write { try SettingsWriter($0).removeAppSettings() }
        #expect(try test.read { try SettingsRepo($0).appSettings() } == nil)
    }

    @Test(
        "a text that is no JSON object is refused, and the stored settings stay",
        arguments: [
            "", "{", "[]", "null", "\"a\"", "{\"a\": 1, \"a\": 2}", "{\"a\": 1,}", "{} {}", "{'a': 1}",
            "{\"a\": " + String(repeating: "[", count: 40) + String(repeating: "]", count: 40) + "}",
            "{\"a\": \"" + String(repeating: "x", count: 1 << 20) + "\"}",
        ])
    func invalid(_ text: String) throws {
        let test = try TestStore()
        try test.write { try SettingsWriter($0).setAppSettings(text: "{\"a\": 1}") }
        let error = #expect(throws: SettingsError.self) {
            try test.write { try SettingsWriter($0).setAppSettings(text: text) }
        }
        #expect(error?.code == "invalidAppSettings" && error?.message.hasPrefix("the settings of the app are") == true)
        #expect(try test.read { try SettingsRepo($0).appSettings()?.number("a") } == 1)
    }

    @Test("settings that another program broke are an error and no crash, and can be replaced")
    func broken() throws {
        let test = try TestStore()
        try test.write {
            try $0.run("INSERT INTO app_settings (app_settings_id, app_settings) VALUES (1, 'theme=dark')")
        }
        let error = #expect(throws: SettingsError.self) { try test.read { try SettingsRepo($0).appSettings() } }
        #expect(error?.code == "invalidAppSettings" && error?.message.contains("theme") == false)
        try test.write { try SettingsWriter($0).setAppSettings(text: "{}") }
        #expect(try test.read { try SettingsRepo($0).appSettings()?.text } == "{}")
    }

    @Test("a profile has one folder of notes, made when it is first needed")
    func notes() throws {
        let test = try TestStore()
        let (alice, bob) = (try test.addUser("alice"), try test.addUser("bob"))
        #expect(try test.read { try NoteFoldersRepo($0).find(of: alice.id) } == nil)
        let folder = try test.write { try NoteFoldersWriter($0, clock: TestStore.clock).findOrCreate(of: alice.id) }
        #expect(folder.userID == alice.id && !folder.isFavourite && !folder.isUnread)
        #expect(folder.chatTime.text == "2026-07-20 09:05:00.120")
        #expect(try test.write { try NoteFoldersWriter($0).findOrCreate(of: alice.id) } == folder)
        try test.write { try NoteFoldersWriter($0).setFavourite(true, of: alice.id) }
        try test.write { try NoteFoldersWriter($0).setUnread(true, of: bob.id) }
        let folders = try test.read {
            [try NoteFoldersRepo($0).find(of: alice.id), try NoteFoldersRepo($0).find(of: bob.id)]
        }
        #expect(folders.map { $0?.isFavourite } == [true, false] && folders.map { $0?.isUnread } == [false, true])
        #expect(throws: SettingsError.profileNotFound(UserID(9))) {
            try test.write { try NoteFoldersWriter($0).findOrCreate(of: UserID(9)) }
        }
    }
}
