import ArgumentParser
import ChatDBKit

struct PresetListCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the presets that ship with chatdb.",
        discussion: """
            Examples:
              chatdb preset list
              chatdb preset list --format json
            """)

    @OptionGroup var output: OutputOptions

    func run() throws {
        let presets = try BundledPresets.names.map { (name: $0, file: try BundledPresets.preset(named: $0)) }
        try output.write(PresetListReport(presets: presets))
    }
}

/// The presets there are.
struct PresetListReport: Report {
    let presets: [(name: String, file: PresetFile)]

    var json: JSONValue {
        [
            "presets": .array(
                presets.map { preset in
                    [
                        "name": .string(preset.name), "standard": .bool(preset.name == BundledPresets.standardName),
                        "operators": JSONValue(preset.file.operators.map(\.tradeName)),
                        "relays": JSONValue(preset.file.count(\.relays.count)),
                        "smpServers": JSONValue(preset.file.count(\.smpServers.count)),
                        "xftpServers": JSONValue(preset.file.count(\.xftpServers.count)),
                    ]
                })
        ]
    }

    var document: Document {
        [
            .table(
                Table(
                    [
                        Column("Name"), Column("Operators", shrinking: .end), Column("Relays", alignment: .right),
                        Column("SMP servers", alignment: .right), Column("XFTP servers", alignment: .right),
                    ],
                    rows: presets.map { preset in
                        [
                            .text(preset.name),
                            .text(preset.file.operators.map(\.tradeName).joined(separator: ", ")),
                            .count(preset.file.count(\.relays.count)), .count(preset.file.count(\.smpServers.count)),
                            .count(preset.file.count(\.xftpServers.count)),
                        ]
                    }, whenEmpty: "none"))
        ]
    }
}

extension PresetFile {
    /// The sum over all operators and the custom entries.
    func count(_ number: (PresetEntries) -> Int) -> Int {
        operators.reduce(number(custom)) { $0 + number($1.entries) }
    }
}
