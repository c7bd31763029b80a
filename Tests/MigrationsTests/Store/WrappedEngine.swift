import ChatDBKit

/// SQLite's engine, with a look at what it opens for reading, with other snapshots, and as on a system that does not
/// report which programs have a file open.
struct WrappedEngine: StorageEngine {
    /// Whether the system reports which programs have a file open.
    var reportsHolders = true
    /// Receives the path of each database before it is opened.
    var opening: @Sendable (String) -> Void = { _ in }
    /// The error of opening a database for reading, by its path; nil to open it.
    var failing: @Sendable (String) -> StoreError? = { _ in nil }
    /// Receives the path of each database before the look for programs that have it open.
    var looking: @Sendable (String) -> Void = { _ in }
    /// Makes another snapshot of each one that it opens.
    var snapshot: @Sendable (any SnapshotConnection) -> any SnapshotConnection = { $0 }
    private let engine = SQLiteEngine()

    init(reportsHolders: Bool = true, opening: @escaping @Sendable (String) -> Void = { _ in }) {
        (self.reportsHolders, self.opening) = (reportsHolders, opening)
    }

    var dialect: Dialect { engine.dialect }
    func holders(of path: String) -> [FileHolder]? {
        looking(path)
        return reportsHolders ? engine.holders(of: path) : nil
    }
    func isOpenInAnotherProcess(_ path: String) -> Bool { engine.isOpenInAnotherProcess(path) }

    func open(_ path: String, as mode: OpenMode) throws(StoreError) -> any StorageConnection {
        opening(path)
        if let error = failing(path) { throw error }
        return try engine.open(path, as: mode)
    }

    func open(_ path: String, through plan: ViewPlan) throws(StoreError) -> any StorageConnection {
        try engine.open(path, through: plan)
    }

    func openForMigration(_ path: String, creating: Bool) throws(StoreError) -> any MigrationConnection {
        try engine.openForMigration(path, creating: creating)
    }

    func openForQuestions(_ path: String, of database: DatabaseName) throws(StoreError) -> any QuestionConnection {
        try engine.openForQuestions(path, of: database)
    }

    func openSnapshot(_ path: String) throws(StoreError) -> any SnapshotConnection {
        let opened = try engine.openSnapshot(path)
        return snapshot(opened)
    }

    func scratch() throws(StoreError) -> any MigrationConnection { try engine.scratch() }
    func examine(_ path: String) -> FileExamination { engine.examine(path) }
}
