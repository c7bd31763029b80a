import ChatDBKit
import Foundation
import TestKit
import Testing

/// Migrations, backups and restores of encrypted stores. Rule: docs/encryption.md, "Writing".
@Suite(
    "migrations and backups of encrypted stores", .timeLimit(.minutes(60)),
    .enabled(if: EncryptedStore.python != nil, "needs sqlcipher3, which make test installs"))
struct EncryptedMigrationTests {
    private static let marker = "zqxMARKER"

    /// An encrypted store of an older version.
    private func oldStore() throws -> EncryptedStore {
        let run = try MigrationFixture.oldStore()
        try run.sql("CREATE TABLE notes(body TEXT)")
        try run.sql("INSERT INTO notes SELECT '\(Self.marker)' || value FROM json_each('[1, 2, 3]')")
        let store = try EncryptedStore(of: run)
        for name in ["chat", "agent"] { try FileManager.default.removeItem(atPath: run.file("x_\(name).db")) }
        return store
    }

    /// The files of the folder that have the marker in plain.
    private func plainFiles(_ folder: String) throws -> [String] {
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder)
        return names.filter { name in
            guard let data = FileManager.default.contents(atPath: folder + "/" + name) else { return false }
            return data.range(of: Data(Self.marker.utf8)) != nil || data.starts(with: Data("SQLite format 3".utf8))
        }
    }

    @Test("a run migrates the store in place, and its backup is an encrypted copy that restore brings back")
    func run() throws {
        let store = try oldStore()
        let before = ["chat", "agent"].map { FileManager.default.contents(atPath: store.run.file("y_\($0).db")) }
        let old = try store("migrate", "status", "--format", "json").answer()
        let done = try store("migrate", "run", "--yes", "--format", "json")
        #expect(done.code == 0, "\(done.errors)")
        let command = try #require(try done.answer()["restore"]?.stringValue)
        let folder = try #require(shellWords(command).dropFirst(2).first)
        for (name, bytes) in zip(["chat", "agent"], before) {
            #expect(FileManager.default.contents(atPath: "\(folder)/y_\(name).db") == bytes)
            #expect(try store.problems("y_\(name).db") == "")
        }
        let new = try store("migrate", "status", "--format", "json").answer()
        for name in ["chat", "agent"] { #expect(new[name]?["version"] != old[name]?["version"]) }
        #expect(try store("query", "SELECT body FROM notes", "--show", "unknown").output.contains(Self.marker + "3"))
        #expect(try plainFiles(store.run.folder.path) == [])
        #expect(try store("user", "add", "bob").code == 0)

        #expect(command.contains("--passphrase-file /"), "\(command)")
        let restored = try store.run.shell("$CHATDB \(command.dropFirst("chatdb ".count)) --yes")
        #expect(restored.code == 0, "\(restored.errors)")
        let status = try store("migrate", "status", "--format", "json").answer()
        for name in ["chat", "agent"] { #expect(status[name]?["version"] == old[name]?["version"]) }
        for name in ["chat", "agent"] { #expect(try store.problems("y_\(name).db") == "") }
        #expect(try plainFiles(store.run.folder.path) == [])
        #expect(try store("migrate", "up").code == 0 && store("migrate", "down", "--steps", "1", "--yes").code == 0)
        #expect(try plainFiles(store.run.folder.path) == [])
    }

    @Test("backup makes, lists, verifies and prunes encrypted backups with the passphrase")
    func backups() throws {
        let store = try EncryptedStore(of: DemoStore.make())
        let made = try store("backup", "make", "--format", "json")
        #expect(made.code == 0, "\(made.errors)")
        let folder = try #require(try made.answer()["backup"]?["path"]?.stringValue)
        #expect(try store.problems("\(folder)/y_chat.db") == "")
        #expect(try store("user", "add", "bob").code == 0 && store("backup").code == 0)

        let listed = try store("backup", "list", "--format", "json").answer()["backups"]?.arrayValue ?? []
        #expect(listed.count == 2 && listed.allSatisfy { $0["ofThisStore"] == true })
        #expect(listed.allSatisfy { $0["restore"]?.stringValue?.contains("--passphrase-file") == true })
        let unread = try store.run("backup", "list", "-d", "y", "--format", "json")
        #expect(try unread.code == 0 && unread.answer()["backups"]?.arrayValue?.first?["ofThisStore"] == .null)
        #expect(try store("backup", "verify").code == 0)
        let none = try store.run("backup", "verify", "-d", "y", "--format", "json")
        let unopened = try none.answer()["backups"]?.arrayValue ?? []
        #expect(none.code == 1 && unopened.map { $0["otherPassphrase"] } == [.null, .null], "\(none)")
        try store.write("wrong", "x'\(String(repeating: "77", count: 32))'\n")
        let wrong = try store.run("backup", "verify", "-d", "y", "--passphrase-file", "wrong", "--format", "json")
        let verified = try wrong.answer()["backups"]?.arrayValue ?? []
        #expect(wrong.code == 1 && verified.count == 2, "\(wrong.output)")
        #expect(verified.allSatisfy { $0["otherPassphrase"] == true }, "\(wrong.output)")

        let pruned = try store("backup", "prune", "--keep", "1", "--yes", "--format", "json").answer()
        #expect(pruned["removed"]?.arrayValue?.count == 1 && pruned["kept"]?.arrayValue?.count == 1)
        let left = try #require(pruned["kept"]?.arrayValue?.first?.stringValue)
        let damage = try store.run.shell("printf x | dd of='\(left)/y_chat.db' bs=1 seek=5000 conv=notrunc status=none")
        #expect(try damage.code == 0 && store("backup", "verify").code == 1)
    }

    @Test("a damaged page makes a backup fail, and no part of one is left")
    func damagedPage() throws {
        let store = try EncryptedStore(of: DemoStore.make())
        let pages = try #require(FileState(at: store.run.file("y_chat.db")).bytes) / 4_096
        let damage = """
            printf 'chatdb wrote here' | dd of=y_chat.db bs=1 seek=$(((\(pages) - 1) * 4096 + 9)) conv=notrunc status=none
            """
        #expect(try store.run.shell(damage).code == 0)
        let found = try store.run("backup", "-d", "y", "--passphrase-file", "pass", "--format", "json")
        #expect(try found.code == 66 && found.refusal()["code"] == "damaged", "\(found.errors)")
        #expect(!FileManager.default.fileExists(atPath: store.run.file("y.backups")))
    }

    @Test("a backup needs its own passphrase, and restores a store that is lost")
    func restore() throws {
        let store = try EncryptedStore(of: DemoStore.make())
        let folder = try #require(try store("backup", "--format", "json").answer()["backup"]?["path"]?.stringValue)
        try store.write("wrong", "x'\(String(repeating: "77", count: 32))'\n")
        let before = try store.run.folder.fingerprint()
        let none = try store.refusal("restore", folder, "-d", "y", "--yes")
        #expect(none.code == "encrypted" && none.exit == 64, "\(none.text)")
        let wrong = try store.refusal("restore", folder, "-d", "y", "--yes", "--passphrase-file", "wrong")
        #expect(wrong.code == "wrongPassphrase" && wrong.exit == 66, "\(wrong.text)")
        #expect(try store.run.folder.fingerprint() == before)
        for name in ["chat", "agent"] { try FileManager.default.removeItem(atPath: store.run.file("y_\(name).db")) }
        let missing = try store.refusal("restore", folder, "-d", "y", "--yes")
        #expect(missing.code == "encrypted" && missing.exit == 64, "\(missing.text)")
        let restored = try store("restore", folder, "--yes")
        #expect(restored.code == 0, "\(restored.errors)")
        #expect(try store("user", "list").output.contains("alice"))
        // The plain store gets the passphrase of the backup, and a warning says so.
        let renamed = try store.run.shell(
            "mkdir b; for n in chat agent; do cp '\(folder)'/y_$n.db b/z_$n.db; cp x_$n.db z_$n.db; done")
        #expect(renamed.code == 0, "\(renamed.errors)")
        let other = try store("restore", "b", "--force", "--dry-run", store: "z")
        #expect(other.errors.contains("the backup is encrypted, and the store is not"), "\(other.errors)")
        for name in ["chat", "agent"] { #expect(try store.problems("y_\(name).db") == "") }
    }
}
