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
        let schema = try SimplexSchema.known.get()
        for (database, date) in [(DatabaseName.chat, version.chat), (.agent, version.agent)] {
            let names = schema.migrations(of: database, to: date)
            // In a database's order: those with an `m` last.
            let entries = ledger(names.sorted())
            #expect(SimpleXHistory.isOf(entries))
            #expect(SimpleXHistory.database(of: entries) == database)
            let found = SimpleXVersion(entries, of: database)
            #expect(found.date.filter { $0 != "-" } == date)
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

    @Test("newer names are listed apart, and do not hide the last known one")
    func newer() {
        let entries = ledger(["20220101_initial", "m20260410_receive_attempts", "m20270101_more", "20280101_yet_more"])
        let version = SimpleXVersion(entries, of: .agent)
        #expect(version.name == "20260410_receive_attempts" && version.date == "2026-04-10")
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
