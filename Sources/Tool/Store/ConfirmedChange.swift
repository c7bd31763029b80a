import ChatDBKit

/// A change that removes or overwrites data. A command describes it in steps, which run in this order: read what the
/// change is about, show it, ask, write, report. The write checks again what it changes, and throws `PlanOutdated` if
/// that differs from the question.
///
/// `--yes` answers the question with yes. Without `--yes` and without a terminal the change is refused, and the refusal
/// carries the question. Ctrl-C at the question ends the command.
///
/// `--dry-run` ends after the read: the answer is that of the change, with `"applied": false` in JSON. The read makes
/// the checks of the write that can be made without writing, so that a dry run ends with the refusal of the change.
struct ConfirmedChange {
    /// The question before a change.
    struct Question {
        let text: String
        /// The report shown before the question; nil if the question is enough.
        var shown: (any Report)?
        /// Warnings shown after it.
        var warnings: [String] = []
        /// Where the plan is shown although no terminal can answer.
        var audience = Audience.terminal
    }

    /// The readers of a plan.
    enum Audience {
        /// The person who can answer. Without one there is only the error, which a program may read.
        case terminal
        /// Also the readers of a refusal in text.
        case readersOfText
    }

    /// The decision after the read.
    enum Step<Answer> {
        /// Change nothing; this is the answer.
        case stop(Answer)
        /// Make the change without a question.
        case make
        case ask(Question)
    }

    let output: Output
    let yes: Bool
    let dryRun: Bool
    /// Whether the command has `--dry-run`, which the refusal then names.
    var hasDryRun = true
    /// Whether standard input is a file of the command, so that it cannot have the answer.
    var readsFile = false

    /// Runs the steps, and returns the answer of the command.
    /// - Parameter decide: decides after the read.
    /// - Parameter preview: the answer of a dry run.
    /// - Parameter write: checks that the change is still the confirmed one, and makes it.
    func run<Found, Answer>(
        read: () throws -> Found, decide: (Found) throws -> Step<Answer>, preview: (Found) throws -> Answer,
        write: (Found) throws -> Answer
    ) throws -> Answer {
        // Ctrl-C ends a dry run at once.
        if !dryRun { Signals.interruptsAskToStop() }
        let found = try read()
        let step = try decide(found)
        if case .stop(let answer) = step { return answer }
        if dryRun { return try preview(found) }
        let isAgreed = if case .ask(let question) = step { try ask(question) } else { true }
        // Ctrl-C at the question is no answer.
        try StoppedOnRequest.check()
        if !isAgreed { throw ConsentError.declined }
        return try write(found)
    }

    /// Shows the plan and asks. Throws `ConsentError.confirmationNeeded` without a terminal.
    func ask(_ question: Question) throws -> Bool {
        if !yes { try show(question) }
        return try Consent(
            yes: yes, hasDryRun: hasDryRun, readsFile: readsFile, terminal: output.terminal, readLine: TerminalLine.read
        ).ask(question.text)
    }

    private func show(_ question: Question) throws {
        guard let shown = question.shown else { return }
        switch question.audience {
        case .terminal: guard output.terminal.inputIsTerminal else { return }
        case .readersOfText: guard output.showsPlans else { return }
        }
        try output.show(shown)
        for warning in question.warnings { output.warn(warning) }
    }
}

extension StoreSession {
    /// Makes a change of the chat database in the steps of `ConfirmedChange`, and returns its answer.
    /// - Parameter plan: the answer of a dry run, with the errors of the change.
    /// - Parameter question: the question; nil if the plan overwrites nothing, and needs none.
    /// - Parameter make: throws `PlanOutdated` if the plan is no longer what the user was asked about.
    func confirm<Answer>(
        _ consent: ConsentOptions, _ output: Output, plan: (any ReadTransaction) throws -> Answer,
        question: (Answer) -> ConfirmedChange.Question?, make: (Answer, any WriteTransaction) throws -> Answer
    ) throws -> Answer {
        try ConfirmedChange(consent, output).run(
            read: { try readToWrite { store in try store.read { try plan($0) } } },
            decide: { planned in question(planned).map { .ask($0) } ?? .make },
            preview: { $0 },
            write: { planned in
                try write { store in
                    try store.write { chat in
                        let answer = try make(planned, chat)
                        try StoppedOnRequest.check()
                        return answer
                    }
                }
            })
    }
}

extension ConfirmedChange {
    init(_ consent: ConsentOptions, readsFile: Bool = false, _ output: Output) {
        self.init(output: output, yes: consent.yes, dryRun: consent.dryRun, readsFile: readsFile)
    }
}

/// Another program changed the profile between the question and the change.
struct PlanOutdated: Reportable {
    var report: ErrorReport {
        ErrorReport(
            "planOutdated", "another program changed the profile after the changes were shown",
            state: "Nothing was changed.", hint: "run the command again", exit: .tryAgain)
    }
}
