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
