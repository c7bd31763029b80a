import ArgumentParser
import ChatDBKit
import Foundation

struct FindCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "find", abstract: "List the stores at the usual places, or those below a folder. Changes nothing.",
        discussion: """
            Looks at the usual places of SimpleX Chat's apps and chatdb: simplex/simplex_v1 and \
            chatdb/chatdb in the user's data folder, ~/.simplex/simplex_v1, the folder of the Flatpak app, and the \
            store of \(StoreOptions.variable) or of the configuration file. Finds files only, and no stores on a server. \
            Shows for each store which program made it, its version, whether it is encrypted, its size, and who has it \
            open. \
            Asks for no passphrase: of an encrypted store, program and version are unknown.

            Examples:
              chatdb find
              chatdb find --below ~/Downloads
              chatdb find --below ~ --format json | jq -r '.stores[].prefix'
            """)

    @Option(
        help: ArgumentHelp(
            "Look below this folder instead of the usual places. Can be repeated.",
            discussion: "The search follows no symbolic links, and finds no adopted databases.", valueName: "folder"),
        completion: .directory)
    var below: [String] = []

    @OptionGroup var output: OutputOptions

    func validate() throws {
        if below.contains("") { throw ValidationError("--below needs the name of a folder") }
    }

    func run() throws {
        let output = try output.output()
        let bar = output.progress("names searched")
        defer { bar.finish() }
        var search = StoreSearch { bar.update(Int64($0)) }
        for folder in below {
            let folder = try Self.path(of: folder)
            output.detail("searching \(folder)")
            do throws(FolderError) {
                try search.look(below: folder, as: .below)
            } catch {
                throw SearchedFolderError(path: folder, errno: error.errno)
            }
        }
        if below.isEmpty {
            search.look(at: Self.places)
            if let named = StoreOptions.namedFiles { search.look(at: named, as: .named) }
        }
        let stores = try ListedStore.read(search.found)
        bar.finish()
        try output.write(FindReport(stores: stores, search: search, below: below))
    }

    /// The usual places of the user.
    private static var places: StorePlaces {
        StorePlaces(
            home: ProcessEnvironment.home, data: ProcessEnvironment.variables["XDG_DATA_HOME"],
            own: DefaultStore.prefix, named: StoreOptions.namedPrefix)
    }

    /// The absolute path of a folder, without slashes at its end.
    private static func path(of folder: String) throws(StoreLocationError) -> String {
        let path = try StoreLocation(prefix: folder).prefix
        let end = path.utf8.lastIndex { $0 != UInt8(ascii: "/") }
        return end.map { String(path[...$0]) } ?? "/"
    }
}

/// A folder of `--below` that cannot be searched.
struct SearchedFolderError: Reportable, Equatable {
    let path: String
    let errno: CInt

    var report: ErrorReport {
        let isMissing = errno == ENOENT
        let reason = errno == ENOTDIR ? "it is not a folder" : StandardStreams.sentence(for: errno)
        return ErrorReport(
            isMissing ? "folderNotFound" : "notReadable",
            isMissing ? "there is no folder \(path)" : "\(path) cannot be searched: \(reason)",
            details: ["path": .string(path)], exit: .noInput)
    }
}
