import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBTool

/// A state of a store, and what `diagnose` answers to a message of the app there.
struct DiagnosedState: Sendable, CustomTestStringConvertible {
    /// The id of the message.
    let id: String
    /// What the app shows or logs.
    let text: String
    let answer: DiagnosedMessage.Answer
    /// The id of the finding, the code of the error, or `openBy`. It is nil if no state of a store explains the message.
    let cause: String?
    let change: @Sendable (StateFolder) throws -> Void

    var testDescription: String { "\(id): \(cause ?? "nothing")" }

    private init(
        _ id: String, _ text: String, _ answer: DiagnosedMessage.Answer, _ cause: String?,
        _ change: @escaping @Sendable (StateFolder) throws -> Void = { _ in }
    ) {
        (self.id, self.text, self.answer, self.cause, self.change) = (id, text, answer, cause, change)
    }

    /// A state that one of the faults of `check` makes.
    private static func fault(
        _ id: String, _ text: String, _ cause: String, _ answer: DiagnosedMessage.Answer = .explained, at index: Int = 0
    ) -> DiagnosedState {
        DiagnosedState(id, text, answer, cause) { folder in
            let fault = SimplexFault.all.filter { $0.id == cause }[index]
            for sql in fault.chat { try folder.run(sql) }
            for sql in fault.agent { try folder.run(sql, in: .agent) }
        }
    }

    private static func sql(
        _ id: String, _ text: String, _ cause: String, _ answer: DiagnosedMessage.Answer = .explained, sql: String
    ) -> DiagnosedState {
        DiagnosedState(id, text, answer, cause) { try $0.run(sql) }
    }

    /// A message that no store explains.
    private static func nowhere(_ id: String, _ text: String) -> DiagnosedState {
        DiagnosedState(id, text, .unexplained, nil)
    }

    private static let newer = "INSERT INTO migrations VALUES ('20991231_new', '2026-11-01 00:00:00', NULL)"

    static let all = ofDatabase + ofMigrations + ofChat + ofAgent

    private static let ofDatabase: [DiagnosedState] = [
        .fault("foreignKey", "FOREIGN KEY constraint failed", "blockedDeletion"),
        .fault(
            "uniqueConstraint", "UNIQUE constraint failed: protocol_servers.user_id, protocol_servers.host",
            "duplicateServer"),
        .fault("otherConstraint", "NOT NULL constraint failed: users.name", "agentSchemaDrift"),
        .fault("schema", "no such table: chat_tags_chats", "chatSchemaMissing"),
        .fault("schemaColumn", "no such column: c.favorite", "chatSchemaMissing", at: 1),
        DiagnosedState("malformed", "database disk image is malformed", .explained, "chatDamaged") {
            try $0.damage("chat_items")
        },
        .fault("invalidText", #"Cannot decode byte '\xf0': Data.Text.Encoding: Invalid UTF-8 stream"#, "invalidText"),
        DiagnosedState("locked", "SQLite3 returned ErrorBusy: database is locked", .possible, "openBy") {
            try $0.open()
        },
        DiagnosedState("inputOutput", "SQLite3 returned ErrorIO: disk I/O error", .possible, "unreadableDatabase") {
            try $0.write(.agent) { $0.prefix(5_000) }
        },
        DiagnosedState("notADatabase", "file is not a database", .explained, "encrypted") { try $0.noise() },
        DiagnosedState("passphrase", "Wrong database passphrase", .explained, "encrypted") { try $0.noise() },
        .nowhere("misuse", "SQLite3 returned ErrorMisuse"),
        .nowhere("full", "database or disk is full"),
        .nowhere("readOnly", "attempt to write a readonly database"),
        DiagnosedState("cannotOpen", "unable to open database file", .explained, "missingDatabase") {
            try $0.remove(.agent)
        },
    ]

    private static let ofMigrations: [DiagnosedState] = [
        .sql(
            "differentMigration", "different migration in the app/database: 20251230_strict_tables / 20251230_other",
            "otherHistory", sql: "UPDATE migrations SET name = '20251230_other' WHERE name = '20251230_strict_tables'"),
        .sql("noDownMigration", "no down migration for: 20991231_new", "newerVersion", sql: newer),
        .sql("downgrade", "Downgrade and open chat", "newerVersion", sql: newer),
        DiagnosedState("upgrade", "Upgrade and open chat", .explained, "lostMigrations") { try $0.loseMigration() },
        DiagnosedState(
            "appliedTwice", "duplicate column name: is_user_chat_relay", .explained, "lostMigrations"
        ) { try $0.loseMigration() },
    ]

    private static let ofChat: [DiagnosedState] = [
        .fault("duplicateName", "SEDuplicateName", "unusedDisplayName"),
        .fault("noActiveUser", #"{"errorType":{"type":"noActiveUser"}}"#, "noActiveProfile"),
        .sql(
            "chatUserNotFound", #"{"type":"errorStore","storeError":{"type":"userNotFound","userId":9}}"#,
            "chatDanglingReference", .possible, sql: "UPDATE contacts SET user_id = 9 WHERE contact_id = 11"),
        .fault("contactNotFound", "SEContactNotFound {contactId = 11}", "unreadableValue"),
        .sql(
            "profileNotFound", "SEProfileNotFound {profileId = 99}", "chatDanglingReference",
            sql: "UPDATE contacts SET contact_profile_id = 99 WHERE contact_id = 11"),
        .fault("groupNotFound", "SEGroupNotFound {groupId = 4}", "groupWithoutOwnMember"),
        .fault(
            "groupMemberNotFound", "SEGroupMemberNotFoundByMemberId {memberId = MemberId \"abc\"}",
            "groupRelayWithoutMember", .possible),
        .fault("duplicateMember", "SEDuplicateGroupMember", "duplicateGroup", .possible),
        .fault("duplicateContactLink", "SEDuplicateContactLink", "severalAddresses"),
        .fault("chatItemNotFound", #"{"type":"badChatItem","itemId":1}"#, "unreadableContent"),
        .fault("connectionNotFound", "SEConnectionNotFound", "agentConnectionWithoutConnection"),
        .fault("fileNotFound", "SESndFileNotFoundXFTP", "transferWithoutAgentFile"),
        .sql("noChatRelays", "No chat relays enabled", "noEnabledRelays", sql: "UPDATE chat_relays SET enabled = 0"),
        .fault("noActiveRelays", "the channel has no active relays", "channelWithoutRelay"),
        .sql(
            "noServers", #"{"type":"storageMissing"}"#, "noEnabledSMPServers",
            sql: "UPDATE protocol_servers SET enabled = 0"
        ),
        .fault("operatorNotFound", "SEOperatorNotFound", "sharedOperatorDomain", .possible),
    ]

    private static let ofAgent: [DiagnosedState] = [
        .fault("userNotFound", "agent INTERNAL SEUserNotFound", "profileWithoutAgent"),
        .fault("uniqueID", "AGENT: INTERNAL {internalErr = \"SEUniqueID\"}", "profileWithoutAgent"),
        .fault("connNotFound", #"{"type":"CONN","connErr":{"type":"NOT_FOUND"}}"#, "connectionWithoutAgent"),
        .fault("connDuplicate", "CONN DUPLICATE", "agentConnectionWithoutConnection", .possible),
        .fault("connSimplex", "CONN {connErr = SIMPLEX, errContext = \"\"}", "disabledQueue"),
        .fault("decryption", "A_CRYPTO {cryptoErr = RATCHET_HEADER}", "ratchetOutOfSync"),
        .fault("duplicateMessage", "A_DUPLICATE", "messageBeyondCounter", .possible),
        .fault("auth", #"SMP {serverAddress = "smp://k@h", smpErr = AUTH}"#, "disabledQueue"),
        .fault("quota", "smpErr = QUOTA", "undeliveredMessage", .possible),
        .nowhere("network", "BROKER TIMEOUT"),
    ]
}

/// A copy of a healthy store of SimpleX Chat, in a state that a test makes.
final class StateFolder {
    private let folder = Result { try TemporaryFolder() }
    private var holder: (shell: HeldShell, run: ToolRun)?

    /// Made once and copied.
    private static let healthy = Result { () throws -> [DatabaseName: Data] in
        let store = try SimplexStore(isHealthy: true)
        return try Dictionary(
            uniqueKeysWithValues: DatabaseName.allCases.map {
                ($0, try Data(contentsOf: URL(fileURLWithPath: store.location.path(of: $0))))
            })
    }

    init() throws {
        for (database, bytes) in try Self.healthy.get() {
            try bytes.write(to: URL(fileURLWithPath: location.path(of: database)))
        }
    }

    var location: StoreLocation {
        get throws { try StoreLocation(prefix: folder.get().file("x")) }
    }

    private func path(_ database: DatabaseName) throws -> String { try location.path(of: database) }

    /// Runs SQL as the app would.
    func run(_ sql: String, in database: DatabaseName = .chat) throws {
        let connection = try SQLiteEngine().openForMigration(path(database), creating: false)
        defer { connection.close() }
        _ = try connection.rows(.unchecked(sql: sql))
    }

    /// Replaces the store by one of this build.
    func replaceByOwn() throws {
        let own = try DemoStore.finished()
        for database in DatabaseName.allCases {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: own.file("x_\(database).db")))
            try bytes.write(to: URL(fileURLWithPath: path(database)))
        }
    }

    /// Replaces the store by one of this build whose list of migrations has lost its last row.
    func loseMigration() throws {
        try replaceByOwn()
        try run("DELETE FROM migrations WHERE name = (SELECT max(name) FROM migrations)")
    }

    func remove(_ database: DatabaseName) throws { try FileManager.default.removeItem(atPath: path(database)) }

    func write(_ database: DatabaseName, _ change: (Data) -> Data) throws {
        let file = URL(fileURLWithPath: try path(database))
        try change(Data(contentsOf: file)).write(to: file)
    }

    /// Overwrites the root page of a table with zeros.
    func damage(_ table: String) throws {
        let connection = try SQLiteEngine().openForMigration(path(.chat), creating: false)
        let row = try connection.rows(.unchecked(sql: "SELECT rootpage FROM sqlite_master WHERE name = '\(table)'"))
        connection.close()
        let page: Int = try #require(row.first).get("rootpage")
        try write(.chat) { $0.prefix((page - 1) * 4_096) + Data(count: 4_096) + $0.dropFirst(page * 4_096) }
    }

    /// Fills both files with bytes that are no database, as an encrypted one looks.
    func noise() throws {
        var random = SplitMix64(seed: 7)
        for database in DatabaseName.allCases {
            try write(database) { _ in Data((0..<65_536).map { _ in UInt8(truncatingIfNeeded: random.next()) }) }
        }
    }

    /// Opens the chat database in another program, until this object ends.
    ///
    /// - Parameter sql: what the program runs.
    func open(_ sql: String = "SELECT count(*) FROM users;") throws {
        let run = try ToolRun()
        let folder = URL(fileURLWithPath: try folder.get().path).lastPathComponent
        let shell = try HeldShell(run, "../\(folder)/x_chat.db")
        try shell.run(sql)
        holder = (shell, run)
    }

    /// Diagnoses a text in this process.
    func diagnosed(_ text: String?) throws -> DiagnoseReport {
        try DiagnoseReport(
            text: text, store: location, engine: SQLiteEngine(), .none, Output(.json, terminal: Terminal()))
    }
}
