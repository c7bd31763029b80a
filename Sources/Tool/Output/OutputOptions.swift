import ArgumentParser

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The options of every command that say how it speaks.
struct OutputOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "How to write the answer (default: what \(OutputFormat.variable) says, else table).",
            valueName: "format"))
    var format: OutputFormat?

    @Option(help: ArgumentHelp("When to use colours.", valueName: "when"))
    var color: ColorChoice = .auto

    @Flag(name: .customLong("csv-raw"), help: "In CSV, leave cells that a spreadsheet takes for formulas as they are.")
    var csvRaw = false

    @Flag(name: .shortAndLong, help: "Say nothing but the answer, warnings and errors.")
    var quiet = false

    @Flag(name: .shortAndLong, help: "Say more about what is done.")
    var verbose = false

    @Flag(name: .customLong("no-progress"), help: "Show no progress bars.")
    var noProgress = false

    func validate() throws {
        if quiet, verbose { throw ValidationError("--quiet and --verbose exclude each other") }
        _ = try OutputFormat.chosen(format, environment: ProcessInfo.processInfo.environment)
    }

    /// The output layer for these options, on the standard streams.
    func output() throws -> Output {
        Output(
            try OutputFormat.chosen(format, environment: ProcessInfo.processInfo.environment), color: color,
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
