import ChatDBKit
import Foundation
import Testing

/// docs/preset.schema.json and docs/presets.md against what the reader takes and the writer writes.
@Suite struct PresetSchemaTests {
    private static let docs = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../docs").standardizedFileURL

    private let check: SchemaCheck

    init() throws {
        let text = try String(contentsOf: Self.docs.appendingPathComponent("preset.schema.json"), encoding: .utf8)
        check = SchemaCheck(root: try JSONValue(parsing: text))
    }

    @Test("the shipped preset, and the example of the documents, are valid by the schema and by the reader")
    func examples() throws {
        let page = try String(contentsOf: Self.docs.appendingPathComponent("presets.md"), encoding: .utf8)
        let blocks = page.components(separatedBy: "```json\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
        #expect(blocks.count == 1)
        for text in try blocks + [#require(BundledPresets.text(named: "simplex"))] {
            #expect(check.problems(try JSONValue(parsing: text)) == [])
            #expect(throws: Never.self) { try PresetFile.read(text.utf8) }
        }
    }

    @Test("every export is valid by the schema", arguments: 0..<40)
    func exports(_ seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let preset = try random.preset()
        for disclosure in [PresetDisclosure(), PresetDisclosure(secrets: true, testResults: true)] {
            #expect(check.problems(preset.json(disclosure)) == [])
        }
    }

    @Test(
        "the schema refuses the files that the reader refuses for their form",
        arguments: [
            #"{"version": 1}"#, #"{"format": "chatdb-preset", "version": 2}"#,
            #"{"format": "chatdb-preset", "version": 1, "other": 1}"#,
            #"{"format": "chatdb-preset", "version": 1, "custom": {"relays": [{}]}}"#,
            #"{"format": "chatdb-preset", "version": 1, "custom": {"relays": [{"address": "smp://x"}]}}"#,
            #"{"format": "chatdb-preset", "version": 1, "custom": {"smpServers": [{"address": 1}]}}"#,
            #"{"format": "chatdb-preset", "version": 1, "operators": [{"tradeName": ""}]}"#,
            #"{"format": "chatdb-preset", "version": 1, "operators": [{"tradeName": "x", "use": {"smp": -1}}]}"#,
        ])
    func refused(_ text: String) throws {
        #expect(throws: PresetError.self) { try PresetFile.read(text.utf8) }
        #expect(check.problems(try JSONValue(parsing: text)) != [])
    }
}
