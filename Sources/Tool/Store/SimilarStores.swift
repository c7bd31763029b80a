import ChatDBKit
import Foundation

/// Stores beside a new one whose names differ from its name by a few letters. The path of the new store may be a
/// mistyped one.
enum SimilarStores {
    /// A warning that names them; nil if there are none, or if the databases have names of their own.
    static func warning(of location: StoreLocation) -> String? {
        if location.hasNamedFiles { return nil }
        let files = (try? FileManager.default.contentsOfDirectory(atPath: location.folder)) ?? []
        let names = files.filter { $0.hasSuffix(suffix) }.map { String($0.dropLast(suffix.count)) }
        let others = names.filter { $0 != location.name }.sorted()
        return DidYouMean.hint(for: location.name, among: others).map {
            "the folder of the new store has a store of a similar name: \($0)"
        }
    }

    private static let suffix = "_chat.db"
}
