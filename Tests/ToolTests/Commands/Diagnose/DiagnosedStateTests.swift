import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBTool

extension DiagnosedMessage {
    fileprivate var causeNames: [String] {
        problems.map(\.code) + (holders.isEmpty ? [] : ["openBy"]) + causes.map(\.finding.id)
    }
}

@Suite("Diagnosis of each message", .timeLimit(.minutes(60))) struct DiagnosedStateTests {
    @Test("the cause of each message is named, or no store explains it", arguments: DiagnosedState.all)
    func named(_ state: DiagnosedState) throws {
        let folder = try StateFolder()
        try state.change(folder)
        let report = try folder.diagnosed(state.text)
        let message = try #require(report.messages.first { $0.message.id == state.id })
        #expect(message.answer == state.answer, "\(message.causeNames)")
        #expect(message.causeNames.first == state.cause)
        #expect(report.isExplained == (state.cause != nil))
    }

    @Test("the title of the screen for two messages is explained by the list of migrations, and not as a downgrade")
    func incompatible() throws {
        let folder = try StateFolder()
        let rename = "UPDATE migrations SET name = '20251226_strict_tables' WHERE name = '20251230_strict_tables'"
        try folder.run(rename)
        let messages = try folder.diagnosed("Incompatible database version").messages
        #expect(messages.map(\.message.id) == ["differentMigration", "noDownMigration"])
        #expect(messages.map(\.answer) == [.explained, .unexplained])
        #expect(messages.first?.history.map(\.isCertain) == [true])
        #expect(
            messages.first?.history.first?.text.contains(
                "has 20251226_strict_tables in the place of 20251230_strict_tables") == true)
    }

    @Test("each message has a state")
    func complete() {
        #expect(DiagnosedState.all.map(\.id) == KnownMessage.all.map(\.id))
    }

    @Test("a store in order explains no message; a downgrade depends on the app only")
    func healthy() throws {
        let folder = try StateFolder()
        let report = try folder.diagnosed(KnownMessage.all.map(\.shown).joined(separator: "\n"))
        #expect(report.messages.count == KnownMessage.all.count)
        let explained = report.messages.filter(\.isExplained)
        #expect(explained.map(\.message.id) == ["noDownMigration", "downgrade"])
        #expect(explained.allSatisfy { $0.answer == .possible && $0.causes.isEmpty && $0.history.count == 2 })
        // The described schemas do not have the agent's tables of files, and the relays of the channel have no
        // connections in either database.
        #expect(
            report.messages.filter { $0.answer == .unknown }.map(\.message.id)
                == ["connectionNotFound", "fileNotFound", "noActiveRelays"])
        #expect(try folder.diagnosed(nil).messages.isEmpty)
    }

    @Test("a database that is missing, unreadable or damaged may explain the messages about its rows, and no others")
    func faults() throws {
        let all = DiagnosedState.all.map(\.text).joined(separator: "\n")
        func expect(_ id: String, of database: DatabaseName, _ change: (StateFolder) throws -> Void) throws {
            let folder = try StateFolder()
            try change(folder)
            for message in try folder.diagnosed(all).messages where message.message.allFindings.contains(id) == false {
                #expect(
                    message.causes.contains { $0.finding.id == id && !$0.isCertain }
                        == message.message.databases.contains(database), "\(message.message.id)")
            }
        }
        // The names in the messages of SQLite are those of other tables than the damaged one.
        let named = try StateFolder()
        try named.damage("note_folders")
        let report = try named.diagnosed(all)
        #expect(report.messages.first { $0.message.id == "contactNotFound" }?.answer == .possible)
        #expect(report.messages.first { $0.message.id == "uniqueConstraint" }?.answer == .unexplained)
        try expect("missingDatabase", of: .agent) { try $0.remove(.agent) }
        try expect("missingDatabase", of: .chat) { try $0.remove(.chat) }
        try expect("unreadableDatabase", of: .agent) { try $0.write(.agent) { $0.prefix(5_000) } }
    }

    @Test("a check that did not run is named, and the answer is unknown without another cause")
    func leftOut() throws {
        let folder = try StateFolder()
        try folder.remove(.agent)
        let quota = try #require(try folder.diagnosed("QUOTA").messages.first)
        #expect(quota.answer == .unknown && !quota.isExplained)
        #expect(quota.leftOut.map(\.id) == ["undeliveredMessage"] && quota.leftOut[0].reason == .missing(.agent))
        let connection = try #require(try folder.diagnosed("SEConnNotFound").messages.first)
        #expect(connection.answer == .possible && connection.causes.map(\.finding.id) == ["missingDatabase"])
        #expect(connection.leftOut.map(\.id).contains("connectionWithoutAgent"))
        // A message about the chat database alone needs no check of the agent's.
        let group = try #require(try folder.diagnosed("SEGroupNotFound").messages.first)
        #expect(group.answer == .unexplained && group.leftOut.isEmpty)
    }

    @Test("a finding about another table or column than the message names is not its cause")
    func otherTables() throws {
        let schema = try StateFolder()
        try schema.run("ALTER TABLE contacts ADD COLUMN more INTEGER")
        let table = try schema.diagnosed("no such table: calls").messages[0]
        #expect(table.answer == .unexplained)
        #expect(try schema.diagnosed("no such table: calls").json["others"] == ["chatSchemaDrift"])
        // The same table, and another column.
        let column = try schema.diagnosed("table contacts has no column named favorite").messages[0]
        #expect(column.answer == .possible)
        let server = try StateFolder()
        let fault = try #require(SimplexFault.all.first { $0.id == "duplicateServer" })
        for sql in fault.chat { try server.run(sql) }
        let member = "UNIQUE constraint failed: group_members.group_id, group_members.member_id"
        #expect(try server.diagnosed(member).messages.map(\.answer) == [.unexplained])
        #expect(try server.diagnosed("UNIQUE constraint failed").messages.map(\.answer) == [.possible])
    }

    @Test("a finding that names other rows than the message only may be its cause")
    func otherRows() throws {
        let folder = try StateFolder()
        try folder.run("DELETE FROM group_members WHERE group_id = 4")
        #expect(try folder.diagnosed("SEGroupNotFound {groupId = 4}").messages[0].answer == .explained)
        #expect(try folder.diagnosed("SEGroupNotFound {groupId = 1}").messages[0].answer == .possible)
        #expect(try folder.diagnosed("SEGroupNotFound").messages[0].answer == .explained)
    }

    @Test("a hidden active profile is not the cause of noActiveUser: the app reads its row as any other")
    func hiddenActive() throws {
        let folder = try StateFolder()
        try folder.run("UPDATE users SET active_user = user_id = 3")
        let report = try folder.diagnosed("noActiveUser")
        #expect(report.messages.map(\.answer) == [.unexplained])
        #expect(report.json["others"] == ["hiddenActiveProfile"])
    }

    @Test("the screens for versions are explained by the migrations of a store of SimpleX Chat")
    func versions() throws {
        func messages(_ version: SimplexStore.Version, _ text: String) throws -> [DiagnosedMessage] {
            let store = try SimplexStore(version, isHealthy: true)
            return try DiagnoseReport(
                text: text, store: store.location, engine: SQLiteEngine(), .none, Output(.json, terminal: Terminal())
            ).messages
        }
        let older = try messages(SimplexStore.versions[0], "Database upgrade")[0]
        #expect(older.answer == .explained && older.history.count == 2 && older.history.allSatisfy(\.isCertain))
        #expect(older.history[0].text.contains("applies") && older.history[0].text.contains("up to 2026"))
        let newest = try StateFolder()
        #expect(try newest.diagnosed("Database upgrade").messages[0].answer == .unexplained)
        // The message has a name, and the store has the migration or not.
        let applied = try newest.diagnosed("no down migration for: 20260222_chat_relays")
        #expect(applied.messages[0].answer == .explained && applied.history.migrations[0].applied == [.chat])
        let other = try newest.diagnosed("no down migration for: 20991231_new")
        #expect(other.messages[0].answer == .unexplained && other.history.migrations[0].applied.isEmpty)
        #expect(other.json["migrations"] == [["name": "20991231_new", "applied": [], "known": false]])
        let different = try newest.diagnosed(
            "different migration in the app/database: 20260101_a / 20260222_chat_relays")
        #expect(different.messages[0].answer == .possible && different.messages[0].history.count == 1)
        // The agent's names have a mark in the file.
        let agent = try newest.diagnosed("no down migration for: 20261008_rcv_switch_status")
        #expect(agent.history.migrations[0].applied == [.agent] && agent.history.migrations[0].isKnown)
    }

    @Test("a locked store explains that it is locked, and the answer says that it could not be checked")
    func lockedStore() throws {
        let folder = try StateFolder()
        try folder.open("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;")
        let report = try folder.diagnosed("SQLITE_BUSY, contactId = 11")
        let message = try #require(report.messages.first)
        #expect(message.answer == .explained && message.problems.map(\.code) == ["storeLocked"])
        #expect(message.problems[0].message.contains("sqlite3"), "\(message.problems[0].message)")
        #expect(report.json["notes"]?[0]?.stringValue?.hasPrefix("the store could not be checked: ") == true)
        #expect(report.rows.count == 1)
        #expect(throws: UnreadableFile.self) { try folder.diagnosed("noActiveUser") }
    }

    @Test("a file that the app created anew may explain a missing table")
    func emptyFile() throws {
        let folder = try StateFolder()
        try folder.write(.agent) { _ in Data() }
        let message = try folder.diagnosed("no such table: servers").messages[0]
        #expect(message.answer == .possible && message.causes.map(\.finding.id) == ["unreadableDatabase"])
    }

    @Test("a row that the message names has its profile; the number of a hidden profile is not given")
    func rows() throws {
        let folder = try StateFolder()
        try folder.run(
            "INSERT INTO contact_profiles (contact_profile_id, display_name, full_name) VALUES (31, 'x', '')")
        let text = """
            userId = 1, userId = 2, userId = 3, userId = 9, contactId = 11, contactId = 21, contactId = 3, \
            contactId = 99, profileId: 31, groupId: 99999999999999999999
            """
        let report = try folder.diagnosed(text)
        #expect(
            report.rows.map(\.state) == [
                .ofActiveProfile(1), .ofOtherProfile(2), .missingOrHidden, .missingOrHidden, .ofActiveProfile(1),
                .ofOtherProfile(2), .ofHiddenProfile, .missing, .ofNoProfile, .missing,
            ])
        #expect(report.json["rows"]?[9]?["row"] == "99999999999999999999")
        #expect(report.json["rows"]?.arrayValue?.contains { $0["user"] == 3 } == false)
        // The profile 3 and the missing profile 9 have the same answer.
        #expect(report.rows[2].sentence == report.rows[3].sentence)
        #expect(report.rows[8].sentence == "belongs to no profile")
        // A table without a view has NULL for the missing profile.
        let connection = try SQLiteEngine().open(folder.location.path(of: .chat), as: .untrusted)
        let name = try #require(MessageText("profileId 31").rows.first)
        #expect(try NamedRow(name, in: connection).state == .ofNoProfile)
        try connection.close()
        try folder.run("UPDATE users SET view_pwd_hash = NULL, view_pwd_salt = NULL")
        #expect(try folder.diagnosed("userId = 9").rows.map(\.state) == [.missing])
    }

    @Test(
        "a row that is missing, or of another profile than the active one, is the cause that the app does not find it")
    func rowOfOther() throws {
        let folder = try StateFolder()
        let message = try folder.diagnosed("SEContactNotFound {contactId = 21}").messages[0]
        #expect(message.answer == .explained && message.rows.map(\.state) == [.ofOtherProfile(2)])
        for text in ["SEContactNotFound {contactId = 99}", "SEContactNotFound contactId = -1"] {
            let missing = try folder.diagnosed(text)
            #expect(missing.messages[0].answer == .explained && missing.rows.map(\.state) == [.missing])
        }
        // A hidden profile and a missing one have the same answer.
        let hidden = try [3, 9].map {
            try folder.diagnosed("error store userNotFound userId: \($0)").messages[0].answer
        }
        #expect(hidden == [.possible, .possible])
        #expect(try folder.diagnosed("error store userNotFound userId: 2").messages[0].answer == .unexplained)
        #expect(try folder.diagnosed("SEContactNotFound {contactId = 11}").messages[0].answer == .unexplained)
        try folder.run("UPDATE users SET active_user = user_id = 2")
        #expect(try folder.diagnosed("SEContactNotFound {contactId = 21}").messages[0].answer == .unexplained)
    }

    @Test("a row that cannot be read has the reason, and the other rows are read")
    func damagedRow() throws {
        let folder = try StateFolder()
        try folder.damage("groups")
        let report = try folder.diagnosed("SEGroupNotFound {groupId = 1, contactId = 11}")
        #expect(report.rows.last?.state == .ofActiveProfile(1))
        guard case .unreadable(let reason)? = report.rows.first?.state else {
            Issue.record("\(report.rows)")
            return
        }
        #expect(reason.contains("damaged"))
        #expect(report.messages[0].answer == .possible)
        #expect(report.messages[0].causes.map(\.finding.id) == ["chatDamaged"])
        try folder.remove(.chat)
        #expect(
            try folder.diagnosed("groupId = 1").rows.map(\.state) == [.unreadable("the chat database is missing")])
    }
}
