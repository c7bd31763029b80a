import ArgumentParser
import ChatDBKit

struct InspectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Show a store on one page. Changes nothing.",
        discussion: """
            Shows files and journals, versions, the largest tables, profiles (hidden ones are only counted), relays \
            and their use, why a channel cannot be created, channels and their progress, problems, and what to do \
            next. Works on a store of any version, and on a single database.

            Examples:
              chatdb inspect
              chatdb inspect -d ~/Downloads/somebody_chat.db
              chatdb inspect --format json | jq .warnings
            """)

    @OptionGroup var store: StoreOptions
    @OptionGroup var hidden: HiddenOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Measure the tables of a large database too. This reads the whole file.")
    var sizes = false

    /// Databases up to this size are measured unasked: it takes some hundredths of a second.
    private static let quicklyMeasured: Int64 = 32 << 20
    /// The processor time for all that is read: a page is an answer of some milliseconds, and no file is to make it one
    /// of minutes.
    private static let budget = Duration.seconds(8)

    func run() throws {
        if hidden.passwordStdin { _ = try PasswordInput.piped() }
        let location = try store.location()
        try output.output().detail("the store is \(location.prefix)")
        // Before anything opens the files: closing a second descriptor drops the locks of the first.
        let files = InspectFile.all(of: location)
        let build = try MigrationSource.build.load()
        var spaces: [DatabaseName: DatabaseSpace] = [:]
        var contents: Result<InspectContents, any Error>?
        var drift: [DatabaseName: Int] = [:]
        let engine = store.engine.limited(budget: sizes ? nil : Self.budget)
        let context = StoreContext(engine: engine, location: location, build: build)
        let status = try context.status {
            spaces[$0] = try? $2.space(everyPage: sizes || $1.bytes <= Self.quicklyMeasured)
            if $1.kind == .chatdb {
                // A version that this build does not know has none.
                drift[$0] = try? context.drift(of: $0, in: $2, after: $1.applied).count
            }
            // Opening it a second time can mean copying it a second time.
            if $0 == .chat, $1.isAsThisBuild { contents = self.contents(of: $2, lacking: []) }
        }
        if status.readable.isEmpty, let problem = status.problems.first { throw problem.error.report(of: problem.path) }
        let otherVersion = contents == nil ? try contentsOfOtherVersion(status, location, build, engine) : nil
        try output.write(
            InspectReport(
                location: location, status: status, files: files, spaces: spaces,
                contents: try contents?.get() ?? otherVersion?.get(), drift: drift))
    }

    /// What the chat database holds.
    private func contents(
        of connection: any StorageConnection, lacking: [String]
    ) -> Result<InspectContents, any Error> {
        var found: InspectContents?
        do {
            try connection.read { chat in
                // A version without hidden profiles has none to unlock.
                found = InspectContents(
                    of: chat, hidden: (try? hidden.choice(in: chat)) ?? .leftOut, lacking: lacking)
            }
        } catch {
            // Damage that a section has noted can spoil the end of the transaction too.
            guard found != nil else { return .failure(error) }
        }
        return found.map { .success($0) } ?? .failure(StoreError(.other, "nothing was read"))
    }

    /// The same of a database that is asked through views; nil when it is not there, or its program is not known.
    private func contentsOfOtherVersion(
        _ status: StoreStatus, _ location: StoreLocation, _ build: [DatabaseName: [Migration]], _ engine: SQLiteEngine
    ) throws -> Result<InspectContents, any Error>? {
        guard let chat = status.readable[.chat], chat.isReadable(as: .chat), !chat.isAsThisBuild else { return nil }
        let connection = try chat.open(.chat, location, build, engine)
        defer { try? connection.close() }
        // What was done to open it is noted of the file already.
        return contents(of: connection, lacking: connection.notes.filter { !chat.notes.contains($0) })
    }
}

extension FoundDatabase {
    /// Whether this build knows what its tables mean: it is ours, or the one of SimpleX Chat's that it is called.
    func isReadable(as name: DatabaseName) -> Bool {
        switch kind {
        case .chatdb: true
        case .simplex: database == nil || database == name
        case .unknown: false
        }
    }

    /// Opens it to be asked what this build asks, whatever its version.
    func open(
        _ name: DatabaseName, _ location: StoreLocation, _ build: [DatabaseName: [Migration]], _ engine: SQLiteEngine
    ) throws -> any StorageConnection {
        let path = location.path(of: name)
        guard !isAsThisBuild, let plan = try VersionPlans.all(build)[name] else {
            return try engine.open(path, as: .untrusted)
        }
        return try engine.open(path, through: plan)
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

    /// Which those are.
    var unreadable: [DatabaseName] {
        DatabaseName.allCases.filter { parts[$0] != nil && readable[$0] == nil }
    }
}

extension ErrorReport: Error {}

extension ErrorReport: Reportable {
    var report: ErrorReport { self }
}
