import ArgumentParser
import ChatDBKit

struct BundleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bundle", abstract: "Write what support needs to know of a store, and nothing about people.",
        discussion: """
            One JSON file: versions, what was applied, numbers of rows, states, warnings, differences of the schema, and \
            the relays and servers, with the hosts of those that this build ships. No names, texts, links, keys, \
            passwords or paths, and no hosts of one's own unless they are asked for. It begins with a list of what is in \
            it and what was left out and why. --preview shows all of it and writes nothing; the file stays where it is \
            until you send it.

            Examples:
              chatdb bundle --preview
              chatdb bundle support.json
              chatdb bundle support.json --include hosts --force -d ~/chats/me
            """)

    @Argument(help: ArgumentHelp("The file to write.", valueName: "file"), completion: .file())
    var file: String?

    @Flag(help: "Show what would be written, on standard output, and write nothing.")
    var preview = false

    @Option(help: ArgumentHelp("Tell this too: the hosts of relays and servers of one's own.", valueName: "what"))
    var include: BundleExtra?

    @Flag(help: "Replace the file if it exists.")
    var force = false

    @OptionGroup var store: StoreOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if file == nil, !preview { throw ValidationError("name the file to write, or look at it first with --preview") }
    }

    func run() throws {
        let output = try output.output()
        let location = try store.location()
        output.detail("the store is \(location.prefix)")
        let bundle = try BundleContents.read(
            location, with: store.engine, includingHosts: include == .hosts, output)
        let bytes = Array((bundle.json.text(.pretty) + "\n").utf8)
        guard !preview, let file else { return try output.standardOutput(bytes) }
        try NewOutputFile.write(bytes, to: file, replacing: force, of: location)
        try output.write(BundleReport(file: file, bytes: bytes.count, manifest: bundle.manifest))
    }
}

/// What a bundle contains on request only.
enum BundleExtra: String, ExpressibleByArgument, CaseIterable {
    case hosts
}
