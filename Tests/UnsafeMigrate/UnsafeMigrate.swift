import ChatDBKit
import Foundation

// unsafe-migrate PREFIX: `chatdb migrate run` without syncs. Only for showing that the torture tests find what it does.

/// SQLite with `synchronous` off, as a developer may set it to be faster.
struct UnsafeEngine: StorageEngine {
    private let engine = SQLiteEngine()

    var dialect: Dialect { engine.dialect }

    func open(_ path: String, as mode: OpenMode) throws(StoreError) -> any StorageConnection {
        try engine.open(path, as: mode)
    }

    func open(_ path: String, through plan: ViewPlan) throws(StoreError) -> any StorageConnection {
        try engine.open(path, through: plan)
    }

    func openForMigration(_ path: String, creating: Bool) throws(StoreError) -> any MigrationConnection {
        let connection = try engine.openForMigration(path, creating: creating)
        try connection.run("PRAGMA synchronous = OFF")
        return connection
    }

    func openForQuestions(_ path: String, of database: DatabaseName) throws(StoreError) -> any QuestionConnection {
        try engine.openForQuestions(path, of: database)
    }

    func openSnapshot(_ path: String) throws(StoreError) -> any SnapshotConnection {
        try engine.openSnapshot(path)
    }

    func scratch() throws(StoreError) -> any MigrationConnection { try engine.scratch() }
    func examine(_ path: String) -> FileExamination { engine.examine(path) }
    func holders(of path: String) -> [FileHolder]? { engine.holders(of: path) }

    func isOpenInAnotherProcess(_ path: String) -> Bool { engine.isOpenInAnotherProcess(path) }
}

@main
enum UnsafeMigrate {
    static func main() {
        do {
            try migrate()
        } catch {
            FileHandle.standardError.write(Data("unsafe-migrate: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func migrate() throws {
        var options = MigrationOptions()
        options.confirmation = .yesUp
        let migrator = Migrator(
            engine: UnsafeEngine(), location: try StoreLocation(prefix: CommandLine.arguments.last ?? ""),
            build: try MigrationSource.build.load(), options: options)
        _ = try migrator.run()
        FileHandle.standardOutput.write(Data("\"applied\"\n".utf8))
    }
}
