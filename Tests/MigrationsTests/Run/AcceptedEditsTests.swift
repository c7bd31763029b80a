import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBMigrations

/// Rule: docs/migrations.md, "Edited migrations".
@Suite struct AcceptedEditsTests {
    private typealias Step = SyntheticHistory.Step
    private static let name = "20300101_first"
    private static let up = "CREATE TABLE t (id INTEGER PRIMARY KEY) STRICT;"
    private static let down = "-- chatdb: data-loss\nDROP TABLE t;"

    private func build(
        _ up: String = up, down: String? = down, more: [Step] = []
    ) throws -> [DatabaseName: [Migration]] {
        try SyntheticHistory.make(chat: [Step("first", up, down: down)] + more)
    }

    /// A store at the version before the edit.
    private func store() throws -> SyntheticStore {
        let store = try SyntheticStore()
        _ = try store.migrator(build()).run()
        return store
    }

    private func accept(_ options: inout MigrationOptions) { options.acceptsEdited = true }

    private func ledger(_ store: SyntheticStore) throws -> [String] {
        try store.rows("SELECT note, down FROM migrations ORDER BY name")
    }

    @Test("the plan shows how the schema and the down SQL of an edited file differ")
    func shown() throws {
        let store = try store()
        let edited = try build(
            "CREATE TABLE t (id INTEGER PRIMARY KEY, note TEXT) STRICT;",
            down: "-- chatdb: data-loss\n-- More.\nDROP TABLE t;")
        let plan = try #require(try store.migrator(edited, accept).plan().databases[.chat])
        #expect(plan.accepted.map(\.name) == [Self.name])
        #expect(plan.editedSchema?.map { "\($0.kind) \($0.name)" } == ["missing t.note"])
        #expect(plan.accepted.first?.downDifference == [" -- chatdb: data-loss", "+-- More.", " DROP TABLE t;"])
        // Without the option, nothing is accepted.
        let other = try #require(try store.migrator(edited).plan().databases[.chat])
        #expect(other.accepted == [] && other.editedSchema == nil && other.edited == [Self.name])
    }

    @Test("an edit of a comment changes neither the schema nor the down SQL")
    func sameSchema() throws {
        let store = try store()
        let plan = try store.migrator(build("-- Another comment.\n" + Self.up), accept).plan()
        #expect(plan.databases[.chat]?.editedSchema == [] && plan.acceptedEdits == [Self.name])
        #expect(plan.databases[.chat]?.accepted.first?.downDifference == [] && !plan.isEmpty)
    }

    @Test("accepting is a run of its own: backup, both generations, checksum, down SQL and note; then nothing is left")
    func remembered() throws {
        let store = try store()
        let edited = try build("-- Another comment.\n" + Self.up, down: "DROP TABLE IF EXISTS t;")
        let report = try store.migrator(edited) { options in
            accept(&options)
            options.confirmation = .error
            options.backup = .folder(nil)
        }.run()
        #expect(report.backup != nil && report.accepted(.chat) == [Self.name] && report.accepted(.agent) == [])
        #expect(try ledger(store) == ["edited, accepted|DROP TABLE IF EXISTS t;"])
        for database in DatabaseName.allCases {
            #expect(try store.rows("SELECT generation FROM store", in: database) == ["2"])
        }
        let status = try store.migrator(edited).context.status()
        #expect(status.isCurrent(DatabaseName.allCases) && status.readable.values.allSatisfy(\.edited.isEmpty))
        #expect(FileState(at: store.location.intentPath) == .missing)
        let before = try store.folder.fingerprint()
        #expect(try store.migrator(edited, accept).run().plan.isEmpty)
        #expect(try store.folder.fingerprint() == before)
    }

    @Test("an edit of the down file alone is accepted and recorded without a note; without the option it is not")
    func onlyDown() throws {
        let store = try store()
        let edited = try build(down: "DROP TABLE IF EXISTS t;")
        func otherDowns() throws -> [String] {
            try store.migrator(edited).context.status().readable.values.flatMap(\.editedDowns)
        }
        #expect(try store.migrator(edited).run().plan.isEmpty)
        #expect(try otherDowns() == [Self.name])
        let plan = try store.migrator(edited, accept).plan()
        #expect(plan.acceptedEdits == [Self.name] && plan.databases[.chat]?.edited == [] && !plan.isEmpty)
        #expect(try store.migrator(edited, accept).run().accepted(.chat) == [Self.name])
        #expect(try ledger(store) == ["NULL|DROP TABLE IF EXISTS t;"])
        #expect(try otherDowns() == [])
        #expect(try store.migrator(edited, accept).run().plan.isEmpty)
    }

    @Test("a store without an edited file, and one whose edits are not accepted, is not written")
    func unchanged() throws {
        let store = try store()
        let before = try store.folder.fingerprint()
        #expect(try store.migrator(build(), accept).run().plan.isEmpty)
        let report = try store.migrator(build("-- Another comment.\n" + Self.up)).run()
        #expect(report.plan.isEmpty && report.plan.databases[.chat]?.edited == [Self.name])
        #expect(try store.folder.fingerprint() == before)
    }

    @Test("a file without down SQL leaves that of the store, and a second edit leaves the note")
    func noDown() throws {
        let store = try store()
        for comment in ["-- One.\n", "-- Two.\n"] {
            _ = try store.migrator(build(comment + Self.up, down: nil), accept).run()
            #expect(try ledger(store) == ["edited, accepted|\(Self.down)"])
        }
        try store.execute("UPDATE migrations SET note = 'out of order: merge'")
        _ = try store.migrator(build("-- Three.\n" + Self.up, down: nil), accept).run()
        #expect(try ledger(store) == ["out of order: merge; edited, accepted|\(Self.down)"])
    }

    @Test("a person is shown the differences first, and can decline")
    func asked() throws {
        let store = try store()
        let edited = try build("-- Another comment.\n" + Self.up)
        let before = try store.folder.fingerprint()
        let asked = Counter()
        let declined = TwoVersions.code {
            _ = try store.migrator(edited) { options in
                accept(&options)
                options.confirmation = .console { plan in
                    #expect(plan.databases[.chat]?.editedSchema == [])
                    _ = asked.next()
                    return false
                }
            }.run()
        }
        #expect(declined == "declined" && asked.value == 1)
        #expect(try store.folder.fingerprint() == before)
    }

    @Test("a run up accepts too; a run down does not accept what it undoes, with the file's down SQL")
    func otherRuns() throws {
        let store = try store()
        let second = Step("second", "CREATE TABLE u (id INTEGER PRIMARY KEY) STRICT;", down: "DROP TABLE u;")
        let longer = try build("-- Another comment.\n" + Self.up, more: [second])
        #expect(TwoVersions.code { _ = try store.migrator(longer).run() } == "editedMigration")
        let report = try store.migrator(longer, accept).run()
        #expect(report.applied(.chat) == ["20300102_second"] && report.accepted(.chat) == [Self.name])
        #expect(try store.rows("SELECT note FROM migrations ORDER BY name") == ["edited, accepted", "NULL"])
        let again = try build("-- A third.\n" + Self.up, more: [second])
        let down = try store.migrator(again) { options in
            accept(&options)
            options.target = .downSteps(2)
        }.run()
        #expect(down.applied(.chat) == ["20300102_second", Self.name] && down.accepted(.chat) == [])
    }

    /// A store between the two commits of a run that accepts: agent new, chat old, and the record.
    private func split(_ edited: [DatabaseName: [Migration]]) throws -> (SyntheticStore, IntentRecord) {
        let store = try store()
        let (chat, copy) = (store.location.path(of: .chat), store.folder.file("copy.db"))
        try FileManager.default.copyItem(atPath: chat, toPath: copy)
        _ = try store.migrator(edited, accept).run()
        try FileManager.default.removeItem(atPath: chat)
        try FileManager.default.moveItem(atPath: copy, toPath: chat)
        let agent = try store.applied(.agent).last
        let checksum = try #require(edited[.chat]?.first?.checksum)
        let record = IntentRecord(
            run: "run", startedAt: "2030-01-02T10:00:00Z", creates: false,
            storeID: try store.rows("SELECT store_id FROM store").first ?? "", generation: 2,
            courses: [
                .agent: .init(from: agent, to: agent, steps: []),
                .chat: .init(from: Self.name, to: Self.name, steps: [], accepted: [Self.name: checksum]),
            ], backup: nil)
        try record.write(store.location.intentPath)
        return (store, record)
    }

    @Test("an interrupted run is completed with the acceptance; a build with other files does not accept its own")
    func interrupted() throws {
        let edited = try build("-- Another comment.\n" + Self.up)
        let (store, record) = try split(edited)
        #expect(IntentRecord(json: record.json) == record)
        #expect(try StoreGate(store.migrator(edited).context).reading() == .interrupted(record))
        #expect(try store.migrator(edited).plan().completes[.chat]?.accepted.map(\.name) == [Self.name])
        let report = try store.migrator(edited) { $0.confirmation = .error }.run()
        #expect(report.completed == record && report.accepted(.chat) == [Self.name] && report.plan.isEmpty)
        #expect(try store.rows("SELECT note FROM migrations") == ["edited, accepted"])
        #expect(try store.rows("SELECT * FROM store") == store.rows("SELECT * FROM store", in: .agent))

        let (other, _) = try split(edited)
        _ = try other.migrator(build("-- A third.\n" + Self.up)).run()
        #expect(try other.rows("SELECT note FROM migrations") == ["NULL"])
        #expect(FileState(at: other.location.intentPath) == .missing)
    }

    @Test("a run for one database accepts in that one")
    func alone() throws {
        let store = try store()
        let edited = try build("-- Another comment.\n" + Self.up)
        _ = try store.migrator(edited, only: .chat, accept).run()
        #expect(try store.rows("SELECT note FROM migrations") == ["edited, accepted"])
        #expect(try store.rows("SELECT generation FROM store") == ["1"])
        #expect(try store.migrator(edited).context.status().isCurrent(DatabaseName.allCases))
    }
}

/// The small diff of two texts.
@Suite struct LineDifferenceTests {
    @Test(
        "differences are shown with two lines around them",
        arguments: [
            ("a\nb", "a\nb\n", []), ("a\r\nb", "a\nb", []), ("", "", []), ("", "a", ["+a"]), ("a", "", ["-a"]),
            ("a\nb\nc", "a\nx\nc", [" a", "-b", "+x", " c"]),
            ("1\n2\n3\n4\n5\n6\n7", "1\n2\n3\n4\n5\n6\nx", ["…", " 5", " 6", "-7", "+x"]),
            ("1\n2\n3\n4\n5\n6\n7", "x\n2\n3\n4\n5\n6\ny", ["-1", "+x", " 2", " 3", "…", " 5", " 6", "-7", "+y"]),
        ])
    func lines(_ old: String, _ new: String, _ expected: [String]) {
        #expect(LineDifference.lines(from: old, to: new) == expected)
    }

    @Test("texts of many lines are not compared line by line")
    func large() {
        let text = String(repeating: "a\n", count: 4_000)
        #expect(LineDifference.lines(from: text, to: text + "b") == ["-(4000 lines)", "+(4001 lines)"])
        #expect(LineDifference.lines(from: text, to: text) == [])
    }
}
