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
        let contents = try contents(status, location, build)
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

    /// What the chat database holds; nil when it is not there, or its program is not known.
    private func contents(
        _ status: StoreStatus, _ location: StoreLocation, _ build: [DatabaseName: [Migration]]
    ) throws -> InspectContents? {
        guard let chat = status.readable[.chat], chat.isReadable(as: .chat) else { return nil }
        let path = location.path(of: .chat)
        let connection =
            if let plan = chat.isAsThisBuild ? nil : try VersionPlans.all(build)[.chat] {
                try SQLiteEngine().open(path, through: plan)
            } else {
                try SQLiteEngine().open(path, as: .untrusted)
            }
        defer { try? connection.close() }
        // What was done to open it is noted of the file already.
        let lacking = connection.notes.filter { !chat.notes.contains($0) }
        return try connection.read { chat in
            // A version without hidden profiles has none to unlock.
            InspectContents(of: chat, hidden: (try? hidden.choice(in: chat)) ?? .leftOut, lacking: lacking)
        }
    }
}

extension StoreStatus.Part {
    /// Whether this build knows what its tables mean: it is ours, or the one of SimpleX Chat's that it is called.
    fileprivate func isReadable(as name: DatabaseName) -> Bool {
        switch kind {
        case .chatdb: true
        case .simplex: database == nil || database == name
        case .unknown: false
        }
    }

    /// Whether it can be asked as it is. One that is newer is tried.
    fileprivate var isAsThisBuild: Bool { kind == .chatdb && pending.isEmpty }
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
