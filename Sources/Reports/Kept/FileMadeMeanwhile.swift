import ChatDBKit
import Foundation

/// A file that another program made in the place of an old one while a restore or a change of the passphrase was
/// interrupted. chatdb keeps it beside the replaced files, with a number after its name.
/// Rule: docs/encryption.md, "Changing the passphrase".
package struct FileMadeMeanwhile {
    /// The path where it was made.
    let place: String
    /// The path where it is kept.
    let path: String

    /// The ones in a folder of replaced files, sorted. The old file of the same name is there too.
    package static func all(in folder: String) -> [FileMadeMeanwhile] {
        let names = names(in: folder)
        return names.sorted().compactMap { name in
            guard let end = name.lastIndex(of: "-"), Int(name[end...].dropFirst()) != nil,
                names.contains(String(name[..<end]))
            else { return nil }
            return FileMadeMeanwhile(place: "\(parentFolder(of: folder))/\(name[..<end])", path: "\(folder)/\(name)")
        }
    }

    /// What a user has to know of it.
    /// - Parameter work: what was interrupted.
    package func sentence(_ work: String) -> String {
        "another program made \(place) while the \(work) was interrupted; chatdb kept it as \(path)"
    }

    /// The files in the folder that are not one of these, and not a journal of one; sorted.
    static func others(in folder: String, than made: [FileMadeMeanwhile]) -> [String] {
        names(in: folder).sorted().map { "\(folder)/\($0)" }.filter { path in
            !made.contains { path == $0.path || path.hasPrefix($0.path + "-") }
        }
    }

    private static func names(in folder: String) -> Set<String> {
        Set((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
    }
}
