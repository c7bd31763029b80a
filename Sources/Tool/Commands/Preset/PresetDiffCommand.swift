import ArgumentParser
import ChatDBKit

struct PresetDiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff", abstract: "Compare a profile's relays and servers with a file, a profile or a store.",
        discussion: """
            Shows what would change in the profile to make it like the other side: + is only there, - is only here, ~ \
            differs. With a list of addresses, chatdb compares only addresses. With --with-store, it compares the \
            profile of the same name, unless --with-user names another.

            Examples:
              chatdb preset diff alice.json
              chatdb preset diff --user alice --with-user work
              chatdb preset diff --with-store /mnt/old/chatdb --exit-code
            """)

    @Argument(help: "A file to compare with; - reads standard input.", completion: .file())
    var file: String?

    @Option(help: ArgumentHelp("A profile to compare with, by name or id.", valueName: "profile"))
    var withUser: String?

    @Option(help: ArgumentHelp("Another store to compare with.", valueName: "path"), completion: .file())
    var withStore: String?

    @OptionGroup var input: PresetInputOptions
    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Exit with 1 if there is a difference.")
    var exitCode = false

    func validate() throws {
        let isOther = withUser != nil || withStore != nil
        if file != nil, isOther {
            throw ValidationError("a file and --with-user or --with-store cannot be used together")
        }
        if file == nil, !isOther {
            throw ValidationError("name what to compare with: a file, --with-user or --with-store")
        }
    }

    func run() throws {
        let output = try output.output()
        let other = try file.map { try input.read($0, output).file }
        let (user, here) = try export(profile, output)
        let (name, there) = try other.map { (InputFile.name(file ?? ""), $0) } ?? exportOther(than: user, output)
        let diff = PresetDiff(from: here, to: there)
        try output.write(PresetDiffReport(user: user, other: name, diff: diff))
        if exitCode, !diff.changes.isEmpty { throw Answer(status: .no) }
    }

    private func export(_ profile: ProfileOptions, _ output: Output) throws -> (User, PresetFile) {
        let (user, export) = try StoreSession.read(profile.store, output) { store in
            try store.read { chat in
                let user = try profile.profile(in: chat)
                return (user, try PresetExport(of: user.id, in: chat, hidden: .shown).file())
            }
        }
        for note in export.notes { output.warn("\(user.name): \(note)") }
        return (user, export.file)
    }

    /// The other profile; one that is not found is said to be in which store.
    private func exportIn(_ other: ProfileOptions, _ output: Output) throws -> (User, PresetFile) {
        do {
            return try export(other, output)
        } catch NameError.notFound(let code, _, let name, let candidates, _) where withStore != nil {
            let store = withStore ?? ""
            throw NameError.notFound(
                code: code,
                message: "there is no profile \"\(name)\" in the store \(store); --with-user names another", name: name,
                candidates: candidates, list: HintedCommand(.userList, ["-d", store]))
        }
    }

    private func exportOther(than user: User, _ output: Output) throws -> (String, PresetFile) {
        var other = profile
        if let withStore { other.store.path = withStore }
        other.user = withUser ?? "name:\(user.name)"
        let (found, file) = try exportIn(other, output)
        return (withStore.map { "\(found.name) in \($0)" } ?? found.name, file)
    }
}

/// What differs between a profile and something else.
struct PresetDiffReport: Report {
    let user: User
    let other: String
    let diff: PresetDiff

    var json: JSONValue {
        [
            "mode": "diff", "user": user.reference, "with": .string(other),
            "changes": .array(diff.changes.map(\.json)), "unchanged": JSONValue(diff.unchanged), "applied": false,
        ]
    }

    var document: Document {
        [
            .heading("From \(user.name) to \(other)"),
            .table(PresetChangeTable.table(diff.changes, whenEmpty: "no differences")),
            .paragraph("= \(diff.unchanged) \(diff.unchanged == 1 ? "entry is" : "entries are") the same"),
        ]
    }

    var csvTable: Table { PresetChangeTable.csv(diff.changes) }
}
