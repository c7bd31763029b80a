import ChatDBEngine
import GRDB
import GRDBSQLite

/// Finds out whether somebody else has a database open where the system does not tell: by taking it alone for a moment.
enum OpenElsewhere {
    /// In WAL mode every other connection is in the way; with a rollback journal only one that reads or writes just now.
    /// What is no database, or cannot be opened, is open to nobody.
    static func isTrue(of path: String) -> Bool {
        let hasLog = FileState(at: path + "-wal") != .missing
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        configuration.allowsUnsafeTransactions = true
        configuration.busyMode = .immediateError
        configuration.label = "chatdb.looking"
        configuration.prepareDatabase { database in
            try WritingProfile.closeDoors(of: database)
            // A log that is there stays, and one that is made for the moment goes.
            try ConnectionOptions.set(SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, to: hasLog, of: database)
            try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
        }
        do {
            let registration = OpenDatabases.Registration(path)
            defer { registration.end() }
            let queue = try DatabaseQueue(path: SQLitePath.uri(path, "mode=rw"), configuration: configuration)
            defer { try? queue.close() }
            try queue.writeWithoutTransaction { try $0.execute(sql: "BEGIN EXCLUSIVE; ROLLBACK") }
            return false
        } catch let error as DatabaseError {
            return error.resultCode == .SQLITE_BUSY
        } catch {
            return false
        }
    }
}
