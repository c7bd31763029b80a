package import Foundation

/// The programs this package builds, for tests that run them as processes.
package enum BuiltTool {
    /// The executable with a name, beside the tests in the build folder. For `chatdb`, the environment variable
    /// `CHATDB_TOOL` names another path.
    package static func find(_ name: String = "chatdb") throws -> URL {
        if name == "chatdb", let path = ProcessInfo.processInfo.environment["CHATDB_TOOL"] {
            return URL(fileURLWithPath: path)
        }
        return try besideTests(name)
    }

    /// The C library, beside the tests in the build folder, or at the path of the environment variable
    /// `CHATDB_LIBRARY`.
    package static func library() throws -> URL {
        if let path = ProcessInfo.processInfo.environment["CHATDB_LIBRARY"] { return URL(fileURLWithPath: path) }
        return try besideTests("libCChatDB.so")
    }

    private static func besideTests(_ name: String) throws -> URL {
        var folder = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        // On macOS the test bundle is a folder with the program deep inside.
        for _ in 0..<5 {
            let candidate = folder.appendingPathComponent(name)
            if FileManager.default.isExecutableFile(atPath: candidate.path) { return candidate }
            folder.deleteLastPathComponent()
        }
        throw NotBuilt(name: name)
    }

    package struct NotBuilt: Error, CustomStringConvertible {
        let name: String
        package var description: String { "\(name) is not built; run swift build first" }
    }
}
