import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBTool

/// `diagnose`.
@Suite("Diagnosis", .timeLimit(.minutes(60))) struct DiagnoseTests {
    /// Runs `diagnose`, which must change nothing.
    private func diagnosed(_ chatdb: ToolRun, _ text: String...) throws -> (code: Int32, answer: JSONValue) {
        let before = try chatdb.folder.fingerprint()
        let run = try chatdb(["diagnose"] + text + ["--format", "json"])
        #expect(try chatdb.folder.fingerprint() == before)
        return (run.code, try run.answer())
    }

    private func causes(_ answer: JSONValue) -> [String] {
        (answer["messages"]?.arrayValue ?? []).flatMap { message in
            (message["problems"]?.arrayValue ?? []).compactMap { $0["code"]?.stringValue }
                + (message["findings"]?.arrayValue ?? []).compactMap { $0["id"]?.stringValue }
        }
    }

    @Test("a message is explained by what is wrong with the store, with rows and remedy")
    func explained() throws {
        let chatdb = try DemoStore.make()
        try chatdb.sql("PRAGMA foreign_keys = OFF; DELETE FROM users WHERE user_id = 1", in: "x_agent.db")
        let (code, answer) = try diagnosed(chatdb, "agent INTERNAL SEUserNotFound, userId: 2, userId: 77")
        #expect(code == 0 && answer["explained"] == true)
        #expect(causes(answer) == ["profileWithoutAgent"])
        let finding = answer["messages"]?[0]?["findings"]?[0]
        #expect(finding?["sample"] == [1] && finding?["remedy"]?.stringValue?.isEmpty == false)
        #expect(
            answer["rows"] == [
                [
                    "table": "users", "row": 2, "state": "activeProfile", "exists": true, "user": 2, "reason": nil,
                ],
                ["table": "users", "row": 77, "state": "missing", "exists": false, "user": nil, "reason": nil],
            ])
    }

    @Test("channels without an active relay explain that a channel has no active relays")
    func noActiveRelays() throws {
        let chatdb = try DemoStore.finished()
        #expect(try diagnosed(chatdb, "the channel has no active relays").code == 1)
        try chatdb.sql("UPDATE group_relays SET relay_status = 'inactive'")
        let (code, answer) = try diagnosed(chatdb, "the channel has no active relays")
        #expect(code == 0 && causes(answer) == ["channelWithoutActiveRelay"], "\(answer)")
    }

    @Test("a message that the store does not explain gets its possible causes, and exit code 1")
    func unexplained() throws {
        let chatdb = try DemoStore.finished()
        let (code, answer) = try diagnosed(chatdb, "database is locked")
        #expect(code == 1 && answer["known"] == true && answer["explained"] == false)
        #expect(answer["messages"]?[0]?["elsewhere"]?.arrayValue?.isEmpty == false)
        let unknown = try diagnosed(chatdb, "the cat is on the keyboard")
        #expect(unknown.code == 1 && unknown.answer["known"] == false && unknown.answer["messages"] == [])
    }

    @Test("a program that has the store open explains that it is locked")
    func locked() throws {
        let chatdb = try DemoStore.make()
        let shell = try HeldShell(chatdb)
        try shell.run("BEGIN IMMEDIATE;")
        let run = try chatdb("diagnose", "SQLite3 returned ErrorBusy", "--format", "json")
        let message = try run.answer()["messages"]?[0]
        #expect(run.code == 0)
        #expect(message?["openBy"]?[0]?.stringValue?.contains("sqlite3") == true)
        shell.end()
    }

    @Test("the reason why a store cannot be opened explains the message about it; another message gets the error")
    func unreadable() throws {
        let chatdb = try ToolRun()
        var generator = SplitMix64(seed: 1)
        for name in ["x_chat.db", "x_agent.db"] {
            let noise = Data((0..<8192).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
            try noise.write(to: URL(fileURLWithPath: chatdb.file(name)))
        }
        let (code, answer) = try diagnosed(chatdb, "file is not a database")
        #expect(code == 0 && causes(answer) == ["encrypted"])
        let other = try chatdb("diagnose", "SEUserNotFound", "--format", "json")
        #expect(other.code == 64)
        #expect(try other.refusal()["code"] == "encrypted")
    }

    @Test("without a message, the messages that the store explains are listed with their causes, and no empty cell")
    func all() throws {
        let chatdb = try DemoStore.finished()
        #expect(try diagnosed(chatdb).answer["messages"] == [])
        #expect(try chatdb("diagnose").output.contains("nothing that explains"))
        try chatdb.sql("PRAGMA foreign_keys = OFF; DELETE FROM users WHERE user_id = 1", in: "x_agent.db")
        let (code, answer) = try diagnosed(chatdb)
        #expect(code == 0)
        let messages = answer["messages"]?.arrayValue?.compactMap { $0["id"]?.stringValue } ?? []
        #expect(messages.contains("userNotFound") && messages.contains("uniqueID"))
        let text = try chatdb("diagnose").output
        #expect(text.contains("profileWithoutAgent") && text.contains("SEUserNotFound"))
        #expect(text.contains("The app may show these messages because of what is in the store."), "\(text)")
    }

    @Test("without a message, a finding that explains none is only named, with the command that shows it")
    func unrelated() throws {
        let chatdb = try DemoStore.finished()
        try chatdb.sql("UPDATE chat_relays SET address_key = 'other' WHERE chat_relay_id = 1")
        let (code, answer) = try diagnosed(chatdb)
        #expect(code == 0 && answer["messages"] == [] && answer["others"]?.texts == ["wrongAddressKey"])
        let text = try chatdb("diagnose").output
        #expect(text.contains("nothing that explains a message of the app."), "\(text)")
        #expect(text.contains("Findings that explain no message: wrongAddressKey. chatdb check shows what"), "\(text)")
    }

    @Test("an answer that does not explain the message names the command that lists the findings, with the store")
    func otherFindings() throws {
        let chatdb = try DemoStore.finished()
        try chatdb.sql("UPDATE chat_relays SET address_key = 'other' WHERE chat_relay_id = 1")
        let unknown = try chatdb("diagnose", "the cat is on the keyboard", "-d", "x")
        #expect(unknown.code == 1)
        #expect(unknown.output.contains("The store has findings: chatdb check -d x lists them."), "\(unknown.output)")
        let others = "Without a message, chatdb diagnose -d x lists those that the app may show because of them."
        #expect(unknown.output.contains(others), "\(unknown.output)")
        let known = try chatdb("diagnose", "database is locked", "-d", "x")
        #expect(known.code == 1)
        #expect(known.output.contains("The store has other findings: chatdb check -d x lists"), "\(known.output)")
    }

    @Test("a finding that a remedy of the answer names is in the answer with its own remedy, in every format")
    func referredFinding() throws {
        let chatdb = try DemoStore.make()
        try chatdb.sql("PRAGMA foreign_keys = OFF; DELETE FROM chat_relays WHERE display_name = 'mine'")
        let (_, answer) = try diagnosed(chatdb, "no active relays")
        #expect(causes(answer) == ["unfinishedChannel"], "\(answer)")
        let remedy = answer["messages"]?[0]?["findings"]?[0]?["remedy"]?.stringValue ?? ""
        #expect(remedy.contains("first follow the remedy of chatDanglingReference"), "\(remedy)")
        let referred = answer["referred"]?.arrayValue ?? []
        #expect(referred.map { $0["id"]?.stringValue } == ["chatDanglingReference"], "\(answer)")
        let first = referred.first?["remedy"]?.stringValue ?? ""
        #expect(first.contains("chatdb group relay remove id:1 row:1 "), "\(first)")
        let text = try chatdb("diagnose", "no active relays").output
        // The steps of the remedy are on lines of their own.
        let step = "1. Delete the row of the lost relay, which ends its membership: chatdb group relay remove id:1 "
        #expect(text.contains("Findings that the remedies name") && text.contains(step), "\(text)")
        let csv = try chatdb("diagnose", "no active relays", "--format", "csv").output
        #expect(csv.contains("other,,chatDanglingReference,1,"), "\(csv)")
        // The same finding as the cause of the message is there once.
        #expect(try diagnosed(chatdb, "FOREIGN KEY constraint failed").answer["referred"] == [])
    }

    @Test("an answer without a cause because checks did not run says so, and has exit code 1")
    func notChecked() throws {
        let chatdb = try DemoStore.finished()
        try FileManager.default.removeItem(atPath: chatdb.file("x_agent.db"))
        let (code, answer) = try diagnosed(chatdb, "QUOTA")
        #expect(code == 1 && answer["messages"]?[0]?["answer"] == "unknown")
        #expect(
            answer["messages"]?[0]?["leftOut"] == [["id": "undeliveredMessage", "reason": "missingDatabase"]])
        #expect(answer["leftOut"]?.arrayValue?.count ?? 0 > 10)
        let text = try chatdb("diagnose", "QUOTA").output.replacing("\n", with: " ")
        #expect(text.contains("cannot say") && text.contains("because the agent database is missing"), "\(text)")
        #expect(!text.contains("does not explain"))
        let missing = try diagnosed(chatdb, "SEConnNotFound")
        #expect(missing.code == 0 && missing.answer["messages"]?[0]?["answer"] == "possible")
        #expect(missing.answer["messages"]?[0]?["findings"]?[0]?["certain"] == false)
        #expect(try chatdb("diagnose", "SEConnNotFound").output.contains("May explain it: found 1."))
    }

    @Test("the number of a row in a damaged table does not end the command")
    func damagedRow() throws {
        let chatdb = try DemoStore.finished()
        let root = try #require(Int(try chatdb.sql("SELECT rootpage FROM sqlite_master WHERE name = 'groups'")))
        var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: chatdb.file("x_chat.db"))))
        for index in (root - 1) * 4_096..<root * 4_096 { bytes[index] = 0 }
        try Data(bytes).write(to: URL(fileURLWithPath: chatdb.file("x_chat.db")))
        let (code, answer) = try diagnosed(chatdb, "SEGroupNotFound {groupId = 5}")
        #expect(code == 0 && answer["rows"]?[0]?["state"] == "unreadable" && answer["rows"]?[0]?["exists"] == .null)
        #expect(answer["rows"]?[0]?["reason"]?.stringValue?.contains("damaged") == true)
        #expect(causes(answer) == ["chatDamaged"])
        #expect(try chatdb("diagnose", "SEGroupNotFound {groupId = 5}").output.contains("cannot be read: "))
    }

    @Test("CSV has a line for each message, cause and row, and for a text without a known message")
    func csv() throws {
        let chatdb = try DemoStore.finished()
        func kinds(_ text: String...) throws -> [String] {
            let run = try chatdb(["diagnose"] + text + ["--format", "csv"])
            let lines = run.output.split(separator: "\n").map(String.init)
            #expect(lines.first == "kind,message,cause,count,explanation")
            return lines.dropFirst().map { $0.split(separator: ",").first.map(String.init) ?? "" }
        }
        #expect(try kinds("the cat is on the keyboard") == ["unknown"])
        #expect(try kinds("SEGroupNotFound {groupId = 77}") == ["message", "finding", "row"])
        #expect(try kinds("no down migration for: 20991231_new") == ["message", "migration"])
        #expect(try kinds() == [])
        let shell = try HeldShell(chatdb)
        try shell.run("SELECT count(*) FROM users;")
        #expect(try kinds("database is locked") == ["message", "openBy"])
        shell.end()
        try FileManager.default.removeItem(atPath: chatdb.file("x_agent.db"))
        #expect(try kinds("QUOTA") == ["message", "leftOut"])
        #expect(try kinds("NO_USER").starts(with: ["message", "possible", "leftOut"]))
        let notes = try chatdb("diagnose", "QUOTA", "--format", "csv").errors
        #expect(notes.contains("left out, because the agent database is missing"), "\(notes)")
    }

    @Test("a log is read from standard input; a very long one is refused")
    func input() throws {
        let chatdb = try DemoStore.finished()
        let log = try chatdb.shell("printf 'a\\nb CONN NOT_FOUND\\n' | $CHATDB diagnose - --format json")
        #expect(try log.answer()["messages"]?[0]?["id"] == "connNotFound")
        let long = try chatdb.shell("head -c 2000000 /dev/zero 2>/dev/null | $CHATDB diagnose - --format json")
        #expect(try long.code == 64 && long.refusal()["hint"]?.stringValue?.contains("tail -c") == true)
    }

    @Test(
        "an empty text, and bytes that are no text, are refused",
        arguments: [
            ("$CHATDB diagnose ''", "the message is empty"),
            ("printf ' \\n' | $CHATDB diagnose -", "standard input is empty"),
            ("$CHATDB diagnose - < /dev/null", "standard input is empty"),
            ("head -c 5000 /dev/zero | $CHATDB diagnose -", "standard input is not a text"),
            ("head -c 5000 /dev/urandom | $CHATDB diagnose -", "standard input is not a text"),
        ])
    func unusable(_ line: String, _ message: String) throws {
        let run = try DemoStore.finished().shell(line)
        #expect(run.code == 64 && run.errors.contains(message), "\(run.output)\(run.errors)")
    }

    @Test("a reference to a missing row is a cause only of messages about the tables that it connects")
    func references() throws {
        func messages(_ sql: String) throws -> [String] {
            let chatdb = try DemoStore.finished()
            try chatdb.sql("PRAGMA foreign_keys = OFF; \(sql)")
            let messages = try diagnosed(chatdb).answer["messages"]?.arrayValue ?? []
            return messages.filter { message in
                message["findings"]?.arrayValue?.contains { $0["id"] == "chatDanglingReference" } == true
            }.compactMap { $0["id"]?.stringValue }
        }
        #expect(try messages("UPDATE group_relays SET chat_relay_id = 99") == ["foreignKey"])
        #expect(
            try messages("UPDATE group_relays SET group_member_id = 99 WHERE group_relay_id = 1")
                == ["foreignKey", "groupMemberNotFound"])
        #expect(try messages("UPDATE group_members SET group_id = 99").contains("groupNotFound"))
        let chatdb = try DemoStore.finished()
        try chatdb.sql("PRAGMA foreign_keys = OFF; UPDATE group_relays SET chat_relay_id = 99")
        #expect(try diagnosed(chatdb, "SEContactNotFound").code == 1)
    }

    @Test("a log with a few bytes that are no text is read")
    func cut() throws {
        let run = try DemoStore.finished().shell("printf '\\200x\\nCONN NOT_FOUND' | $CHATDB diagnose - --format json")
        #expect(try run.answer()["messages"]?[0]?["id"] == "connNotFound")
    }

    @Test("no command for a rescue proposes a new store", arguments: [["diagnose"], ["salvage", "--output", "new"]])
    func noStore(_ command: [String]) throws {
        let run = try DemoStore.finished()(command + ["-d", "nix", "--format", "json"])
        #expect(run.code == 66)
        #expect(try run.refusal()["hint"] == "check the path; chatdb find lists the stores in the usual places")
    }
}
