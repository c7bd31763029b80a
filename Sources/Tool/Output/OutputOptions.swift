public import ArgumentParser

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The options of every command that say how it speaks.
struct OutputOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Output format (default: the value of \(OutputFormat.variable), or table).",
            valueName: "format"))
    var format: OutputFormat?

    @Option(help: ArgumentHelp("When to use colours.", valueName: "when"))
    var color: ColorChoice = .auto

    @Flag(name: .customLong("csv-raw"), help: "In CSV, do not escape cells that a spreadsheet takes for formulas.")
    var csvRaw = false

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
        Output(
            try OutputFormat.chosen(format, environment: ProcessEnvironment.variables), color: color,
            csvRaw: csvRaw, isQuiet: quiet, isVerbose: verbose, showsProgress: !noProgress)
    }

    /// Writes the answer of a command.
    func write(_ report: some Report) throws { try output().write(report) }
}

extension Output {
    /// The output layer for errors of the command line itself, when there are no parsed options yet: what of `--format`
    /// and `--color` can be made out, else the environment, else the defaults.
    static func forErrors(arguments: [String], environment: [String: String]) -> Output {
        let format = value(of: "--format", in: arguments).flatMap(OutputFormat.init(rawValue:))
        let color = value(of: "--color", in: arguments).flatMap(ColorChoice.init(rawValue:))
        return Output(
            (try? OutputFormat.chosen(format, environment: environment)) ?? .table, color: color ?? .auto)
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

/// How a report is written. A new one does not compile until `Output.write` has an encoder for it.
enum OutputFormat: String, Sendable, WordArgument {
    case table
    case json
    case csv
    case markdown

    /// The variable of the environment that chooses when the command line does not.
    static let variable = "CHATDB_FORMAT"

    /// What the command line says, else the environment, else `table`. An unknown word in the environment is a usage
    /// error: a script would otherwise read a format it did not ask for.
    static func chosen(_ option: OutputFormat?, environment: [String: String]) throws -> OutputFormat {
        if let option { return option }
        guard let word = environment[variable], !word.isEmpty else { return .table }
        guard let format = OutputFormat(rawValue: word) else {
            let words = allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError(
                "the environment variable \(variable) is \"\(TextEscaping.line(word))\", not one of \(words)")
        }
        return format
    }
}

/// When colours are used.
enum ColorChoice: String, Sendable, WordArgument {
    case auto
    case always
    case never
}

/// The value of an option that takes one of a few words. ArgumentParser's own lists of such words are made through key
/// paths and reflection, for every option of a command: a twentieth of the time of a command that has nothing to do
/// (*measured*).
public protocol WordArgument: ExpressibleByArgument, CaseIterable, RawRepresentable where RawValue == String {}

extension WordArgument {
    /// For help and completions.
    public static var allValueStrings: [String] { allCases.map { $0.rawValue } }

    /// The words have no descriptions.
    public static var allValueDescriptions: [String: String] { [:] }

    /// The word.
    public var defaultValueDescription: String { rawValue }
}
