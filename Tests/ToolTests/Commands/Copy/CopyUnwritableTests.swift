import ChatDBKit
import Foundation
import TestKit
import Testing

/// A store that chatdb may only read, with rows in a log that no program has open. Rule: docs/copying.md, "Two
/// commands".
@Suite(
    .enabled(if: PostgresServer.isSupported, "needs PostgreSQL"),
    .enabled(if: UnwritableStore.isSupported, "root needs setpriv"), .timeLimit(.minutes(60)))
struct CopyUnwritableTests {
    @Test("a dry run counts the rows in the log, and changes no byte of the folder")
    func counted() throws {
        let store = try UnwritableStore(tags: "(1, 1, 'one'), (2, 1, 'two')")
        let before = try store.image()
        let run = try store.copy("--dry-run", "--format", "json")
        try #require(run.code == 0, "\(run.errors)")
        let answer = try run.answer()
        #expect(answer["applied"] == .bool(false) && answer["moved"] == .bool(false))
        let tags = answer["tables"]?.arrayValue?.first { $0["table"] == "chat_tags" }
        #expect(tags?["rows"] == 2, "\(run.output)")
        #expect(try store.image() == before)
        #expect(try store.temporaryFiles() == [])
        #expect(try store.isWithoutCopy())
    }

    @Test("a dry run names a row in the log that a server does not hold")
    func named() throws {
        let store = try UnwritableStore(tags: "(1, 1, 'one'), (2, 1, CAST(x'6f006e' AS TEXT))")
        let before = try store.image()
        let run = try store.copy("--dry-run")
        #expect(run.code == 1, "\(run.code): \(run.errors)")
        let line = "chat chat_tags.chat_tag_text: a NUL byte, in chat_tag_id 2"
        #expect(run.errors.contains(line), "\(run.errors)")
        #expect(try store.image() == before)
        #expect(try store.temporaryFiles() == [])
        #expect(try store.isWithoutCopy())
    }

    @Test("a copy that sets the mark is refused before anything is made; one with --keep-both has the rows in the log")
    func copied() throws {
        let store = try UnwritableStore(tags: "(1, 1, 'one'), (2, 1, 'two')")
        let before = try store.image()
        let refused = try store.copy()
        #expect(refused.code == 74, "\(refused.code): \(refused.errors)")
        let reason = "x.lock cannot be created to lock the store: Permission denied"
        #expect(refused.errors.contains(reason), "\(refused.errors)")
        #expect(try store.isWithoutCopy())
        let copied = try store.copy("--keep-both")
        #expect(copied.code == 0, "\(copied.code): \(copied.errors)")
        let tags = try store.chatdb.sql(
            "SELECT string_agg(chat_tag_text, ' ' ORDER BY chat_tag_id) FROM main_chat.chat_tags")
        #expect(tags == "one two")
        #expect(try store.image() == before)
        #expect(try store.temporaryFiles() == [])
    }
}

/// A store whose files and folder the commands of a test may only read. A program that was killed has left the log of
/// the chat database, which alone has the tags.
private final class UnwritableStore {
    /// Root may write everything. So the commands run as another user, for which setpriv is needed.
    static let isSupported = geteuid() != 0 || FileManager.default.isExecutableFile(atPath: "/usr/bin/setpriv")

    let chatdb: ServerRun
    /// The folder of the tool, and of temporary files.
    private let elsewhere: TemporaryFolder

    private var folder: String { chatdb.run.folder.path }

    /// - Parameter tags: rows of SQL with the number of the tag, that of the profile, and the text.
    init(tags: String) throws {
        chatdb = try ServerRun()
        elsewhere = try TemporaryFolder()
        let run = chatdb.run
        try run.succeed("migrate", "run")
        try run.succeed("user", "add", "alice", "--seed", "1")
        let app = try HeldShell(run)
        try app.run("INSERT INTO chat_tags (chat_tag_id, user_id, chat_tag_text) VALUES \(tags);")
        app.crash()
        let files = FileManager.default
        try files.copyItem(atPath: run.file("x_chat.db"), toPath: run.file("alone.db"))
        try #require(try run.sql("SELECT count(*) FROM chat_tags", in: "alone.db") == "0")
        for name in ["alone.db", "alone.db-wal", "alone.db-shm", "x.lock"] {
            if files.fileExists(atPath: run.file(name)) { try files.removeItem(atPath: run.file(name)) }
        }
        // A copy of the tool, because other users may lack permission for the build folder.
        try files.copyItem(atPath: BuiltTool.find().path, toPath: elsewhere.file("chatdb"))
        try Self.set(0o777, elsewhere.path)
        for name in try files.contentsOfDirectory(atPath: run.folder.path) { try Self.set(0o444, run.file(name)) }
        try Self.set(0o555, run.folder.path)
    }

    // So that the folder can be removed.
    deinit { try? Self.set(0o700, folder) }

    private static func set(_ mode: Int, _ path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    /// Runs `chatdb copy` to the server, as a user who may only read the store.
    func copy(_ options: String...) throws -> ToolRun.Outcome {
        let words = (["copy", "--to", chatdb.store] + options).map { "'\($0)'" }.joined(separator: " ")
        return try chatdb.run.shell(
            "cd / && TMPDIR='\(elsewhere.path)' \(user) '\(elsewhere.file("chatdb"))' \(words)")
    }

    /// What makes a command of root one of the server's user, who reaches the socket; empty for another user.
    private var user: String {
        if geteuid() != 0 { return "" }
        let socket = chatdb.server.socketFolder
        return "setpriv --reuid $(stat -c %u '\(socket)') --regid $(stat -c %g '\(socket)') --clear-groups"
    }

    /// The names of all files in the folder, with their bytes and times.
    func image() throws -> [String: [String]] {
        var image = try chatdb.run.folder.fingerprint()
        image["."] = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        return image
    }

    /// What a command has left in the folder of temporary files.
    func temporaryFiles() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: elsewhere.path).filter { $0 != "chatdb" }
    }

    /// Whether the server has nothing of a copy.
    func isWithoutCopy() throws -> Bool {
        try chatdb.sql("SELECT count(*) FROM pg_namespace WHERE nspname LIKE 'main\\_%'") == "0"
    }
}
