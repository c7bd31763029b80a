import ArgumentParser
import ChatDBKit

struct PresetValidateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "validate", abstract: "Check a file of relays and servers. Changes nothing.",
        discussion: """
            Reports up to 100 problems at once, each with its line, column and path. If there are problems, it exits \
            with 65.

            Examples:
              chatdb preset validate friend.yaml
              chatdb preset validate --lenient --format json newer.json
              cat addresses.txt | chatdb preset validate -
            """)

    @OptionGroup var input: PresetInput
    @OptionGroup var output: OutputOptions

    func run() throws {
        let output = try output.output()
        let read = try input.read(output)
        try output.write(PresetValidReport(file: input.file, read: read))
    }
}

/// A valid file, and its contents.
struct PresetValidReport: Report {
    let file: String
    let read: ReadPreset

    private var counts: [(key: String, title: String, count: Int)] {
        [
            ("operators", "Operators", read.file.operators.count),
            ("relays", "Relays", read.file.count(\.relays.count)),
            ("smpServers", "SMP servers", read.file.count(\.smpServers.count)),
            ("xftpServers", "XFTP servers", read.file.count(\.xftpServers.count)),
        ]
    }

    var json: JSONValue {
        .object(
            [.init("valid", true), .init("as", .string(read.format.rawValue))]
                + counts.map { .init($0.key, JSONValue($0.count)) }
                + [.init("warnings", .array(read.warnings.map(\.json)))])
    }

    var document: Document {
        [
            .paragraph("\(InputFile.name(file)) is valid."),
            .fields(
                [Field("Read as", key: "as", .text(read.format.rawValue))]
                    + counts.map { Field($0.title, key: $0.key, .count($0.count)) }),
        ]
    }
}
