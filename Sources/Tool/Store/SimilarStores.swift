import ChatDBKit
import Foundation

/// Stores beside a new one whose names differ from its name by a few letters. The path of the new store may be a
/// mistyped one.
enum SimilarStores {
    /// A warning that names them; nil if there are none. Databases with names of their own are compared with the files
    /// of the same ending.
    static func warning(of location: StoreLocation) -> String? {
        suggestion(of: location).map { meant in
            location.hasNamedFiles
                ? "the folder of the new database has a file of a similar name: \(meant)"
                : "the folder of the new store has a store of a similar name: \(meant)"
        }
    }

    /// `did you mean "chats"?`; nil if there are none.
    static func suggestion(of location: StoreLocation) -> String? {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: location.folder)) ?? []
        if location.hasNamedFiles { return ofNamedFiles(location, files) }
        let names = files.filter { $0.hasSuffix(suffix) }.map { String($0.dropLast(suffix.count)) }
        let others = names.filter { $0 != location.name }.sorted()
        return DidYouMean.hint(for: location.name, among: others)
    }

    private static func ofNamedFiles(_ location: StoreLocation, _ files: [String]) -> String? {
        let own = location.databases.map { fileName(of: location.path(of: $0)) }
        let others = files.filter { !own.contains($0) && FileState(at: "\(location.folder)/\($0)").bytes != nil }
            .sorted()
        return own.lazy.compactMap { name -> String? in
            let (stem, ending) = parts(of: name)
            let stems = others.map(parts).filter { $0.ending == ending }.map(\.stem)
            guard let similar = DidYouMean.suggestions(for: stem, among: stems, atMost: 1).first else { return nil }
            return "did you mean \"\(similar)\(ending)\"?"
        }.first
    }

    /// `app` and `.db`; the ending is empty in a name without a point.
    private static func parts(of name: String) -> (stem: String, ending: String) {
        guard let point = name.lastIndex(of: "."), point != name.startIndex else { return (name, "") }
        return (String(name[..<point]), String(name[point...]))
    }

    private static let suffix = "_chat.db"
}
