import ChatDBKit
import Foundation
import Testing

/// A marker stands in every column of the agent database whose class is *secret*, and must not be seen.
@Suite struct AgentSecretsTests {
    private static let marker = "MARKER"
    private static let markerBytes = Array(marker.utf8)

    /// The world of two profiles with a marker in each secret column, its row's number behind it to keep it unique.
    private func marked() throws -> TwoProfiles {
        let two = try TwoProfiles()
        try two.test.store.write(.agent) { agent in
            for table in Catalogue.tables(of: .agent) {
                let exists = try agent.first(agent.dialect.tableExists(table.name)) != nil
                guard exists, table.name != "migrations" else { continue }
                let secrets = table.columns.filter { $0.columnClass == .secret }
                let types = try agent.rows("SELECT name, type FROM pragma_table_info(\(table.name))")
                for column in secrets {
                    let isBlob = try types.contains { row in
                        let name: String = try row.get("name")
                        let type: String = try row.get("type")
                        return name == column.name && type == "BLOB"
                    }
                    #expect(isBlob, "\(table.name).\(column.name)")
                    try agent.run(
                        """
                        UPDATE \(identifier: table.name)
                        SET \(identifier: column.name) = CAST(\(Self.marker) || rowid AS BLOB)
                        """)
                }
            }
        }
        return two
    }

    private func expectHidden(_ value: Any, _ name: String) {
        var dumped = ""
        dump(value, to: &dumped)
        for text in [String(describing: value), String(reflecting: value), dumped] {
            #expect(!text.contains(Self.marker), "\(name)")
            // As bytes: 77, 65, 82, 75, 69, 82.
            #expect(!text.contains("77, 65, 82, 75"), "\(name)")
            #expect(!dumpedAsLines(text), "\(name)")
        }
    }

    /// `dump` writes an array of bytes a line each.
    private func dumpedAsLines(_ text: String) -> Bool {
        let lines = text.split(separator: "\n").map { $0.trimmingCharacters(in: ["-", " "]) }
        return zip(lines, lines.dropFirst()).contains { $0 == "77" && $1 == "65" }
    }

    @Test("no answer of the agent's repositories shows a secret, however it is printed")
    func answers() throws {
        let two = try marked()
        let subjects = RepositoryCatalogue.agentDatabase + RepositoryCatalogue.crossStore
        var answered = 0
        for entry in subjects {
            struct Undo: Error {}
            do {
                try two.test.store.writeBoth(committing: .agentFirst) { chat, agent in
                    do {
                        let answer = try entry.call(
                            Call(chat: chat, agent: agent, user: Things.alice.user, things: .alice))
                        answered += 1
                        expectHidden(answer, entry.name)
                    } catch let error as any RuleViolation {
                        expectHidden(error, entry.name)
                        expectHidden(error.message, entry.name)
                        expectHidden(error.details, entry.name)
                    }
                    throw Undo()
                }
            } catch is Undo {}
        }
        #expect(answered > subjects.count * 8 / 10)
    }

    @Test("the look for markers finds one in an answer that shows it")
    func control() throws {
        let two = try marked()
        let row = try two.test.store.read(.agent) { try $0.first("SELECT rcv_private_key FROM rcv_queues") }
        #expect("\(String(describing: row))".contains("77, 65, 82, 75"))
        let queue = try two.test.store.read(.agent) { try ReceiveQueuesRepo($0).get(Things.alice.receiveQueue) }
        #expect(queue.keys.privateKey.bytes.starts(with: Self.markerBytes), "who asks for the bytes gets them")
    }

    @Test("an error of the database shows no secret")
    func errors() throws {
        let two = try marked()
        #expect(throws: StoreError.self) {
            try two.test.store.write(.agent) { agent in
                do {
                    try agent.run(
                        """
                        INSERT INTO ratchets (conn_id, ratchet_state)
                        VALUES (\(Things.alice.agentConnection), \(secret(Self.marker)))
                        """)
                } catch {
                    expectHidden(error, "a clash")
                    throw error
                }
            }
        }
    }
}
