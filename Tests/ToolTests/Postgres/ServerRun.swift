import Foundation
import TestKit

/// The built `chatdb` with a store in a new database of a PostgreSQL server.
struct ServerRun {
    let run: ToolRun
    let server: PostgresServer
    let database: String

    init() throws {
        run = try ToolRun()
        server = try PostgresServer.started()
        database = try server.makeDatabase()
    }

    /// The address of the store.
    var store: String { server.uri(database: database) + "&store=main" }

    private var environment: [String: String] { ["CHATDB_STORE": store, "XDG_DATA_HOME": run.file("data")] }

    /// Runs `chatdb` with these arguments on the store.
    @discardableResult
    func callAsFunction(_ arguments: String...) throws -> ToolRun.Outcome {
        try run(arguments, environment: environment)
    }

    /// The same for an array of arguments.
    @discardableResult
    func callAsFunction(_ arguments: [String]) throws -> ToolRun.Outcome {
        try run(arguments, environment: environment)
    }

    /// The same where it must succeed.
    @discardableResult
    func succeed(_ arguments: String...) throws -> ToolRun.Outcome {
        let outcome = try run(arguments, environment: environment)
        guard outcome.code == 0 else {
            throw ToolRun.Failure(description: "\(arguments): \(outcome.code)\n\(outcome.output)\(outcome.errors)")
        }
        return outcome
    }

    /// Runs SQL with psql and returns what it printed.
    @discardableResult
    func sql(_ statement: String) throws -> String {
        try server.psql(statement, database: database).trimmingCharacters(in: .newlines)
    }
}
