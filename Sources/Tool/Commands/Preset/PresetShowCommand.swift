import ArgumentParser
import ChatDBKit

struct PresetShowCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show a preset that ships with chatdb, or a file of relays and servers.",
        discussion: """
            Reads no store. Passwords of servers are not shown; a note says which servers have one in the file. With \
            --format json, prints the preset file without passwords.

            Examples:
              chatdb preset show
              chatdb preset show friend.json
              chatdb preset show simplex --format json
            """)

    @Argument(help: "The preset's name, or a file; - reads standard input.", completion: .file())
    var name = BundledPresets.standardName

    @OptionGroup var input: PresetInputOptions
    @OptionGroup var output: OutputOptions

    func run() throws {
        let output = try output.output()
        let report = PresetReport(preset: try preset(output))
        try output.write(report)
        // The answer in JSON is the file, which has no place for notes.
        if output.format == .json { for note in report.hiddenPasswords { output.warn(note) } }
    }

    private func preset(_ output: Output) throws -> PresetFile {
        if BundledPresets.names.contains(name) { return try BundledPresets.preset(named: name) }
        if name == "-" || FileState(at: name) != .missing { return try input.read(name, output).file }
        throw NameError.notFound(
            code: "presetNotFound",
            message: "no preset \"\(name)\" ships with this build, and there is no file of that name", name: name,
            candidates: BundledPresets.names, list: HintedCommand(.presetList))
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
        if blocks.isEmpty { blocks.append(.paragraph("no entries")) }
        return Document(blocks + [.notes((hiddenPasswords + withoutPassword).map { .note($0) })])
    }

    /// The servers whose password is in the file, a sentence each.
    fileprivate var hiddenPasswords: [String] {
        servers.filter { $0.address.password != nil }.map {
            "the file has the password of \($0.address.primaryHost), which is not shown here"
        }
    }

    /// The servers whose password the file omits, a sentence each.
    private var withoutPassword: [String] {
        servers.filter(\.isPasswordOmitted).map { "the file omits the password of \($0.address.primaryHost)" }
    }

    private var servers: [PresetServer] { preset.allServers }

    private var custom: Table { Self.table(preset.custom) }

    private static func fields(_ preset: PresetOperator) -> [Field] {
        var fields = [
            Field("Domains", .text(preset.domains.joined(separator: ", "))), Field("Enabled", .yesNo(preset.isEnabled)),
        ]
        if let use = preset.use {
            let used = [(use.relays, "relay"), (use.smp, "SMP server"), (use.xftp, "XFTP server")]
            fields.append(Field("In use", .text(used.map { counted($0, $1) }.joined(separator: ", "))))
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
                Column("Kind"), Column("Name", shrinking: .end), Column("Address", shrinking: .listedAddress),
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

extension PresetFile {
    /// Its servers, those of operators first.
    var allServers: [PresetServer] {
        (operators.map(\.entries) + [custom]).flatMap { $0.smpServers + $0.xftpServers }
    }
}
