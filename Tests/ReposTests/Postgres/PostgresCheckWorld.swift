import ChatDBKit
import TestKit

@testable import ChatDBEnginePostgres

/// The store of a ``CheckWorld`` on a PostgreSQL server: the same rows, copied from the files.
final class PostgresCheckWorld: Sendable {
    /// For all tests that need no other schema.
    static let shared = Result { try PostgresCheckWorld() }

    /// The store, open for writing.
    let store: Store
    private let database: String
    private let pair: PostgresPair

    init() throws {
        let server = try PostgresServer.started()
        database = try server.makeDatabase()
        for name in DatabaseName.allCases {
            try PostgresTwoProfiles.makeSchema(name, in: database, on: server)
        }
        let place = try ServerStore(server.uri(database: database) + "&store=two")
        pair = try PostgresPair(
            server.parameters(database: database), schemas: [.chat: "two_chat", .agent: "two_agent"])
        store = try Store.openForWriting(StoreLocation(server: place), with: PostgresEngine(place))
    }

    /// Replaces all rows by those of a store in files. The server checks no reference.
    func fill(from world: CheckWorld) throws {
        try world.test.store.readBoth { chat, agent in
            try pair.write { copiedChat, copiedAgent in
                for (source, target) in [(chat, copiedChat), (agent, copiedAgent)] {
                    try Self.empty(target)
                    try PostgresTwoProfiles.copy(source, to: target)
                }
            }
        }
    }

    private static func empty(_ target: any WriteTransaction) throws {
        try target.run("SET LOCAL session_replication_role = replica")
        let tables = try target.rows("SELECT tablename FROM pg_tables WHERE schemaname = current_schema()")
        for table in tables { try target.run("DELETE FROM \(identifier: table.get("tablename"))") }
    }

    /// Runs statements as a superuser can: past the checks of references, and without triggers.
    func execute(_ statements: [String], in name: DatabaseName = .chat) throws {
        try pair.write { chat, agent in
            let target = name == .chat ? chat : agent
            try target.run("SET LOCAL session_replication_role = replica")
            for statement in statements { try target.run(.unchecked(sql: statement)) }
        }
    }

    func checkup() throws -> CheckResult { try CheckResult(of: store) }

    func mend(_ findings: [Finding], lost: [DatabaseName: [SchemaPart]] = [:]) throws -> [StoreRepair.Repaired] {
        try store.writeBoth(committing: .agentFirst) { chat, agent in
            try StoreRepair.repair(findings, lost: lost, chat: chat, agent: agent, clock: TestStore.clock)
        }
    }
}

extension Store {
    /// Every row of a table as text, without the time of its change. Columns and rows are sorted: engines have their
    /// own order of both.
    func sortedRows(of table: String, in name: DatabaseName) throws -> [String] {
        try read(name) { tx in
            try tx.rows("SELECT * FROM \(identifier: table)").map { row in
                let values = zip(row.columns.names, row.values).filter { $0.0 != "updated_at" }
                return "\(values.map { "\($0.0)=\($0.1)" }.sorted())"
            }.sorted()
        }
    }
}
