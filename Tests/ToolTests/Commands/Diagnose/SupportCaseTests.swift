import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBTool

/// What a user of SimpleX Chat sees, and the finding that names its cause. docs/support.md has these cases as a table.
struct SupportCase: Sendable, CustomTestStringConvertible {
    /// What the user sees: a message of the app, or a description.
    let symptom: String
    /// Whether the symptom is a message, which `diagnose` takes. Otherwise `check` finds the cause.
    let isMessage: Bool
    /// The id of the finding.
    let cause: String
    let chat: [String]
    let agent: [String]

    var testDescription: String { symptom }

    /// The row of the table.
    var row: String {
        let command = isMessage ? "chatdb diagnose -d x '\(symptom)'" : "chatdb check -d x"
        return "| \(isMessage ? "`\(symptom)`" : symptom) | `\(command)` | `\(cause)` |"
    }

    /// A message, with a fault that `check` finds too.
    private static func message(_ symptom: String, _ cause: String) -> SupportCase {
        SupportCase(symptom, isMessage: true, cause)
    }

    private static func sight(_ symptom: String, _ cause: String) -> SupportCase {
        SupportCase(symptom, isMessage: false, cause)
    }

    private init(_ symptom: String, isMessage: Bool, _ cause: String, chat: [String]? = nil, agent: [String]? = nil) {
        (self.symptom, self.isMessage, self.cause) = (symptom, isMessage, cause)
        let fault = SimplexFault.all.first { $0.id == cause }
        self.chat = chat ?? fault?.chat ?? []
        self.agent = agent ?? fault?.agent ?? []
    }

    static let all: [SupportCase] = [
        .message("FOREIGN KEY constraint failed", "blockedDeletion"),
        .message("agent INTERNAL SEUserNotFound", "profileWithoutAgent"),
        .message("INTERNAL SEUniqueID", "profileWithoutAgent"),
        .sight("One profile neither sends nor receives, and loses its connections", "profileMarkedDeleted"),
        .message("Invalid UTF-8 stream", "invalidText"),
        .sight("A deleted profile still uses space and connections", "agentProfileWithoutProfile"),
        .sight("Messages for one profile come to another", "sharedAgentProfile"),
        .message("noActiveUser", "noActiveProfile"),
        .sight("After each start another profile is active", "severalActiveProfiles"),
        .message("SEGroupNotFound", "groupWithoutOwnMember"),
        .sight("Servers appear under the wrong operator", "sharedOperatorDomain"),
        .message("decryption error", "ratchetOutOfSync"),
        .message("SMP AUTH", "disabledQueue"),
        .message("CONN NOT_FOUND", "connectionWithoutAgent"),
        .message("SEConnectionNotFound", "connectionDeletedOnOneSide"),
        .message("QUOTA", "undeliveredMessage"),
        .sight("The database grows although chats are deleted", "unusedContactProfile"),
        .sight("The app counts unread messages that no chat shows", "unreadInDeletedChat"),
        .message("badChatItem", "unreadableContent"),
        SupportCase(
            "duplicate column name", isMessage: true, "lostMigrations",
            chat: ["DELETE FROM migrations WHERE name > '20260701'"]),
        SupportCase(
            "different migration in the app/database", isMessage: true, "otherHistory",
            chat: [
                "UPDATE migrations SET name = '20251230_other' WHERE name = '20251230_strict_tables'"
            ]),
        SupportCase(
            "Database downgrade", isMessage: true, "newerVersion",
            chat: ["INSERT INTO migrations VALUES ('20991231_new', '2026-11-01 00:00:00', NULL)"]),
        .message("no such table: chat_tags_chats", "chatSchemaMissing"),
        SupportCase(
            "After an import nothing is sent and nothing comes", isMessage: false, "mismatchedPair",
            agent: ["connections", "rcv_queues", "snd_queues", "messages", "snd_messages", "address_ratchet_keys"].map {
                "UPDATE \($0) SET conn_id = CAST('z' || conn_id AS BLOB)"
            }),
    ]
}

@Suite("Cases of support", .timeLimit(.minutes(60))) struct SupportCaseTests {
    @Test("the cause of each case is named, with rows and a remedy", arguments: SupportCase.all)
    func named(_ one: SupportCase) throws {
        let run = try ToolRun()
        let store = try SimplexStore(in: run.folder, isHealthy: true)
        for sql in one.chat { try store.execute(sql) }
        for sql in one.agent { try store.execute(sql, in: .agent) }
        let command = one.isMessage ? ["diagnose", one.symptom] : ["check"]
        let outcome = try run(command + ["-d", store.location.prefix, "--format", "json"])
        let answer = try outcome.answer()
        let findings =
            one.isMessage
            ? answer["messages"]?.arrayValue?.compactMap { $0["findings"] } : [answer["findings"] ?? .null]
        let found = (findings ?? []).flatMap { $0.arrayValue ?? [] }.first { $0["id"]?.stringValue == one.cause }
        let finding = try #require(found, "\(outcome.output)")
        #expect(finding["count"]?.integerValue ?? 0 > 0)
        #expect(finding["remedy"]?.stringValue?.isEmpty == false)
    }

    @Test("the table in docs/support.md has these cases, and no other")
    func page() throws {
        let page = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../../../docs/support.md").standardizedFileURL
        let text = try String(contentsOf: page, encoding: .utf8)
        let section = text.split(separator: "\n## ").first { $0.hasPrefix("From a symptom to its cause\n") } ?? ""
        let rows = section.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst(2).map(String.init)
        #expect(rows == SupportCase.all.map(\.row))
    }
}
