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

extension MigrationError {
    /// Any error as one of ours.
    init(_ error: any Error) {
        self = Self(known: error) ?? .system(StoreError(.other, "unexpected failure (\(type(of: error)))"))
    }

    /// An error of this module or of the engine as one of ours; nil for any other.
    init?(known error: any Error) {
        switch error {
        case let error as MigrationError: self = error
        case let error as MigrationFileError: self = .invalidMigration(error)
        case let error as StoreError: self = error.kind == .interrupted ? .interrupted : .system(error)
        default: return nil
        }
    }
}
