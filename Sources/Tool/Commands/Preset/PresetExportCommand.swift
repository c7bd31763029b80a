import ArgumentParser
import ChatDBKit

struct PresetExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write a profile's operators, servers and relays as a preset file.",
        discussion: """
            The file is JSON or YAML whatever --format says, and the same configuration gives the same bytes. \
            Passwords of servers are left out and marked as omitted unless they are asked for; as simplex-api, which \
            has no such mark, their servers are written as disabled. Without --output the file goes to standard output.

            Examples:
              chatdb preset export > alice.json
              chatdb preset export --user work -o work.yaml
              chatdb preset export --custom-only --select relays -o for-a-friend.json
              chatdb preset export --as simplex-api --with-secrets -o app.json
            """)

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("Write to this file instead of standard output.", valueName: "file"), completion: .file())
    var file: String?

    @Flag(help: "Replace the file if it is there.")
    var force = false

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp("What to write: a preset, or the JSON that SimpleX Chat takes.", valueName: "format"))
    var format = ExportFormat.chatdb

    @Flag(help: "With --as simplex-api: the app's whole answer, not the list alone.")
    var envelope = false

    @Flag(help: "Write YAML.")
    var yaml = false

    @Option(
        help: ArgumentHelp("Only these kinds: relays, servers, operators; several with commas.", valueName: "kinds"))
    var select: PresetKinds?

    @Flag(help: "Only what is no operator's preset.")
    var customOnly = false

    @Flag(help: "Only what is enabled.")
    var enabledOnly = false

    @Flag(help: "Tell the profile's name and the time.")
    var withOrigin = false

    @Flag(help: "Tell how the last tests went.")
    var withTestResults = false

    @Flag(help: "Write passwords of servers.")
    var withSecrets = false

    func validate() throws {
        if envelope, format != .simplexAPI { throw ValidationError("--envelope belongs to --as simplex-api") }
        let narrowed = yaml || select != nil || customOnly || enabledOnly || withOrigin || withTestResults
        if format == .simplexAPI, narrowed {
            throw ValidationError("--as simplex-api takes --envelope and --with-secrets, no other choice of contents")
        }
        if customOnly, select?.kinds == [.operators] {
            throw ValidationError("--custom-only leaves operators out, which --select asks for alone")
        }
        if yaml, ending == "json" { throw ValidationError("--yaml and a file whose name ends in .json contradict") }
    }

    func run() throws {
        let output = try output.output()
        let path = file == "-" ? nil : file
        let notes = try StoreSession.read(profile.store, output) { store in
            try store.read { chat in
                let user = try profile.profile(in: chat).id
                guard let path else { return try write(user, in: chat, to: output.standardOutput, output) }
                return try NewOutputFile.write(to: path, replacing: force, of: store.location) {
                    try write(user, in: chat, to: $0, output)
                }
            }
        }
        for note in notes.leftOut { output.warn(note) }
        if notes.passwords > 0, withSecrets {
            output.warn(
                "the export has the passwords of \(notes.passwords) \(notes.passwords == 1 ? "server" : "servers")")
        } else if notes.passwords > 0 {
            let disabled = format == .simplexAPI ? "; their servers are written as disabled" : ""
            output.note("passwords left out: \(notes.passwords)\(disabled)")
        }
        if let path { output.note("written to \(path)") }
    }

    private var selection: PresetSelection {
        PresetSelection(
            kinds: select?.kinds ?? Set(PresetSelection.Kind.allCases), customOnly: customOnly,
            enabledOnly: enabledOnly)
    }

    private func write(
        _ user: UserID, in chat: any ReadTransaction, to sink: @escaping StandardStreams.Sink, _ output: Output
    ) throws -> PresetExportNotes {
        switch format {
        case .simplexAPI:
            try SimplexServersExport(of: user, in: chat, hidden: .shown)
                .write(withSecrets: withSecrets, inEnvelope: envelope, to: sink)
        case .chatdb:
            try PresetExport(
                of: user, in: chat, hidden: .shown, selection,
                origin: withOrigin ? StoredTime(output.now()) : nil
            ).write(PresetDisclosure(secrets: withSecrets, testResults: withTestResults), spelling, to: sink)
        }
    }

    private var spelling: PresetSpelling {
        yaml || ending == "yaml" || ending == "yml" ? .yaml : .json
    }

    /// What the name of the file says it is.
    private var ending: String? { file?.split(separator: ".").last?.lowercased() }
}

/// What an export is written as.
enum ExportFormat: String, WordArgument {
    case chatdb
    case simplexAPI = "simplex-api"
}

/// Kinds of things in a preset, with commas between them.
struct PresetKinds: ExpressibleByArgument {
    let kinds: Set<PresetSelection.Kind>

    init?(argument: String) {
        let kinds = argument.split(separator: ",").map { PresetSelection.Kind(rawValue: String($0)) }
        guard !kinds.isEmpty, !kinds.contains(nil) else { return nil }
        self.kinds = Set(kinds.compactMap { $0 })
    }

    static var allValueStrings: [String] { PresetSelection.Kind.allCases.map(\.rawValue) }
}
