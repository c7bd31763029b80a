public import ArgumentParser

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The output options of every command.
struct OutputOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Output format (default: the value of \(OutputFormat.variable), or table).",
            valueName: "format"))
    var format: OutputFormat?

    @Option(help: ArgumentHelp("When to use colours (default: auto).", valueName: "when"))
    var color: ColorChoice?

    @Flag(name: .customLong("csv-raw"), help: "In CSV, do not escape cells that a spreadsheet takes for formulas.")
    var csvRaw = false

    @Flag(help: "On a terminal, show whole addresses and texts, in lines as long as they need.")
    var wide = false

    @Flag(name: .shortAndLong, help: "Print only results, warnings and errors.")
    var quiet = false

    @Flag(name: .shortAndLong, help: "Print more about what chatdb does.")
    var verbose = false

    @Flag(name: .customLong("no-progress"), help: "Do not show progress bars.")
    var noProgress = false

    func validate() throws {
        if quiet, verbose { throw ValidationError("--quiet and --verbose cannot be used together") }
        _ = try OutputFormat.chosen(format, environment: ProcessEnvironment.variables)
    }

    /// The output layer for these options, on the standard streams.
    func output() throws -> Output {
        let file = ConfigurationFile.valid
        return Output(
            try OutputFormat.chosen(format, environment: ProcessEnvironment.variables, configured: file?.format),
            color: color ?? file?.color ?? .auto, csvRaw: csvRaw, isQuiet: quiet, isVerbose: verbose,
            showsProgress: !noProgress, isWide: wide || file?.wide ?? false)
    }

    /// Writes the answer of a command.
    func write(_ report: some Report) throws { try output().write(report) }
}

extension Output {
    /// The output layer for errors of the command line itself, before its options are parsed: with the recognizable
    /// parts of `--format` and `--color`, else the environment, else the configuration file, else the defaults.
    static func forErrors(
        arguments: [String], environment: [String: String], configured file: ConfigurationFile? = .valid
    ) -> Output {
        let format = value(of: "--format", in: arguments).flatMap(OutputFormat.init(word:))
        let color = value(of: "--color", in: arguments).flatMap(ColorChoice.init(rawValue:))
        return Output(
            (try? OutputFormat.chosen(format, environment: environment, configured: file?.format)) ?? .table,
            color: color ?? file?.color ?? .auto)
    }

    private static func value(of option: String, in arguments: [String]) -> String? {
        let options = arguments.prefix { $0 != "--" }
        for (index, argument) in options.enumerated().reversed() {
            if argument.hasPrefix("\(option)=") { return String(argument.dropFirst(option.count + 1)) }
            if argument == option { return options.dropFirst(index + 1).first }
        }
        return nil
    }
}

/// The format of a report. A new one does not compile until `Output.write` has an encoder for it.
enum OutputFormat: String, Sendable, WordArgument {
    case table
    case json
    case csv
    case markdown

    /// The format of a word: its name, or `md` for `markdown`, which help does not list.
    init?(word: String) { self.init(rawValue: word == "md" ? "markdown" : word) }

    init?(argument: String) { self.init(word: argument) }

    /// The environment variable for the format, which the command line overrides.
    static let variable = "CHATDB_FORMAT"

    /// The format of the command line, else of the environment, else of the configuration file, else `table`. An unknown
    /// word in the environment is a usage error: a script would otherwise read a format that it did not request.
    static func chosen(
        _ option: OutputFormat?, environment: [String: String], configured: OutputFormat? = nil
    ) throws -> OutputFormat {
        if let option { return option }
        guard let word = environment[variable], !word.isEmpty else { return configured ?? .table }
        guard let format = OutputFormat(word: word) else {
            let words = allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError(
                "the environment variable \(variable) is \"\(TextEscaping.line(word))\", not one of \(words)")
        }
        return format
    }
}

/// The use of colours.
enum ColorChoice: String, Sendable, WordArgument {
    case auto
    case always
    case never
}

/// The value of an option that takes one of a few words. ArgumentParser's own lists of such words use key paths and
/// reflection, for every option of a command: a twentieth of the time of a command with nothing to do (*measured*).
public protocol WordArgument: ExpressibleByArgument, CaseIterable, RawRepresentable where RawValue == String {
    /// The value of a word on the command line or in the configuration file; nil for another word.
    init?(word: String)
}

extension WordArgument {
    /// The value of which it is the raw value.
    public init?(word: String) { self.init(rawValue: word) }

    /// For help and completions.
    public static var allValueStrings: [String] { allCases.map { $0.rawValue } }

    /// The words have no descriptions.
    public static var allValueDescriptions: [String: String] { [:] }

    /// The default value is shown as its word.
    public var defaultValueDescription: String { rawValue }
}
