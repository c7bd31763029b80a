import ChatDBKit
import Testing

@Suite("Channels in a bundle")
struct BundleChannelsTests {
    @Test("findings and sections about channels have their numbers, and nothing of hidden profiles")
    func channels() throws {
        let chatdb = try DemoStore.make()
        try chatdb.sql("DELETE FROM group_members WHERE group_member_id = 2")
        func bundle() throws -> JSONValue { try chatdb("bundle", "--preview").answer() }
        func rows(_ bundle: JSONValue, _ id: String) -> JSONValue? {
            bundle["findings"]?.arrayValue?.first { $0["id"]?.stringValue == id }?["rows"]
        }
        let shown = try bundle()
        #expect(
            rows(shown, "unfinishedChannel") == [
                ["table": "groups", "row": 1, "userId": 1, "groupId": 1, "missing": ["link"]]
            ])
        #expect(
            rows(shown, "groupRelayWithoutMember") == [
                ["table": "group_relays", "row": 1, "userId": 1, "groupId": 1, "missing": []]
            ])
        #expect(
            shown["incompleteRelays"] == [
                [
                    "userId": 1, "groupId": 1, "userChatRelayId": 7, "relayStatus": "new", "groupRelayId": 1,
                    "missing": ["member"],
                ]
            ])
        let unfinished = shown["unfinishedChannels"]?[0]
        #expect(unfinished?["userId"] == 1 && unfinished?["groupId"] == 1 && unfinished?["missing"] == ["link"])
        try chatdb.sql("UPDATE users SET view_pwd_hash = x'01', view_pwd_salt = x'02', show_ntfs = 0 WHERE user_id = 1")
        let hidden = try bundle()
        for id in ["unfinishedChannel", "groupRelayWithoutMember"] { #expect(rows(hidden, id) == [], "\(id)") }
        #expect(hidden["unfinishedChannels"] == [] && hidden["incompleteRelays"] == [])
    }
}
