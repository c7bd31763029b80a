import ArgumentParser
import ChatDBKit

struct PresetExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write a profile's operators, servers and relays as a preset file.",
        discussion: """
            The file is JSON or YAML, whatever --format says. The same configuration gives the same bytes. Passwords \
            of servers are omitted and marked as omitted, unless --with-secrets is given. The simplex-api format has \
            no such mark: servers whose passwords are omitted are written as disabled. It always has all entries. \
            Without --output, chatdb writes to standard output. If --custom-only finds nothing to export, chatdb \
            writes no file.

            To give single relays or servers to a user of the app, send the addresses that relay show and server show \
            have.

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

    @Flag(help: "Replace the file if it exists.")
    var force = false

    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            "The format: a preset, or the JSON that SimpleX Chat reads, which accepts only --envelope and --with-secrets.",
            valueName: "format"))
    var format = ExportFormat.chatdb

    @Flag(help: "With --as simplex-api: write the app's whole response, not only the list.")
    var envelope = false

    @Flag(help: "Write YAML.")
    var yaml = false

    @Option(
        help: ArgumentHelp(
            "Write only these kinds: relays, servers, operators (comma-separated). May be repeated.", valueName: "kinds"
        ))
    var select: [PresetKinds] = []

    @Flag(help: "Write only custom entries.")
    var customOnly = false

    @Flag(help: "Write only enabled entries.")
    var enabledOnly = false

    @Flag(help: "Include the profile's name and the time.")
    var withOrigin = false

    @Flag(help: "Include the results of the last tests.")
    var withTestResults = false

    @Flag(help: "Include passwords of servers.")
    var withSecrets = false

    func validate() throws {
        if envelope, format != .simplexAPI { throw ValidationError("--envelope requires --as simplex-api") }
        let narrowed = yaml || kinds != nil || customOnly || enabledOnly || withOrigin || withTestResults
        if format == .simplexAPI, narrowed {
            throw ValidationError(
                "of the options for contents, --as simplex-api accepts only --envelope and --with-secrets; for single "
                    + "relays or servers, send the addresses that relay show and server show have")
        }
        if customOnly, kinds == [.operators] {
            throw ValidationError("--custom-only omits operators, and --select names only operators")
        }
        if yaml, ending == "json" {
            throw ValidationError("--yaml cannot be used with a file whose name ends in .json")
        }
        // A part of a store has a refusal of its own.
        if let ending, !["json", "yaml", "yml"].contains(ending),
            file.flatMap({ KeptFiles(store: nil).meaning(of: $0) }) == nil
        {
            throw ValidationError("chatdb writes no .\(ending) files; end the name in .json or .yaml, or in nothing")
        }
        if format == .simplexAPI, ["yaml", "yml"].contains(ending) {
            throw ValidationError("--as simplex-api writes JSON; end the name of the file in .json")
        }
    }

    func run() throws {
        let output = try output.output()
        let path = file == "-" ? nil : file
        let exported: Exported = try StoreSession(profile.store, output).read { store in
            try store.read { chat in
                let user = try profile.profile(in: chat)
                let notes: PresetExportNotes
                if let path {
                    notes = try write(user.id, in: chat, toFile: path, of: store.location, output)
                } else {
                    notes = try write(user.id, in: chat, to: output.standardOutput, output)
                }
                return Exported(user: user, notes: notes, others: others(besides: user, notes, in: chat))
            }
        }
        let notes = exported.notes
        for note in notes.leftOut { output.warn(note) }
        if notes.passwords > 0, withSecrets {
            output.warn(
                "the export contains the passwords of \(notes.passwords) \(notes.passwords == 1 ? "server" : "servers")"
            )
        } else if notes.passwords > 0 {
            output.note(omission(notes))
        }
        if isNothing(notes) {
            var what = path == nil ? "the export is empty" : "nothing was exported, and no file was written"
            if let path, FileState(at: path).bytes != nil { what += " (\(path) is still the old file)" }
            let others = exported.others.isEmpty ? "" : "; \(otherEntries(exported.others))"
            output.warn(
                "\(what): the profile \"\(exported.user.name)\" has no "
                    + "\(enabledOnly ? "enabled " : "")\(exportedKinds) of its own\(others)")
            return
        }
        output.note(summary(notes, of: exported.user))
        if !exported.others.isEmpty { output.note("the profile has none; \(otherEntries(exported.others))") }
        if let path { output.note("written to \(path)") }
    }

    /// The servers whose passwords were omitted, and what that means for the person who imports the file.
    private func omission(_ notes: PresetExportNotes) -> String {
        let isOne = notes.passwords == 1
        let more = notes.passwords - notes.withPassword.count
        let hosts = notes.withPassword.joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
        let written =
            format == .simplexAPI
            ? "the file has \(isOne ? "the server" : "these servers") disabled"
            : "who imports the file gets \(isOne ? "the server" : "these servers") disabled, and has to add "
                + "\(isOne ? "the password" : "the passwords")"
        return "the \(isOne ? "password" : "passwords") of \(hosts) \(isOne ? "is" : "are") omitted: \(written); "
            + "--with-secrets includes \(isOne ? "it" : "them")"
    }

    /// What was exported, of which profile, and how much of it is disabled.
    private func summary(_ notes: PresetExportNotes, of user: User) -> String {
        func counted(_ number: PresetExportNotes.Number, _ noun: String) -> String {
            let all = "\(number.all) \(number.all == 1 ? noun : noun + "s")"
            return number.disabled == 0 ? all : "\(all) (\(number.disabled) disabled)"
        }
        let hint =
            notes.servers.disabled + notes.relays.disabled == 0 || format == .simplexAPI
            ? "" : "; disabled entries stay disabled when somebody imports the file, and --enabled-only leaves them out"
        var entries: [String] = []
        if selects(.relays) { entries.append(counted(notes.relays, "relay")) }
        if selects(.servers) { entries.append(counted(notes.servers, "server")) }
        let operators = "\(notes.operators) \(notes.operators == 1 ? "operator" : "operators")"
        if entries.isEmpty { return "exported \(operators) of the profile \"\(user.name)\"" }
        return "exported \(entries.joined(separator: " and ")) of the profile \"\(user.name)\""
            + (notes.operators == 0 ? "" : ", and \(operators)") + hint
    }

    /// The other profiles that have such entries, if this one has none; hidden ones are left out.
    private func others(besides user: User, _ notes: PresetExportNotes, in chat: any ReadTransaction) -> [User] {
        // The preset is written already. What cannot be read here only leaves the note out.
        func hasEntries(_ user: User) -> Bool {
            let relays = selects(.relays) ? try? ChatRelaysRepo(chat).all(of: user.id) : nil
            let servers = selects(.servers) ? try? ServersRepo(chat).all(of: user.id) : nil
            return relays?.contains { isExported($0.isPreset, $0.isEnabled) } == true
                || servers?.contains { isExported($0.isPreset, $0.isEnabled) } == true
        }
        // A profile may have nothing but entries that cannot be exported.
        if notes.relays.all + notes.servers.all > 0 || hasEntries(user) { return [] }
        return ((try? UsersRepo(chat).all()) ?? []).filter { $0.id != user.id && hasEntries($0) }
    }

    private func selects(_ kind: PresetSelection.Kind) -> Bool { kinds?.contains(kind) ?? true }

    private func isExported(_ isPreset: Bool, _ isEnabled: Bool) -> Bool {
        !(customOnly && isPreset) && (!enabledOnly || isEnabled)
    }

    /// `relays or servers`, as far as they are selected.
    private var exportedKinds: String {
        let words = (selects(.relays) ? ["relays"] : []) + (selects(.servers) ? ["servers"] : [])
        return words.isEmpty ? "relays or servers" : words.joined(separator: " or ")
    }

    private func otherEntries(_ others: [User]) -> String {
        let names = others.prefix(3).map { "\"\($0.name)\"" }.joined(separator: ", ")
        let more = others.count > 3 ? " and \(others.count - 3) more" : ""
        let isOne = others.count == 1
        let own = " of \(isOne ? "its" : "their") own"
        return "the \(isOne ? "profile" : "profiles") \(names)\(more) \(isOne ? "has" : "have") "
            + "\(enabledOnly ? "enabled " : "")\(exportedKinds)\(customOnly ? own : ""), which --user exports"
    }

    /// The kinds of all options together; nil without one.
    private var kinds: Set<PresetSelection.Kind>? { select.isEmpty ? nil : Set(select.flatMap(\.kinds)) }

    private var selection: PresetSelection {
        PresetSelection(
            kinds: kinds ?? Set(PresetSelection.Kind.allCases), customOnly: customOnly,
            enabledOnly: enabledOnly)
    }

    /// Whether an export of the profile's own entries has none.
    private func isNothing(_ notes: PresetExportNotes) -> Bool {
        customOnly && notes.relays.all + notes.servers.all == 0
    }

    /// Exports to a file. Writes no file if there is nothing to export: the user would send an empty file, or the next
    /// export would be refused because the file exists.
    private func write(
        _ user: UserID, in chat: any ReadTransaction, toFile path: String, of store: StoreLocation, _ output: Output
    ) throws -> PresetExportNotes {
        do {
            return try NewOutputFile.write(to: path, replacing: force, of: store) { sink in
                let notes = try write(user, in: chat, to: sink, output)
                if isNothing(notes) { throw NothingToExport(notes: notes) }
                return notes
            }
        } catch let nothing as NothingToExport {
            return nothing.notes
        }
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

    /// The format that the name of the file implies.
    private var ending: String? { file.flatMap(NewOutputFile.ending) }
}

/// An export without entries, of which no file is made.
private struct NothingToExport: Error {
    let notes: PresetExportNotes
}

/// An export that is written.
private struct Exported: Sendable {
    let user: User
    let notes: PresetExportNotes
    /// The profiles that have entries, if the exported one has none.
    let others: [User]
}

/// The format of an export.
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
