import ChatDBKit
import Foundation
import TestKit

extension ToolRun {
    /// The exit and the output of a process.
    struct Outcome {
        let code: Int32
        let output: String
        let errors: String

        /// The answer as JSON.
        func answer() throws -> JSONValue { try JSONValue(parsing: output) }

        /// The value of `"error"` on standard error, which must contain nothing else.
        func refusal() throws -> JSONValue {
            guard let error = try JSONValue(parsing: errors)["error"] else {
                throw Failure(description: "no error in \(errors)")
            }
            return error
        }
    }
}

extension Process {
    /// Runs a process without input to its end.
    func outcome() throws -> ToolRun.Outcome {
        let (output, errors) = (Pipe(), Pipe())
        standardInput = FileHandle.nullDevice
        standardOutput = output
        standardError = errors
        try run()
        // Both pipes at once: a full one would stop the process.
        let reader = ThreadResult { [handle = errors.fileHandleForReading] in handle.readDataToEndOfFile() }
        let text = output.fileHandleForReading.readDataToEndOfFile()
        let said = try reader.value()
        waitUntilExit()
        return ToolRun.Outcome(
            code: terminationStatus, output: String(decoding: text, as: UTF8.self),
            errors: String(decoding: said, as: UTF8.self))
    }
}

extension JSONValue {
    /// The texts of an array of texts; nil for anything else.
    var texts: [String]? {
        guard let elements = arrayValue, elements.allSatisfy({ $0.stringValue != nil }) else { return nil }
        return elements.compactMap(\.stringValue)
    }
}
