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
            #expect(version.unknown == [String(unknown.trimmingPrefix("m"))] && version.newer.isEmpty)
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

    @Test("every earlier version, with and without migrations of branches, has the known history")
    func earlier() throws {
        for database in DatabaseName.allCases {
            let names = try SimplexStore.newest.migrations(of: database)
            #expect(SimpleXMigrations.known(of: database) == names)
            for count in 1...names.count {
                let version = SimpleXVersion(ledger(Array(names.prefix(count))), of: database)
                #expect(!version.isOther && version.newer.isEmpty && version.difference == nil)
            }
        }
    }

    @Test("a gap, another name, and a migration of a branch are told apart, and the app's screen is the first of them")
    func different() throws {
        let names = try SimplexStore.newest.migrations(of: .chat)
        func version(_ change: (inout [String]) -> Void, _ database: DatabaseName = .chat) throws -> SimpleXVersion {
            var names = try SimplexStore.newest.migrations(of: database)
            change(&names)
            return SimpleXVersion(ledger(names.sorted()), of: database)
        }
        let gap = try version { $0.removeAll { $0 == "20250105_indexes" } }
        #expect(gap.missing == ["20250105_indexes"] && gap.isOther && gap.renamed.isEmpty && gap.unknown.isEmpty)
        #expect(gap.difference == .init(app: "20250105_indexes", database: "20250115_chat_ttl"))

        let otherDate = try version { $0[$0.firstIndex(of: "20250126_mentions") ?? 0] = "20250127_mentions" }
        #expect(otherDate.renamed == [.init(known: "20250126_mentions", found: "20250127_mentions")])
        #expect(otherDate.missing.isEmpty && otherDate.unknown.isEmpty)
        let otherWords = try version { $0[$0.firstIndex(of: "20250126_mentions") ?? 0] = "20250126_Member_mentions" }
        #expect(otherWords.renamed == [.init(known: "20250126_mentions", found: "20250126_Member_mentions")])
        let unmarked = try version({ $0[$0.firstIndex(of: "m20230110_users") ?? 0] = "20230110_users" }, .agent)
        #expect(unmarked.renamed == [.init(known: "m20230110_users", found: "20230110_users")])
        #expect(unmarked.difference?.database == "20230110_users")

        let branch = try version { $0.append("20250107_something") }
        #expect(branch.unknown == ["20250107_something"] && branch.missing.isEmpty && branch.newer.isEmpty)
        #expect(branch.difference == .init(app: "20250115_chat_ttl", database: "20250107_something"))
        // An older store with a migration that the next version does not begin with.
        let forked = try version { $0 = Array($0.prefix(100)) + ["20240401_fork"] }
        #expect(forked.unknown == ["20240401_fork"] && forked.newer.isEmpty && forked.name == names[99])
        #expect(forked.difference == .init(app: names[100], database: "20240401_fork"))

        let newer = try version { $0.append("20270101_more") }
        #expect(newer.newer == ["20270101_more"] && !newer.isOther && newer.difference == nil)
        // The migration of a branch, released under another date.
        let released = try version { $0[$0.count - 1] = "20261101_simplex_names" }
        #expect(released.newer == ["20261101_simplex_names"] && !released.isOther)
    }

    @Test("a name that is there with and without the m is one migration too many, and renames nothing")
    func doubled() throws {
        for database in DatabaseName.allCases {
            let names = try SimplexStore.newest.migrations(of: database)
            let known = try #require(names.last)
            let other = known.hasPrefix("m") ? String(known.dropFirst()) : "m\(known)"
            for ledger in [ledger(names + [other]), ledger([other] + names)] {
                let version = SimpleXVersion(ledger, of: database)
                #expect(version.renamed.isEmpty && version.missing.isEmpty && version.newer.isEmpty)
                #expect(version.unknown == [other] && version.isOther)
                // A name with the mark comes after all names of the chat database.
                #expect(database == .chat || version.difference?.database == other)
                #expect(version.name == known.trimmingPrefix("m"))
            }
        }
    }

    @Test("a ledger without its second migration is still that of its database")
    func second() throws {
        for database in DatabaseName.allCases {
            var names = try SimplexStore.newest.migrations(of: database)
            names.remove(at: 1)
            #expect(SimpleXHistory.database(of: ledger(names)) == database)
        }
        #expect(SimpleXHistory.database(of: ledger(["20220101_initial"])) == nil)
        #expect(SimpleXHistory.database(of: ledger(["20230117_fkey_indexes"])) == nil)
    }

    @Test("no migration of chatdb has the name that identifies SimpleX Chat's stores")
    func ours() throws {
        for migrations in try MigrationSource.build.load().values {
            #expect(!migrations.contains { $0.name == SimpleXHistory.firstMigration })
        }
    }
}
