import ChatDBEngine
import ChatDBSchema

/// Whoever else has the store open. It cannot be changed under them.
struct OtherPrograms {
    let engine: any StorageEngine
    let waiting: Waiting
    let cancellation: Cancellation

    /// Waits until nobody has a database open; `inUse` when somebody still has when the time is over.
    func waitToLeave(_ database: DatabaseName, at path: String) throws(MigrationError) {
        while let holders = holders(of: path) {
            guard !waiting.isOver else { throw .inUse(database, by: holders) }
            if cancellation.isRequested { throw .interrupted }
            waiting.pause()
        }
    }

    /// Nil when nobody has it open; empty when somebody has whom the system does not name.
    private func holders(of path: String) -> [FileHolder]? {
        guard let holders = engine.holders(of: path) else { return engine.isOpenInAnotherProcess(path) ? [] : nil }
        return holders.isEmpty ? nil : holders
    }
}
