import Foundation
import Synchronization

/// The demo's store, `x`, and the same store encrypted by SQLCipher, `y`; and `archive.zip` with the encrypted files.
struct EncryptedStore {
    /// Python with SQLCipher's package. `make test` installs it in `.build/python`.
    static let python: String? = {
        let root = URL(fileURLWithPath: #filePath).pathComponents.dropLast(4).joined(separator: "/").dropFirst()
        return ["\(root)/.build/python/bin/python3", "python3"].first { python in
            (try? ToolRun().shell("'\(python)' -c 'import sqlcipher3'"))?.code == 0
        }
    }()

    static let passphrase = "it's a café"
    /// A key in the place of a passphrase: no time goes into deriving it.
    static let key = "x'\(String(repeating: "2f", count: 32))'"

    let run: ToolRun

    /// - Parameter prepare: SQL for the chat database before it is encrypted.
    init(_ prepare: String? = nil) throws {
        let run = try DemoStore.make()
        if let prepare { try run.sql(prepare) }
        try self.init(of: run, passphrase: Self.passphrase)
    }

    /// The store `y` and an archive of it, with the content of a store `x`, encrypted with a passphrase; by default with
    /// a key.
    init(of run: ToolRun, passphrase: String = Self.key, pragmas: [String] = []) throws {
        self.run = run
        for name in ["chat", "agent"] { try encryptOnce(name, with: passphrase, pragmas: pragmas) }
        try write("pass", passphrase + "\n")
        try run.archive(of: "y")
    }

    /// The encrypted store `y` that the tool has made in a folder, with its passphrase in the file `pass`.
    init(in run: ToolRun) { self.run = run }

    /// Everything on which an encrypted database depends, but for its salt.
    private struct Source: Hashable {
        let plain: Data
        let passphrase: String
        let pragmas: [String]
    }

    /// What SQLCipher has made of databases: most tests begin with the same store.
    private static let kept = Mutex<[Source: Data]>([:])

    /// Encrypts a database of the store `x` as one of `y`, or copies what SQLCipher has made of an equal one before.
    private func encryptOnce(_ name: String, with passphrase: String, pragmas: [String]) throws {
        let (plain, encrypted) = (run.file("x_\(name).db"), run.file("y_\(name).db"))
        let source = Source(
            plain: try Data(contentsOf: URL(fileURLWithPath: plain)), passphrase: passphrase, pragmas: pragmas)
        // A log or a journal would have pages that the file lacks.
        let hasLog = ["-wal", "-journal"].contains { FileManager.default.fileExists(atPath: plain + $0) }
        if !hasLog, let bytes = Self.kept.withLock({ $0[source] }) {
            try bytes.write(to: URL(fileURLWithPath: encrypted))
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: encrypted)
            return
        }
        try encrypt(name, with: passphrase, pragmas: pragmas)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: encrypted))
        if !hasLog { Self.kept.withLock { $0[source] = bytes } }
    }

    /// Encrypts a database of the store `x` as one of `y`.
    /// - Parameter pragmas: settings of SQLCipher for its format: `cipher_page_size = 1024`.
    func encrypt(_ name: String, with passphrase: String, pragmas: [String] = []) throws {
        try Self.encrypt("x_\(name).db", to: "y_\(name).db", with: passphrase, pragmas: pragmas, in: run)
    }

    /// Encrypts a database of a folder into another file, as SQLCipher does it.
    static func encrypt(
        _ plain: String, to name: String, with passphrase: String, pragmas: [String] = [], in run: ToolRun
    ) throws {
        try? FileManager.default.removeItem(atPath: run.file(name))
        let quoted = passphrase.replacing("'", with: "'\\''")
        let done = try run.shell(
            """
            '\(python ?? "python3")' - \(plain) \(name) '\(quoted)' <<'END'
            import sqlcipher3, sys
            c = sqlcipher3.connect(sys.argv[1])
            c.execute("ATTACH DATABASE ? AS e KEY ?", sys.argv[2:4])
            # The file is complete before anybody needs it: no journal and no sync for each of its tables.
            for p in \(pragmas + ["journal_mode = OFF", "synchronous = OFF"]):
                c.execute("PRAGMA e." + p)
            c.execute("SELECT sqlcipher_export('e')")
            for p in "user_version", "application_id":
                c.execute("PRAGMA e.%s = %d" % (p, c.execute("PRAGMA %s" % p).fetchone()[0]))
            c.execute("DETACH DATABASE e")
            END
            chmod 600 \(name)
            """)
        guard done.code == 0 else { throw ToolRun.Failure(description: done.errors) }
    }

    /// Runs lines of Python with a connection `c` of SQLCipher to the chat database of `y`. `kill()` is a crash.
    func sqlcipher(_ lines: String) throws {
        let done = try run.shell(
            """
            '\(Self.python ?? "python3")' - <<'END'
            import os, sqlcipher3
            def kill(): os.kill(os.getpid(), 9)
            c = sqlcipher3.connect('y_chat.db', isolation_level=None)
            c.execute("PRAGMA key = '%s'" % open('pass').read().strip('\\n').replace("'", "''"))
            \(lines)
            END
            """)
        guard done.code == 0 || lines.hasSuffix("kill()") else { throw ToolRun.Failure(description: done.errors) }
    }

    /// The problems that SQLCipher finds in a database and in the codes of its pages; empty if it finds none. A path of
    /// the folder, or an absolute one.
    func problems(_ name: String) throws -> String {
        let done = try run.shell(
            """
            '\(Self.python ?? "python3")' - '\(name)' <<'END'
            import sqlcipher3, sys
            c = sqlcipher3.connect(sys.argv[1], isolation_level=None)
            c.execute("PRAGMA key = '%s'" % open('pass').read().strip('\\n').replace("'", "''"))
            for check in 'integrity_check', 'cipher_integrity_check':
                for row in c.execute('PRAGMA ' + check):
                    if row[0] != 'ok': print(row[0])
            END
            """)
        return done.code == 0 ? done.output : done.errors
    }

    /// Leaves the journal of a transaction that SQLCipher had written in part when it was killed.
    func crash() throws {
        try sqlcipher(
            """
            c.executescript(\"\"\"PRAGMA cache_size = 5; BEGIN; UPDATE protocol_servers SET host = 'changed' || host;
                DELETE FROM chat_relays; CREATE TABLE filler AS SELECT randomblob(3000) FROM protocol_servers;\"\"\")
            kill()
            """)
        guard FileManager.default.fileExists(atPath: run.file("y_chat.db-journal")) else {
            throw ToolRun.Failure(description: "SQLCipher left no journal")
        }
    }

    /// Leaves the state of a change of the passphrase, from that of the file `pass` to that of `new`, which was
    /// interrupted after its record.
    /// - Parameter isMoved: whether the old files are in the folder of the replaced files. Otherwise they are in their
    ///   places, as before the first move.
    func interruptChange(of prefix: String = "y", isMoved: Bool = false) throws {
        let done = try run.shell(
            """
            set -e
            $CHATDB passphrase change -d \(prefix) --passphrase-file pass --new-passphrase-file new --yes -q > answer
            rm answer; aside=$(ls -d \(prefix).replaced-*); old=$aside/$(basename \(prefix))
            mkdir \(prefix).restoring; mv \(prefix)_chat.db \(prefix)_agent.db \(prefix).restoring
            hash() { sha256sum $1 | cut -d ' ' -f 1; }
            cat > \(prefix).restoring/restore.json <<END
            {"format": "chatdb-passphrase", "startedAt": "2026-11-29T12:00:00Z", "backup": "", "storeId": null,
             "generation": null, "replaced": "$(basename $aside)", "change": "change", "databases": {
             "chat": {"version": null, "sha256": "$(hash ${old}_chat.db)"},
             "agent": {"version": null, "sha256": "$(hash ${old}_agent.db)"}}}
            END
            if [ \(isMoved) = false ]; then mv ${old}_*.db $(dirname \(prefix)); rmdir $aside; fi
            """)
        guard done.code == 0 else { throw ToolRun.Failure(description: done.errors) }
    }

    /// Writes a file for its owner alone.
    func write(_ name: String, _ text: String, mode: Int = 0o600) throws {
        try Data(text.utf8).write(to: URL(fileURLWithPath: run.file(name)))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: run.file(name))
    }

    /// Runs chatdb on the encrypted store with the right passphrase.
    func callAsFunction(_ arguments: String..., store: String = "y") throws -> ToolRun.Outcome {
        try run(arguments + ["-d", store, "--passphrase-file", "pass"])
    }

    /// The code of the error of a command, and its exit code.
    func refusal(_ arguments: String...) throws -> (code: String?, exit: Int32, text: String) {
        let outcome = try run(arguments + ["--format", "json"])
        let error = try? outcome.refusal()
        return (error?["code"]?.stringValue, outcome.code, outcome.errors)
    }
}

extension ToolRun {
    /// Kills a program in a transaction of a database, before its journal is synced: the header of the journal is empty.
    /// - Parameters:
    ///   - module: the module of Python, `sqlite3` or `sqlcipher3`.
    ///   - pragma: run before the transaction.
    func killWriter(of file: String, _ module: String = "sqlite3", _ pragma: String = "journal_mode = DELETE") throws {
        _ = try shell(
            """
            '\(EncryptedStore.python ?? "python3")' - \(file) "\(pragma)" <<'END'
            import os, \(module), sys
            c = \(module).connect(sys.argv[1], isolation_level=None)
            c.execute('PRAGMA ' + sys.argv[2])
            c.execute('BEGIN IMMEDIATE')
            c.execute('CREATE TABLE killed (a)')
            os.kill(os.getpid(), 9)
            END
            """)
        guard FileManager.default.contents(atPath: self.file(file) + "-journal")?.first == 0 else {
            throw Failure(description: "the killed program left no journal with an empty header")
        }
    }
}
