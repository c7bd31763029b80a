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
    @OptionGroup var hidden: HiddenOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        if hidden.passwordStdin { _ = try PasswordInput.piped() }
        let location = try store.location()
        try output.output().detail("the store is \(location.prefix)")
        // Before anything opens the files: closing a second descriptor drops the locks of the first.
        let journals = Self.journalModes(location)
        let build = try MigrationSource.build.load()
        let status = try Migrator(engine: SQLiteEngine(), location: location, build: build).status()
        if status.readable.isEmpty, let problem = status.problems.first { throw problem.error.report(of: problem.path) }
        let contents = try contents(status, location)
        try output.write(
            InspectReport(location: location, status: status, journalModes: journals, contents: contents))
    }

    static func journalModes(_ location: StoreLocation) -> [DatabaseName: DatabaseHeader.JournalMode] {
        var modes: [DatabaseName: DatabaseHeader.JournalMode] = [:]
        for database in DatabaseName.allCases {
            if case .database(let header) = FileDiagnosis.examine(location.path(of: database)).finding {
                modes[database] = header.journalMode
            }
        }
        return modes
    }

    /// What the chat database holds; nil when it is not there, or not ours.
    private func contents(_ status: StoreStatus, _ location: StoreLocation) throws -> InspectContents? {
        guard let chat = status.readable[.chat], chat.kind == .chatdb else { return nil }
        let connection = try SQLiteEngine().open(location.path(of: .chat), as: .untrusted)
        defer { try? connection.close() }
        return try connection.read { chat in
            // A version without hidden profiles has none to unlock.
            InspectContents(of: chat, hidden: (try? hidden.choice(in: chat)) ?? .leftOut)
        }
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
