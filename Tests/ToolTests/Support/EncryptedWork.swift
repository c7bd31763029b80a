import Foundation
import TestKit

/// A command that writes an encrypted store `y`, for runs with injected faults, and what it may leave.
struct EncryptedWork: Sendable {
    enum Kind: String, CaseIterable, Sendable {
        case migration, creation, presetImport, backup, restore
    }

    /// A text of the store. No file may have it in plain.
    static let marker = "zqxMARKER"

    let kind: Kind
    let run: ToolRun
    let command: FaultCommand
    /// The databases before the command and after it.
    private let before: [Found]
    private let after: [Found]

    var folder: URL { URL(fileURLWithPath: run.folder.path) }

    /// What SQLCipher finds in a database.
    private struct Found: Decodable, Hashable {
        /// The place of the files, below the folder.
        let prefix: String
        let database: String
        let version: String
        /// A digest of all rows, without the generation of the store.
        let rows: String
        /// The values that have no time in them.
        let kept: [String]

        /// Whether it is the same state, whenever a command has made it.
        func isState(_ other: Found) -> Bool { version == other.version && kept == other.kept }
    }

    init(_ kind: Kind) throws {
        self.kind = kind
        run = try Self.prepared(kind)
        command = FaultCommand(try BuiltTool.find()) { folder in
            // The record of an interrupted creation says that the store is to be encrypted.
            let isRecorded = FileManager.default.fileExists(atPath: folder.path + "/y.migrating")
            let words =
                switch kind {
                case .migration: ["migrate", "run", "--confirm", "yes-up"]
                case .creation: ["migrate", "run"] + (isRecorded ? [] : ["--encrypt"])
                case .presetImport: ["preset", "import", folder.path + "/list.txt", "-u", "alice", "--yes"]
                case .backup: ["backup"]
                case .restore: ["restore", folder.path + "/kept", "--yes"]
                }
            return words + ["--store", folder.path + "/y", "--passphrase-file", folder.path + "/pass"]
        }
        let done = try ToolRun()
        let copy = URL(fileURLWithPath: done.file("copy"))
        try FileManager.default.copyItem(at: URL(fileURLWithPath: run.folder.path), to: copy)
        before = kind == .creation ? [] : try Self.found(in: copy)
        let outcome = try FaultRun(
            command, in: copy, scratch: URL(fileURLWithPath: done.file("scratch")), plan: .count
        ).run()
        guard outcome.termination == .exit(0) else { throw ToolRun.Failure(description: outcome.errors) }
        after = try Self.found(in: copy)
    }

    /// The folder before the command.
    private static func prepared(_ kind: Kind) throws -> ToolRun {
        if kind == .creation {
            let run = try ToolRun()
            try EncryptedStore(in: run).write("pass", EncryptedStore.key + "\n")
            return run
        }
        let run = try kind == .migration ? MigrationFixture.oldStore() : DemoStore.make()
        try run.sql("CREATE TABLE notes(body TEXT)")
        try run.sql("INSERT INTO notes SELECT '\(marker)' || value FROM json_each('[1, 2, 3]')")
        let store = try EncryptedStore(of: run)
        try Data("\(DemoStore.third)\n".utf8).write(to: URL(fileURLWithPath: run.file("list.txt")))
        for name in ["x_chat.db", "x_agent.db", "archive.zip"] {
            try FileManager.default.removeItem(atPath: run.file(name))
        }
        if kind == .restore {
            let made = try store("backup", "--format", "json").answer()["backup"]?["path"]?.stringValue ?? ""
            try FileManager.default.moveItem(atPath: made, toPath: run.file("kept"))
            try FileManager.default.removeItem(atPath: run.file("y.backups"))
            let changed = try store("user", "add", "bob")
            guard changed.code == 0 else { throw ToolRun.Failure(description: changed.errors) }
        }
        return run
    }

    /// Expects both databases from before or from after, or a record of the files in between; and the state after once
    /// the command has run again. A backup with a manifest is whole.
    func verdict(_ folder: URL, _ fault: FaultCase) throws -> FaultVerdict {
        let isRecorded = ["/y.migrating", "/y.restoring/restore.json"].contains {
            FileManager.default.fileExists(atPath: folder.path + $0)
        }
        let left = try Self.found(in: folder, isCopied: true)
        guard let state = state(left) ?? (isRecorded ? "between, with the record" : nil) else {
            return .damaged("the store is neither from before nor from after")
        }
        let end = kind == .backup ? "old" : "new"
        if fault.finished, state != end { return .lost("the command said that it was done") }
        if fault.finished, kind == .backup, !hasBackup(left) { return .lost("it said that there is a backup") }
        let scratch = folder.deletingLastPathComponent().appendingPathComponent("next")
        var next = try FaultRun(command, in: folder, scratch: scratch, plan: .count).run()
        // A program that starts while the harness has files open inherits them, and has them open until it ends.
        for _ in 0..<20 where next.errors.contains("has it open") {
            next = try FaultRun(command, in: folder, scratch: scratch, plan: .count).run()
        }
        guard next.termination == .exit(0) else { return .damaged("the next command failed: \(next.errors)") }
        let done = try Self.found(in: folder)
        guard self.state(done) == end else { return .damaged("the next command ended elsewhere") }
        if kind == .backup, !hasBackup(done) { return .damaged("the next command made no backup") }
        return .whole(state)
    }

    /// `old` or `new`; nil for any other state. SQLCipher rolls journals of the folder back.
    func state(of folder: URL) throws -> String? { state(try Self.found(in: folder)) }

    private func state(_ found: [Found]) -> String? {
        let store = found.filter { $0.prefix == "y" }
        guard found.allSatisfy({ $0.prefix == "y" || isWhole($0) }) else { return nil }
        if store == before { return "old" }
        let expected = after.filter { $0.prefix == "y" }
        let isNew = store.count == expected.count && zip(store, expected).allSatisfy { $0.isState($1) }
        return isNew ? "new" : kind == .creation ? "old" : nil
    }

    /// Whether a database of a backup, or of the files that a restore has replaced, has the state of before or after.
    private func isWhole(_ copy: Found) -> Bool {
        (before + after).contains { $0.database == copy.database && $0.isState(copy) }
    }

    private func hasBackup(_ found: [Found]) -> Bool { found.count { $0.prefix.hasPrefix("y.backups/") } >= 2 }

    /// What SQLCipher finds in a folder, or in a copy of it: it rolls journals back. The process of the judge makes the
    /// copy. If this process made it, children that start meanwhile would inherit the files.
    private static func found(in folder: URL, isCopied: Bool = false) throws -> [Found] {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.currentDirectoryURL = folder
        process.arguments = [EncryptedStore.python ?? "python3", "-c", judge] + (isCopied ? ["copied"] : [])
        let outcome = try process.outcome()
        guard outcome.code == 0 else { throw ToolRun.Failure(description: outcome.errors) }
        return try JSONDecoder().decode([Found].self, from: Data(outcome.output.utf8))
    }

    /// Looks for texts in plain in all files, and reads the store `y`, its backups with a manifest, and the files that
    /// a restore has replaced.
    private static let judge = """
        import glob, hashlib, json, os, shutil, sqlcipher3, sys, tempfile
        if 'copied' in sys.argv:
            place = tempfile.TemporaryDirectory()
            shutil.copytree('.', place.name + '/copy')
            os.chdir(place.name + '/copy')
        for root, _, names in os.walk('.'):
            for name in names:
                data = open(os.path.join(root, name), 'rb').read()
                assert b'\(marker)' not in data and not data.startswith(b'SQLite format 3'), name + ' is in plain'
        backups = [os.path.dirname(path) for path in glob.glob('y.backups/*/backup.json')]
        found = []
        for prefix in sorted(folder + '/y' for folder in backups + glob.glob('y.replaced-*')) + ['y']:
            for database in 'agent', 'chat':
                path = '%s_%s.db' % (prefix, database)
                if not os.path.exists(path) or os.path.getsize(path) == 0: continue
                c = sqlcipher3.connect(path, isolation_level=None)
                def column(sql): return [row[0] for row in c.execute(sql)]
                c.execute('PRAGMA key = "%s"' % open('pass').read().strip())
                for check in 'integrity_check', 'cipher_integrity_check':
                    problems = [problem for problem in column('PRAGMA ' + check) if problem != 'ok']
                    assert not problems, (path, problems)
                tables = column("SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'")
                if 'migrations' not in tables: continue
                rows = hashlib.sha256()
                for table in sorted(set(tables) - {'store'}):
                    rows.update(repr((table, c.execute('SELECT * FROM "%s"' % table).fetchall())).encode())
                kept = []
                for table, name in ('notes', 'body'), ('users', 'local_display_name'), ('chat_relays', 'address'):
                    if name in column("SELECT name FROM pragma_table_info('%s')" % table):
                        kept += sorted(map(str, column('SELECT %s FROM %s' % (name, table))))
                version = column('SELECT max(name) FROM migrations')[0] or ''
                found.append(dict(prefix=prefix, database=database, version=version, rows=rows.hexdigest(), kept=kept))
        print(json.dumps(found))
        """
}
