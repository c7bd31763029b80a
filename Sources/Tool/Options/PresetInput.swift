import ArgumentParser
import ChatDBKit

/// A file of relays and servers that a command reads.
struct PresetInput: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The file: a preset in JSON or YAML, SimpleX Chat's JSON, or a list of addresses; - reads standard input."),
        completion: .file())
    var file: String

    @OptionGroup var options: PresetInputOptions

    func read(_ output: Output, upTo limit: Int = PresetFile.largestFile) throws -> ReadPreset {
        try options.read(file, output, upTo: limit)
    }
}

/// Options for reading a file of relays and servers.
struct PresetInputOptions: ParsableArguments {
    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            "The format of the file (default: detected from its name and its beginning).", valueName: "format"))
    var format: PresetFormat?

    @Flag(help: "Ignore unknown fields, with a warning.")
    var lenient = false

    /// Reads a whole file, and warns of ignored parts.
    func read(_ path: String, _ output: Output, upTo limit: Int = PresetFile.largestFile) throws -> ReadPreset {
        do {
            return try readFile(path, output, upTo: limit)
        } catch let error as any Reportable where path != "-" && StoreLocation.isStore(at: path) {
            throw HintedError(
                error, message: "\(InputFile.name(path)) is a store, not a file of relays and servers",
                hint: """
                    \(.presetExport, "-d", path, "-o", "FILE") writes its relays and servers into a file; \
                    \(.presetDiff, "--with-store", path) compares a profile with the one of the same name there; \
                    --with-user names another
                    """)
        }
    }

    private func bytes(of path: String, upTo limit: Int) throws -> [UInt8] {
        do throws(InputFileError) {
            return try InputFile.read(path, upTo: limit)
        } catch {
            if let other = AddressOrFile.error(forFile: path) { throw other }
            guard case .notFound = error, let meant = SimilarStores.suggestion(ofInput: path) else { throw error }
            throw HintedError(error, hint: Hint(text: meant))
        }
    }

    /// The command whose answer, in JSON or CSV, a file has; nil for another file.
    private static func list(in bytes: [UInt8]) -> String? {
        let lists = [("relay list", "relays", "chatRelayId"), ("server list", "servers", "serverId")]
        let json = try? JSONValue(parsing: bytes)
        return lists.first { _, entries, id in
            bytes.starts(with: "\(id),".utf8) || json?["user"] != nil && json?[entries]?[0]?[id] != nil
        }?.0
    }

    private func readFile(_ path: String, _ output: Output, upTo limit: Int) throws -> ReadPreset {
        let bytes = try bytes(of: path, upTo: limit)
        let read: ReadPreset
        do throws(PresetError) {
            read = try PresetFile.read(
                bytes, named: path == "-" ? "" : path, as: format, isLenient: lenient, upTo: limit,
                simplexName: "--as \(PresetFormat.simplexAPI.rawValue)")
        } catch {
            let refused = InvalidPresetFile(name: InputFile.name(path), error: error)
            if let hint = AddressOrFile.hint(forPicture: path) {
                throw HintedError(
                    refused, message: "\(refused.name) is a picture, not a file of relays and servers", hint: hint)
            }
            guard let list = Self.list(in: bytes) else { throw refused }
            throw HintedError(
                refused, message: "\(refused.name) has the answer of chatdb \(list), which is no preset",
                hint: """
                    if somebody sent you the file, ask for a preset in its place; \
                    \(.presetExport, "-o", "FILE.json") writes one of this store
                    """)
        }
        for warning in read.warnings { output.warn("\(InputFile.name(path)): \(warning)") }
        return read
    }
}

/// The problems of a file, with its name: a command may read several.
struct InvalidPresetFile: Reportable {
    let name: String
    let error: PresetError

    var report: ErrorReport {
        let report = ErrorReport(error)
        return ErrorReport(
            report.code, "\(name): \(report.message)", lines: report.lines, state: report.state, hint: report.hint,
            details: report.details, exit: report.exit)
    }
}
