import ArgumentParser
import ChatDBKit

struct UserAdd: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Create a profile and make it active.",
        discussion: """
            The profile starts with the relays and servers that ship with chatdb. chatdb enables as many of them as \
            each operator specifies, chosen at random. The answer names the seed; --seed with it makes the same choice \
            again.

            With --preset, chatdb trusts the file, including what it says about operators, which all profiles share. \
            Entries that the file assigns to an operator can be disabled, but not deleted. A note lists those that \
            this build's preset does not contain. For a file that you do not trust, use --no-preset and then chatdb \
            preset import, which does not trust what a file says about operators, and shows the changes first.

            With --like, the new profile has the relays and servers of another one, with their switches, roles, \
            passwords and results of tests, and its settings. It has nothing else of that profile: no picture, no \
            contacts, no groups.

            Examples:
              chatdb user add alice
              chatdb user add work --like alice
              chatdb user add work --seed 7
              chatdb user add bare --no-preset
              chatdb user add alice --preset alice.json
            """)

    @Argument(help: "The name: 1 to 200 characters.")
    var name: String

    @OptionGroup var store: StoreOptions
    @OptionGroup var seed: SeedOption
    @OptionGroup var input: PresetInputOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Create the profile without relays and servers.")
    var noPreset = false

    @Option(
        name: .customLong("preset"),
        help: ArgumentHelp(
            "Use the relays and servers of this file; - reads standard input.", valueName: "file"),
        completion: .file())
    var presetFile: String?

    @Option(
        help: ArgumentHelp("Take relays, servers and settings of this profile, by name or id.", valueName: "profile"))
    var like: String?

    func validate() throws {
        if like != nil, noPreset || presetFile != nil || seed.seed != nil {
            throw ValidationError("--like cannot be used together with --no-preset, --preset or --seed")
        }
        if noPreset, presetFile != nil { throw ValidationError("--no-preset and --preset cannot be used together") }
        if presetFile == nil, input.format != nil || input.lenient {
            throw ValidationError("--as and --lenient require --preset")
        }
    }

    func run() throws {
        let answer = try output.output()
        if let like { return try add(like: like, answer) }
        let seed = seed.value(answer)
        let preset = noPreset ? nil : try preset(answer)
        let unverified = presetFile == nil ? [] : try preset.map(UnverifiedClaims.init)?.notes ?? []
        // The agent's user first: a crash in between leaves a user that nothing refers to.
        var report = try StoreSession(store, answer).writeBoth(committing: .agentFirst) { chat, agent in
            let hidden = HiddenProfiles.leftOut
            let before = try UserServersValidation.now(asking: nil, hidden: hidden, in: chat)
            let user = try UsersWriter(chat).create(name, agent: agent)
            let plan = try preset.map { try PresetSync.start($0, for: user.id, in: chat, seed: seed) }
            let after = try UserServersValidation.now(asking: user.id, hidden: hidden, in: chat)
            return UserAddReport(
                user: user, relays: try ChatRelaysRepo(chat).all(of: user.id),
                servers: try ServersRepo(chat).all(of: user.id), seed: preset == nil ? nil : seed,
                notes: try notes(onNamesLike: user, in: chat) + (plan?.notes ?? []) + unverified,
                // No bundled operator looks up names, so this warning would hold for every profile.
                warnings: after.newTexts(since: before) { $0 != .noNamesServers })
        }
        report.isBundled = presetFile == nil && !noPreset
        try report.write(to: answer)
    }

    private func add(like given: String, _ output: Output) throws {
        // The agent's user first: a crash in between leaves a user that nothing refers to.
        let report = try StoreSession(store, output).writeBoth(committing: .agentFirst) { chat, agent in
            let hidden = HiddenProfiles.leftOut
            let before = try UserServersValidation.now(asking: nil, hidden: hidden, in: chat)
            let other = try ProfileFinder.find(given, hidden: hidden, in: chat)
            let made = try UsersWriter(chat).create(name, like: other.id, agent: agent)
            let after = try UserServersValidation.now(asking: made.user.id, hidden: hidden, in: chat)
            let settings = try ProfileSettings(of: made.user, in: chat)
            return UserAddReport(
                user: made.user, relays: try ChatRelaysRepo(chat).all(of: made.user.id),
                servers: try ServersRepo(chat).all(of: made.user.id), seed: nil,
                notes: try notes(onNamesLike: made.user, in: chat) + made.notes,
                warnings: after.newTexts(since: before) { $0 != .noNamesServers },
                like: (made.other, settings))
        }
        try report.write(to: output)
    }

    /// Notes about other profiles whose names a person could take for that of the new one.
    private func notes(onNamesLike user: User, in chat: any ReadTransaction) throws -> [String] {
        let key = NameRule.key(user.name)
        return try UsersRepo(chat).all().filter { $0.id != user.id && NameRule.key($0.name) == key }.map {
            "another profile has nearly the same name: \($0.name)"
        }
    }

    private func preset(_ output: Output) throws -> PresetFile {
        try presetFile.map { try input.read($0, output).file } ?? BundledPresets.preset()
    }
}

extension UnverifiedClaims {
    /// Notes about it, a clause each.
    fileprivate var notes: [String] {
        var notes: [String] = []
        if !operators.isEmpty {
            notes.append(
                "the file alone defines \(operators.count == 1 ? "the operator" : "the operators") "
                    + "\(operators.joined(separator: ", ")), for every profile")
        }
        if entries > 0 {
            let most = 3
            let more = hosts.count > most ? " and \(hosts.count - most) more" : ""
            notes.append(
                "the file alone assigns \(entries == 1 ? "1 entry" : "\(entries) entries") to operators; "
                    + "such entries can be disabled, but not deleted: \(hosts.prefix(most).joined(separator: ", "))\(more)"
            )
        }
        return notes
    }
}

extension UserAddReport {
    /// Writes the answer. Standard error has the warnings, and what does not fit into its table.
    func write(to output: Output) throws {
        try output.write(self)
        if output.format == .csv { for note in notes { output.note(note) } }
        for warning in warnings { output.warn(warning) }
    }
}
