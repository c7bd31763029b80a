import ArgumentParser
import ChatDBKit

struct PresetSyncCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync",
        abstract: "Update a profile's preset relays and servers to those that ship with chatdb.",
        discussion: """
            Adds new entries, and enables as many of them as the preset specifies. It makes the same choice each time \
            for a profile; --seed makes another. It updates names, domains and addresses; a new address is untested. \
            It keeps whether entries are enabled, and their test results. It removes entries that the operators no \
            longer list; a relay that channels use is soft-deleted, and continues to serve them. It does not change \
            custom relays and servers. It shows the changes and asks for confirmation. With a file, it trusts that \
            file instead of the preset that ships with chatdb. With --all-profiles, it updates every profile at once, \
            or none; hidden ones only with --show-hidden. With -, standard input is the file, so that chatdb cannot \
            ask: --yes or --dry-run is needed.

            Examples:
              chatdb preset sync --dry-run
              chatdb preset sync --yes
              chatdb preset sync --all-profiles --yes
              chatdb preset sync operators.json --dry-run --exit-code --format json
            """)

    @Argument(
        help: "A preset to use instead of the one that ships with chatdb; - reads standard input.", completion: .file())
    var file: String?

    @Flag(help: "Update all profiles instead of one.")
    var allProfiles = false

    @OptionGroup var input: PresetInputOptions
    @OptionGroup var profile: ProfileOptions
    @OptionGroup var seed: SeedOption
    @OptionGroup var consent: PresetRunOptions
    @OptionGroup var output: OutputOptions

    func validate() throws {
        if allProfiles, profile.user != nil {
            throw ValidationError("--all-profiles and --user cannot be used together")
        }
    }

    func run() throws {
        let output = try output.output()
        let preset = try file.map { try input.read($0, output).file } ?? BundledPresets.preset()
        if allProfiles {
            return try PresetSyncAll(
                preset: preset, profile: profile, options: consent, readsFile: file == "-", seed: seed
            ).run(output)
        }
        try PresetRun(
            mode: "sync", profile: profile, options: consent, readsFile: file == "-",
            plan: { user, chat, _ in
                try PresetSync.plan(preset, for: user, in: chat, seed: seed.value(of: user, in: chat))
            }
        ).run(output)
    }
}
