import Foundation
import TestKit

/// The C library, and a folder in which a compiler and a loader find it under its installed name.
struct BuiltLibrary {
    /// The library that was built.
    let path: String
    private let run: ToolRun

    /// - Parameter run: the folder of a test.
    init(_ run: ToolRun) throws {
        self.run = run
        path = try BuiltTool.library().path
        let lib = run.file("lib")
        try FileManager.default.createDirectory(atPath: lib, withIntermediateDirectories: true)
        // The library of a debug build has another name inside, by which the loader looks for it.
        for name in ["libchatdb.so", "libchatdb.so.0", "libCChatDB.so"] {
            try FileManager.default.createSymbolicLink(atPath: lib + "/" + name, withDestinationPath: path)
        }
    }

    /// Compiles a program in C with the system's compiler, which is not Swift's.
    func compile(_ source: String, as program: String, _ options: String = "-std=c99") throws -> ToolRun.Outcome {
        try run.shell(
            "cc \(options) -Wall -Wextra -Wpedantic -Werror -I '\(header)' -o '\(program)' '\(source)' "
                + "-L lib -lchatdb -Wl,-rpath,\"$PWD/lib\" -pthread")
    }

    /// The folder of chatdb.h.
    var header: String { Self.repository.appendingPathComponent("C").path }

    static var repository: URL { URL(fileURLWithPath: #filePath).deletingLastPathComponent(count: 4) }
}

extension URL {
    fileprivate func deletingLastPathComponent(count: Int) -> URL {
        (0..<count).reduce(self) { url, _ in url.deletingLastPathComponent() }
    }
}
