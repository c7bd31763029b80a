import ArgumentParser
import ChatDBKit

struct PresetListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the presets that ship with chatdb.",
        discussion: """
            Examples:
              chatdb preset list
              chatdb preset list --format json
            """, aliases: ["ls"])

    @OptionGroup var output: OutputOptions

    func run() throws {
        let presets = try BundledPresets.names.map { (name: $0, file: try BundledPresets.preset(named: $0)) }
        try output.write(PresetListReport(presets: presets))
    }
}

/// The bundled presets.
struct PresetListReport: Report {
    typealias Preset = (name: String, file: PresetFile)

    let presets: [Preset]

    var json: JSONValue { ["presets": .array(presets.map { Self.fields.json($0) })] }
    var document: Document { [.table(Self.listed.table(presets, whenEmpty: "none"))] }

    private static var fields: [FieldSpec<Preset>] {
        [name, .flag("standard") { $0.name == BundledPresets.standardName }, operators] + counts
    }

    private static var listed: [FieldSpec<Preset>] { [name, operators] + counts }

    private static var name: FieldSpec<Preset> { .text("name", "Name") { $0.name } }
    private static var operators: FieldSpec<Preset> {
        .texts("operators", "Operators", shrinking: .end, separator: ", ") { $0.file.operators.map(\.tradeName) }
    }
    private static var counts: [FieldSpec<Preset>] {
        [
            .count("relays", "Relays") { $0.file.count(\.relays.count) },
            .count("smpServers", "SMP servers") { $0.file.count(\.smpServers.count) },
            .count("xftpServers", "XFTP servers") { $0.file.count(\.xftpServers.count) },
        ]
    }
}

extension PresetFile {
    /// The sum over all operators and the custom entries.
    func count(_ number: (PresetEntries) -> Int) -> Int {
        operators.reduce(number(custom)) { $0 + number($1.entries) }
    }
}
