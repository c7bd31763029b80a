import ChatDBKit
import Foundation

/// The SQL of migrations for the `sqlite3` shell: one transaction, which also writes the rows of the ledger.
enum PeerScript {
    static func sql(_ migrations: ArraySlice<Migration>, creatingLedger: Bool) throws -> String {
        var lines = [
            "PRAGMA foreign_keys = OFF;", "PRAGMA secure_delete = ON;", "PRAGMA synchronous = FULL;",
            "BEGIN IMMEDIATE;",
        ]
        if creatingLedger {
            lines.insert("PRAGMA journal_mode = WAL;", at: 0)
            lines.append(
                "CREATE TABLE migrations(name TEXT PRIMARY KEY, ts TEXT NOT NULL, down TEXT, checksum TEXT) STRICT;")
            lines.append("CREATE TABLE store(store_id TEXT NOT NULL, generation INTEGER NOT NULL) STRICT;")
            lines.append("INSERT INTO store VALUES ('id', 1);")
        }
        for migration in migrations {
            let isRebuild = try migration.up.directives.contains(.rebuild)
            lines.append("PRAGMA legacy_alter_table = \(isRebuild ? "ON" : "OFF");")
            lines.append(migration.up.text)
            let down = migration.down?.text.replacingOccurrences(of: "'", with: "''") ?? ""
            lines.append(
                "INSERT INTO migrations VALUES ('\(migration.name)', datetime('now'), '\(down)', '\(migration.checksum)');"
            )
        }
        return (lines + ["COMMIT;"]).joined(separator: "\n") + "\n"
    }
}

/// A new store. Both are measured as processes.
struct NewStore {
    let bench: Bench
    init(_ bench: Bench) { self.bench = bench }

    func measure() throws -> Measurement {
        let build = try MigrationSource.build.load()
        let scripts = try build.map { database, migrations in
            (
                database,
                try bench.script("make-\(database).sql", try PeerScript.sql(migrations[...], creatingLedger: true))
            )
        }
        let times = try bench.compare({ bench.remove("new") }) {
            try bench.chatdb("migrate", "run", "-d", bench.folder + "/new", "-q")
        } peer: {
            for (database, script) in scripts { try bench.sqlite(bench.folder + "/new_\(database).db", script: script) }
        }
        return Measurement(
            work: "a new store from nothing (whole process)", ours: times.ours, peer: times.peer, aim: 1.5)
    }
}

/// A process that does nothing. The difference is in every row of a short process, and no work of chatdb can reduce it:
/// the shell is a small C program; chatdb is a Swift program with Foundation and an argument parser.
struct EmptyProcess {
    let bench: Bench
    init(_ bench: Bench) { self.bench = bench }

    func measure() throws -> Measurement {
        let script = try bench.script("nothing.sql", "SELECT 1;\n")
        let times = try bench.compare({}, atLeast: 31) {
            try bench.chatdb("--version")
        } peer: {
            try bench.sqlite(":memory:", script: script)
        }
        return Measurement(
            work: "a process that does nothing (`chatdb --version`)", ours: times.ours, peer: times.peer, aim: nil)
    }
}

/// `migrate run` on a store that is current.
struct NothingToDo {
    let bench: Bench
    init(_ bench: Bench) { self.bench = bench }

    func measure() throws -> Measurement {
        let store = bench.folder + "/current"
        try bench.chatdb("migrate", "run", "-d", store, "-q")
        let script = try bench.script("ledger.sql", "SELECT name FROM migrations;\n")
        // On a busy machine the longer of two short processes waits more often. So there are many runs, and the row has
        // the processor time too.
        var processor: (ours: [Double], peer: [Double]) = ([], [])
        let times = try bench.compare({}, atLeast: 31) {
            processor.ours.append(try bench.chatdb("migrate", "run", "-d", store, "-q").processor)
        } peer: {
            processor.peer.append(
                try DatabaseName.allCases.reduce(0) {
                    $0 + (try bench.sqlite(store + "_\($1).db", script: script).processor)
                })
        }
        let ratio = Bench.median(processor.ours) / Bench.median(processor.peer)
        return Measurement(
            work: "nothing to do on a current store (whole process)", ours: times.ours, peer: times.peer, aim: 2.2,
            note: "of processor time \(String(format: "%.2f", ratio))")
    }
}

/// The upgrade and the backup of a store with very many messages.
struct LargeStore {
    private static let version = "20250818_chat_tags_and_notes"

    let bench: Bench
    let messages: Int

    init(_ bench: Bench, messages: Int) {
        self.bench = bench
        self.messages = messages
    }

    func measure() throws -> [Measurement] {
        try fill()
        return try [upgrade(), backup()]
    }

    /// Makes the store of an older version.
    func fill() throws {
        try bench.chatdb("migrate", "up", "--to", Self.version, "-d", bench.folder + "/old", "-q")
        try bench.sqlite(
            bench.folder + "/old_chat.db",
            script: bench.script(
                "fill.sql",
                """
                PRAGMA foreign_keys = OFF; BEGIN;
                INSERT INTO users (user_id, agent_user_id, contact_id, local_display_name, active_user) VALUES (1, 1, 1, 'me', 1);
                INSERT INTO display_names (user_id, local_display_name, ldn_base) VALUES (1, 'me', 'me');
                INSERT INTO contact_profiles (contact_profile_id, user_id, display_name) VALUES (1, 1, 'me');
                INSERT INTO contacts (contact_id, user_id, contact_profile_id, local_display_name, is_user) VALUES (1, 1, 1, 'me', 1);
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(messages))
                INSERT INTO chat_items (user_id, contact_id, item_sent, item_ts, item_status, item_content, item_text)
                SELECT 1, 1, i % 2, strftime('%Y-%m-%d %H:%M:%f', 1750000000 + i, 'unixepoch'), 'rcv_read', '{}',
                    'message number ' || i || ' about relays and channels, ' || hex(i * 7919) FROM n;
                COMMIT; PRAGMA wal_checkpoint(TRUNCATE);
                """))
    }

    /// Copies the store to the place where it is upgraded.
    func restore() throws {
        bench.remove("large")
        for database in DatabaseName.allCases { try bench.copy("old_\(database).db", to: "large_\(database).db") }
    }

    private func upgrade() throws -> Measurement {
        let scripts = try MigrationSource.build.load().map { database, migrations in
            let pending = migrations.drop { $0.name <= Self.version }
            return (
                database,
                try bench.script(
                    "upgrade-\(database).sql",
                    "PRAGMA integrity_check; PRAGMA foreign_key_check;\n"
                        + PeerScript.sql(pending, creatingLedger: false))
            )
        }
        let times = try bench.compare(restore) {
            try bench.chatdb("migrate", "up", "--no-backup", "-d", bench.folder + "/large", "-q")
        } peer: {
            for (database, script) in scripts {
                try bench.sqlite(bench.folder + "/large_\(database).db", script: script)
            }
        }
        return Measurement(
            work: "upgrade of the large store, with a rebuild and indexes, without backup", ours: times.ours,
            peer: times.peer, aim: 1.15)
    }

    private func backup() throws -> Measurement {
        let store = bench.folder + "/large"
        let context = StoreContext(
            engine: SQLiteEngine(), location: try StoreLocation(prefix: store), build: try MigrationSource.build.load())
        let scripts = try DatabaseName.allCases.map { database in
            let copy = "\(bench.folder)/peer_\(database).db"
            let connection = try SQLiteEngine().open(store + "_\(database).db", as: .readOnly)
            defer { try? connection.close() }
            let counts = try connection.structure().tables.filter { $0.value.virtualDefinition == nil }.keys.map {
                "SELECT count(*) FROM \($0) NOT INDEXED;"
            }.joined(separator: "\n")
            return (
                database, try bench.script("backup-\(database).sql", ".backup \(copy)\n"), copy,
                try bench.script("verify-\(database).sql", "PRAGMA integrity_check;\n\(counts)\n")
            )
        }
        let times = try bench.compare({
            bench.remove("backups")
            bench.remove("peer")
        }) {
            _ = try context.backUp(to: bench.folder + "/backups")
        } peer: {
            for (database, backup, copy, verify) in scripts {
                try bench.sqlite(store + "_\(database).db", script: backup)
                try bench.sqlite(copy, script: verify)
            }
        }
        return Measurement(
            work: "backup and its verification, of the same store", ours: times.ours, peer: times.peer, aim: 1.1)
    }
}
