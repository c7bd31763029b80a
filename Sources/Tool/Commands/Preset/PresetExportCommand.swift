import ArgumentParser
import Repos
import Schema

struct PresetExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export", abstract: "Write a profile's operators, servers and relays as a preset file.",
        discussion: """
            The file is JSON whatever --format says, and the same configuration gives the same bytes. Passwords of \
            servers are left out and marked as omitted. Without --output the file goes to standard output.

            Examples:
              chatdb preset export > alice.json
              chatdb preset export --user work -o work.json
            """)

    @OptionGroup var profile: ProfileOptions
    @OptionGroup var output: OutputOptions

    @Option(
        name: [.customShort("o"), .customLong("output")],
        help: ArgumentHelp("Write to this file instead of standard output.", valueName: "file"), completion: .file())
    var file: String?

    @Flag(help: "Replace the file if it is there.")
    var force = false

    func run() throws {
        let output = try output.output()
        var text: [UInt8] = []
        let notes = try StoreSession.read(profile.store, output) { store in
            try store.read { chat in
                try PresetExport(of: profile.profile(in: chat).id, in: chat, hidden: .shown)
                    .write { text += $0 }
            }
        }
        for note in notes.leftOut { output.warn(note) }
        if notes.passwords > 0 { output.note("passwords left out: \(notes.passwords)") }
        guard let file, file != "-" else { return try output.standardOutput(text) }
        try NewOutputFile.write(text, to: file, replacing: force)
        output.note("written to \(file)")
    }
}
