import ChatDBSchema
import Foundation
import Testing

/// An enumeration, with the texts that its column may hold, in order.
private struct Kind: Sendable, CustomTestStringConvertible {
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

/// The enumerations of the chat database, with the texts of their columns.
private let chatKinds = [
    Kind(
        RelayStatus.self, ["new", "invited", "accepted", "acknowledged_roster", "active", "inactive", "rejected"]),
    Kind(PresetChoice.self, ["enabled", "disabled", "deleted"]),
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
    Kind(MessageKind.self, ["text", "link", "image", "video", "voice", "file", "report", "chat"]),
    Kind(ForwardedFromKind.self, ["unknown", "contact", "group", "groupLink"]),
    Kind(ChatItemStatus.self, ["snd_new", "snd_sent", "rcv_new", "rcv_read"]),
    Kind(
        MessageDeliveryStatus.self, ["rcv_agent", "rcv_acknowledged", "snd_pending", "snd_agent", "snd_sent"]),
    Kind(ChatPeerType.self, ["human", "bot"]),
    Kind(MemberRestriction.self, ["blocked", "unrestricted"]),
    Kind(BusinessChatKind.self, ["business", "customer"]),
    Kind(PublicGroupKind.self, ["channel", "group"]),
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

/// The enumerations of the agent database, with the texts of their columns.
private let agentKinds = [
    Kind(ConnectionMode.self, ["INV", "CON"]),
    Kind(QueueStatus.self, ["new", "confirmed", "secured", "active", "disabled"]),
    Kind(
        ReceiveSwitchStatus.self,
        ["switch_started", "sending_qadd", "sending_quse", "received_message", "received_qend"]),
    Kind(SendSwitchStatus.self, ["sending_qkey", "sending_qtest"]),
    Kind(RatchetSyncState.self, ["ok", "allowed", "required", "started", "agreed"]),
    Kind(NotificationTokenStatus.self, ["NEW", "REGISTERED", "INVALID", "CONFIRMED", "ACTIVE", "EXPIRED"]),
    Kind(NotificationTokenAction.self, ["REGISTER", "VERIFY", "CHECK", "DELETE"]),
    Kind(NotificationMode.self, ["PERIODIC", "INSTANT"]),
    Kind(
        NotificationSubscriptionStatus.self, ["NEW", "PENDING", "ACTIVE", "INACTIVE", "END", "AUTH", "DELETED"]),
    Kind(NotificationServerAction.self, ["N_CREATE", "N_CHECK", "N_DELETE", "N_ROTATE"]),
    Kind(NotificationQueueAction.self, ["S_KEY", "S_DELETE"]),
    Kind(AgentReceivedFileStatus.self, ["receiving", "received", "decrypting", "complete", "error"]),
    Kind(AgentSentFileStatus.self, ["new", "encrypting", "encrypted", "uploading", "complete", "error"]),
    Kind(SentReplicaStatus.self, ["created", "uploaded"]),
]

@Suite struct StoredTextTests {
    @Test("the table of an enumeration has the texts of its column, in order", arguments: chatKinds + agentKinds)
    fileprivate func texts(_ kind: Kind) {
        #expect(kind.knownTexts == kind.texts)
    }

    @Test("every case of an enumeration has its text in the table, so that no value is stored as an empty text")
    func everyCase() throws {
        let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Sources/Schema")
        var found = 0
        for folder in ["Chat", "Agent"] {
            let folder = sources.appendingPathComponent(folder)
            for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
                let text = try String(contentsOf: file, encoding: .utf8)
                for part in text.components(separatedBy: "\npublic enum ").dropFirst() {
                    let body = part.components(separatedBy: "\n}\n")[0]
                    guard body.prefix(while: { $0 != "{" }).contains("StoredText") else { continue }
                    found += 1
                    for line in body.split(separator: "\n") where line.hasPrefix("    case ") {
                        let name = line.dropFirst(9).prefix { $0.isLetter || $0.isNumber }
                        // Every other text, and the one value whose numbers are part of its text.
                        if name == "unknown" || name == "skipped" { continue }
                        let rows = body.split(separator: "\n").filter { row in
                            row.hasPrefix("        .\(name): \"") || row.hasPrefix("        .\(name)(")
                        }
                        #expect(rows.count == 1, "\(file.lastPathComponent): \(name)")
                    }
                }
            }
        }
        #expect(found == chatKinds.count + agentKinds.count)
    }

    @Test("any text is written back byte for byte, and encoded as bare text", arguments: chatKinds + agentKinds)
    fileprivate func keepsAnyText(_ kind: Kind) throws {
        var random = SplitMix64(seed: 1)
        let strange = [
            "", " ", "NEW", "New", "unknown", "active ", "acknowledgedRoster", "e\u{301}", "\u{1b}[2J", "a\0b",
            "failed ", "failed \u{308}x", "failed  two", "failed\nx", "skipped 1-2", "skipped 2-1", "skipped +1-2",
            "skipped 1-99999999999999999999", "skipped -1-2",
            // The Kelvin sign, which Unicode takes for a K.
            "S_\u{212A}EY", "N_CHEC\u{212A}",
        ]
        let noise = (0..<200).map { _ in String(decoding: random.bytes(0...12), as: UTF8.self) }
        for text in kind.texts + strange + noise {
            #expect(Array(kind.rewrite(text).utf8) == Array(text.utf8))
            #expect(try Array(kind.recode(text).utf8) == Array(text.utf8))
        }
    }

    @Test("a text of a newer app is unknown: no error, and no other value")
    func unknown() {
        #expect(RelayStatus(text: "paused") == .unknown("paused"))
        #expect(RelayStatus(text: "Active") == .unknown("Active"))
        #expect(GroupMemberStatus(text: "unknown") == .unknownMember)
        #expect(GroupMemberStatus(text: "") == .unknown(""))
        #expect(OperatorTag(text: "acme") == .unknown("acme"))
    }

    @Test("a failed connection keeps its reason, skipped messages keep their numbers")
    func values() {
        #expect(ConnectionStatus(text: "failed AUTH: no") == .failed(reason: "AUTH: no"))
        #expect(ConnectionStatus(text: "failed") == .failed(reason: ""))
        #expect(ConnectionStatus(text: "failedx") == .unknown("failedx"))
        #expect(MessageIntegrity(text: "skipped 3-5") == .skipped(from: 3, to: 5))
        #expect(MessageIntegrity(text: "skipped 5-3") == .unknown("skipped 5-3"))
    }

    @Test("a direction is stored as a switch")
    func direction() {
        #expect(MessageDirection(isSent: true) == .sent && MessageDirection.sent.isSent)
        #expect(MessageDirection(isSent: false) == .received && !MessageDirection.received.isSent)
    }
}
