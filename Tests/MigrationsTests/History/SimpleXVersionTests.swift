import ChatDBKit
import TestKit
import Testing

@testable import ChatDBMigrations

/// The version of SimpleX Chat's schema in a ledger.
@Suite struct SimpleXVersionTests {
    private func ledger(_ names: [String]) -> [LedgerEntry] {
        names.map { LedgerEntry(name: $0, appliedAt: "", down: nil, checksum: nil) }
    }

    @Test("every documented ledger is recognized, with its date and number", arguments: SimplexStore.versions)
    func described(_ version: SimplexStore.Version) throws {
        for database in DatabaseName.allCases {
            let names = try version.migrations(of: database)
            // In a database's order: those with an `m` last.
            let entries = ledger(names.sorted())
            #expect(SimpleXHistory.isOf(entries))
            #expect(SimpleXHistory.database(of: entries) == database)
            let found = SimpleXVersion(entries, of: database)
            #expect(found.name == names.last.map { String($0.trimmingPrefix("m")) })
            #expect(found.date.filter { $0 != "-" } == found.name.prefix(8))
            #expect(found.count == names.count)
            #expect(found.newer.isEmpty)
        }
    }

    @Test("an old agent has names with and without m; the version is the last one by date, without the m")
    func marks() {
        let entries = ledger(["20220101_initial", "20220607_v2", "m20220625_v2_ntf_mode"])
        #expect(SimpleXVersion(entries, of: .agent).name == "20220625_v2_ntf_mode")
        // A chat name may begin with this letter for another reason.
        #expect(SimpleXHistory.names(ledger(["message_ids"])) == ["message_ids"])
    }

    @Test("a store of the newest date without the migration of a branch has the one before it, and nothing newer")
    func branch() throws {
        let lacking = try #require(SimplexStore.versions.first { !$0.lacking.isEmpty })
        let version = SimpleXVersion(ledger(try lacking.migrations(of: .chat)), of: .chat)
        #expect(version.name == "20260923_preferences_json" && version.count == 172 && version.newer.isEmpty)
        let agent = SimpleXVersion(ledger(try lacking.migrations(of: .agent)), of: .agent)
        #expect(agent.name == "20260411_service_certs" && agent.count == 45)
    }

    @Test("every name of the described ledgers is known, and a name among the newest ones that is not is said")
    func among() throws {
        for database in DatabaseName.allCases {
            let names = try SimplexStore.newest.migrations(of: database)
            #expect(SimpleXVersion(ledger(names), of: database).newer.isEmpty)
            let unknown = database == .chat ? "20260922_rebased" : "m20260912_rebased"
            let version = SimpleXVersion(ledger(names + [unknown]), of: database)
            #expect(version.newer == [String(unknown.trimmingPrefix("m"))])
            #expect(version.name == names.last.map { String($0.trimmingPrefix("m")) })
        }
    }

    @Test("newer names are listed apart, and do not hide the last known one")
    func newer() {
        let entries = ledger(["20220101_initial", "m20261008_rcv_switch_status", "m20270101_more", "20280101_yet_more"])
        let version = SimpleXVersion(entries, of: .agent)
        #expect(version.name == "20261008_rcv_switch_status" && version.date == "2026-10-08")
        #expect(version.newer == ["20270101_more", "20280101_yet_more"])
        #expect(SimpleXVersion(ledger(["odd"]), of: .chat).date == "")
    }

    @Test("no migration of chatdb has the name that identifies SimpleX Chat's stores")
    func ours() throws {
        for migrations in try MigrationSource.build.load().values {
            #expect(!migrations.contains { $0.name == SimpleXHistory.firstMigration })
        }
    }
}
