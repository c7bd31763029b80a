import ChatDBSchema
import Foundation
import Testing

/// One kind of stored text, with the texts its column may hold, in order.
struct Kind: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let texts: [String]
    let knownTexts: [String]
    let rewrite: @Sendable (String) -> String
    let recode: @Sendable (String) throws -> String

    init<Value: StoredText>(_ type: Value.Type, _ texts: [String]) {
        testDescription = "\(type)"
        self.texts = texts
        knownTexts = Value.known.map(\.text)
        rewrite = { Value(text: $0).text }
        recode = { text in
            let json = try JSONEncoder().encode([Value(text: text)])
            return try JSONDecoder().decode([String].self, from: json)[0]
        }
    }
}

private let kinds = [
    Kind(
        RelayStatus.self, ["new", "invited", "accepted", "acknowledged_roster", "active", "inactive", "rejected"]),
    Kind(GroupMemberRole.self, ["relay", "observer", "author", "member", "moderator", "admin", "owner"]),
    Kind(GroupMemberCategory.self, ["user", "invitee", "host", "pre", "post"]),
    Kind(
        GroupMemberStatus.self,
        [
            "rejected", "removed", "left", "deleted", "unknown", "invited", "pending_approval", "pending_review",
            "introduced", "intro-inv", "accepted", "announced", "connected", "complete", "creator",
        ]),
    Kind(
        ConnectionStatus.self,
        ["new", "prepared", "joined", "requested", "accepted", "snd-ready", "ready", "deleted", "failed"]),
    Kind(ConnectionType.self, ["contact", "member", "user_contact", "snd_file", "rcv_file"]),
    Kind(OperatorTag.self, ["simplex", "flux"]),
    Kind(ChatItemStatus.self, ["snd_new", "snd_sent", "rcv_new", "rcv_read"]),
    Kind(
        MessageDeliveryStatus.self, ["rcv_agent", "rcv_acknowledged", "snd_pending", "snd_agent", "snd_sent"]),
    Kind(ContactStatus.self, ["active", "deleted", "deletedByUser"]),
    Kind(FileProtocol.self, ["xftp", "smp", "local"]),
    Kind(FileStatus.self, ["new", "accepted", "connected", "complete", "cancelled"]),
    Kind(
        FileTransferStatus.self,
        [
            "snd_stored", "snd_transfer 0 0", "snd_warning", "snd_complete", "snd_cancelled", "snd_error",
            "rcv_invitation", "rcv_aborted", "rcv_accepted", "rcv_transfer 0 0", "rcv_warning", "rcv_complete",
            "rcv_cancelled", "rcv_error",
        ]),
    Kind(MessageIntegrity.self, ["ok", "bad_id", "bad_hash", "duplicate"]),
]

@Suite struct EnumerationTests {
    @Test("the stored texts are those of the databases, in order", arguments: kinds + agentKinds)
    func texts(_ kind: Kind) {
        #expect(kind.knownTexts == kind.texts)
    }

    @Test("any text is kept as it is, byte for byte, and encoded as bare text", arguments: kinds + agentKinds)
    func keepsAnyText(_ kind: Kind) throws {
        var random = SplitMix64(seed: 1)
        let strange = [
            "", " ", "NEW", "New", "unknown", "active ", "acknowledgedRoster", "e\u{301}", "\u{1b}[2J", "a\0b",
            "failed ", "failed \u{308}x", "failed  two", "failed\nx", "skipped 1-2", "skipped 2-1", "skipped +1-2",
            "skipped 1-99999999999999999999", "skipped -1-2",
        ]
        let noise = (0..<200).map { _ in String(decoding: random.bytes(0...12), as: UTF8.self) }
        for text in kind.texts + strange + noise {
            #expect(Array(kind.rewrite(text).utf8) == Array(text.utf8))
            #expect(try Array(kind.recode(text).utf8) == Array(text.utf8))
        }
    }

    @Test("text of a newer app is unknown, not an error and not another value")
    func unknown() {
        #expect(RelayStatus(text: "paused") == .unknown("paused"))
        #expect(RelayStatus(text: "Active") == .unknown("Active"))
        #expect(GroupMemberStatus(text: "unknown") == .unknownMember)
        #expect(GroupMemberStatus(text: "") == .unknown(""))
        #expect(OperatorTag(text: "acme") == .unknown("acme"))
    }

    @Test("a failed connection keeps its reason, skipped messages their numbers")
    func values() {
        #expect(ConnectionStatus(text: "failed AUTH: no") == .failed(reason: "AUTH: no"))
        #expect(ConnectionStatus(text: "failed") == .failed(reason: ""))
        #expect(ConnectionStatus(text: "failedx") == .unknown("failedx"))
        #expect(MessageIntegrity(text: "skipped 3-5") == .skipped(from: 3, to: 5))
        #expect(MessageIntegrity(text: "skipped 5-3") == .unknown("skipped 5-3"))
    }

    @Test("a relay status is shown in the words of the rules, unknown text as it is")
    func shownNames() {
        #expect(
            RelayStatus.known.map(\.shownName)
                == ["New", "Connecting", "Accepted", "Accepted", "Active", "Inactive", "Rejected"])
        #expect(RelayStatus.unknown("paused").shownName == "paused")
    }

    @Test("a relay goes forward only: exactly these steps are allowed")
    func relaySteps() {
        let allowed: Set<[String]> = [
            ["new", "invited"], ["invited", "accepted"], ["invited", "rejected"],
            ["accepted", "acknowledged_roster"], ["accepted", "active"], ["acknowledged_roster", "active"],
            ["new", "inactive"], ["invited", "inactive"], ["accepted", "inactive"],
            ["acknowledged_roster", "inactive"], ["active", "inactive"], ["paused", "inactive"],
        ]
        let all = RelayStatus.known + [.unknown("paused")]
        for from in all {
            for to in all {
                #expect(from.canBecome(to) == allowed.contains([from.text, to.text]), "\(from) -> \(to)")
            }
        }
    }

    @Test("a channel may publish relays that are accepted, acknowledged or active")
    func publishable() {
        #expect(RelayStatus.known.filter(\.isPublishable) == [.accepted, .acknowledgedRoster, .active])
        #expect(!RelayStatus.unknown("active2").isPublishable)
    }

    @Test("roles are ordered from relay to owner, unknown ones below all")
    func roleOrder() {
        let roles = GroupMemberRole.known
        #expect(roles.shuffled().sorted() == roles)
        #expect(GroupMemberRole.unknown("zz") < .relay)
        #expect(GroupMemberRole.unknown("a") < .unknown("b"))
        #expect(!(GroupMemberRole.owner < .owner))
    }

    @Test("the last seven member statuses are current, four are history, four neither")
    func memberStatuses() {
        #expect(
            GroupMemberStatus.currentTexts
                == ["introduced", "intro-inv", "accepted", "announced", "connected", "complete", "creator"])
        #expect(
            GroupMemberStatus.known.filter(\.isHistory).map(\.text) == ["rejected", "removed", "left", "deleted"])
        #expect(!GroupMemberStatus.unknown("x").isCurrent && !GroupMemberStatus.unknown("x").isHistory)
    }

    @Test("a server's protocol is closed, and written in capitals for people")
    func serverProtocol() {
        #expect(ServerProtocol.allCases.map(\.text) == ["smp", "xftp"])
        #expect(ServerProtocol.allCases.map(\.shownName) == ["SMP", "XFTP"])
        #expect(ServerProtocol(rawValue: "SMP") == nil)
    }

    @Test("a direction is the stored switch")
    func direction() {
        #expect(MessageDirection(isSent: true) == .sent && MessageDirection.sent.isSent)
        #expect(MessageDirection(isSent: false) == .received && !MessageDirection.received.isSent)
    }
}
