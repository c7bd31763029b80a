import ChatDBEngine
import ChatDBSchema

extension MigrationError {
    /// Runs `body`; a failure of the engine that comes out of it is told with the database it is about.
    static func naming<T>(_ database: DatabaseName, _ path: String, _ body: () throws -> T) throws -> T {
        do {
            return try body()
        } catch let error as StoreError {
            switch error.kind {
            case .interrupted: throw MigrationError.interrupted
            case .damaged: throw MigrationError.damaged(database, problems: [error.message])
            default: throw MigrationError.database(database, path: path, error)
            }
        }
    }
}
