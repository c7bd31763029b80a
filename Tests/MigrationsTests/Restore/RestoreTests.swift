import ChatDBKit
import Foundation
import TestKit
import Testing

@testable import ChatDBMigrations

/// Rule: docs/backups.md, "How a restore is made".
@Suite struct RestoreTests {
    @Test("B07: a restore moves files beside the databases aside with them, and the result is the backup")
    func staleSideFiles() throws {
        let world = try RestoreWorld()
        let chat = world.store.location.path(of: .chat)
        let stale = ["-wal", "-journal", "-shm"]
        for suffix in stale { try Data("stale\(suffix)".utf8).write(to: URL(fileURLWithPath: chat + suffix)) }
        try Data("stale".utf8).write(to: URL(fileURLWithPath: world.store.location.intentPath))
        let report = try restore(world)
        #expect(try world.content() == RestoreWorld.new)
        #expect(try world.generations() == ["2", "2"])
        let aside = try #require(report.replaced)
        for suffix in stale {
            let kept = FileManager.default.contents(atPath: aside + "/x_chat.db" + suffix)
            #expect(kept == Data("stale\(suffix)".utf8))
        }
        #expect(FileManager.default.fileExists(atPath: aside + "/x.migrating"))
        let names = try world.names().filter { !$0.hasPrefix("x.replaced") }
        #expect(names == ["x_chat.db", "x_agent.db", "x.backups", "x.lock"])
    }

    /// Restores a store with a journal that begins as no journal does. A program that another test starts has the files
    /// of this process open until it runs. Meanwhile chatdb reads the database in place, SQLite cannot, and the plan has
    /// no differences. Such a plan is outdated as soon as the program runs, so it is made again.
    private func restore(_ world: RestoreWorld) throws -> RestoreReport {
        for _ in 0..<9 {
            do {
                return try world.restore()
            } catch RestoreError.planOutdated {
                continue
            }
        }
        return try world.restore()
    }

    @Test("the replaced files can be restored, with a new generation")
    func undone() throws {
        let world = try RestoreWorld()
        let first = try world.restore()
        let aside = try #require(first.replaced)
        #expect(throws: RestoreError.refused(aside, .unverified)) {
            try world.restore(aside)
        }
        try world.restore(aside, force: true)
        #expect(try world.content() == RestoreWorld.old)
        #expect(try world.generations() == ["3", "3"])
        #expect(FileManager.default.fileExists(atPath: aside + "/x_chat.db"), "a backup is only read")
    }

    @Test("the plan lists additional and later rows of the store, and changes nothing")
    func plan() throws {
        let world = try RestoreWorld()
        let before = try world.store.folder.fingerprint()
        let plan = try world.restorer().plan(world.backup)
        #expect(try world.store.folder.fingerprint() == before)
        #expect(plan.generation == 2 && plan.objections.isEmpty && plan.notes.isEmpty && plan.pending == 0)
        #expect(plan.differences.map(\.table) == ["a", "t"] && plan.differences.allSatisfy(\.isNewerInStore))
        let chat = try #require(plan.differences.last)
        #expect(chat.store?.rows == 2 && chat.store?.latest == StoredTime(text: "2030-02-02 10:00:00.000"))
        #expect(chat.backup?.rows == 1 && chat.backup?.latest == StoredTime(text: "2030-01-01 10:00:00.000"))
        #expect(chat.isContentDifferent == true)
        #expect(chat.rowsOnlyInStore == 1 && chat.rowsOnlyInBackup == 0)
    }

    /// The keys of a table with these columns and rows.
    private func keys(_ columns: String, _ rows: String, in world: RestoreWorld) throws -> TableKeys? {
        for sql in ["DROP TABLE IF EXISTS k", "CREATE TABLE k (\(columns))", "INSERT INTO k VALUES \(rows)"] {
            try world.store.execute(sql)
        }
        let connection = try SQLiteEngine().open(world.store.location.path(of: .chat), as: .untrusted)
        defer { try? connection.close() }
        let table = try #require(try connection.structure().tables["k"])
        return try connection.read { transaction in
            let count = try transaction.count("SELECT count(*) FROM k")
            return try TableKeys(of: "k", table, rows: count, in: transaction)
        }
    }

    @Test("the keys of two copies are compared exactly: ranges with gaps, negative numbers, and other keys")
    func keys() throws {
        let world = try RestoreWorld()
        func keys(_ columns: String, _ rows: String) throws -> TableKeys? { try self.keys(columns, rows, in: world) }
        let number = "id INTEGER PRIMARY KEY"
        let first = try #require(try keys(number, "(1), (2), (3), (7), (-5), (9223372036854775807)"))
        let second = try #require(try keys(number, "(2), (3), (4), (5), (6), (7), (8)"))
        #expect(first.count(missingFrom: second) == 3 && second.count(missingFrom: first) == 4)
        #expect(first.count(missingFrom: first) == 0)
        let texts = try #require(try keys("a TEXT, b BLOB, PRIMARY KEY (a, b)", "('x', x'01'), ('x', x'02')"))
        let others = try #require(try keys("a TEXT, b BLOB, PRIMARY KEY (a, b)", "('x', x'02'), ('y', x'02')"))
        #expect(texts.count(missingFrom: others) == 1 && others.count(missingFrom: texts) == 1)
        #expect(texts.count(missingFrom: first) == nil, "another key")
        #expect(try keys("a TEXT", "('x')") == nil, "no key")
        #expect(try keys("a TEXT PRIMARY KEY", "('x'), (NULL)") == nil, "NULL is no key")
        let sparse = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 2 FROM n WHERE i < 200002) SELECT i FROM n"
        try world.store.execute("CREATE TABLE s (\(number))")
        try world.store.execute("INSERT INTO s \(sparse)")
        let connection = try SQLiteEngine().open(world.store.location.path(of: .chat), as: .untrusted)
        defer { try? connection.close() }
        let table = try #require(try connection.structure().tables["s"])
        #expect(try connection.read { try TableKeys(of: "s", table, rows: 100_002, in: $0) } == nil, "beyond the bound")
    }

    @Test("the keys of texts are compared byte by byte, and a key may have a name in quotes")
    func keysOfTexts() throws {
        let world = try RestoreWorld()
        // One letter with an accent, and a letter with an accent behind it.
        let (one, two) = ("char(233)", "'e' || char(769)")
        for columns in ["a TEXT PRIMARY KEY", "\"order\" TEXT PRIMARY KEY", "\"two words\" TEXT PRIMARY KEY"] {
            let first = try #require(try keys(columns, "(\(one))", in: world), "\(columns)")
            let second = try #require(try keys(columns, "(\(two))", in: world), "\(columns)")
            let both = try #require(try keys(columns, "(\(one)), (\(two))", in: world), "\(columns)")
            #expect(first.count(missingFrom: second) == 1 && second.count(missingFrom: first) == 1, "\(columns)")
            #expect(both.count(missingFrom: first) == 1 && first.count(missingFrom: both) == 0, "\(columns)")
        }
        let number = "\"order\" INTEGER PRIMARY KEY, \"group\" TEXT"
        let numbers = try #require(try keys(number, "(1, 'x'), (2, 'y'), (9, 'z')", in: world))
        let fewer = try #require(try keys(number, "(2, 'y')", in: world))
        #expect(numbers.count(missingFrom: fewer) == 2 && fewer.count(missingFrom: numbers) == 0)
        let pair = "\"group\" BLOB, a TEXT, PRIMARY KEY (a, \"group\")"
        let bytes = try #require(try keys(pair, "(x'78', 'x')", in: world))
        let texts = try #require(try keys(pair, "('x', 'x')", in: world))
        #expect(bytes.count(missingFrom: texts) == 1, "a text is not the bytes of its letters")
    }

    @Test("the plan lists tables whose texts differ, though their numbers of rows and times do not")
    func content() throws {
        let world = try RestoreWorld()
        try world.restore()
        #expect(try world.restorer().plan(world.backup).differences.isEmpty)
        try world.store.execute("UPDATE t SET body = 'odl' WHERE id = 1")
        let plan = try world.restorer().plan(world.backup)
        let difference = try #require(plan.differences.first)
        #expect(plan.differences.count == 1 && difference.table == "t" && difference.isContentDifferent == true)
        #expect(
            difference.store?.rows == difference.backup?.rows && difference.store?.latest == difference.backup?.latest)
        #expect(!difference.isNewerInStore)
        try world.store.execute("DELETE FROM t WHERE id = 1")
        #expect(try world.restorer().plan(world.backup).differences.first?.isContentDifferent == true)
        // The same row, written again.
        try world.store.execute("INSERT INTO t VALUES (1, 'old', '2030-01-01 10:00:00.000')")
        #expect(try world.restorer().plan(world.backup).differences.isEmpty)
    }

    @Test("a hash of rows notices exchanged values, types, and rows that are twice there")
    func hash() throws {
        let world = try RestoreWorld()
        func hash(_ rows: String) throws -> ContentHash {
            for sql in ["DROP TABLE IF EXISTS h", "CREATE TABLE h (a, b)", "INSERT INTO h VALUES \(rows)"] {
                try world.store.execute(sql)
            }
            let connection = try SQLiteEngine().open(world.store.location.path(of: .chat), as: .untrusted)
            defer { try? connection.close() }
            return try connection.contentHash(of: "h", columns: ["a", "b"])
        }
        let first = try hash("(1, 'x'), (2, 'y')")
        #expect(try hash("(2, 'y'), (1, 'x')") == first)
        for other in [
            "(1, 'y'), (2, 'x')", "(1, 'x'), (2, x'79')", "(1, 'x'), (2, 'y'), (2, 'y')", "(1, 'x')",
            "('1', 'x'), (2, 'y')",
            "(1, 'xy'), (2, '')", "(1, 'x'), (2, NULL)", "(1.0, 'x'), (2, 'y')", "(1, 'x'), (1, 'x')",
        ] {
            #expect(try hash(other) != first, "\(other)")
        }
    }

    @Test("a table that is too large to read is not compared, and the plan says so")
    func unread() throws {
        let world = try RestoreWorld()
        try world.store.execute("UPDATE t SET body = printf('%.*c', 9000000, 'x') WHERE id = 1")
        let plan = try world.restorer().plan(world.backup)
        #expect(plan.differences.map(\.table) == ["a"])
        #expect(plan.notes.count == 1 && plan.notes[0].contains("did not compare the table t of the chat database"))
    }

    @Test("newer data in the store means more rows or a later time, not fewer or earlier ones")
    func newer() {
        let (early, late) = (StoredTime(microseconds: 1), StoredTime(microseconds: 2))
        func isNewer(_ store: TableFacts?, _ backup: TableFacts?) -> Bool {
            RestorePlan.Difference(database: .chat, table: "t", store: store, backup: backup).isNewerInStore
        }
        #expect(isNewer(TableFacts(rows: 2, latest: nil), TableFacts(rows: 1, latest: nil)))
        #expect(isNewer(TableFacts(rows: 1, latest: late), TableFacts(rows: 2, latest: early)))
        #expect(isNewer(TableFacts(rows: 1, latest: late), nil))
        #expect(!isNewer(TableFacts(rows: 1, latest: early), TableFacts(rows: 2, latest: late)))
        #expect(!isNewer(nil, TableFacts(rows: 1, latest: nil)))
        #expect(!isNewer(TableFacts(rows: 0, latest: nil), nil))
    }

    @Test("a missing or unreadable store is restored too, and no file is lost")
    func brokenStore() throws {
        let world = try RestoreWorld()
        let chat = world.store.location.path(of: .chat)
        try Data("this was a database".utf8).write(to: URL(fileURLWithPath: chat))
        let plan = try world.restorer().plan(world.backup)
        #expect(plan.notes.count == 1 && plan.notes[0].hasPrefix("chatdb cannot read what is in the chat database now"))
        let report = try world.restorer().run(plan)
        let kept = FileManager.default.contents(atPath: (report.replaced ?? "") + "/x_chat.db")
        #expect(kept == Data("this was a database".utf8))
        #expect(try world.content() == RestoreWorld.new)
        for database in DatabaseName.allCases {
            try FileManager.default.removeItem(atPath: world.store.location.path(of: database))
        }
        let again = try world.restore()
        #expect(again.replaced == nil)
        #expect(try world.content() == RestoreWorld.new)
    }

    @Test("a store whose generation chatdb cannot read gets one that it never had", arguments: [false, true])
    func unknownGeneration(_ isLost: Bool) throws {
        let world = try RestoreWorld()
        try world.restore()
        try world.restore()
        #expect(try world.generations() == ["3", "3"])
        let before = StoredTime.now().microseconds / 1000
        for database in DatabaseName.allCases {
            let path = world.store.location.path(of: database)
            for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
            if !isLost { try Data("this was a database".utf8).write(to: URL(fileURLWithPath: path)) }
        }
        let restorer = try world.restorer()
        let plan = try restorer.plan(world.backup)
        // The answer to the question holds for a later plan, whose generation is another one.
        let planned = try #require(plan.generation)
        while StoredTime.now().microseconds / 1000 <= planned {}
        let generation = try #require(try restorer.run(plan).identity?.generation)
        #expect(generation > max(before, planned))
        #expect(try world.generations() == ["\(generation)", "\(generation)"])
        #expect(try world.restorer().plan(world.backup).generation == generation + 1)
    }

    @Test("a store that chatdb now reads in another way, with the same content, is restored on the old answer")
    func otherWayOfReading() throws {
        let world = try RestoreWorld()
        let stale = URL(fileURLWithPath: world.store.location.path(of: .chat) + "-journal")
        try Data("stale".utf8).write(to: stale)
        let plan = try world.restorer().plan(world.backup)
        #expect(!plan.notes.isEmpty)
        try FileManager.default.removeItem(at: stale)
        try #expect(world.restorer().plan(world.backup).notes.isEmpty)
        _ = try world.restorer().run(plan)
        #expect(try world.content() == RestoreWorld.new)
    }

    @Test("a store that changed after the question is not restored on the old answer")
    func outdated() throws {
        let world = try RestoreWorld()
        let plan = try world.restorer().plan(world.backup)
        try world.store.execute("INSERT INTO t VALUES (3, 'newest', NULL)")
        unlink(world.store.location.lockPath)
        #expect(throws: RestoreError.planOutdated) { _ = try world.restorer().run(plan) }
        #expect(FileState(at: world.store.location.lockPath) == .missing, "nothing that was not there before")
        #expect(try world.content() == ["old", "new", "newest", "7"])
        #expect(try !world.names().contains("x.restoring"))
    }

    @Test("a restore moves nothing while another chatdb or program has the store open")
    func inUse() throws {
        let world = try RestoreWorld()
        let plan = try world.restorer().plan(world.backup)
        let lock = try StoreLock.take(
            world.store.location.lockPath, .shared, timeout: 0, cancellation: Cancellation())
        #expect {
            _ = try world.restorer().run(plan)
        } throws: { ($0 as? MigrationError)?.code == "storeLocked" }
        withExtendedLifetime(lock) {}
        #expect(try world.content() == RestoreWorld.old)
    }

    @Test("a program that opens the store at the last moment is detected, and all files are moved back")
    func openedMeanwhile() throws {
        let world = try RestoreWorld()
        let before = try world.content()
        let holder = try Holder(of: world.store.location.path(of: .agent))
        var context = try world.store.migrator(RestoreWorld.build()).context
        context.lockTimeout = 0
        let staging = RestoreStaging(context)
        let contents = try BackupContents(at: world.backup, in: context)
        let versions = try staging.fill(from: contents, generation: 2)
        let swap = try RestoreSwap.begin(
            context,
            record: RestoreRecord(
                startedAt: "2030-01-01T00:00:00Z", backup: world.backup, storeID: contents.identity?.storeID,
                generation: 2, aside: "", versions: versions))
        #expect {
            _ = try swap.finish(completing: false)
        } throws: { error in
            guard case MigrationError.inUse(.agent, let holders)? = error as? MigrationError else { return false }
            return holders.map(\.pid) == [holder.pid]
        }
        holder.end()
        #expect(try world.content() == before)
        #expect(try world.names() == ["x_chat.db", "x_agent.db", "x.backups", "x.lock"])
    }
}
