import Foundation
import TestKit
import Testing

/// Answers compared with what was recorded under `Tests/ToolTests/Snapshots`. `make golden` records them anew.
enum Recording {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Snapshots")

    /// Compares a text with the recording of that name, with what differs from run to run made the same.
    static func check(
        _ text: String, _ name: String, in folder: TemporaryFolder, sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let settled = settle(text, folder)
        let file = Self.folder.appendingPathComponent(name)
        if ProcessInfo.processInfo.environment["CHATDB_RECORD_SNAPSHOTS"] == "1" {
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(settled.utf8).write(to: file)
        }
        let recorded = try String(contentsOf: file, encoding: .utf8)
        #expect(settled == recorded, "\(name): make golden, and look at the difference", sourceLocation: sourceLocation)
    }

    /// Paths, times and durations are not the same twice.
    private static func settle(_ text: String, _ folder: TemporaryFolder) -> String {
        text.replacing(folder.path, with: "/FOLDER")
            .replacing((folder.path as NSString).standardizingPath, with: "/FOLDER")
            .replacing(#/[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]{8}(\.[0-9]{3})?Z/#, with: "2026-01-01T00:00:00Z")
            .replacing(#/x-[0-9]{8}T[0-9]{6}Z-/#, with: "x-20260101T000000Z-")
    }
}
