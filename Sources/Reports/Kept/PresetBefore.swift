package import ChatDBKit
import Foundation

/// A preset file that a command keeps beside the store before it imports, removes or replaces relays and servers. It
/// has passwords and test results, with mode 600. For an encrypted store it is a backup instead, which is encrypted
/// too.
package struct PresetBefore {
    package let path: String
    /// The command that puts the contents of the file back.
    package let command: String
    /// Whether it is a backup of the store, and the path its folder.
    package let isBackup: Bool
    /// Whether the file has a password of a server.
    package let hasPasswords: Bool

    package init(path: String, command: String, isBackup: Bool = false, hasPasswords: Bool = false) {
        self.path = path
        self.command = command
        self.isBackup = isBackup
        self.hasPasswords = hasPasswords
    }

    /// The path in a sentence, with a clause if the file has passwords.
    package var contents: String { hasPasswords ? "\(path), with passwords" : path }

    package var json: JSONValue {
        .object([.init(isBackup ? "backup" : "file", .string(path)), .init("command", .string(command))])
    }
}

extension PresetBefore {
    /// The files in which imports and syncs kept the configuration from before, and deletions what they deleted,
    /// sorted. They do not name their profile.
    package static func paths(beside prefix: String) -> [String] {
        let (folder, name) = (parentFolder(of: prefix), fileName(of: prefix))
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return files.filter { file in
            file.hasSuffix(".json") && ["before", "deleted"].contains { file.hasPrefix("\(name)-\($0)-") }
        }
        .sorted()
        .map { prefix.dropLast(name.count) + $0 }
    }

    /// Whether a file has the name of a kept configuration, and is not beside this store or is named after another one.
    package static func isOfAnotherStore(_ path: String, than prefix: String) -> Bool {
        let name = fileName(of: path)
        guard name.firstMatch(of: #/-before-[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{6}\..*\.json$/#) != nil else {
            return false
        }
        func folder(_ path: String) -> String {
            URL(fileURLWithPath: parentFolder(of: path)).resolvingSymlinksInPath().path
        }
        return !name.hasPrefix("\(fileName(of: prefix))-before-") || folder(path) != folder(prefix)
    }
}
