import ChatDBKit
import Foundation

/// A copy of a profile's configuration, kept beside the store before a command removes or replaces parts of it. It
/// holds passwords and test results, with mode 600.
struct PresetBefore {
    let path: String
    /// The command that restores it.
    let command: String

    /// Writes the file and reads it again. Throws `CannotKeepBefore` if that fails, and then leaves no file.
    static func write(of user: User, in chat: any ReadTransaction, beside prefix: String) throws -> PresetBefore {
        let time = (StoredTime(Date()).iso8601 as NSString).replacingOccurrences(of: ":", with: "")
        let stem = "\(prefix)-before-\(time)"
        // Two copies in the same millisecond are still two files.
        var (path, attempt) = (stem + ".json", 1)
        while FileManager.default.fileExists(atPath: path) {
            attempt += 1
            path = "\(stem)-\(attempt).json"
        }
        try NewOutputFile.write(to: path, replacing: false, of: try StoreLocation(prefix: prefix)) { sink in
            _ = try PresetExport(of: user.id, in: chat, hidden: .shown)
                .write(PresetDisclosure(secrets: true, testResults: true), to: sink)
        }
        do {
            try requireReadable(InputFile.read(path, upTo: PresetFile.largestKeptFile), named: path)
        } catch {
            unlink(path)
            throw error
        }
        return PresetBefore(path: path, user: user, prefix: prefix)
    }

    /// Throws `CannotKeepBefore` like `write`, and writes nothing.
    static func check(of user: User, in chat: any ReadTransaction) throws {
        var bytes: [UInt8] = []
        _ = try PresetExport(of: user.id, in: chat, hidden: .shown)
            .write(PresetDisclosure(secrets: true, testResults: true)) { bytes += $0 }
        try requireReadable(bytes, named: "")
    }

    private static func requireReadable(_ bytes: [UInt8], named name: String) throws {
        do {
            _ = try PresetFile.read(bytes, named: name, upTo: PresetFile.largestKeptFile)
        } catch {
            guard case PresetError.invalidPreset(let problems, _) = error, let problem = problems.first else {
                throw error
            }
            throw CannotKeepBefore(problem: problem)
        }
    }

    private init(path: String, user: User, prefix: String) {
        self.path = path
        let hidden = user.isHidden ? " --show-hidden" : ""
        command =
            "chatdb preset import \(Self.quoted(path)) --mode restore --user id:\(user.id)\(hidden) "
            + "--store \(Self.quoted(prefix))"
    }

    /// Removes the copy after a change that failed.
    func remove() { unlink(path) }

    var json: JSONValue { ["file": .string(path), "command": .string(command)] }

    /// A word of the shell.
    private static func quoted(_ text: String) -> String {
        let plain = text.unicodeScalars.allSatisfy { scalar in
            scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789/._-+:@%,".unicodeScalars.contains(scalar))
        }
        return plain ? text : "'" + text.replacing("'", with: "'\\''") + "'"
    }
}

/// The configuration of a profile cannot be written to a file that could be read again.
struct CannotKeepBefore: Reportable {
    let problem: PresetProblem

    var report: ErrorReport {
        ErrorReport(
            "cannotKeepBefore",
            "the present configuration of the profile could not be restored from a file: "
                + (problem.path.isEmpty ? problem.message : "\(problem.path): \(problem.message)"),
            state: "Nothing was changed.",
            hint: "correct that entry, or use --no-before to make the changes without a copy", exit: .no)
    }
}

extension PresetBefore {
    /// The files in which imports and syncs kept what they replaced, sorted. They do not name their profile.
    static func paths(beside prefix: String) -> [String] {
        let (folder, name) = ((prefix as NSString).deletingLastPathComponent, (prefix as NSString).lastPathComponent)
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.isEmpty ? "." : folder)) ?? []
        return files.filter { $0.hasPrefix("\(name)-before-") && $0.hasSuffix(".json") }.sorted()
            .map { prefix.dropLast(name.count) + $0 }
    }
}
