import Foundation
import TestKit

/// The built `chatdb` as a process that has not been started: in a folder, with nothing of the test's own environment.
enum ToolProcess {
    static func make(
        _ arguments: [String], in folder: TemporaryFolder, environment: [String: String] = [:]
    ) throws -> Process {
        let process = Process()
        process.executableURL = try BuiltTool.find()
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: folder.path)
        var variables = ProcessInfo.processInfo.environment.filter {
            !$0.key.hasPrefix("CHATDB_") && !["COLUMNS", "NO_COLOR", "TERM"].contains($0.key)
        }
        variables["CHATDB_STORE"] = folder.file("x")
        variables["TERM"] = "xterm"
        process.environment = variables.merging(environment) { $1 }
        return process
    }
}
