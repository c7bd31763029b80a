import ChatDBKit
import Foundation
import TestKit

/// Copies that are interrupted: few rows, and every lock is waited for, because the server ends the transaction of a
/// client that is gone when it notices that.
extension CopyWorld {
    private static let patience = 60.0

    /// Few rows. The first image alone is a part of a COPY, so that there is a place between two parts.
    func fillLittle() throws {
        for database in DatabaseName.allCases {
            try files.execute(
                "INSERT INTO people (id, name, image, best) VALUES (1, 'a', zeroblob(300000), 2), (2, 'b', x'00ff', NULL)",
                "INSERT INTO messages (message_id, author, body, score) VALUES (7, 1, 'one', 0.5), (9, 2, NULL, NULL)",
                "INSERT INTO \"the order\" VALUES ('a', 'b')", in: database)
        }
    }

    /// The place on the server, reached through a proxy.
    private func store(at uri: String) throws -> StoreLocation {
        StoreLocation(server: try ServerStore(uri + "&store=made"))
    }

    /// A copy from the files to the server through a proxy, or directly.
    func patientlyToServer(through proxy: StatementProxy? = nil) throws -> StoreCopy {
        let there = try proxy.map { try store(at: server.uri(database: database, through: $0)) } ?? place
        return StoreCopy(
            from: try context(of: files.location, patience: Self.patience),
            to: try context(of: there, patience: Self.patience))
    }

    /// A copy from the server through a proxy, or directly, to the new files `back`.
    func patientlyToFiles(through proxy: StatementProxy? = nil) throws -> StoreCopy {
        let there = try proxy.map { try store(at: server.uri(database: database, through: $0)) } ?? place
        return StoreCopy(
            from: try context(of: there, patience: Self.patience),
            to: try context(of: back, patience: Self.patience))
    }

    /// A copy from the files to the server, through a proxy that cuts a connection at its COMMIT.
    func patientlyToServer(cutting proxy: PostgresProxy) throws -> StoreCopy {
        StoreCopy(
            from: try context(of: files.location, patience: Self.patience),
            to: try context(of: store(at: server.uri(database: database, through: proxy)), patience: Self.patience))
    }

    /// A copy from the server, through a proxy that cuts a connection at its COMMIT, to the new files `back`.
    func patientlyToFiles(cutting proxy: PostgresProxy) throws -> StoreCopy {
        StoreCopy(
            from: try context(of: store(at: server.uri(database: database, through: proxy)), patience: Self.patience),
            to: try context(of: back, patience: Self.patience))
    }

    /// The place of new files.
    var back: StoreLocation {
        get throws { try StoreLocation(prefix: files.folder.file("back")) }
    }

    /// The files at that place, but for the lock, which is no part of a store.
    func filesOfCopy() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: files.folder.path)
            .filter { $0.hasPrefix("back") && !$0.hasSuffix(".lock") }.sorted()
    }

    /// In how many databases of the store on the server is the mark.
    func marksOnServer() throws -> Int {
        let text = try sql(
            """
            SELECT count(*) FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid
                JOIN pg_namespace AS n ON n.oid = c.relnamespace
            WHERE n.nspname LIKE 'made\\_%' AND c.relname = 'store' AND a.attname = 'moved_to' AND NOT a.attisdropped
            """)
        return Int(text) ?? -1
    }

    /// In how many databases of the store in files is the mark.
    func marksInFiles() throws -> Int {
        try DatabaseName.allCases.filter { database in
            let columns = try files.rows("SELECT name FROM pragma_table_info('store')", in: database)
            guard columns.contains("moved_to") else { return false }
            return try files.rows("SELECT moved_to FROM store", in: database) != ["NULL"]
        }.count
    }

    /// Removes the copy on the server, and the mark of the files.
    func forgetServer() throws {
        try sql("DROP SCHEMA made_chat, made_agent CASCADE")
        for database in DatabaseName.allCases {
            let columns = try files.rows("SELECT name FROM pragma_table_info('store')", in: database)
            if columns.contains("moved_to") { try files.execute("UPDATE store SET moved_to = NULL", in: database) }
        }
    }

    /// Removes the copy in files, and the mark of the store on the server.
    func forgetFiles() throws {
        for name in try filesOfCopy() { try FileManager.default.removeItem(atPath: files.folder.file(name)) }
        try sql(
            """
            ALTER TABLE made_chat.store DROP COLUMN IF EXISTS moved_to;
            ALTER TABLE made_agent.store DROP COLUMN IF EXISTS moved_to
            """)
    }
}
