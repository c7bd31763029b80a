import ChatDBEngine
import GRDB

extension SQLiteMigrationConnection {
    func backUp(to target: String, progress: (Double) throws -> Void) throws {
        guard let path else { throw StoreError(.other, "a database in memory has no backup") }
        do {
            // A second connection, because this one is inside its transaction; it sees the state before it. The write
            // lock of the transaction keeps everybody from changing the source meanwhile.
            let source = try ReadingProfile.plain().open(SQLitePath.uri(path, "mode=ro"))
            defer { try? source.close() }
            try withoutActuallyEscaping(progress) { progress in
                try source.unsafeRead { try DatabaseCopy.make(of: $0, at: target, progress: progress) }
            }
        } catch let error as DatabaseError {
            throw SQLiteErrors.storeError(error)
        }
    }
}
