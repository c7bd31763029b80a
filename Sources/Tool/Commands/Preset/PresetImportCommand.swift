import ArgumentParser
import ChatDBKit

struct PresetImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Import relays and servers from a file into a profile.",
        discussion: """
            Shows the changes and asks for confirmation. With -, standard input is the file, so that chatdb cannot \
            ask: --yes or --dry-run is needed. The mode merge adds and updates entries, removes none, and \
            keeps existing entries enabled or disabled as they are. The mode replace makes your custom relays and \
            servers those of the file. An entry belongs to an operator only if this build's preset contains it; chatdb \
            then takes everything from that preset, except whether the entry is enabled. From the operators of the \
            file, chatdb takes only whether they are enabled. With --trust-operators, it takes all of this from the \
            file.

            Before chatdb changes the profile, it writes the previous configuration to a file beside the store. It \
            prints the command that restores it; the mode restore makes the whole profile as in that file. For an \
            encrypted store, it makes an encrypted backup instead. Warnings list problems with the servers that \
            the import causes.

            Examples:
              chatdb preset import friend.json --dry-run
              chatdb preset import addresses.txt --yes
              chatdb preset import alice.json --user work --mode replace --set-enabled
            """)

    @OptionGroup var input: PresetInput
    @OptionGroup var profile: ProfileOptions
    @OptionGroup var consent: PresetRunOptions
    @OptionGroup var fallback: FallbackOptions
    @OptionGroup var changedArchive: ChangedArchiveOptions
    @OptionGroup var output: OutputOptions

    @Option(help: "How to treat entries that the file does not contain. restore also changes presets and operators.")
    var mode = PresetImportOptions.Mode.merge

    @Option(
        help: """
            How to treat names that are taken, and servers with another key hash. skip leaves these entries out. \
            rename gives existing relays the names of the file, adds numbers to the names of new relays, and leaves \
            servers out.
            """)
    var onConflict = PresetImportOptions.OnConflict.fail

    @Flag(help: "Enable and disable existing entries as in the file.")
    var setEnabled = false

    @Flag(help: "Do not change operators, which all profiles share.")
    var noOperators = false

    @Flag(help: "Trust what the file says about operators and their entries.")
    var trustOperators = false

    func validate() throws {
        if noOperators, trustOperators {
            throw ValidationError("--no-operators and --trust-operators cannot be used together")
        }
    }

    func run() throws {
        let output = try output.output()
        let limit = mode == .restore ? PresetFile.largestKeptFile : PresetFile.largestFile
        let file = try input.read(output, upTo: limit).file
        warnOfOtherStore(output)
        let options = PresetImportOptions(
            mode: mode, onConflict: onConflict, setsEnabled: setEnabled, changesOperators: !noOperators,
            trustsOperators: trustOperators)
        try PresetRun(
            mode: mode.rawValue, profile: profile, options: consent, readsFile: input.file == "-",
            onConflict: onConflict,
            simplex: fallback.simplex(changedArchive),
            plan: { user, chat, isSimplex in
                isSimplex
                    ? try SimplexImport.plan(file, options, for: user, in: chat)
                    : try PresetImport.plan(file, options, for: user, in: chat)
            }
        ).run(output)
    }

    /// Warns if the mode restore has a configuration that chatdb seems to have kept for another store.
    private func warnOfOtherStore(_ output: Output) {
        guard mode == .restore, profile.store.archive == nil, let store = try? profile.store.location(),
            !store.keptPrefix.isEmpty, PresetBefore.isOfAnotherStore(input.file, than: store.keptPrefix)
        else { return }
        output.warn(
            "by its place and name, \(InputFile.name(input.file)) is no copy that chatdb kept for this store; it may be "
                + "the configuration of another one")
    }
}
