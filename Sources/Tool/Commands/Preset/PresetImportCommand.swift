import ArgumentParser
import ChatDBKit

struct PresetImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Take the relays and servers of a file into a profile.",
        discussion: """
            The changes are shown first. Merging adds and updates, removes nothing, and leaves switched on and off what \
            you have switched. Replacing makes your own relays and servers exactly those of the file. An entry counts as \
            an operator's only if this build's preset has it, which then says all but whether it is enabled; of \
            operators only whether they are used is taken; unless the file is trusted.

            When something is changed or removed, what was there is written beside the store first, and the command \
            that brings it back is told: it restores, which makes all of the profile what that file says. What is wrong \
            with the servers since, and was not before, is told as warnings.

            Examples:
              chatdb preset import friend.json --dry-run
              chatdb preset import addresses.txt --yes
              chatdb preset import alice.json --user work --mode replace --set-enabled
            """)

    @OptionGroup var input: PresetInput
    @OptionGroup var profile: ProfileOptions
    @OptionGroup var consent: PresetRunOptions
    @OptionGroup var output: OutputOptions

    @Option(help: "What becomes of entries that the file does not have; restore changes presets and operators too.")
    var mode = PresetImportOptions.Mode.merge

    @Option(help: "What to do about names that clash, and about a server with another key hash.")
    var onConflict = PresetImportOptions.OnConflict.fail

    @Flag(help: "Switch entries that are there on and off as in the file.")
    var setEnabled = false

    @Flag(help: "Leave operators alone, which all profiles share.")
    var noOperators = false

    @Flag(help: "Believe what the file says of operators, and of which entries are theirs.")
    var trustOperators = false

    func validate() throws {
        if noOperators, trustOperators {
            throw ValidationError("--no-operators and --trust-operators do not go together")
        }
    }

    func run() throws {
        let output = try output.output()
        let limit = mode == .restore ? PresetFile.largestKeptFile : PresetFile.largestFile
        let file = try input.read(output, upTo: limit).file
        let options = PresetImportOptions(
            mode: mode, onConflict: onConflict, setsEnabled: setEnabled, changesOperators: !noOperators,
            trustsOperators: trustOperators)
        try PresetRun(
            mode: mode.rawValue, profile: profile, options: consent,
            plan: { user, chat in try PresetImport.plan(file, options, for: user, in: chat) }
        ).run(output)
    }
}
