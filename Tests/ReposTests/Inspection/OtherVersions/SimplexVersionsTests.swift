import ChatDBKit
import Foundation
import TestKit
import Testing

/// Rule: docs/simplex.md, "What check compares".
@Suite("What is known of SimpleX Chat's versions")
struct SimplexVersionsTests {
    private func plain(_ name: String) -> String { name.hasPrefix("m2") ? String(name.dropFirst()) : name }

    @Test("The embedded file has the migrations, dates, tables and columns of the described schemas")
    func same() throws {
        let known = try SimplexVersions.known.get()
        let described = try SimplexSchema.known.get()
        for database in DatabaseName.allCases {
            #expect(known.migrations[database] == described.migrations[database.rawValue]?.map(plain))
            let versions = known.described[database] ?? []
            #expect(versions.map(\.date) == described.dates(of: database))
            for version in versions {
                let tables = described.tables(of: database, at: version.date).mapValues { Set($0.columns.map(\.name)) }
                #expect(version.tables == tables, "\(database) \(version.date)")
            }
        }
    }

    @Test("Versions that existed together do not disagree", arguments: SimplexStore.versions)
    func together(_ version: SimplexStore.Version) throws {
        let names = try DatabaseName.allCases.map { try version.migrations(of: $0).last ?? "" }
        #expect(try SimplexVersions.known.get().disagreement(chat: names[0], agent: names[1]) == nil)
    }

    @Test(
        "A version that had a successor for more than a year disagrees",
        arguments: [
            ("20260924_simplex_names", "m20250322_short_links", true),
            // The successor of the agent's is of 2025-07-02.
            ("20260702_other", "m20250322_short_links", false), ("20260703_other", "m20250322_short_links", true),
            ("20260720_server_roles", "m20250702_conn_invitations_remove_cascade_delete", false),
            ("20230111_users_agent_user_id", "m20261008_rcv_switch_status", true),
            ("20260924_simplex_names", "m20261008_rcv_switch_status", false), ("", "", false), ("x", "y", false),
        ])
    func apart(_ chat: String, _ agent: String, _ isApart: Bool) throws {
        let reason = try SimplexVersions.known.get().disagreement(chat: chat, agent: agent)
        #expect((reason != nil) == isApart, "\(reason ?? "")")
    }

    @Test("A version that is older or newer than all described ones is not compared")
    func unknown() throws {
        let known = try SimplexVersions.known.get()
        for version in ["20240102_note_folders", "20261201_other"] {
            #expect(SimplexDrift(of: DatabaseStructure(), in: .chat, version: version, by: known) == nil)
        }
        let described = SimplexDrift(of: DatabaseStructure(), in: .agent, version: "20260411_service_certs", by: known)
        #expect(described?.missing.count == 21)
        #expect(described?.missing.first == "missing table client_notices")
    }
}
