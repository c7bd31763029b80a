import ChatDBSchema
import Foundation
import Testing

@testable import ChatDBInspection

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
        ("SQLite3 returned ErrorError: table notes has no column named due", "schemaColumn"),
        ("SQLite3 returned ErrorCorrupt: database disk image is malformed", "malformed"),
        ("Cannot decode byte '\\xf0': Data.Text.Encoding: Invalid UTF-8 stream", "invalidText"),
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
        ("SQLite3 returned ErrorError: duplicate column name: is_user_chat_relay", "appliedTwice"),
        (#"{"type":"errorStore","storeError":{"type":"duplicateName"}}"#, "duplicateName"),
        (#"{"errorType":{"type":"noActiveUser"}}"#, "noActiveUser"),
        ("error store userNotFound userId: 4", "chatUserNotFound"),
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
        ("The channel has no active relays.", "noActiveRelays"),
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

    @Test("the words of the app's alerts and chats are known, not only the names of errors")
    func alerts() {
        #expect(KnownMessage.found(in: "Connection error (AUTH)").map(\.id) == ["auth"])
        for text in ["Encryption re-negotiation error", "encryption re-negotiation required for bob"] {
            #expect(KnownMessage.found(in: text).map(\.id) == ["decryption"])
        }
    }

    @Test(
        "a channel without an active relay is known by each of the words that people give",
        arguments: [
            "channel has no active relays", "no active relays", "no active relay", "the channel has no relay",
        ])
    func noActiveRelays(_ text: String) {
        #expect(KnownMessage.found(in: text).map(\.id) == ["noActiveRelays"])
    }

    @Test("the reason for a damaged schema is not taken for a message of its own")
    func reasonOfSchema() {
        let text = "malformed database schema (idx_files) - no such column: tipe"
        #expect(KnownMessage.found(in: text).map(\.id) == ["malformed"])
        #expect(KnownMessage.found(in: "no such column: tipe").map(\.id) == ["schemaColumn"])
    }

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
        #expect(KnownMessage.found(in: "SEUserNotFoundByNameX {contactName = x}").isEmpty)
        #expect(KnownMessage.found(in: "SEUserNotFoundByName {contactName = x}").map(\.id) == ["chatUserNotFound"])
        #expect(KnownMessage.found(in: "noServersHere").isEmpty)
        #expect(KnownMessage.found(in: "").isEmpty)
        #expect(KnownMessage.found(in: "{}[]\u{0}\u{301}").isEmpty)
    }

    @Test(
        "SEUserNotFound is an error of the chat or of the agent, as the words before it say",
        arguments: [
            (#"{"type":"errorStore","storeError":{"type":"userNotFound","userId":9}}"#, ["chatUserNotFound"]),
            ("ChatErrorStore {storeError = SEUserNotFound {userId = 9}}", ["chatUserNotFound"]),
            ("SEUserNotFound {userId = 9}", ["chatUserNotFound"]),
            ("error store userNotFound", ["chatUserNotFound"]),
            ("agent INTERNAL SEUserNotFound, userId: 2", ["userNotFound"]),
            (#"{"agentError":{"type":"INTERNAL","internalErr":"SEUserNotFound"}}"#, ["userNotFound"]),
            ("chatErrorAgent: userId 1 NO_USER", ["userNotFound"]),
            ("SEUserNotFound", ["chatUserNotFound", "userNotFound"]),
            ("agent INTERNAL SEUserNotFound\nerror store userNotFound", ["chatUserNotFound", "userNotFound"]),
        ])
    func origin(_ text: String, _ ids: [String]) {
        #expect(KnownMessage.found(in: text).map(\.id) == ids)
    }

    @Test("the name of any failed constraint counts without the words of one of them")
    func constraints() {
        let all = ["foreignKey", "uniqueConstraint", "otherConstraint"]
        #expect(KnownMessage.found(in: "SQLite3 returned ErrorConstraint").map(\.id) == all)
        let foreignKey = "SQLite3 returned ErrorConstraint: FOREIGN KEY constraint failed"
        #expect(KnownMessage.found(in: foreignKey).map(\.id) == ["foreignKey"])
    }

    @Test(
        "the tables, columns and indexes in messages of SQLite",
        arguments: [
            ("UNIQUE constraint failed: a.b, a.c\nnext.line", "uniqueConstraint", ["a.b", "a.c"]),
            ("UNIQUE constraint failed: index 'idx'", "uniqueConstraint", []),
            ("\"NOT NULL constraint failed: GROUPS.user_id\"", "otherConstraint", ["groups.user_id"]),
            (
                "cannot store TEXT value in INTEGER column contacts.created_at", "otherConstraint",
                ["contacts.created_at"]
            ),
            (#"{"e":"no such table: main.calls\nx"}"#, "schema", ["calls"]), ("no such table", "schema", []),
            ("no such column: c.favorite, or no such column: more.", "schemaColumn", ["c.favorite", "-.more"]),
            ("table contacts has no column named favorite", "schemaColumn", ["contacts.favorite"]),
            ("table contacts has no column", "schemaColumn", ["contacts"]),
            ("no such index: main.idx", "schema", ["-.idx"]), ("no such table: ", "schema", []),
            ("FOREIGN KEY constraint failed: x", "foreignKey", []),
        ])
    func schemaNames(_ text: String, _ id: String, _ names: [String]) throws {
        let message = try #require(KnownMessage.all.first { $0.id == id })
        let found = MessageText(text).names(of: message).map { name in
            name.part.map { "\(name.table ?? "-").\($0)" } ?? name.table ?? ""
        }
        #expect(found == names)
    }

    @Test(
        "codes of SQLite and other spellings are recognized",
        arguments: [
            ("SQLITE_BUSY", "locked"), ("SQLITE_CORRUPT", "malformed"), ("SQLITE_FULL", "full"),
            ("SQLITE_IOERR", "inputOutput"), ("SQLITE_NOTADB", "notADatabase"), ("SQLITE_CANTOPEN", "cannotOpen"),
            ("SQLITE_MISUSE", "misuse"), ("attempt to write a read-only database", "readOnly"),
            ("SQLITE_READONLY", "readOnly"), ("datatype mismatch", "otherConstraint"),
            ("table contacts has no column", "schemaColumn"), ("SMP smp://abc=@smp.example.org,x.onion AUTH", "auth"),
            ("SEUserNotFoundByName {contactName = \"x\"}", "chatUserNotFound"),
        ])
    func spellings(_ text: String, _ id: String) {
        #expect(KnownMessage.found(in: text).map(\.id) == [id])
    }

    @Test("a failed constraint whose kind the message does not name may be any of them")
    func anyConstraint() {
        let all = ["foreignKey", "uniqueConstraint", "otherConstraint"]
        #expect(KnownMessage.found(in: "SQLite3 returned ErrorConstraint: no").map(\.id) == all)
        #expect(KnownMessage.found(in: "SQLITE_CONSTRAINT").map(\.id) == all)
        #expect(KnownMessage.found(in: "ErrorConstraint: NOT NULL constraint failed: a.b").map(\.id) == [all[2]])
        #expect(KnownMessage.found(in: "ErrorConstraint: UNIQUE constraint failed: a.b").map(\.id) == [all[1]])
    }

    @Test(
        "a row number keeps its sign, and one that no row can have is named too",
        arguments: [
            ("contactId = -1", ["contacts -1"]), ("\"contactId\":-1", ["contacts -1"]), ("userId 007", ["users 7"]),
            ("groupId: 12345678901234567890123", ["groups 12345678901234567890123"]),
            ("contactId = 12, contactId = 12", ["contacts 12"]), ("contactId = ½", []), ("contactId-1", ["contacts 1"]),
            ("2026-07-20 userId", []), ("contactId = -", []), ("contactId --5", ["contacts -5"]),
        ])
    func numbers(_ text: String, _ rows: [String]) {
        #expect(MessageText(text).rows.map { "\($0.table) \($0.shownNumber)" } == rows)
        #expect(MessageText(text).rows.allSatisfy { ($0.number == nil) == ($0.shownNumber.count > 20) })
    }

    @Test("the names of migrations in a text")
    func migrations() {
        let text = "different migration in the app/database: m20260222_chat_relays / 20260218_other (20260218_other)"
        #expect(MessageText(text).migrations == ["m20260222_chat_relays", "20260218_other"])
        #expect(MessageText("on 20260218, x20260218_a, 20260218_ and m2026_a").migrations.isEmpty)
    }

    private func relation(_ id: String, _ samples: String..., count: Int? = nil, to text: String) throws
        -> FindingSubject.Relation
    {
        let finding = Finding(
            id: id, severity: .error, sentence: "", count: count ?? samples.count,
            sample: samples.map { Int64($0).map { .number($0) } ?? .text($0) }, detail: nil, damage: [],
            isFixable: false)
        let read = MessageText(text)
        let message = try #require(KnownMessage.found(in: read).first)
        return FindingSubject(finding: finding).relation(to: read.names(of: message))
    }

    @Test("a finding is about the names of a message, about others, or does not say")
    func relations() throws {
        #expect(try relation("chatSchemaMissing", "missing table calls", to: "no such table: calls") == .same)
        #expect(try relation("chatSchemaMissing", "missing table tags", to: "no such table: calls") == .other)
        #expect(
            try relation("chatSchemaMissing", "missing table tags", count: 11, to: "no such table: calls") == .open)
        #expect(
            try relation("chatSchemaMissing", "missing column contacts.favorite", to: "no such column: c.favorite")
                == .same)
        #expect(try relation("chatSchemaLost", "missing index idx", to: "no such index: idx") == .same)
        #expect(
            try relation("agentSchemaDrift", "extra column users.x", to: "NOT NULL constraint failed: users.y")
                == .open)
        #expect(
            try relation("unreadableValue", "contacts 11 updated_at", to: "NOT NULL constraint failed: users.y")
                == .other)
        #expect(
            try relation(
                "blockedDeletion", "profile 2: contact_id in contacts 11 of profile 1",
                to: "UNIQUE constraint failed: users.contact_id") == .same)
        #expect(try relation("duplicateServer", "3", to: "UNIQUE constraint failed: protocol_servers.host") == .same)
        #expect(try relation("duplicateServer", "3", to: "UNIQUE constraint failed: group_members.id") == .other)
        #expect(try relation("otherHistory", "chat: 2026_x", to: "no such table: calls") == .open)
    }

    @Test("every finding of the table is of a check, and each message has a cause in the store or elsewhere")
    func findings() {
        let checks = Set(StoreCheck.all.map(\.id))
        for message in KnownMessage.all {
            let ids = message.allFindings
            #expect(checks.isSuperset(of: ids), "\(message.id)")
            #expect(Set(ids).count == ids.count, "\(message.id)")
            #expect(!ids.isEmpty || !message.errors.isEmpty || !message.elsewhere.isEmpty)
        }
        #expect(checks.isSuperset(of: KnownMessage.faults))
    }

    @Test("the tables are known of every finding about rows that may explain a message with names")
    func subjects() {
        let ofStore: Set<String> = [
            "copiedDatabase", "exchangedFiles", "foreignPair", "interruptedMigration", "newerVersion", "otherHistory",
            "unknownStore",
        ]
        let known = FindingSubject.namesTables.union(FindingSubject.tables.keys)
        #expect(Set(StoreCheck.all.map(\.id)).isSuperset(of: known))
        let ofSchema = ["uniqueConstraint", "otherConstraint", "schema", "schemaColumn"]
        for message in KnownMessage.all where ofSchema.contains(message.id) {
            #expect(Set(message.allFindings).subtracting(known).subtracting(ofStore).isEmpty, "\(message.id)")
        }
    }
}
