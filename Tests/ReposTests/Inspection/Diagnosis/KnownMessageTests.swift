import ChatDBInspection
import ChatDBSchema
import Foundation
import Testing

/// The table of messages that `diagnose` knows.
@Suite("Messages of the app") struct KnownMessageTests {
    /// Lines as the app shows or logs them, and the message that each contains.
    private static let lines: [(line: String, id: String)] = [
        (
            "failed to delete the user error store error store dBException SQLite3 returned ErrorConstraint while "
                + "attempting to perform step: FOREIGN KEY constraint failed", "foreignKey"
        ),
        ("SQLite3 returned ErrorConstraint: UNIQUE constraint failed: group_members.member_id", "uniqueConstraint"),
        ("NOT NULL constraint failed: groups.user_id", "otherConstraint"),
        ("SQLite3 returned ErrorError: no such table: chat_relays", "schema"),
        ("SQLite3 returned ErrorCorrupt: database disk image is malformed", "malformed"),
        ("Error: SQLite3 returned ErrorBusy while attempting to perform step: database is locked", "locked"),
        ("migrationSQLError=SQLite3 returned ErrorIO while attempting to perform step: disk I/O error", "inputOutput"),
        ("SQLite3 returned ErrorNotADatabase while attempting to perform: file is not a database", "notADatabase"),
        ("Wrong database passphrase", "passphrase"),
        (
            "SQLite3 returned ErrorMisuse while attempting to perform prepare: bad parameter or other API misuse",
            "misuse"
        ),
        ("SQLite3 returned ErrorFull: database or disk is full", "full"),
        ("attempt to write a readonly database", "readOnly"),
        ("SQLite3 returned ErrorCan'tOpen: unable to open database file", "cannotOpen"),
        (
            "different migration in the app/database: 20260222_chat_relays / 20260218_other", "differentMigration"
        ),
        ("database version is newer than the app, but no down migration for: 20270101_new", "noDownMigration"),
        ("Database version is newer than the app. Confirm to back up and downgrade", "downgrade"),
        ("The app has a newer version than the database.", "upgrade"),
        (#"{"type":"errorStore","storeError":{"type":"duplicateName"}}"#, "duplicateName"),
        (#"{"errorType":{"type":"noActiveUser"}}"#, "noActiveUser"),
        ("error store contactNotFound contactId: 4", "contactNotFound"),
        ("SEProfileNotFound {profileId = 3}", "profileNotFound"),
        ("SEGroupNotFound {groupId = 5}", "groupNotFound"),
        ("SEGroupMemberNotFoundByMemberId {memberId = MemberId \"abc\"}", "groupMemberNotFound"),
        ("SEDuplicateGroupMember", "duplicateMember"),
        ("SEDuplicateContactLink", "duplicateContactLink"),
        (#"{"type":"badChatItem","itemId":12}"#, "chatItemNotFound"),
        ("SEConnectionNotFound {agentConnId = AgentConnId \"abc\"}", "connectionNotFound"),
        ("SERcvFileNotFoundXFTP {agentRcvFileId = AgentRcvFileId \"x\"}", "fileNotFound"),
        ("No chat relays enabled", "noChatRelays"),
        (#"{"type":"storageMissing"}"#, "noServers"),
        ("SEOperatorNotFound {serverOperatorId = 1}", "operatorNotFound"),
        ("failed to delete the user chatCmdError userId: 1 agent INTERNAL SEUserNotFound", "userNotFound"),
        ("AGENT: INTERNAL {internalErr = \"SEUniqueID\"}", "uniqueID"),
        (#"{"type":"CONN","connErr":{"type":"NOT_FOUND"},"errContext":""}"#, "connNotFound"),
        ("CONN {connErr = DUPLICATE, errContext = \"\"}", "connDuplicate"),
        ("CONN {connErr = SIMPLEX, errContext = \"\"}", "connSimplex"),
        ("AGENT {agentErr = A_CRYPTO {cryptoErr = RATCHET_HEADER}}", "decryption"),
        ("AGENT {agentErr = A_DUPLICATE {droppedMsg_ = Nothing}}", "duplicateMessage"),
        (#"SMP {serverAddress = "smp://k@h", smpErr = AUTH}"#, "auth"),
        (#"SMP {serverAddress = "smp://k@h", smpErr = QUOTA}"#, "quota"),
        (#"{"type":"BROKER","brokerAddress":"h","brokerErr":{"type":"TIMEOUT"}}"#, "network"),
    ]

    @Test("each message is recognized in a line of the app, in any case", arguments: lines)
    func recognized(_ line: (line: String, id: String)) {
        #expect(KnownMessage.found(in: line.line).map(\.id).contains(line.id))
        #expect(KnownMessage.found(in: line.line.uppercased()).map(\.id).contains(line.id))
    }

    @Test("each message has a line, and an id of its own")
    func complete() {
        #expect(Set(Self.lines.map(\.id)) == Set(KnownMessage.all.map(\.id)))
        #expect(Set(KnownMessage.all.map(\.id)).count == KnownMessage.all.count)
    }

    @Test("a name counts only as a whole")
    func whole() {
        #expect(KnownMessage.found(in: "SEUserNotFoundByName {contactName = x}").isEmpty)
        #expect(KnownMessage.found(in: "noServersHere").isEmpty)
        #expect(KnownMessage.found(in: "").isEmpty)
        #expect(KnownMessage.found(in: "{}[]\u{0}\u{301}").isEmpty)
    }

    @Test("every finding of the table is of a check, and each message has a cause in the store or elsewhere")
    func findings() {
        let checks = Set(StoreCheck.all.map(\.id))
        for message in KnownMessage.all {
            #expect(checks.isSuperset(of: message.findings), "\(message.id)")
            #expect(Set(message.findings).count == message.findings.count, "\(message.id)")
            #expect(!message.findings.isEmpty || !message.errors.isEmpty || !message.elsewhere.isEmpty)
        }
    }
}
