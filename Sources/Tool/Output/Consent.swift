import ChatDBKit

/// Asks for confirmation before a change that cannot be undone.
struct Consent {
    /// `--yes`: answers every question with yes, without asking.
    let yes: Bool
    /// Whether the command can show what it would do: `--dry-run`.
    let hasDryRun: Bool
    /// Whether the command has read a file from standard input, where an answer would come from.
    let readsFile: Bool
    let terminal: Terminal
    let standardError: StandardStreams.Sink
    let readLine: () -> String?

    init(
        yes: Bool, hasDryRun: Bool = false, readsFile: Bool = false, terminal: Terminal = .current,
        standardError: @escaping StandardStreams.Sink = StandardStreams.error,
        readLine: @escaping () -> String? = { Swift.readLine() }
    ) {
        self.yes = yes
        self.hasDryRun = hasDryRun
        self.readsFile = readsFile
        self.terminal = terminal
        self.standardError = standardError
        self.readLine = readLine
    }

    /// Asks `question [y/N]` on standard error. Any answer but `y` or `yes` is no. Without a terminal and without
    /// `--yes` it throws `ConsentError.confirmationNeeded`.
    func ask(_ question: String) throws -> Bool {
        if yes { return true }
        guard terminal.inputIsTerminal else {
            throw ConsentError.confirmationNeeded(question, hasDryRun: hasDryRun, readsFile: readsFile)
        }
        try standardError(Array("\(TextEscaping.line(question)) [y/N] ".utf8))
        let line = readLine()
        // After Ctrl-C or the end of input, the line of the question is not ended.
        if line == nil { try standardError(Array("\n".utf8)) }
        let answer = line?.lowercased().filter { !$0.isWhitespace }
        return answer == "y" || answer == "yes"
    }

    /// The same, if no ends the command: throws `ConsentError.declined`.
    func require(_ question: String) throws {
        guard try ask(question) else { throw ConsentError.declined }
    }
}

enum ConsentError: Reportable, Equatable {
    /// There is no terminal to ask on. Has the question, whether `--dry-run` shows the change, and whether standard
    /// input is a file of the command.
    case confirmationNeeded(String, hasDryRun: Bool, readsFile: Bool = false)
    case declined

    var report: ErrorReport {
        switch self {
        case .confirmationNeeded(let question, let hasDryRun, let readsFile):
            ErrorReport(
                "confirmationNeeded",
                "confirmation is required, and "
                    + (readsFile ? "standard input is the file" : "there is no terminal to ask on") + ": \(question)",
                state: "Nothing was done.",
                hint: hasDryRun ? "--dry-run shows what would be done; add --yes to confirm" : "add --yes to confirm",
                details: ["question": .string(question)], exit: .usage)
        case .declined:
            ErrorReport("declined", "declined at the prompt", state: "Nothing was done.", exit: .no)
        }
    }
}
