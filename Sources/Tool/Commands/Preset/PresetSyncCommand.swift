import ArgumentParser
import ChatDBKit

struct PresetSyncCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Bring a profile's preset relays and servers in line with those that ship with chatdb.",
        discussion: """
            New ones are added, of which so many are enabled as the preset says are to be used; which ones is always \
            the same for a profile, and --seed makes another choice. Names, domains and addresses follow, what you enabled \
            and tested stays (another address is untested), and what the operators no \
            longer list goes (a relay that channels use goes out of sight and keeps serving them). Your own relays and \
            servers are left alone. The changes are shown first. With a file, its word counts instead of that of the \
            preset that ships.

            Examples:
              chatdb preset sync --dry-run
              chatdb preset sync --yes
              chatdb preset sync operators.json --dry-run --exit-code --format json
            """)

    @Argument(help: "A preset to follow instead of the one that ships; - is standard input.", completion: .file())
    var file: String?

    @OptionGroup var input: PresetInputOptions
    @OptionGroup var profile: ProfileOptions
    @OptionGroup var seed: SeedOption
    @OptionGroup var consent: PresetRunOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let output = try output.output()
        let preset = try file.map { try input.read($0, output).file } ?? BundledPresets.preset()
        try PresetRun(
            mode: "sync", profile: profile, options: consent,
            plan: { user, chat in
                try PresetSync.plan(preset, for: user, in: chat, seed: seed.value(of: user, in: chat))
            }
        ).run(output)
    }
}
