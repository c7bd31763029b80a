import ChatDBKit

/// Messages of the app, and what explains them in a store.
struct DiagnoseReport: Report {
    /// The given text. It is nil if the command has none; the report is then about all messages.
    let text: String?
    /// The messages that the text contains. Without a text, the messages that the store explains, or may explain.
    let messages: [DiagnosedMessage]
    /// The rows that the text names.
    let rows: [NamedRow]
    /// The migrations of the store, and those that the text names.
    let history: DiagnosedHistory
    /// The reason why the store could not be checked. It is nil if it could.
    private let failure: String?
    /// It is nil if the store could not be checked.
    private let check: CheckReport?

    /// - Parameters:
    ///   - read: the same text, read.
    ///   - messages: the messages in the text.
    ///   - check: the result of the checks. It is nil if the first of the problems prevented them.
    init(
        text: String?, _ read: MessageText?, messages: [KnownMessage]?, check: CheckReport?, problems: [ErrorReport],
        holders: [FileHolder], rows: [NamedRow], history: DiagnosedHistory = .unknown
    ) {
        self.text = text
        self.check = check
        self.rows = rows
        self.history = history
        failure = check == nil ? problems.first?.message : nil
        let checks: Explanation.Checks =
            check.map { .done($0.found.checkup) } ?? .failed(problems.first?.message ?? "")
        let all = (messages ?? KnownMessage.all).map { message in
            let explanation = Explanation(of: message, in: read, by: checks)
            return DiagnosedMessage(
                message: message, causes: explanation.causes, leftOut: explanation.leftOut,
                problems: problems.filter { message.errors.contains($0.code) },
                holders: message.errors.contains("storeLocked") ? holders : [],
                rows: rows.filter { $0.explains(message) }, history: history.causes(of: message))
        }
        self.messages = messages == nil ? all.filter { !$0.causes.isEmpty || !$0.problems.isEmpty } : all
    }

    /// Whether a cause of one of the messages was found, or something that may be the cause.
    var isExplained: Bool { messages.contains(where: \.isExplained) }

    /// All findings, in the order of `check`.
    private var findings: [Finding] { check?.found.checkup.findings ?? [] }

    /// The findings that explain none of the messages.
    private var others: [Finding] {
        findings.filter { finding in !messages.contains { $0.findings.contains(finding) } }
    }

    /// The findings that explain none of the messages, and that remedies of the answer refer to: the reader has to follow
    /// their remedies first.
    private var referred: [Finding] {
        let remedies = messages.flatMap(\.findings).map { check?.remedy(of: $0) ?? "" }
        let words = Set(remedies.flatMap { $0.split { !$0.isLetter } })
        return others.filter { words.contains(Substring($0.id)) }
    }

    /// The checks that could not run. Rules that this store does not have to keep are not among them.
    private var leftOut: [CheckResult.LeftOut] {
        check?.found.checkup.leftOut.filter { $0.reason != .otherProgram } ?? []
    }

    private var notes: [String] {
        let unchecked = failure.map { ["the store could not be checked: \($0)"] } ?? []
        return unchecked + (check?.notes ?? []) + leftOut.notes(check?.given ?? GivenOptions.none)
    }

    var json: JSONValue {
        [
            "text": JSONValue(text), "known": .bool(text == nil || !messages.isEmpty),
            "explained": .bool(isExplained), "messages": .array(messages.map { $0.json(check) }),
            "rows": .array(rows.map(\.json)), "migrations": .array(history.migrations.map(\.json)),
            "others": .array(others.map { .string($0.id) }),
            "referred": .array(referred.map { $0.json(remedy: check?.remedy(of: $0) ?? "") }),
            "leftOut": leftOut.json, "notes": JSONValue(notes),
        ]
    }

    var document: Document { Document((text == nil ? overview : answer) + [.notes(notes.map { .note($0) })]) }

    /// Writes the notes to standard error, which do not fit into CSV.
    func note(to output: Output) {
        guard output.format == .csv else { return }
        for note in notes { output.note(note) }
    }

    // MARK: - The answer to a message

    private var answer: [Block] {
        if messages.isEmpty { return [.paragraph(unknownMessage)] + namedRows + namedMigrations }
        let rest: [Block] =
            others.isEmpty || isExplained
            ? [] : [.paragraph("The store has other findings: \(listing).")]
        return messages.flatMap { $0.blocks(check) } + referredFindings + namedRows + namedMigrations + rest
    }

    private var referredFindings: [Block] {
        let fields = fields(of: referred)
        return fields.isEmpty ? [] : [.heading("Findings that the remedies name"), .fields(fields)]
    }

    private func fields(of findings: [Finding]) -> [Field] {
        findings.map { finding in
            let found = "Found \(finding.count). "
            return check?.field(of: finding, beginning: found) ?? Field(finding.id, .text(found))
        }
    }

    private var unknownMessage: String {
        let found =
            findings.isEmpty
            ? "The checks found no problems\(unchecked)."
            : "The store has findings: \(listing). \(messagesOfFindings)"
        return "chatdb does not know this message. \(found)"
    }

    /// The command that lists the findings.
    private var listing: String { (check?.given ?? GivenOptions.none).text("\(.check) lists them") }

    /// The command that goes from the findings to the messages.
    private var messagesOfFindings: String {
        (check?.given ?? GivenOptions.none)
            .text("Without a message, \(.diagnose) lists those that the app may show because of them.")
    }

    /// The end of a sentence about checks without a finding.
    private var unchecked: String {
        leftOut.isEmpty ? "" : "; \([CheckResult.LeftOut].counted(leftOut.count)) left out"
    }

    private var namedRows: [Block] {
        if rows.isEmpty { return [] }
        return [
            .heading("Rows that the message names"),
            .table(
                Table(
                    [Column("Table"), Column("Row", alignment: .right), Column("In the store", shrinking: .wrapped)],
                    rows: rows.map { [.text($0.name.table), .text($0.name.shownNumber), .text($0.sentence)] },
                    whenEmpty: "none")),
        ]
    }

    private var namedMigrations: [Block] {
        if history.migrations.isEmpty { return [] }
        return [
            .heading("Migrations that the message names"),
            .table(
                Table(
                    [Column("Migration"), Column("In the store", shrinking: .wrapped)],
                    rows: history.migrations.map { [.text($0.name), .text($0.sentence)] }, whenEmpty: "none")),
        ]
    }

    // MARK: - All messages

    /// The messages that the store explains, with their causes. Of the other findings only the names, because `check`
    /// shows them.
    private var overview: [Block] {
        if messages.isEmpty {
            return [.paragraph("The checks found nothing that explains a message of the app\(unchecked).")] + unrelated
        }
        let causes = findings.filter { finding in messages.contains { $0.findings.contains(finding) } }
        let table = Table(
            [Column("Message", shrinking: .wrapped), Column("Because of", key: "causes", shrinking: .wrapped)],
            rows: shownMessages.map { [.text($0.message), .text($0.causes.joined(separator: ", "))] },
            whenEmpty: "nothing")
        let fields = fields(of: causes)
        let details: [Block] = fields.isEmpty ? [] : [.heading("Findings"), .fields(fields)]
        return [.paragraph("The app may show these messages because of what is in the store."), .table(table)] + details
            + unrelated
    }

    /// The messages with the names of their causes. A fault of a whole database may explain so many messages that they
    /// are not listed.
    private var shownMessages: [(message: String, causes: [String])] {
        let faults = findings.map(\.id).filter(KnownMessage.faults.contains)
        let listed = messages.map { message in
            let found = message.findings.map(\.id).filter(message.message.allFindings.contains)
            return (message: message.message.shown, causes: found + message.problems.map(\.code))
        }
        return listed.filter { !$0.causes.isEmpty }
            + (faults.isEmpty ? [] : [(message: "any message about rows of the database", causes: faults)])
    }

    /// The findings that explain no message.
    private var unrelated: [Block] {
        if others.isEmpty { return [] }
        let names = others.map(\.id).joined(separator: ", ")
        let shown = check?.given.text("\(.check) shows what they are") ?? ""
        return [.paragraph("Findings that explain no message: \(names). \(shown).")]
    }

    var csvTable: Table {
        var lines = messages.flatMap { $0.lines(check) }
        if text != nil, messages.isEmpty { lines.append(DiagnosisLine(kind: .unknown, text: unknownMessage)) }
        lines += rows.map { DiagnosisLine(kind: .row, cause: $0.shown, text: $0.sentence) }
        lines += history.migrations.map { DiagnosisLine(kind: .migration, cause: $0.name, text: $0.sentence) }
        // Without a message, all other findings are part of the answer.
        for finding in text == nil ? others : referred {
            let explanation = check?.explanation(of: finding) ?? ""
            lines.append(DiagnosisLine(kind: .other, cause: finding.id, count: finding.count, text: explanation))
        }
        return Table(DiagnosisLine.columns, rows: lines.map(\.cells), whenEmpty: "")
    }
}
