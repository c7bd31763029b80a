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
            "Write the page with drawings to this HTML file, for a browser; - is standard output. The page loads nothing.",
            valueName: "file"), completion: .file(extensions: ["html"]))
    var html: String?

    @Flag(help: "With --html: replace the file if it exists.")
    var force = false

    func validate() throws {
        if html?.isEmpty == true { throw ValidationError("the name of the HTML file is empty") }
        if force, html == nil { throw ValidationError("--force is for --html FILE") }
    }

    func run() throws {
        if hidden.passwordStdin { _ = try PasswordInput.piped() }
        let location = try store.location()
        try output.output().detail("the store is \(location.prefix)")
        // A version without hidden profiles has none to unlock.
        let engine = try store.engine()
        let build = try folder.migrationsForReading(of: location, with: { engine }, output.output())
        let report = try InspectReport(
            reading: location, with: engine, build: build,
            sizes: sizes,
            hidden: { (try? hidden.choice(in: $0)) ?? .leftOut }, migrationsDir: folder.migrationsDir,
            passphrase: store.passphrase.repeated)
        guard let html else {
            let output = try output.output()
            try output.write(report)
            if output.format == .csv { output.note("CSV has only the databases; --format json has the whole page") }
            return
        }
        let bytes = Array(InspectPage(report: report).html.utf8)
        if html == "-" { return try output.output().standardOutput(bytes) }
        try NewOutputFile.write(bytes, to: html, replacing: force, of: location)
        try output.write(InspectPageReport(file: html, bytes: bytes.count))
    }
}

extension ErrorReport: Error {}

extension ErrorReport: Reportable {
    var report: ErrorReport { self }
}
