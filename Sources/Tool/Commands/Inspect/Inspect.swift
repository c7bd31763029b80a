import ArgumentParser
import Engine
import EngineSQLite
import Migrations
import Repos
import Schema

struct Inspect: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show a store on one page. Changes nothing.",
        discussion: """
            Files, versions, profiles (hidden ones only counted), relays and their use, channels and their progress, \
            what is wrong, and what to do next. Works on a store of any version, and on one database alone.

            Examples:
              chatdb inspect
              chatdb inspect -d ~/Downloads/somebody_chat.db
              chatdb inspect --format json | jq .warnings
            """)

    @OptionGroup var store: StoreOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Show hidden profiles too.")
    var showHidden = false

    func run() throws {
        let location = try store.location()
        let build = try MigrationSource.build.load()
        let status = try Migrator(engine: SQLiteEngine(), location: location, build: build).status()
        if status.readable.isEmpty, let problem = status.problems.first { throw problem.error.report(of: problem.path) }
        try output.write(try InspectReport(location: location, status: status, facts: facts(status, location)))
    }

    /// What the chat database holds, when it is ours and has the tables of this build.
    private func facts(_ status: StoreStatus, _ location: StoreLocation) throws -> StoreFacts? {
        guard let chat = status.readable[.chat], chat.kind == .chatdb, chat.pending.isEmpty else { return nil }
        let connection = try SQLiteEngine().open(location.path(of: .chat), as: .untrusted)
        defer { try? connection.close() }
        return try connection.read { try StoreFacts(of: $0, hidden: showHidden ? .shown : .leftOut) }
    }
}

extension StoreStatus {
    /// Databases that are there and cannot be read.
    var problems: [Problem] {
        DatabaseName.allCases.compactMap { database in
            if case .failure(let problem) = parts[database] { problem } else { nil }
        }
    }
}

extension ErrorReport: Error {}

extension ErrorReport: Reportable {
    var report: ErrorReport { self }
}
