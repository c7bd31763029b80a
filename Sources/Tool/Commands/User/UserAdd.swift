import ArgumentParser
import Repos
import Schema

struct UserAdd: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Make a profile, and make it the active one.",
        discussion: """
            The profile starts with the relays and servers that ship with chatdb; as many of them are enabled as the \
            operators ask for, chosen by chance.

            Examples:
              chatdb user add alice
              chatdb user add work --seed 7
              chatdb user add bare --no-preset
              chatdb user add alice --preset alice.json
            """)

    @Argument(help: "The name: 1 to 200 characters.")
    var name: String

    @OptionGroup var store: StoreOptions
    @OptionGroup var seed: SeedOption
    @OptionGroup var output: OutputOptions

    @Flag(help: "Start without relays and servers.")
    var noPreset = false

    @Option(
        name: .customLong("preset"),
        help: ArgumentHelp(
            "Start with the relays and servers of this file instead; - is standard input.", valueName: "file"),
        completion: .file())
    var presetFile: String?

    func validate() throws {
        if noPreset, presetFile != nil { throw ValidationError("--no-preset and --preset exclude each other") }
    }

    func run() throws {
        let answer = try output.output()
        let seed = seed.value(answer)
        let preset = noPreset ? nil : try preset(answer)
        let report = try StoreSession.write(store, answer) { store in
            // The agent's user first: a crash between leaves one that nobody refers to.
            try store.writeBoth(committing: .agentFirst) { chat, agent in
                let users = UsersWriter(chat)
                let user =
                    if let preset {
                        try users.create(name, startingWith: preset, seed: seed, agent: agent)
                    } else {
                        try users.create(name, agent: agent)
                    }
                return UserAddReport(
                    user: user, relays: try ChatRelaysRepo(chat).all(of: user.id),
                    servers: try ServersRepo(chat).all(of: user.id), seed: preset == nil ? nil : seed)
            }
        }
        try answer.write(report)
    }

    private func preset(_ output: Output) throws -> PresetFile {
        guard let presetFile else { return try BundledPresets.preset() }
        let bytes = try InputFile.read(presetFile, upTo: PresetFile.largestFile)
        let read = try PresetFile.read(bytes, named: presetFile == "-" ? "" : presetFile)
        for warning in read.warnings { output.warn("\(presetFile): \(warning)") }
        return read.file
    }
}

/// The profile that was made, and what it starts with.
struct UserAddReport: Report {
    let user: User
    let relays: [ChatRelay]
    let servers: [ProtocolServer]
    /// What the choice was made by; nil without a preset.
    let seed: UInt64?

    /// Kinds of entries, how many are enabled, and out of how many.
    private var kinds: [(key: String, title: String, enabled: Int, total: Int)] {
        let smp = servers.filter { $0.serverProtocol == .smp }
        let xftp = servers.filter { $0.serverProtocol == .xftp }
        return [
            ("relays", "relays", relays.count(where: \.isEnabled), relays.count),
            ("smpServers", "SMP servers", smp.count(where: \.isEnabled), smp.count),
            ("xftpServers", "XFTP servers", xftp.count(where: \.isEnabled), xftp.count),
        ]
    }

    var json: JSONValue {
        let counts = kinds.map { kind in
            JSONValue.Member(kind.key, ["total": JSONValue(kind.total), "enabled": JSONValue(kind.enabled)])
        }
        return .object(
            [.init("user", user.json)] + counts + [.init("seed", seed.map { .integer(Int64(clamping: $0)) } ?? .null)])
    }

    var document: Document {
        [
            .paragraph("The profile \(user.name) was made and is active."),
            .table(table),
            .fields(enabledNames),
        ]
    }

    var csvTable: Table { table }

    private var table: Table {
        Table(
            [
                Column("Starts with"), Column("Enabled", alignment: .right),
                Column("Of", key: "total", alignment: .right),
            ],
            rows: kinds.map { [.text($0.title), .count($0.enabled), .count($0.total)] }, whenEmpty: "")
    }

    private var enabledNames: [Field] {
        let names = relays.filter(\.isEnabled).map(\.calledName)
        return names.isEmpty ? [] : [Field("Relays enabled", .text(names.joined(separator: ", ")))]
    }
}
