import Foundation
import Testing

/// Outputs that are compared with what was recorded, under `Tests/Snapshots`. `make golden` records them anew.
enum Snapshot {
    /// Compares a text with the recording of that name, with what differs from run to run made the same.
    static func check(
        _ text: String, _ name: String, in run: ToolRun? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let settled = settle(text, run)
        let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent("Snapshots/Tool/\(name).txt")
        if ProcessInfo.processInfo.environment["CHATDB_RECORD_SNAPSHOTS"] == "1" {
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try settled.write(to: url, atomically: true, encoding: .utf8)
            return
        }
        let recorded = try String(contentsOf: url, encoding: .utf8)
        #expect(settled == recorded, "\(name)", sourceLocation: sourceLocation)
    }

    /// Paths, store ids, times and sizes are not the same twice; their lengths on a terminal are.
    private static func settle(_ text: String, _ run: ToolRun?) -> String {
        var text = text
        if let run { text = text.replacing(run.folder.path, with: "/FOLDER") }
        text = text.replacing(#/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/#, with: "STORE-ID")
        text = text.replacing(#/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}(\.[0-9]{3})?Z/#, with: "TIME")
        text = text.replacing(#/"bytes": [0-9]+/#, with: "\"bytes\": SIZE")
        return text.replacing(#/[0-9]{3}\.[0-9] KiB/#, with: "NNN.N KiB")
    }
}
