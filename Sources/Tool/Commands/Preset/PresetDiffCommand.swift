import ArgumentParser
import ChatDBKit

struct PresetDiffCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "diff", abstract: "Compare a profile's relays and servers with a file, a profile or a store.",
        discussion: """
            Shows what would change in the profile to make it like the other side: + is only there, - is only here, ~ \
            differs. With a list of addresses, chatdb compares only addresses. With --with-store, it compares the \
            profile of the same name, unless --with-user names another. With two files, it compares the first with the \
            second, and reads no store.

            Examples:
              chatdb preset diff alice.json
              chatdb preset diff last-year.json alice.json
              chatdb preset diff --user alice --with-user work
              chatdb preset diff --with-store /mnt/old/chatdb --exit-code
              chatdb preset diff --user alice --with-user work --custom-only
            """)

    @Argument(
        help: "The file to compare with, or two files to compare; - reads standard input.", completion: .file())
    var files: [String] = []

    @Option(help: ArgumentHelp("A profile to compare with, by name or id.", valueName: "profile"))
    var withUser: String?

    @Option(help: ArgumentHelp("Another store to compare with.", valueName: "path"), completion: .file())
    var withStore: String?

    @OptionGroup var otherPassphrase: OtherPassphraseOptions
    @OptionGroup var input: PresetInputOptions
    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    @Flag(help: "Compare only custom entries.")
    var customOnly = false

    @Flag(help: "Exit with 1 if there is a difference.")
    var exitCode = false

    func validate() throws {
        let isOther = withUser != nil || withStore != nil
        if !files.isEmpty, isOther {
            throw ValidationError("a file and --with-user or --with-store cannot be used together")
        }
        if files.count > 2 { throw ValidationError("name at most two files") }
        if files.count == 2, customOnly { throw ValidationError("--custom-only cannot be used with two files") }
        if files == ["-", "-"] { throw ValidationError("standard input can be only one of the two files") }
        if files.isEmpty, !isOther {
            throw ValidationError("name what to compare with: a file, --with-user or --with-store")
        }
        try otherPassphrase.require(withStore, "--with-store")
    }

    func run() throws {
        let output = try output.output()
        if files.count == 2 { return try compareFiles(output) }
        let given = try files.first.map { try input.read($0, output).file }
        var other = profile
        if let withStore {
            other.store = try profile.store.other(withStore, otherPassphrase.otherPassphraseFile)
        }
        if let withUser { other.user = withUser }
        let (here, there) = try StoreSession(profile.store, output).read { store in
            try store.read { chat in
                let here = try Exported(profile, customOnly, in: chat)
                // The same store is read once.
                let isHere = given == nil && withStore == nil
                return (here, try isHere ? Exported(other, customOnly, in: chat) : nil)
            }
        }
        here.warn(output)
        let name: String
        let file: PresetFile
        if let given {
            (name, file) = (InputFile.name(files[0]), given)
        } else {
            if withUser == nil { other.user = "name:\(here.user.name)" }
            let found = try there ?? otherStore(other, output)
            found.warn(output)
            (name, file) = (withStore.map { "\(found.user.name) in \($0)" } ?? found.user.name, found.export.file)
        }
        try write(
            PresetDiffReport(
                from: .profile(here.user), other: name,
                diff: PresetDiff(from: here.export.file, to: file, asImport: true)),
            output)
    }

    private func compareFiles(_ output: Output) throws {
        let read = try files.map { try input.read($0, output).file }
        let names = files.map(InputFile.name)
        try write(
            PresetDiffReport(from: .file(names[0]), other: names[1], diff: PresetDiff(from: read[0], to: read[1])),
            output)
    }

    private func write(_ report: PresetDiffReport, _ output: Output) throws {
        try output.write(report)
        if exitCode, !report.diff.changes.isEmpty { throw Answer(status: .no) }
    }

    /// A profile of another store. An error for an unknown name says which store it is about.
    private func otherStore(_ other: ProfileOptions, _ output: Output) throws -> Exported {
        do {
            return try StoreSession(other.store, output).read { store in
                try store.read { try Exported(other, customOnly, in: $0) }
            }
        } catch NameError.notFound(let code, _, let name, let candidates, _) {
            let store = withStore ?? ""
            throw NameError.notFound(
                code: code,
                message: "there is no profile \"\(name)\" in the store \(store); --with-user names another", name: name,
                candidates: candidates, list: HintedCommand(.userList, ["-d", store]))
        }
    }
}

/// The relays and servers of a profile.
private struct Exported {
    let user: User
    let export: ExportedPreset

    init(_ profile: ProfileOptions, _ customOnly: Bool, in chat: any ReadTransaction) throws {
        user = try profile.profile(in: chat)
        let selection = PresetSelection(customOnly: customOnly)
        export = try PresetExport(of: user.id, in: chat, hidden: .shown, selection).file()
    }

    func warn(_ output: Output) {
        for note in export.notes { output.warn("\(user.name): \(note)") }
    }
}
