import ArgumentParser
import Testing

@testable import ChatDBTool

@Suite struct OutputOptionsTests {
    @Test("options are parsed, and the defaults are a table with colours on a terminal")
    func options() throws {
        let usual = try OutputOptions.parse([])
        #expect(usual.color == nil && !usual.csvRaw && !usual.quiet && !usual.verbose && !usual.noProgress)
        let options = try OutputOptions.parse(["--format", "csv", "--csv-raw", "--color=never", "-v", "--no-progress"])
        let output = try options.output()
        #expect(output.format == .csv && output.csvRaw && output.color == .never)
        #expect(output.isVerbose && !output.isQuiet && !output.showsProgress)
    }

    @Test(
        "an unknown format and quiet together with verbose are usage errors",
        arguments: [["--format", "xml"], ["-qv"]])
    func refused(arguments: [String]) throws {
        let error = try #require(throws: (any Error).self) { try OutputOptions.parse(arguments) }
        #expect(OutputOptions.exitCode(for: error).rawValue == ExitStatus.usage.rawValue)
    }

    @Test("the command line precedes the environment, which precedes the default; an invalid word there is an error")
    func environment() throws {
        #expect(try OutputFormat.chosen(nil, environment: [:]) == .table)
        #expect(try OutputFormat.chosen(nil, environment: ["CHATDB_FORMAT": ""]) == .table)
        #expect(try OutputFormat.chosen(nil, environment: ["CHATDB_FORMAT": "json"]) == .json)
        #expect(try OutputFormat.chosen(nil, environment: ["CHATDB_FORMAT": "md"]) == .markdown)
        #expect(try OutputOptions.parse(["--format", "md"]).format == .markdown)
        #expect(try OutputFormat.chosen(.csv, environment: ["CHATDB_FORMAT": "nonsense"]) == .csv)
        let error = try #require(throws: ValidationError.self) {
            try OutputFormat.chosen(nil, environment: ["CHATDB_FORMAT": "JSON\u{1b}"])
        }
        #expect(
            error.message
                == #"the environment variable CHATDB_FORMAT is "JSON\u{1b}", not one of table, json, csv, markdown"#)
    }

    @Test("an error of the command line itself has the requested format")
    func forErrors() {
        func format(_ arguments: [String], _ environment: [String: String] = [:]) -> OutputFormat {
            Output.forErrors(arguments: arguments, environment: environment).format
        }
        #expect(format(["relay", "--formt", "--format", "json"]) == .json)
        #expect(format(["--format=csv", "--format=json", "x"]) == .json)
        #expect(format(["--format", "md"]) == .markdown)
        #expect(format(["--format"]) == .table)
        #expect(format(["--format", "nonsense"]) == .table)
        #expect(format(["--", "--format", "json"]) == .table)
        #expect(format([], ["CHATDB_FORMAT": "json"]) == .json)
        #expect(Output.forErrors(arguments: ["--color", "never"], environment: [:]).color == .never)
    }
}
