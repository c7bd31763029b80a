import ArgumentParser
import ChatDBKit
import Foundation

/// The end of the process: the output layer writes every error, also those of the argument parser.
enum ProcessExit {
    /// Runs `body` and ends the process.
    static func exit(after arguments: [String], _ body: () throws -> Void) -> Never {
        do {
            try body()
            end(.done)
        } catch is ReaderGone {
            end(.done)
        } catch let ending as Answer {
            end(ending.status)
        } catch let error where Chatdb.exitCode(for: error).isSuccess {
            // Help, the version, a completion script: an answer, not an error.
            do {
                try StandardStreams.output(Array((Chatdb.fullMessage(for: error) + "\n").utf8))
            } catch { end(error is ReaderGone ? .done : .ioError) }
            end(.done)
        } catch {
            var report = CommittedChange.adding(self.report(for: error, of: arguments), of: error)
            report.hint = report.hint.map { Hint(text: GivenOptions(arguments: arguments).text($0)) }
            Output.forErrors(arguments: arguments, environment: ProcessEnvironment.variables).fail(report)
            end(report.exit)
        }
    }

    /// Another thread may hold a private copy of a store a moment longer than the command.
    private static func end(_ status: ExitStatus) -> Never {
        LockedFolder.removeAll()
        Foundation.exit(status.rawValue)
    }

    /// Commands for a store that exists and may be broken.
    private static var rescuing: [any ParsableCommand.Type] { [DiagnoseCommand.self, SalvageCommand.self] }

    private static func report(for error: any Error, of arguments: [String]) -> ErrorReport {
        if Chatdb.exitCode(for: error) == .validationFailure {
            return UsageError.report(for: error, of: arguments)
        }
        let named = NamedCommand(in: arguments)
        let report = ErrorReport(error).with(stateFor: named)
        return rescuing.contains { $0 == named.type } ? report.forExistingStore() : report
    }
}

extension ErrorReport {
    /// The commands that change nothing. `bundle` is short for `bundle write`.
    static let readingCommands: Set<String> = [
        "inspect", "diagnose", "find", "query", "search", "bundle", "bundle write", "bundle diff", "schema show",
        "schema diff", "schema dump", "user list", "user show", "operator list", "server list", "server show",
        "conditions list", "relay list", "relay show", "relay usage", "group list", "group show", "group members",
        "group relays", "contact list", "contact show", "settings get", "notification target", "preset export",
        "preset diff", "preset list", "preset show", "preset validate", "migrate status", "migrate plan",
        "migrate verify", "archive check", "backup list", "backup verify",
    ]

    /// The errors of opening a store, and those of a store that another program uses.
    private static let errorsOfOpening: Set<String> = [
        "encrypted", "wrongPassphrase", "encryptedUnsupported", "storeLocked", "inUse",
    ]

    /// Commands whose error says nothing of the state: they only read without an option (check, relay test, server test),
    /// or make files elsewhere.
    private static let stateless: Set<String> = [
        "check", "relay test", "server test", "copy", "salvage", "serve", "archive unpack", "archive pack",
    ]

    /// The same with the state of the store: if the store could not be opened, a command that writes says that nothing
    /// was changed. A command that only reads never says it.
    fileprivate func with(stateFor named: NamedCommand) -> ErrorReport {
        let name = named.names.joined(separator: " ")
        var report = self
        if Self.readingCommands.contains(name) {
            if report.state == StoreSession.unchanged { report.state = nil }
        } else if report.state == nil, !Self.stateless.contains(name), !CommittedChange.wasMade,
            Self.errorsOfOpening.contains(report.code)
        {
            report.state = StoreSession.unchanged
        }
        return report
    }
}

/// Errors that the argument parser finds in the command line.
enum UsageError {
    /// - Parameter arguments: the command line; empty when it is not known.
    static func report(for error: any Error, of arguments: [String] = []) -> ErrorReport {
        let lines = Chatdb.fullMessage(for: error).split(separator: "\n", omittingEmptySubsequences: false)
        let message = lines.first.map(String.init) ?? ""
        let (sentence, guess) = guess(
            in: message.hasPrefix("Error: ") ? String(message.dropFirst("Error: ".count)) : message)
        let help = lines.first { $0.contains("--help' for more information.") }
        let shown = help?.split(separator: "'").dropFirst().first.map(String.init)
        // For an error that a command finds in its options when it runs, the parser names the help of chatdb.
        let named = NamedCommand(in: arguments)
        let own = (named.path + ["--help"]).joined(separator: " ")
        let command = shown.map { $0 == "chatdb --help" ? own : $0 } ?? own
        if let meant = commandOption(of: named, in: arguments) {
            let words = (named.path + [meant]).joined(separator: " ")
            return ErrorReport(
                "usage", "unknown option '--\(meant)'", hint: "did you mean \(words)? see \(words) --help",
                exit: .usage)
        }
        if !sentence.hasPrefix(unknown), let (option, known) = unknownOption(in: arguments) {
            let near = DidYouMean.suggestions(for: option, among: known, atMost: 1).first
                .map { "did you mean \"--\($0)\"? " }
            let typed = "--\(option)"
            let other = sameOption(as: typed, in: arguments)
            let guess = other.map { $0 + " " } ?? near
            return ErrorReport(
                "usage", "unknown option '--\(option)'", hint: "\(guess ?? "")see \(command)", exit: .usage)
        }
        let typed = sentence.hasPrefix(unknown) ? String(sentence.dropFirst(unknown.count).dropLast()) : ""
        let meant = sameOption(as: typed, in: arguments) ?? guess
        if sentence.hasPrefix("Missing expected argument"), NamedCommand(in: arguments).type == RestoreCommand.self {
            return ErrorReport(
                "usage", lowerCase(sentence), hint: "\(.backupList) lists the backups of the store; see \(command)",
                exit: .usage)
        }
        if sentence.hasPrefix("Missing expected argument '--only"), named.type == MigrateNew.self {
            return ErrorReport(
                "usage", lowerCase(sentence),
                hint: "--only chat or --only agent names the database of the migration; see \(command)", exit: .usage)
        }
        if let folder = searchedFolder(in: sentence, of: arguments) {
            return ErrorReport(
                "usage", lowerCase(sentence),
                hint: "\(.find, "--below", folder) searches below the folder; see \(command)", exit: .usage)
        }
        if let word = formatOfExport(in: sentence, of: arguments) {
            return ErrorReport(
                "usage", "'\(word)' is no value of '--format', which does not change the export: it is JSON or YAML",
                hint: "-o FILE.yaml or --yaml writes YAML, and -o FILE.json writes JSON; see \(command)", exit: .usage)
        }
        let more = lines.dropFirst().prefix { !$0.hasPrefix("Usage:") && !$0.hasPrefix("Help:") }
            .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
        // The parser lists more than five values of an argument, one on each line.
        let isList = !more.isEmpty && more.allSatisfy { $0.hasPrefix("- ") }
        let rest = isList ? [more.map { String($0.dropFirst(2)) }.joined(separator: ", ")] : more
        return ErrorReport(
            "usage", lowerCase(([sentence] + rest).joined(separator: " ")),
            hint: "\(meant.map { $0 + " " } ?? "")see \(command)", exit: .usage)
    }

    /// What stands for an option of other commands in this one; nil for an option that no command has, and if nothing
    /// does.
    private static func sameOption(as typed: String, in arguments: [String]) -> String? {
        dataOption(for: typed, in: arguments) ?? destinationOption(for: typed, in: arguments)
            ?? needlessOption(typed, in: arguments)
    }

    /// `did you mean "--output"?`, for an option that names the new file in other commands; nil otherwise.
    private static func destinationOption(for typed: String, in arguments: [String]) -> String? {
        let destinations = ["output", "to"]
        guard (destinations + ["out"]).contains(where: { typed == "--\($0)" }) else { return nil }
        let known = options(of: NamedCommand(in: arguments).type)
        return destinations.first(where: known.contains).map { "did you mean \"--\($0)\"?" }
    }

    /// `did you mean --data 'chat=app.db'?`, for an option that names the store in other commands, and in this one has
    /// the name `--data`; nil otherwise.
    private static func dataOption(for typed: String, in arguments: [String]) -> String? {
        guard ["-d", "--store", "--database"].contains(typed) else { return nil }
        let known = options(of: NamedCommand(in: arguments).type)
        guard known.contains("data"), !known.contains("store") else { return nil }
        let value = arguments.drop { $0 != typed }.dropFirst().first ?? "STORE"
        return "did you mean --data \(ShellWord.quoted(value))?"
    }

    /// That the command works on an adopted database without its migrations, which other commands read from a folder; nil
    /// for another option, and for other commands.
    private static func needlessOption(_ typed: String, in arguments: [String]) -> String? {
        let command = NamedCommand(in: arguments).type
        let withoutMigrations: [any ParsableCommand.Type] = [
            QueryCommand.self, SchemaShow.self, BackupList.self, BackupVerify.self, BackupPrune.self,
        ]
        guard typed == "--migrations-dir", withoutMigrations.contains(where: { $0 == command }) else { return nil }
        return "leave it out: the command needs no migrations;"
    }

    private static let unknown = "Unknown option '"

    /// The first long option that the command does not have, and those that it has. The parser takes the word after
    /// such an option for an argument, and then reports that there are too many, or that they contradict others.
    private static func unknownOption(in arguments: [String]) -> (option: String, known: [String])? {
        if arguments.first == "help" { return nil }
        let named = NamedCommand(in: arguments).type
        let known = options(of: named) + (named.configuration.defaultSubcommand.map { options(of: $0) } ?? [])
        let builtIn = ["help", "help-hidden", "version", "generate-completion-script", "experimental-dump-help"]
        let given = arguments.prefix { $0 != "--" }.filter { $0.hasPrefix("--") }
            .map { String($0.dropFirst(2).prefix { $0 != "=" }) }
        return given.first { !known.contains($0) && !builtIn.contains($0) }.map { (option: $0, known: known) }
    }

    /// The name of a command that is written as the first option: `bundle --diff`; nil without one.
    private static func commandOption(of named: NamedCommand, in arguments: [String]) -> String? {
        guard let first = named.rest.first, first.hasPrefix("--") else { return nil }
        let name = String(first.dropFirst(2))
        return named.subcommands.contains { $0._commandName == name } ? name : nil
    }

    /// The long options of a command. In its help, the lines of options begin with their names.
    private static func options(of command: any ParsableCommand.Type) -> [String] {
        let lines = command.helpMessage(columns: 500).split(separator: "\n").filter { $0.hasPrefix("  -") }
        return lines.flatMap { line -> [String] in
            let line = line.dropFirst(2)
            let names = line.firstRange(of: "  ").map { line[..<$0.lowerBound] } ?? line
            return names.matches(of: #/--([a-z][a-z-]*)/#).map { String($0.1) }
        }
    }

    /// The folder in an error about an argument of `find`, which takes folders only with `--below`.
    private static func searchedFolder(in sentence: String, of arguments: [String]) -> String? {
        NamedCommand(in: arguments).type == FindCommand.self ? extraArgument(in: sentence) : nil
    }

    /// The value in an error about `--format` of `preset export`, whose files have formats of their own.
    private static func formatOfExport(in sentence: String, of arguments: [String]) -> String? {
        guard NamedCommand(in: arguments).type == PresetExportCommand.self else { return nil }
        return sentence.wholeMatch(of: #/The value '(.*)' is invalid for '--format .*/#).map { String($0.output.1) }
    }

    /// The argument in an error about one argument too many.
    private static func extraArgument(in sentence: String) -> String? {
        let extra = "Unexpected argument '"
        guard sentence.hasPrefix(extra), sentence.hasSuffix("'") else { return nil }
        return String(sentence.dropFirst(extra.count).dropLast())
    }

    /// The parser's sentences begin with a capital letter; errors here do not.
    private static func lowerCase(_ sentence: String) -> String {
        guard let first = sentence.first, sentence.dropFirst().first?.isLowercase == true else { return sentence }
        return first.lowercased() + sentence.dropFirst()
    }

    /// The suggestion for an unknown option: the parser's guess, if it is similar enough. For short options the guess
    /// often is not.
    private static func guess(in sentence: String) -> (sentence: String, hint: String?) {
        if let argument = extraArgument(in: sentence), StoreLocation.isStore(at: argument) {
            return (sentence, "name the store with -d;")
        }
        guard sentence.hasPrefix(unknown), sentence.hasSuffix("'?"),
            let cut = sentence.range(of: "'. Did you mean '", options: .backwards)
        else { return (sentence, nil) }
        let typed = sentence[..<cut.lowerBound].dropFirst(unknown.count)
        let option = sentence[cut.upperBound...].dropLast(2)
        let names = [typed, option].map { String($0.drop { $0 == "-" }) }
        let isNear = !DidYouMean.suggestions(for: names[0], among: [names[1]]).isEmpty
        return ("\(unknown)\(typed)'", isNear ? "did you mean \"\(option)\"?" : nil)
    }
}
