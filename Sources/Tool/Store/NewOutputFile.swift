import Foundation
import Schema

/// Files a command makes for somebody.
enum NewOutputFile {
    /// Writes a file for the owner alone, whole or not at all; one that is there is replaced only when asked.
    static func write(_ bytes: [UInt8], to path: String, replacing: Bool) throws {
        if !replacing, FileManager.default.fileExists(atPath: path) { throw OutputFileError.exists(path) }
        let temporary = path + ".new-\(UUID().uuidString.prefix(8))"
        guard
            FileManager.default.createFile(
                atPath: temporary, contents: Data(bytes), attributes: [.posixPermissions: 0o600])
        else { throw OutputFileError.cannotWrite(path, String(cString: strerror(errno))) }
        guard rename(temporary, path) == 0 else {
            let reason = String(cString: strerror(errno))
            unlink(temporary)
            throw OutputFileError.cannotWrite(path, reason)
        }
    }
}

enum OutputFileError: Reportable {
    case exists(String)
    case cannotWrite(String, String)

    var report: ErrorReport {
        switch self {
        case .exists(let path):
            ErrorReport(
                "fileExists", "\(path) is there already", state: "Nothing was written.",
                hint: "--force replaces it", details: ["path": .string(path)], exit: .cannotCreate)
        case .cannotWrite(let path, let reason):
            ErrorReport(
                "cannotWrite", "\(path) cannot be written: \(reason)", details: ["path": .string(path)],
                exit: .cannotCreate)
        }
    }
}
