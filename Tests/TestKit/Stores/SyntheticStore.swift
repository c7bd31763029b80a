package import ChatDBKit

/// A store in a folder of its own, with an invented history, and helpers of tests.
package struct SyntheticStore {
    package let folder: TemporaryFolder
    package let location: StoreLocation

    package init() throws {
        folder = try TemporaryFolder()
        location = try StoreLocation(prefix: folder.file("x"))
    }

    /// A migrator that consents to everything, does not wait for locks, and makes no backup, unless `configure` changes
    /// that.
    package func migrator(
        _ build: [DatabaseName: [Migration]], only: DatabaseName? = nil, lockTimeout: Double = 0.2,
        _ configure: (inout MigrationOptions) -> Void = { _ in }
    ) -> Migrator {
        var options = MigrationOptions()
        options.confirmation = .yesUpDown
        options.backup = .none
        configure(&options)
        var context = StoreContext(engine: SQLiteEngine(), location: location, build: build)
        context.only = only
        context.lockTimeout = lockTimeout
        return Migrator(context, options: options)
    }

    /// Runs SQL outside any migration, as another program would; several statements one by one.
    package func execute(_ statements: String..., in database: DatabaseName = .chat) throws {
        let connection = try SQLiteEngine().openForMigration(location.path(of: database), creating: false)
        defer { connection.close() }
        for statement in statements { _ = try connection.rows(.unchecked(sql: statement)) }
    }

    /// The rows of a query, as texts.
    package func rows(_ sql: String, in database: DatabaseName = .chat) throws -> [String] {
        let connection = try SQLiteEngine().open(location.path(of: database), as: .readOnly)
        defer { try? connection.close() }
        return try connection.read {
            try $0.rows(.unchecked(sql: sql)).map { row in
                row.values.map { value in
                    switch value {
                    case .null: "NULL"
                    case .integer(let number): "\(number)"
                    case .real(let number): "\(number)"
                    case .text(let text): text
                    case .blob(let bytes): "x'\(bytes.map { String($0, radix: 16) }.joined())'"
                    }
                }.joined(separator: "|")
            }
        }
    }

    /// The names applied to a database.
    package func applied(_ database: DatabaseName = .chat) throws -> [String] {
        try rows("SELECT name FROM migrations ORDER BY name", in: database)
    }
}
