import Foundation

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

    let run: ToolRun

    /// - Parameter prepare: SQL for the chat database before it is encrypted.
    init(_ prepare: String? = nil) throws {
        run = try DemoStore.make()
        if let prepare { try run.sql(prepare) }
        for name in ["chat", "agent"] { try encrypt(name, with: Self.passphrase) }
        try write("pass", Self.passphrase + "\n")
        try run.archive(of: "y")
    }

    /// Encrypts a database of the store `x` as one of `y`.
    func encrypt(_ name: String, with passphrase: String) throws {
        try Self.encrypt("x_\(name).db", to: "y_\(name).db", with: passphrase, in: run)
    }

    /// Encrypts a database of a folder into another file, as SQLCipher does it.
    static func encrypt(_ plain: String, to name: String, with passphrase: String, in run: ToolRun) throws {
        try? FileManager.default.removeItem(atPath: run.file(name))
        let quoted = passphrase.replacing("'", with: "'\\''")
        let done = try run.shell(
            """
            '\(python ?? "python3")' - \(plain) \(name) '\(quoted)' <<'END'
            import sqlcipher3, sys
            c = sqlcipher3.connect(sys.argv[1])
            c.execute("ATTACH DATABASE ? AS e KEY ?", sys.argv[2:4])
            c.execute("SELECT sqlcipher_export('e')")
            for p in "user_version", "application_id":
                c.execute("PRAGMA e.%s = %d" % (p, c.execute("PRAGMA %s" % p).fetchone()[0]))
            c.execute("DETACH DATABASE e")
            END
            chmod 600 \(name)
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
