import ArgumentParser
import ChatDBKit

struct BundleWrite: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "write", abstract: "Write a file about a store for support, without personal data.",
        discussion: """
            Writes one JSON file: versions, applied migrations, numbers of rows, states, warnings, differences of the \
            schema, and the relays and servers, with the hosts of those that ship with chatdb. It contains no names, \
            texts, links, keys, passwords or paths, and no other hosts unless --include hosts is given. It begins with \
            a list of its contents, and of what was left out and why. --preview prints the whole file and writes \
            nothing. chatdb does not send the file; review it before you do.

            Examples:
              chatdb bundle write --preview
              chatdb bundle write support.json
              chatdb bundle write support.json --include hosts --force -d ~/chats/me
            """)

    @Argument(help: ArgumentHelp("The file to write; - is standard output.", valueName: "file"), completion: .file())
    var file: String?

    @Flag(help: "Print the file to standard output, and write nothing.")
    var preview = false

    @Option(
        help: ArgumentHelp(
            "Also include the hosts of relays and servers that do not ship with chatdb.", valueName: "what"))
    var include: BundleExtra?

    @Flag(help: "Replace the file if it exists.")
    var force = false

    @OptionGroup var store: StoreOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if file == nil, !preview { throw ValidationError("name the file to write, or use --preview") }
    }

    func run() throws {
        let output = try output.output()
        let location = try store.location()
        // A part of the store, and the archive that is read, have a refusal of their own.
        if !preview, let file, let ending = NewOutputFile.ending(of: file), ending != "json",
            KeptFiles(store: location).meaning(of: file) == nil
        {
            throw ValidationError("chatdb writes no .\(ending) files; end the name in .json, or in nothing")
        }
        output.detail("the store is \(location.prefix)")
        let bundle = try BundleContents.read(
            location, with: store.engine(), includingHosts: include == .hosts, output)
        let bytes = Array((bundle.json.text(.pretty) + "\n").utf8)
        guard !preview, let file, file != "-" else {
            try output.standardOutput(bytes)
            if preview, let file, file != "-" { output.note("--preview writes nothing: \(file) was not written") }
            return
        }
        try NewOutputFile.write(bytes, to: file, replacing: force, of: location)
        try output.write(BundleReport(file: file, bytes: bytes.count, manifest: bundle.manifest))
    }
}

/// What a bundle contains on request only.
enum BundleExtra: String, ExpressibleByArgument, CaseIterable {
    case hosts
}
