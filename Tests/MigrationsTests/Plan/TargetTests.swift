import ChatDBKit
import TestKit
import Testing

@testable import ChatDBMigrations

/// Both databases form one history in the order of the names.
@Suite struct TargetTests {
    private func history() throws -> [DatabaseName: [Migration]] {
        func step(_ name: String) -> SyntheticHistory.Step {
            .init(name, "CREATE TABLE \(name) (id INTEGER PRIMARY KEY) STRICT", down: "DROP TABLE \(name)")
        }
        // 20300101_ca 20300102_cb 20300103_cc and 20300101_aa 20300102_ab
        return try SyntheticHistory.make(
            chat: [step("ca"), step("cb"), step("cc")], agent: [step("aa"), step("ab")])
    }

    @Test("a run up to a name migrates both databases exactly to it, a run down to a name leaves it applied")
    func byName() throws {
        let store = try SyntheticStore()
        let build = try history()
        _ = try store.migrator(build) { $0.target = .up(to: "20300102_ab") }.run()
        #expect(try store.applied(.agent) == ["20300101_aa", "20300102_ab"])
        // 20300102_cb sorts after 20300102_ab.
        #expect(try store.applied(.chat) == ["20300101_ca"])
        _ = try store.migrator(build).run()
        _ = try store.migrator(build) { $0.target = .down(to: "20300101_ca") }.run()
        #expect(try store.applied(.agent) == ["20300101_aa"])
        #expect(try store.applied(.chat) == ["20300101_ca"])
    }

    @Test(
        "steps count over both databases, newest first",
        arguments: [
            (1, ["20300101_aa", "20300102_ab"], ["20300101_ca", "20300102_cb"]),
            (2, ["20300101_aa", "20300102_ab"], ["20300101_ca"]),
            (3, ["20300101_aa"], ["20300101_ca"]), (5, [], []),
        ])
    func steps(_ count: Int, _ agent: [String], _ chat: [String]) throws {
        let store = try SyntheticStore()
        let build = try history()
        _ = try store.migrator(build).run()
        _ = try store.migrator(build) { $0.target = .downSteps(count) }.run()
        #expect(try store.applied(.agent) == agent)
        #expect(try store.applied(.chat) == chat)
    }

    @Test("an unknown name, the wrong direction and too many steps are errors, and change nothing")
    func refusals() throws {
        let store = try SyntheticStore()
        let build = try history()
        _ = try store.migrator(build) { $0.target = .up(to: "20300102_cb") }.run()
        let cases: [(MigrationTarget, String)] = [
            (.up(to: "20300109_none"), "unknownMigration"), (.down(to: "20300109_none"), "unknownMigration"),
            (.up(to: "20300101_ca"), "wrongDirection"), (.down(to: "20300103_cc"), "wrongDirection"),
            (.downSteps(9), "tooManySteps"),
        ]
        let before = try store.folder.fingerprint()
        for (target, code) in cases {
            #expect {
                _ = try store.migrator(build) { $0.target = target }.run()
            } throws: { ($0 as? MigrationFailure)?.error.code == code }
        }
        #expect(try store.folder.fingerprint() == before)
    }

    @Test("up to an earlier name is the wrong direction also if a later migration has no down SQL")
    func withoutDownSQL() throws {
        let store = try SyntheticStore()
        let build = try SyntheticHistory.make(
            chat: [
                .init("ca", "CREATE TABLE ca (id INTEGER PRIMARY KEY) STRICT", down: "DROP TABLE ca"),
                .init("cb", "CREATE TABLE cb (id INTEGER PRIMARY KEY) STRICT"),
            ], agent: [.init("aa", "CREATE TABLE aa (id INTEGER PRIMARY KEY) STRICT", down: "DROP TABLE aa")])
        _ = try store.migrator(build).run()
        for (target, code) in [
            (MigrationTarget.up(to: "20300101_ca"), "wrongDirection"), (.down(to: "20300101_ca"), "noDownMigration"),
        ] {
            #expect {
                _ = try store.migrator(build) { $0.target = target }.run()
            } throws: { ($0 as? MigrationFailure)?.error.code == code }
        }
    }
}
