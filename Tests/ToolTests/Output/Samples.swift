import ChatDBKit
import Foundation

@testable import ChatDBTool

/// A sample report, written like those of commands.
struct SampleReport: Report {
    struct Relay {
        let id: Int64
        let name: String
        let address: String
        let enabled: Bool
        let tested: Bool?
        let channels: Int
        let lastUsed: Date?
        let bytes: Int64
    }

    let user: String
    let relays: [Relay]

    var json: JSONValue {
        [
            "user": .string(user),
            "relays": .array(
                relays.map {
                    [
                        "chatRelayId": .integer($0.id), "name": .string($0.name), "address": .string($0.address),
                        "enabled": .bool($0.enabled), "tested": JSONValue($0.tested),
                        "channels": ["using": JSONValue($0.channels)], "lastUsed": .time($0.lastUsed),
                    ]
                }),
        ]
    }

    var document: Document {
        [
            .heading("Relays of \(user)"),
            .table(
                Table(
                    [
                        Column("Id", key: "chatRelayId", alignment: .right), Column("Name", shrinking: .end),
                        Column("Address", shrinking: .middle), Column("Enabled"), Column("Tested"),
                        Column("Channels", alignment: .right), Column("Last used"),
                        Column("Size", key: "bytes", alignment: .right),
                    ],
                    rows: relays.map {
                        [
                            .number($0.id), .text($0.name, .strong), .text($0.address),
                            .yesNo($0.enabled, $0.enabled ? .good : .dim), .yesNo($0.tested), .count($0.channels),
                            .time($0.lastUsed), .bytes($0.bytes),
                        ]
                    },
                    whenEmpty: "no relays")),
        ]
    }

    static let now = Date(timeIntervalSince1970: 1_767_225_600)

    static let usual = SampleReport(
        user: "alice",
        relays: [
            Relay(
                id: 1, name: "Relay one", address: "https://relay1.simplex.im/r#0123456789abcdefghijklmnopqrstuvwxyz",
                enabled: true, tested: true, channels: 12_345, lastUsed: now - 3 * 3600, bytes: 1536),
            Relay(
                id: 22, name: "中文 é relay, with a long name", address: "https://b.example/r#x", enabled: false,
                tested: nil, channels: 0, lastUsed: nil, bytes: 5 << 30),
        ])
}

struct DocumentReport: Report {
    let document: Document
    let json: JSONValue

    init(_ document: Document, json: JSONValue = [:]) {
        self.document = document
        self.json = json
    }
}

/// Collects what the output layer writes.
final class Captured {
    var output = ""
    var error = ""
}

func output(
    _ format: OutputFormat = .table, color: ColorChoice = .auto, csvRaw: Bool = false, isQuiet: Bool = false,
    isVerbose: Bool = false, terminal: Terminal = Terminal(), into captured: Captured
) -> Output {
    Output(
        format, color: color, csvRaw: csvRaw, isQuiet: isQuiet, isVerbose: isVerbose, terminal: terminal,
        standardOutput: { captured.output += String(decoding: $0, as: UTF8.self) },
        standardError: { captured.error += String(decoding: $0, as: UTF8.self) }, now: { SampleReport.now })
}

func written(
    _ report: some Report, _ format: OutputFormat = .table, width: Int? = nil, color: ColorChoice = .never
) throws -> String {
    let captured = Captured()
    let terminal = Terminal(outputIsTerminal: width != nil, width: width ?? 80)
    try output(format, color: color, terminal: terminal, into: captured).write(report)
    return captured.output
}
