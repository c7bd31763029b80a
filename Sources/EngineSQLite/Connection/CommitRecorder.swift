import ChatDBEngine
import GRDB
import Synchronization

/// Records which rows of some tables each commit of a connection changed. GRDB calls it on the connection's queue.
///
/// SQLite reports the rows that foreign keys and triggers change too. It does not report the rows that `INSERT OR
/// REPLACE` deletes; the row that replaces them is reported.
final class CommitRecorder: TransactionObserver, CommitRecording {
    private let tables: Set<String>
    private let receive: @Sendable (TableChanges) -> Void
    /// The changes of the transaction that is open.
    private let changes = Mutex(TableChanges())

    private init(_ tables: Set<String>, _ receive: @escaping @Sendable (TableChanges) -> Void) {
        self.tables = tables
        self.receive = receive
    }

    /// Begins to record. GRDB keeps no reference to the recorder: it records until the caller releases it.
    static func install(
        on database: Database, tables: Set<String>, _ receive: @escaping @Sendable (TableChanges) -> Void
    ) -> CommitRecorder {
        let recorder = CommitRecorder(tables, receive)
        database.add(transactionObserver: recorder, extent: .observerLifetime)
        // A statement that was compiled before may delete all rows of a table without a report of each row.
        database.clearSchemaCache()
        return recorder
    }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool {
        switch eventKind {
        case .insert(let table), .delete(let table), .update(let table, _): tables.contains(table)
        }
    }

    func databaseDidChange(with event: DatabaseEvent) {
        changes.withLock { $0.add(event.rowID, of: event.tableName) }
    }

    func databaseDidCommit(_ database: Database) {
        let committed = taken()
        if !committed.isEmpty { receive(committed) }
    }

    func databaseDidRollback(_ database: Database) { _ = taken() }

    private func taken() -> TableChanges {
        changes.withLock { changes in
            defer { changes = TableChanges() }
            return changes
        }
    }
}
