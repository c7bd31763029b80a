import ArgumentParser
import ChatDBKit

struct PresetShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a preset that ships with chatdb.",
        discussion: """
            With --format json, prints the preset file.

            Examples:
              chatdb preset show
              chatdb preset show simplex --format json
            """)

    @Argument(help: "The preset's name.")
    var name = BundledPresets.standardName

    @OptionGroup var output: OutputOptions

    func run() throws {
        guard BundledPresets.names.contains(name) else {
            let error = NameError.notFound(
                code: "presetNotFound", message: "no preset \"\(name)\" ships with this build", name: name,
                candidates: BundledPresets.names, list: HintedCommand(.presetList))
            guard FileState(at: name) != .missing else { throw error }
            throw HintedError(
                error,
                hint: """
                    \(.presetValidate, name) checks a file; \(.presetImport, name, "--dry-run") shows what it would change
                    """)
        }
        try output.write(PresetReport(preset: try BundledPresets.preset(named: name)))
    }
}

/// A preset, entry by entry.
struct PresetReport: Report {
    let preset: PresetFile

    var json: JSONValue { preset.json() }

    var document: Document {
        var blocks: [Block] = []
        for preset in preset.operators {
            blocks += [.heading(preset.tradeName), .fields(Self.fields(preset)), .table(Self.table(preset.entries))]
        }
        if !custom.rows.isEmpty { blocks += [.heading("Custom"), .table(custom)] }
        return Document(blocks)
    }

    private var custom: Table { Self.table(preset.custom) }

    private static func fields(_ preset: PresetOperator) -> [Field] {
        var fields = [
            Field("Domains", .text(preset.domains.joined(separator: ", "))), Field("Enabled", .yesNo(preset.isEnabled)),
        ]
        if let use = preset.use {
            fields.append(
                Field("In use", .text("\(use.relays) relays, \(use.smp) SMP servers, \(use.xftp) XFTP servers")))
        }
        return fields
    }

    private static func table(_ entries: PresetEntries) -> Table {
        let relays = entries.relays.map { relay -> [Cell] in
            ["relay", .text(relay.name), .text(relay.address.text), .yesNo(relay.isEnabled)]
        }
        let servers = (entries.smpServers + entries.xftpServers).map { server -> [Cell] in
            [
                .text("\(server.address.serverProtocol.text.uppercased()) server"), .text(server.address.primaryHost),
                .text(server.address.description), .yesNo(server.isEnabled),
            ]
        }
        return Table(
            [
                Column("Kind"), Column("Name", shrinking: .end), Column("Address", shrinking: .middle),
                Column("Enabled"),
            ],
            rows: relays + servers, whenEmpty: "no entries")
    }

    /// All entries, with their operator.
    var csvTable: Table {
        let parts = preset.operators.map { ($0.tradeName, Self.table($0.entries).rows) } + [("", custom.rows)]
        return Table(
            ["operator", "kind", "name", "address", "enabled"].map { Column($0, key: $0) },
            rows: parts.flatMap { name, rows in rows.map { [.text(name)] + $0 } }, whenEmpty: "")
    }
}
