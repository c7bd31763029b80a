import ArgumentParser

/// How a report is written. A new one does not compile until `Output.write` has an encoder for it.
enum OutputFormat: String, CaseIterable, Sendable, ExpressibleByArgument {
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
enum ColorChoice: String, CaseIterable, Sendable, ExpressibleByArgument {
    case auto
    case always
    case never
}
