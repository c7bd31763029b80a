import ChatDBKit
import Foundation
import TestKit
import Testing

/// Rule: docs/simplex.md, "What check compares".
@Suite("What is known of the schemas of SimpleX Chat")
struct SimpleXSchemasTests {
    @Test("The embedded file has the dates, tables and columns of the described schemas")
    func same() throws {
        let known = try SimpleXSchemas.known.get()
        let described = try SimplexSchema.known.get()
        for database in DatabaseName.allCases {
            let versions = known.described[database] ?? []
            #expect(versions.map(\.date) == described.dates(of: database))
            for version in versions {
                let tables = described.tables(of: database, at: version.date).mapValues { Set($0.columns.map(\.name)) }
                #expect(version.tables == tables, "\(database) \(version.date)")
            }
        }
    }

    @Test("A version that is older or newer than all described ones is not compared")
    func unknown() throws {
        let known = try SimpleXSchemas.known.get()
        for version in ["20240102_note_folders", "20261201_other"] {
            #expect(SimpleXDrift(of: DatabaseStructure(), in: .chat, version: version, by: known) == nil)
        }
        let described = SimpleXDrift(of: DatabaseStructure(), in: .agent, version: "20260411_service_certs", by: known)
        #expect(described?.missing.count == 21)
        #expect(described?.missing.first?.sentence == "missing table client_notices")
    }

    @Test("A trigger of the app is missing from the version that creates it on, and extra before", arguments: [0, 1])
    func triggers(_ index: Int) throws {
        let known = try SimpleXSchemas.known.get()
        let (version, name) = (SimplexStore.versions[index], "on_group_members_insert_update_summary")
        let store = try SimplexStore(version, isHealthy: true)
        let connection = try SQLiteEngine().openForMigration(store.location.path(of: .chat), creating: false)
        defer { connection.close() }
        func drift() throws -> SimpleXDrift? {
            try SimpleXDrift(of: connection.structure(), in: .chat, version: version.chat, by: known)
        }
        #expect(try drift()?.others.map(\.sentence) == [])
        if version.chat < "20250919" {
            let sql = "CREATE TRIGGER \(name) AFTER INSERT ON group_members BEGIN SELECT 1; END"
            _ = try connection.rows(.unchecked(sql: sql))
            #expect(try drift()?.others.map(\.sentence) == ["extra trigger \(name) on group_members"])
        } else {
            _ = try connection.rows(.unchecked(sql: "DROP TRIGGER \(name)"))
            #expect(try drift()?.others.map(\.sentence) == ["missing trigger \(name) on group_members"])
        }
    }
}
