import ChatDBKit
import Foundation
import TestKit

@testable import ChatDBArchives

/// Archives that `archives.py` writes with Python's zipfile, with zip, and by hand. They are made once.
enum TestArchives {
    private static let made = Result { try make() }

    private struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The folder with them.
    static func folder() throws -> TemporaryFolder { try made.get() }

    private static func make() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("archives.py")
        process.arguments = ["python3", script.path, folder.path]
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(description: "archives.py failed") }
        return folder
    }

    /// The path of one of them: `good/stored`.
    static func path(_ name: String) throws -> String { try folder().file(name + ".zip") }

    /// The names of all in one of the folders.
    static func names(in kind: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder().file(kind)).filter { $0.hasSuffix(".zip") }
            .map { "\(kind)/\($0.dropLast(4))" }.sorted()
    }

    /// The files below a folder, by their paths in it.
    static func files(below path: String) throws -> [String: Data] {
        var files: [String: Data] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
            var isFolder: ObjCBool = false
            let whole = "\(path)/\(name)"
            guard FileManager.default.fileExists(atPath: whole, isDirectory: &isFolder), !isFolder.boolValue else {
                continue
            }
            files[name] = FileManager.default.contents(atPath: whole)
        }
        return files
    }

    /// Opens an archive and unpacks everything of it into a folder.
    static func unpack(_ path: String, into folder: String, _ limits: ArchiveLimits = ArchiveLimits()) throws {
        let reader = try ArchiveReader(path, limits)
        try ArchiveUnpacking(reader, ArchiveContents(of: reader)).everything(into: folder)
    }
}
