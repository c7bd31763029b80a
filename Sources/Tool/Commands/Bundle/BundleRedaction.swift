import ChatDBKit
import Foundation

/// Takes out of sentences where the store is, and every other path.
struct BundleRedaction {
    private let name: String
    /// What is replaced, the longest first.
    private let known: [(path: String, with: String)]

    init(_ location: StoreLocation) {
        name = location.name
        let folder = Self.real(location.folder)
        var known: [(path: String, with: String)] = [
            (location.prefix, "STORE"), ("\(folder)/\(location.name)", "STORE"),
        ]
        // Links have the form of where they lead.
        for database in DatabaseName.allCases {
            known.append((Self.real(location.path(of: database)), "STORE_\(database).db"))
        }
        // What is in these folders is a path still.
        known += [location.folder, folder, NSTemporaryDirectory(), Self.real(NSTemporaryDirectory())].map { ($0, "/") }
        self.known = known.map { (Self.plain($0.path), $0.with) }.filter { $0.path.count > 1 }
            .sorted { $0.path.count > $1.path.count }
    }

    /// Without a slash behind a slash, or at the end.
    private static func plain(_ path: String) -> String {
        let path = path.replacing(#/\/+/#, with: "/")
        return path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    private static func real(_ path: String) -> String { URL(fileURLWithPath: path).resolvingSymlinksInPath().path }

    /// The sentence with `STORE` in the place of the store's path and of its name, and no other path. A path may have
    /// blanks in it, so one that is not known takes with it what follows up to a colon, a semicolon or a quote.
    func text(_ text: String) -> String {
        var text = text.replacing(#/\/\/+/#, with: "/")
        for (path, with) in known { text = text.replacing(path, with: with) }
        for database in DatabaseName.allCases {
            text = text.replacing("\(name)_\(database).db", with: "STORE_\(database).db")
        }
        return text.replacing(#/(^|[\s("'])/[^:;"']+/#) { "\($0.output.1)PATH" }
    }
}
