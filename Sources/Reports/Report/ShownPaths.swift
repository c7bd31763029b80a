package import ChatDBKit
import Foundation
import Synchronization

/// Paths of private copies, which no output shows: it names the archive that was unpacked into them. A database in it
/// is shown as `x.zip/simplex_v1_chat.db`.
package enum ShownPaths {
    private struct Replacement {
        package let path: String
        package let shown: String
    }

    private static let replacements = Mutex<[Replacement]>([])
    private static let isUsed = Atomic<Bool>(false)

    /// Whether any path is replaced.
    package static var areReplaced: Bool { isUsed.load(ordering: .relaxed) }

    /// Shows a prefix in a private folder, and the folder itself, as the archive.
    package static func show(_ prefix: String, in folder: String, as archive: String) {
        let resolved = URL(fileURLWithPath: folder).resolvingSymlinksInPath().path
        let name = prefix.dropFirst(folder.count)
        replacements.withLock { replacements in
            for folder in Set([folder, resolved, folder.replacing("//", with: "/")]).sorted(by: { $0.count > $1.count })
            {
                replacements.append(Replacement(path: "\(folder)\(name)_", shown: "\(archive)\(name)_"))
                replacements.append(Replacement(path: "\(folder)\(name)", shown: archive))
                replacements.append(Replacement(path: folder, shown: archive))
            }
        }
        isUsed.store(true, ordering: .relaxed)
    }

    /// Shows a private folder as another one.
    package static func show(folder: String, as shown: String) {
        replacements.withLock { $0.append(Replacement(path: folder, shown: shown)) }
        isUsed.store(true, ordering: .relaxed)
    }

    /// The archive that an output must not replace, if the path is one.
    package static func isArchive(_ path: String) -> Bool {
        guard areReplaced, let identity = FileIdentity(at: path) else { return false }
        return replacements.withLock { $0.contains { FileIdentity(at: $0.shown) == identity } }
    }

    /// A text with these paths replaced.
    package static func text(_ text: String) -> String {
        guard areReplaced else { return text }
        return replacements.withLock { replacements in
            replacements.reduce(text) { $0.replacing($1.path, with: $1.shown) }
        }
    }

    /// A JSON value with these paths replaced in its texts.
    package static func value(_ value: JSONValue) -> JSONValue {
        guard areReplaced else { return value }
        switch value {
        case .string(let text): return .string(Self.text(text))
        case .array(let values): return .array(values.map(Self.value))
        case .object(let members): return .object(members.map { .init($0.name, Self.value($0.value)) })
        default: return value
        }
    }
}
