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
            """)

    @Argument(help: "The name: 1 to 200 characters.")
    var name: String

    @OptionGroup var store: StoreOptions
    @OptionGroup var seed: SeedOption
    @OptionGroup var output: OutputOptions

    @Flag(help: "Start without relays and servers.")
    var noPreset = false

    func run() throws {
        let seed = seed.value(try output.output())
        let preset = noPreset ? nil : try BundledPresets.preset()
        let report = try StoreSession.write(store) { store in
            // The agent's user first: a crash between leaves one that nobody refers to.
            try store.writeBoth(committing: .agentFirst) { chat, agent in
                let user = try UsersWriter(chat).create(name, agent: agent)
                if let preset { _ = try PresetSync.start(preset, for: user.id, in: chat, seed: seed) }
                return UserAddReport(
                    user: user, relays: try ChatRelaysRepo(chat).all(of: user.id),
                    servers: try ServersRepo(chat).all(of: user.id), seed: preset == nil ? nil : seed)
            }
        }
        try output.write(report)
    }
}

/// The profile that was made, and what it starts with.
struct UserAddReport: Report {
    let user: User
    let relays: [ChatRelay]
    let servers: [ProtocolServer]
    let seed: UInt64?

    private func servers(_ kind: ServerProtocol) -> [ProtocolServer] { servers.filter { $0.serverProtocol == kind } }

    var json: JSONValue {
        [
            "user": user.json,
            "relays": Self.counts(relays.count, relays.count(where: \.isEnabled)),
            "smpServers": Self.counts(servers(.smp).count, servers(.smp).count(where: \.isEnabled)),
            "xftpServers": Self.counts(servers(.xftp).count, servers(.xftp).count(where: \.isEnabled)),
            "seed": seed.map { .integer(Int64(clamping: $0)) } ?? .null,
        ]
    }

    private static func counts(_ all: Int, _ enabled: Int) -> JSONValue {
        ["total": JSONValue(all), "enabled": JSONValue(enabled)]
    }

    var document: Document {
        [
            .paragraph("The profile \(user.name) was made and is active."),
            .table(
                Table(
                    [Column("Starts with"), Column("Enabled", alignment: .right), Column("Of", key: "total", alignment: .right)],
                    rows: [
                        ["relays", .count(relays.count(where: \.isEnabled)), .count(relays.count)],
                        ["SMP servers", .count(servers(.smp).count(where: \.isEnabled)), .count(servers(.smp).count)],
                        ["XFTP servers", .count(servers(.xftp).count(where: \.isEnabled)), .count(servers(.xftp).count)],
                    ], whenEmpty: "")),
        ]
    }
}
