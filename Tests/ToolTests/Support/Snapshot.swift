import Foundation
import Testing

/// Outputs that tests compare with recordings in `Tests/Snapshots/Tool`. `make golden` records them again.
enum Snapshot {
    /// Compares a text with the recording in the file of that name, after replacing the parts that differ from run to
    /// run.
    static func check(
        _ text: String, _ name: String, in chatdb: ToolRun? = nil, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let settled = settle(text, chatdb)
        let file = folder.appendingPathComponent(name)
        if ProcessInfo.processInfo.environment["CHATDB_RECORD_SNAPSHOTS"] == "1" {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(settled.utf8).write(to: file)
            return
        }
        let recorded = try? String(contentsOf: file, encoding: .utf8)
        #expect(
            settled == recorded, "\(name): make golden, and look at the difference", sourceLocation: sourceLocation)
    }

    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Snapshots/Tool").standardizedFileURL

    /// Paths, store ids, times and sizes differ in every run; their lengths on a terminal do not.
    static func settle(_ text: String, _ chatdb: ToolRun?) -> String {
        var text = text
        if let path = chatdb?.folder.path {
            text = text.replacing(path, with: "/FOLDER")
                .replacing((path as NSString).standardizingPath, with: "/FOLDER")
        }
        return text.replacing(#/[0-9]+ minutes? ago/#, with: "just now")
            .replacing(#/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/#, with: "STORE-ID")
            .replacing(#/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}(\.[0-9]{3})?Z/#, with: "TIME")
            .replacing(#/x-[0-9]{8}T[0-9]{6}Z-/#, with: "x-TIME-")
            .replacing(#/"bytes": [0-9]+/#, with: "\"bytes\": SIZE")
            .replacing(#/[0-9]{3}\.[0-9] KiB/#, with: "NNN.N KiB")
    }
}
