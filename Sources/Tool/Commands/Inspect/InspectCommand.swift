import ArgumentParser
import ChatDBKit

struct InspectCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Show a store on one page. Changes nothing.",
        discussion: """
            Shows files and journals, versions, the largest tables, profiles (hidden ones are only counted), relays \
            and their use, why a channel cannot be created, channels and their progress, problems, and what to do \
            next. Works on a store of any version, and on a single database. CSV has only the table of the databases; \
            JSON has the whole page.

            Examples:
              chatdb inspect
              chatdb inspect -d ~/Downloads/simplex_chat.db
              chatdb inspect --format json | jq .warnings
              chatdb inspect --html store.html
            """)

    @OptionGroup var store: StoreOptions
    @OptionGroup var folder: MigrationsFolderOptions
    @OptionGroup var hidden: HiddenOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Measure the tables of a large database too. This reads the whole file.")
    var sizes = false

    @Option(
        help: ArgumentHelp(
            "Write the page with drawings to this HTML file, for a browser. The page loads nothing.",
            valueName: "file"), completion: .file(extensions: ["html"]))
    var html: String?

    @Flag(help: "With --html: replace the file if it exists.")
    var force = false

    /// Databases up to this size are measured without `--sizes`: it takes some hundredths of a second.
    private static let quicklyMeasured: Int64 = 32 << 20
    /// The limit of processor time for all reading: a page usually takes some milliseconds, and no file may make it
    /// take minutes.
    private static let budget = Duration.seconds(8)

    func validate() throws {
        if html?.isEmpty == true { throw ValidationError("the name of the HTML file is empty") }
        if force, html == nil { throw ValidationError("--force is for --html FILE") }
    }

    func run() throws {
        if hidden.passwordStdin { _ = try PasswordInput.piped() }
        let location = try store.location()
        try output.output().detail("the store is \(location.prefix)")
        let unlimited = try store.engine()
        // Before the files are opened: closing a second descriptor drops the locks of the first.
        let files = InspectFile.all(of: location, with: unlimited)
        let build = try folder.migrationsForReading(output.output())
        let engine = unlimited.limited(budget: sizes ? nil : Self.budget)
        let context = StoreContext(engine: engine, location: location, build: build)
        let (status, connections) = try context.openStatus()
        defer { for connection in connections.values { try? connection.close() } }
        if status.readable.isEmpty, let problem = status.problems.first { throw problem.error.report(of: problem.path) }
        var spaces: [DatabaseName: DatabaseSpace] = [:]
        var views: [DatabaseName: [String]] = [:]
        var drift: [DatabaseName: Int] = [:]
        for (database, connection) in connections {
            guard let part = status.readable[database] else { continue }
            spaces[database] = try? connection.space(everyPage: sizes || part.bytes <= Self.quicklyMeasured)
            views[database] = try? connection.viewNames()
            if part.kind == .chatdb {
                // An unknown version has no drift.
                drift[database] = try? context.drift(of: database, in: connection, after: part.applied).count
            }
        }
        let contents = try contents(status, connections, context)
        let report = InspectReport(
            location: location, status: status, files: files, spaces: spaces, views: views, contents: contents,
            drift: drift,
            timeline: StoreTimeline(status, at: location, chat: contents?.activity, agent: connections[.agent]),
            migrationsDir: folder.migrationsDir, passphrase: store.passphrase.repeated)
        guard let html else {
            let output = try output.output()
            try output.write(report)
            if output.format == .csv { output.note("CSV has only the databases; --format json has the whole page") }
            return
        }
        let bytes = Array(InspectPage(report: report).html.utf8)
        try NewOutputFile.write(bytes, to: html, replacing: force, of: location)
        try output.write(InspectPageReport(file: html, bytes: bytes.count))
    }

    /// The contents of the chat database, of any version; nil if it is missing, or of another program.
    private func contents(
        _ status: StoreStatus, _ connections: [DatabaseName: any StorageConnection], _ context: StoreContext
    ) throws -> InspectContents? {
        guard let chat = status.readable[.chat], chat.isReadable(as: .chat) else { return nil }
        if chat.isAsThisBuild, let connection = connections[.chat] { return try contents(of: connection, lacking: []) }
        let connection = try context.openAsThisBuild(.chat)
        defer { try? connection.close() }
        // The report has the other notes of the file already.
        return try contents(of: connection, lacking: connection.notes.filter { !chat.notes.contains($0) })
    }

    /// The contents of the chat database.
    private func contents(of connection: any StorageConnection, lacking: [String]) throws -> InspectContents {
        var found: InspectContents?
        do {
            try connection.read { chat in
                // A version without hidden profiles has none to unlock.
                found = InspectContents(
                    of: chat, hidden: (try? hidden.choice(in: chat)) ?? .leftOut, lacking: lacking)
            }
        } catch {
            // Damage that a section has noted can spoil the end of the transaction too.
            if found == nil { throw error }
        }
        guard let found else { throw StoreError(.other, "nothing was read") }
        return found
    }
}

extension StoreStatus {
    /// The existing databases that cannot be read.
    var problems: [Problem] {
        DatabaseName.allCases.compactMap { database in
            if case .failure(let problem) = parts[database] { problem } else { nil }
        }
    }

    /// Their names.
    var unreadable: [DatabaseName] {
        DatabaseName.allCases.filter { parts[$0] != nil && readable[$0] == nil }
    }
}

extension ErrorReport: Error {}

extension ErrorReport: Reportable {
    var report: ErrorReport { self }
}
