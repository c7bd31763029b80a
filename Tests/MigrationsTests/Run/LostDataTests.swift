import ChatDBKit
import TestKit
import Testing

@testable import ChatDBMigrations

/// Undeclared losses of rows and columns.
@Suite struct LostDataTests {
    private typealias Step = SyntheticHistory.Step
    private static let first = Step(
        "first",
        """
        CREATE TABLE precious (id INTEGER PRIMARY KEY, note TEXT) STRICT;
        CREATE TABLE other (id INTEGER PRIMARY KEY, note TEXT) STRICT;
        """)

    private func run(_ sql: String, before statements: String...) throws -> (SyntheticStore, MigrationError?) {
        let store = try SyntheticStore()
        _ = try store.migrator(SyntheticHistory.make(chat: [Self.first])).run()
        try store.execute(
            "INSERT INTO precious VALUES (1, 'a'), (2, 'b'), (3, 'c')", "INSERT INTO other VALUES (1, 'x')")
        for statement in statements { try store.execute(statement) }
        do {
            _ = try store.migrator(SyntheticHistory.make(chat: [Self.first, Step("second", sql)])).run()
            return (store, nil)
        } catch let failure as MigrationFailure {
            return (store, failure.error)
        }
    }

    private static let lost = MigrationError.lostRows(
        .chat, migration: "20300102_second", table: "precious", before: 3, after: 0)

    @Test(
        "a dropped table is not confused with one created before and altered afterwards",
        arguments: ["", "ALTER TABLE other ADD COLUMN more TEXT;", "ALTER TABLE other RENAME TO others;"])
    func droppedAndAltered(_ more: String) throws {
        let (store, error) = try run(
            "CREATE TABLE kinds (id INTEGER PRIMARY KEY) STRICT; INSERT INTO kinds VALUES (1), (2), (3), (4); DROP TABLE precious; "
                + more)
        #expect(error == Self.lost)
        #expect(try store.rows("SELECT count(*) FROM precious") == ["3"])
    }

    @Test("a rename is followed also when the same migration creates a table", arguments: 1...8)
    func renameBesideNew(_: Int) throws {
        let (store, error) = try run(
            "CREATE TABLE z (id INTEGER PRIMARY KEY) STRICT; ALTER TABLE precious RENAME TO dear; UPDATE dear SET note = 'd';"
        )
        #expect(error == nil)
        #expect(try store.rows("SELECT count(*) FROM dear") == ["3"])
    }

    @Test(
        "a migration up that drops a column of a table with rows needs data-loss",
        arguments: [
            "ALTER TABLE precious DROP COLUMN note",
            "-- chatdb: rebuild\nCREATE TABLE n (id INTEGER PRIMARY KEY) STRICT; INSERT INTO n SELECT id FROM precious; DROP TABLE precious; ALTER TABLE n RENAME TO precious;",
        ])
    func lostColumn(_ sql: String) throws {
        let (store, error) = try run(sql)
        #expect(
            error
                == .lostColumn(
                    .chat, migration: "20300102_second", table: "precious", column: "note", isDrift: false))
        #expect(try store.rows("SELECT note FROM precious") == ["a", "b", "c"])
        #expect(try run("-- chatdb: data-loss\n" + sql).1 == nil)
        #expect(try run(sql, before: "DELETE FROM precious").1 == nil, "there is nothing in it")
    }

    @Test(
        "a renamed column is not lost, also in a rebuilt table",
        arguments: [
            "ALTER TABLE precious RENAME COLUMN note TO remark",
            "ALTER TABLE precious RENAME COLUMN note TO n2; ALTER TABLE precious RENAME TO dear; ALTER TABLE dear RENAME n2 TO remark",
            "-- chatdb: rebuild\nCREATE TABLE n (id INTEGER PRIMARY KEY, note TEXT) STRICT; INSERT INTO n SELECT * FROM precious; DROP TABLE precious; ALTER TABLE n RENAME TO precious; ALTER TABLE precious RENAME note TO remark;",
        ])
    func renamedColumn(_ sql: String) throws {
        #expect(try run(sql).1 == nil)
    }

    @Test("a run down that loses rows without declaring it is refused before it makes a backup")
    func refusedBeforeBackup() throws {
        let store = try SyntheticStore()
        let second = Step("second", "CREATE TABLE u (id INTEGER) STRICT", down: "DROP TABLE u")
        let build = try SyntheticHistory.make(chat: [Self.first, second])
        _ = try store.migrator(build).run()
        try store.execute("INSERT INTO u VALUES (1)")
        let failure = #expect(throws: MigrationFailure.self) {
            _ = try store.migrator(build) { options in
                options.target = .downSteps(1)
                options.backup = .folder(nil)
            }.run()
        }
        let loss = UndeclaredLoss(loss: Loss(table: "u", column: nil, rows: 1), migration: "20300102_second")
        #expect(failure?.error == .undeclaredLoss(.chat, loss) && failure?.state == .unchanged)
        #expect(FileState(at: store.location.backupsPath) == .missing)
        #expect(try store.rows("SELECT * FROM u") == ["1"])
    }

    @Test("a run down keeps what is outside the version and only has a name in its SQL, and does not list it as lost")
    func namedExtraParts() throws {
        let store = try SyntheticStore()
        let second = Step(
            "second", "ALTER TABLE other ADD COLUMN tags TEXT", down: "ALTER TABLE other DROP COLUMN tags")
        let build = try SyntheticHistory.make(chat: [Self.first, second])
        _ = try store.migrator(build).run()
        try store.execute("CREATE TABLE tags (id INTEGER)", "INSERT INTO tags VALUES (1), (2)")
        try store.execute("ALTER TABLE other ADD COLUMN mine TEXT", "INSERT INTO other (id, mine) VALUES (1, 'x')")
        let migrator = store.migrator(build) { $0.target = .downSteps(1) }
        let report = try migrator.run()
        let column = Loss(table: "other", column: "tags", rows: 0)
        #expect(report.plan.databases[.chat]?.losses == [column] && report.losses(.chat).isEmpty)
        #expect(try store.applied() == ["20300101_first"])
        #expect(try store.rows("SELECT id FROM tags") == ["1", "2"])
        #expect(try store.rows("SELECT mine FROM other") == ["x"])
    }

    @Test("a run down is refused if it drops a table outside the version with rows")
    func droppedExtraTable() throws {
        let store = try SyntheticStore()
        let second = Step(
            "second", "ALTER TABLE other ADD COLUMN tags TEXT",
            down: "ALTER TABLE other DROP COLUMN tags; DROP TABLE IF EXISTS tags")
        let build = try SyntheticHistory.make(chat: [Self.first, second])
        _ = try store.migrator(build).run()
        try store.execute("CREATE TABLE tags (id INTEGER)", "INSERT INTO tags VALUES (1), (2)")
        let failure = #expect(throws: MigrationFailure.self) {
            _ = try store.migrator(build) { $0.target = .downSteps(1) }.run()
        }
        let loss = UndeclaredLoss(loss: Loss(table: "tags", column: nil, rows: 2), migration: "20300102_second")
        #expect(failure?.error == .undeclaredLoss(.chat, loss))
    }

    @Test("a rebuild does not discard a column that is not in the version")
    func extraColumn() throws {
        let (store, error) = try run(
            "-- chatdb: rebuild\nCREATE TABLE n (id INTEGER PRIMARY KEY, note TEXT) STRICT; INSERT INTO n SELECT id, note FROM precious; DROP TABLE precious; ALTER TABLE n RENAME TO precious;",
            before: "ALTER TABLE precious ADD COLUMN mine TEXT", "UPDATE precious SET mine = 'kept'")
        #expect(
            error
                == .lostColumn(.chat, migration: "20300102_second", table: "precious", column: "mine", isDrift: true))
        #expect(try store.rows("SELECT DISTINCT mine FROM precious") == ["kept"])
    }
}
