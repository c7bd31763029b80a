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

    /// `did you mean "chats"?`; nil if there are none. The folder, with a slash at its end, stands before each name.
    private static func suggestion(of location: StoreLocation, in folder: String = "") -> String? {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: location.folder)) ?? []
        if location.hasNamedFiles { return ofNamedFiles(location, files) }
        let names = files.filter { $0.hasSuffix(suffix) }.map { String($0.dropLast(suffix.count)) }
        let others = names.filter { $0 != location.name }.sorted()
        return DidYouMean.hint(for: location.name, among: others, in: folder)
    }

    /// `did you mean "support/chats"?` for the location of a store that does not exist.
    static func suggestion(ofMissing location: StoreLocation) -> String? {
        location.hasNamedFiles ? suggestion(of: location) : suggestion(ofPrefix: location.prefix)
    }

    /// The suggestion for the prefix of a store that does not exist. If its folder does not exist either, the suggestion
    /// is the store of the same name in a folder of a similar name. Nil for a store on a server.
    static func suggestion(ofPrefix path: String) -> String? {
        guard !ServerStore.isNamed(by: path), let location = try? StoreLocation(prefix: path) else { return nil }
        if typedPrefix(of: location) == nil, let here = ofPresentFolder { return here }
        guard FileState(at: location.folder) == .missing else {
            return suggestion(of: location, in: typedFolder(of: location))
        }
        let above = parentFolder(of: location.folder)
        let names = ((try? FileManager.default.contentsOfDirectory(atPath: above)) ?? []).sorted().filter {
            FileState(at: "\(above)/\($0)/\(location.name)\(suffix)").bytes != nil
        }
        let similar = DidYouMean.suggestions(for: fileName(of: location.folder), among: names, atMost: 1).first
        return similar.map { "did you mean \"\(above == "/" ? "" : above)/\($0)/\(location.name)\"?" }
    }

    /// The stores in the present folder, for a store that neither the command line nor the environment names. Nil without
    /// one.
    static var ofPresentFolder: String? {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: ".")) ?? []
        let names = files.filter { $0.hasSuffix(suffix) && $0.count > suffix.count }.sorted()
        let options = names.prefix(3).map { "-d \(ShellWord.quoted(String($0.dropLast(suffix.count))))" }
        if options.isEmpty { return nil }
        let stores = names.count == 1 ? "a store" : "stores"
        return "this folder has \(stores): \(options.joined(separator: ", "))\(names.count > 3 ? ", …" : "")"
    }

    /// The folder of a store with a slash at its end: as the command line or the environment has it, and empty for a
    /// name alone. It is the whole path for a store that neither names.
    private static func typedFolder(of location: StoreLocation) -> String {
        String((typedPrefix(of: location) ?? location.prefix).dropLast(location.name.count))
    }

    /// The prefix of a store as the command line or the environment has it; nil for a store that neither names.
    private static func typedPrefix(of location: StoreLocation) -> String? {
        typed.first { (try? StoreLocation(prefix: $0).prefix) == location.prefix }
    }

    /// Whether the path is that of the default store, and nothing names it: the store is meant to be elsewhere, or is yet
    /// to be made.
    static func isUnnamed(_ path: String) -> Bool {
        guard ConfigurationFile.valid?.store == nil, !ServerStore.isNamed(by: path),
            let location = try? StoreLocation(prefix: path),
            location.prefix == (try? StoreLocation(prefix: DefaultStore.prefix))?.prefix
        else { return false }
        return typedPrefix(of: location) == nil
    }

    /// Whether the command line or the environment has a path in this folder.
    static func isTyped(folder: String) -> Bool { typed.contains { (try? StoreLocation(prefix: $0).folder) == folder } }

    /// The words of the command line and the values of its options, and the store of the environment.
    private static var typed: [String] {
        let values = CommandLine.arguments.dropFirst().flatMap { argument in
            [argument] + argument.split(separator: "=", maxSplits: 1).dropFirst().map(String.init)
        }
        // `StoreOptions.variable` is in a layer above this one.
        return values + [ProcessEnvironment.variables["CHATDB_STORE"] ?? ""]
    }

    /// `did you mean "phone/chats.zip"?`, for an archive that does not exist; nil if its folder has no archive of a
    /// similar name. The folder stands before the name as it was typed.
    static func suggestion(ofArchive path: String) -> String? {
        guard let location = try? StoreLocation(prefix: path) else { return nil }
        let files = (try? FileManager.default.contentsOfDirectory(atPath: location.folder)) ?? []
        return suggestion(
            for: location.name, among: files, in: location.folder, typed: typedFolder(of: location))
    }

    /// `did you mean "my.json"?`, for an input file that does not exist; nil if its folder has no file of a similar name.
    static func suggestion(ofInput path: String) -> String? {
        let folder = parentFolder(of: path)
        let files = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
        let names = files.filter { FileState(at: "\(folder)/\($0)").bytes != nil }
        return DidYouMean.hint(for: fileName(of: path), among: names)
    }

    /// `did you mean "app.db"?`, for a file that does not exist; nil if its folder has no file of a similar name and the
    /// same ending.
    /// - Parameter location: the store whose files are not meant, because they are named already.
    static func suggestion(ofFile path: String, besides location: StoreLocation? = nil) -> String? {
        let folder = parentFolder(of: path)
        let named = location.map { store in store.databases.map { fileName(of: store.path(of: $0)) } } ?? []
        let files = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter {
            !named.contains($0)
        }
        return suggestion(for: fileName(of: path), among: files, in: folder)
    }

    /// The file of another program's database that the prefix of a store may mean: the path itself if it ends like a
    /// database, or the file of that name with such an ending. The file need not exist. Nil for other prefixes, and for
    /// a store on a server.
    static func fileOfProgram(meantBy prefix: String) -> String? {
        guard !ServerStore.isNamed(by: prefix) else { return nil }
        let endings = [".db", ".sqlite", ".sqlite3"]
        if endings.contains(where: prefix.hasSuffix) { return prefix }
        return endings.lazy.map { prefix + $0 }.first { FileState(at: $0).bytes != nil }
    }

    /// The sentence with the option that names this file; nil without one.
    static func optionOfProgram(_ option: String, meantBy prefix: String) -> String? {
        fileOfProgram(meantBy: prefix).map { file in
            "for the database of a program: \(option) \(ShellWord.quoted("chat=\(file)"))"
        }
    }

    private static func ofNamedFiles(_ location: StoreLocation, _ files: [String]) -> String? {
        let own = location.databases.map { fileName(of: location.path(of: $0)) }
        let others = files.filter { !own.contains($0) }
        return own.lazy.compactMap { suggestion(for: $0, among: others, in: location.folder) }.first
    }

    /// - Parameter typed: the folder that stands before the name, with a slash at its end.
    private static func suggestion(
        for name: String, among files: [String], in folder: String, typed: String = ""
    ) -> String? {
        let (stem, ending) = parts(of: name)
        let others = files.filter { FileState(at: "\(folder)/\($0)").bytes != nil }.sorted()
        let stems = others.map(parts).filter { $0.ending == ending }.map(\.stem)
        let similar = DidYouMean.suggestions(for: stem, among: stems, atMost: 1).first
        return similar.map { "did you mean \"\(typed)\($0)\(ending)\"?" }
    }

    /// `app` and `.db`; the ending is empty in a name without a point.
    private static func parts(of name: String) -> (stem: String, ending: String) {
        guard let point = name.lastIndex(of: "."), point != name.startIndex else { return (name, "") }
        return (String(name[..<point]), String(name[point...]))
    }

    private static let suffix = "_chat.db"
}
