import ArgumentParser
import Repos

/// A file of relays and servers that a command reads.
struct PresetInput: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "The file: a preset in JSON or YAML, SimpleX Chat's JSON, or a list of addresses; - is standard input."),
        completion: .file())
    var file: String

    @OptionGroup var options: PresetInputOptions

    func read(_ output: Output) throws -> ReadPreset { try options.read(file, output) }
}

/// How a file of relays and servers is read.
struct PresetInputOptions: ParsableArguments {
    @Option(
        name: .customLong("as"),
        help: ArgumentHelp(
            "What the file is (default: told by its name and its beginning).", valueName: "format"))
    var format: PresetFormat?

    @Flag(help: "Pass unknown fields over with a warning.")
    var lenient = false

    /// Reads a file whole; what it passes over is told.
    func read(_ path: String, _ output: Output) throws -> ReadPreset {
        let bytes = try InputFile.read(path, upTo: PresetFile.largestFile)
        let read = try PresetFile.read(bytes, named: path == "-" ? "" : path, as: format, isLenient: lenient)
        for warning in read.warnings { output.warn("\(InputFile.name(path)): \(warning)") }
        return read
    }
}
