import ChatDBEngine
import GRDB
import GRDBSQLite

/// Finds out whether another process has a database open where the system does not say: by taking the exclusive lock
/// for a moment.
enum ExclusiveProbe {
    /// In WAL mode every other connection prevents the lock; with a rollback journal only one that reads or writes at
    /// this moment does. False for what is not a database or cannot be opened.
    static func isOpenInAnotherProcess(_ path: String) -> Bool {
        let hasLog = FileState(at: path + "-wal") != .missing
        var configuration = Configuration()
        configuration.foreignKeysEnabled = false
        configuration.allowsUnsafeTransactions = true
        configuration.busyMode = .immediateError
        configuration.label = "chatdb.looking"
        configuration.prepareDatabase { database in
            try ConnectionOptions.disableExtensions(of: database)
            // An existing log stays; one that this probe creates is removed.
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
