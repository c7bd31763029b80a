import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBInspection

/// What the newest versions of SimpleX Chat store otherwise than those before.
@Suite struct SimplexNewestTests {
    private static let known = #"{"calls":{"allow":"no"}}"#
    private static let received = #"{"calls":{"allow":"no"},"dances":{"allow":"yes"}}"#

    @Test(
        "preferences are read as they were received, if the app has stored them so, and else as the app knows them",
        arguments: SimplexStore.versions)
    func preferences(_ version: SimplexStore.Version) throws {
        let opened = try OpenedStore(SimplexStore(version))
        try opened.store.read { chat throws in
            let newest = version.hasBadges ? Self.received : Self.known
            let contacts = ContactsRepo(chat)
            #expect(try contacts.get(ContactID(11), of: UserID(1)).profile.content.preferences == newest)
            #expect(try contacts.get(ContactID(12), of: UserID(1)).profile.content.preferences == Self.known)
            let groups = GroupsRepo(chat)
            #expect(try groups.info(of: GroupID(2), of: UserID(1)).profile.preferences == newest)
            #expect(try groups.info(of: GroupID(1), of: UserID(1)).profile.preferences == Self.known)
        }
    }

    @Test("a column of received preferences that is not STRICT is read as text, and one of this build's is no view")
    func receivedViews() throws {
        let folder = try TemporaryFolder()
        func tables(_ columns: String, _ ending: String = "") throws -> [String: TableStructure] {
            let made = try SQLiteEngine().openForMigration(folder.file("\(UUID()).db"), creating: true)
            defer { made.close() }
            _ = try made.rows(.unchecked(sql: "CREATE TABLE contact_profiles (\(columns))\(ending)"))
            return try made.structure().tables
        }
        func view(of found: [String: TableStructure], as own: [String: TableStructure]) -> String? {
            VersionViews.plan(of: .chat, as: DatabaseStructure(tables: own)).views(found, .sqlite).views.first?
                .select
        }
        let plain = try tables("preferences TEXT", " STRICT")
        let strict = try tables("preferences TEXT, preferences_json TEXT", " STRICT")
        let loose = try tables("preferences TEXT, preferences_json BLOB")
        #expect(view(of: strict, as: plain)?.contains("coalesce(preferences_json, preferences)") == true)
        #expect(view(of: loose, as: plain)?.contains("coalesce(CAST(preferences_json AS TEXT), CAST(") == true)
        #expect(view(of: strict, as: strict) == nil && view(of: plain, as: plain) == nil)
    }

    @Test("the step received_qend of a moving queue is known, and the agent of 2026-10-08 is read with it")
    func queueStates() throws {
        #expect(ReceiveSwitchStatus(text: "received_qend") == .receivedQEND)
        for version in SimplexStore.versions[4...] {
            let simplex = try SimplexStore(version)
            try simplex.execute(
                """
                INSERT INTO rcv_queues (host, port, rcv_id, conn_id, rcv_private_key, rcv_dh_secret, e2e_priv_key,
                    snd_id, status, rcv_queue_id, rcv_primary, switch_status)
                VALUES ('smp8.simplex.im', '5223', x'01', CAST('Ym9i' AS BLOB), x'02', x'03', x'04', x'05', 'active',
                    1, 1, 'received_qend')
                """, in: .agent)
            let opened = try OpenedStore(simplex)
            try opened.store.read(.agent) { agent throws in
                let queue = try #require(
                    try ReceiveQueuesRepo(agent).all(of: AgentConnectionID(bytes: Array("Ym9i".utf8))).first)
                #expect(queue.switchStatus == .receivedQEND)
                let counted = StoreNumbers.stateColumns[.agent]?.contains { $0.column == "switch_status" }
                #expect(counted == true)
            }
        }
    }

    @Test("a connection of the agent without a stored time has the time 1970-01-01, in every version")
    func unknownTimes() throws {
        for version in SimplexStore.versions {
            let simplex = try SimplexStore(version)
            let opened = try OpenedStore(simplex)
            try opened.store.read(.agent) { agent throws in
                let times = try agent.rows("SELECT DISTINCT created_at FROM connections").map(\.values)
                #expect(times == [[.text("1970-01-01 00:00:00")]], "\(version)")
                #expect(try AgentConnectionsRepo(agent).all(of: AgentUserID(1)).count == 1)
            }
        }
    }
}
