import ChatDBKit
import Foundation
import TestKit

@testable import ChatDBMigrations

/// A store, a backup of it, and a row added later.
struct RestoreWorld {
    let store: SyntheticStore
    let backup: String

    static func build(_ count: Int = 1) throws -> [DatabaseName: [Migration]] {
        try SyntheticHistory.make(
            chat: [
                .init(
                    "first", "CREATE TABLE t (id INTEGER PRIMARY KEY, body TEXT, updated_at TEXT) STRICT;",
                    down: "DROP TABLE t;")
            ]
                + (1..<max(count, 1)).map {
                    .init("more\($0)", "CREATE TABLE m\($0) (id INTEGER) STRICT;", down: "DROP TABLE m\($0);")
                })
    }

    /// - Parameter version: the number of migrations of the store's chat database.
    init(version: Int = 1) throws {
        store = try SyntheticStore()
        let migrator = try store.migrator(Self.build(version)) { $0.backup = .folder(nil) }
        _ = try migrator.run()
        try store.execute("INSERT INTO t VALUES (1, 'old', '2030-01-01 10:00:00.000')")
        backup = try migrator.context.backUp().path
        try store.execute("INSERT INTO t VALUES (2, 'new', '2030-02-02 10:00:00.000')")
        try store.execute("INSERT INTO a VALUES (7)", in: .agent)
    }

    func restorer(force: Bool = false, version: Int = 1) throws -> Restorer {
        Restorer(try store.migrator(Self.build(version)).context, force: force)
    }

    /// The context of a command.
    /// - Parameter seconds: the time to wait for other programs. The programs that other tests start have the files of
    /// this process open for a moment.
    func context(waiting seconds: Double = 10) throws -> StoreContext {
        var context = try store.migrator(Self.build()).context
        context.lockTimeout = seconds
        return context
    }

    /// Makes the new files of a change of the passphrase. They are those of the backup, so that the content tells them
    /// from the old ones.
    var rewrite: PassphraseChange.Rewrite {
        { path, new in try FileManager.default.copyItem(atPath: backup + "/" + fileName(of: path), toPath: new) }
    }

    /// A store whose restore has written its record and moved nothing, and the folder for the replaced files.
    static func begunRestore() throws -> (world: RestoreWorld, aside: String) {
        let world = try RestoreWorld()
        let context = try world.context()
        let contents = try BackupContents(at: world.backup, in: context)
        let swap = try RestoreSwap.begin(
            context,
            record: RestoreRecord(
                startedAt: "2030-01-01T00:00:00Z", backup: contents.folder, storeID: contents.identity?.storeID,
                generation: 2, aside: "",
                versions: try RestoreStaging(context).fill(from: contents, generation: 2)))
        return (world, world.store.folder.file(swap.record.aside))
    }

    /// The same for a change of the passphrase.
    static func begunChange() throws -> (world: RestoreWorld, aside: String) {
        let world = try RestoreWorld()
        let context = try world.context()
        let plan = try PassphraseChange(.set, context).plan()
        let originals = try RestoreStaging(context).fill(of: plan, .set, world.rewrite)
        let swap = try RestoreSwap.begin(
            context,
            record: RestoreRecord(
                startedAt: "2030-01-01T00:00:00Z", backup: "", storeID: nil, generation: nil, aside: "",
                versions: [.chat: nil, .agent: nil], rewriting: .init(kind: .set, originals: originals)))
        return (world, world.store.folder.file(swap.record.aside))
    }

    /// Moves files of the store into a folder.
    func move(_ names: [String], into folder: String) throws {
        for name in names {
            try FileManager.default.moveItem(atPath: store.folder.file(name), toPath: folder + "/" + name)
        }
    }

    /// Makes files that are no databases, in the folder of the store or in another one.
    func write(_ names: [String], into folder: String? = nil) throws {
        for name in names {
            try Data("made meanwhile".utf8).write(to: URL(fileURLWithPath: (folder ?? store.folder.path) + "/" + name))
        }
    }

    static func names(in folder: String) throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: folder))
    }

    /// Plans and restores.
    @discardableResult
    func restore(_ folder: String? = nil, force: Bool = false) throws -> RestoreReport {
        let restorer = try restorer(force: force)
        return try restorer.run(restorer.plan(folder ?? backup))
    }

    /// The content that distinguishes the old pair from the new one: the bodies of chat, then the ids of agent.
    func content() throws -> [String] {
        try store.rows("SELECT body FROM t ORDER BY id") + store.rows("SELECT id FROM a", in: .agent)
    }

    static let old = ["old", "new", "7"]
    static let new = ["old"]

    func generations() throws -> [String] {
        try DatabaseName.allCases.map { try store.rows("SELECT generation FROM store", in: $0).joined() }
    }

    /// The names in the store's folder.
    func names() throws -> Set<String> {
        Set(try FileManager.default.contentsOfDirectory(atPath: store.folder.path))
    }
}

/// Another process with a file open.
final class Holder {
    private let process = Process()
    private let input = Pipe()

    var pid: Int32 { process.processIdentifier }

    init(of path: String) throws {
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", "exec 9<\"$1\"; echo ready; read end", "sh", path]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        _ = output.fileHandleForReading.availableData
    }

    func end() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
