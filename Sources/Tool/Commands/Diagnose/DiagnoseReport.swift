import ChatDBKit

/// Messages of the app, and what explains them in a store.
struct DiagnoseReport: Report {
    /// The given text. It is nil if the command has none; the report is then about all messages.
    let text: String?
    /// The messages that the text contains. Without a text, the messages that the store explains.
    let messages: [Explained]
    /// The rows that the text names.
    let rows: [NamedRow]
    private let check: CheckReport?

    /// A message with its causes in the store.
    struct Explained {
        let message: KnownMessage
        let findings: [Finding]
        let problems: [ErrorReport]
        /// The programs that have the store open, for a message about a lock.
        let holders: [FileHolder]

        var isExplained: Bool { !findings.isEmpty || !problems.isEmpty || !holders.isEmpty }
    }

    init(
        text: String?, messages: [KnownMessage]?, check: CheckReport?, problems: [ErrorReport],
        holders: [FileHolder], rows: [NamedRow]
    ) {
        self.text = text
        self.check = check
        self.rows = rows
        let found = check?.found.checkup.findings ?? []
        let all = (messages ?? KnownMessage.all).map { message in
            Explained(
                message: message,
                findings: message.findings.compactMap { id in found.first { $0.id == id } },
                problems: problems.filter { message.errors.contains($0.code) },
                holders: message.errors.contains("busy") ? holders : [])
        }
        self.messages = messages == nil ? all.filter { !$0.findings.isEmpty || !$0.problems.isEmpty } : all
    }

    /// Whether the store explains one of the messages.
    var isExplained: Bool { messages.contains(where: \.isExplained) }

    /// All findings, in the order of `check`.
    private var findings: [Finding] { check?.found.checkup.findings ?? [] }

    private var notes: [String] { check?.notes ?? [] }

    var json: JSONValue {
        [
            "text": JSONValue(text), "known": .bool(text == nil || !messages.isEmpty),
            "explained": .bool(isExplained), "messages": .array(messages.map(json)),
            "rows": .array(rows.map(\.json)),
            "others": .array(
                findings.filter { finding in !messages.contains { $0.findings.contains(finding) } }
                    .map { .string($0.id) }),
            "notes": JSONValue(notes),
        ]
    }

    private func json(_ one: Explained) -> JSONValue {
        [
            "id": .string(one.message.id), "message": .string(one.message.shown),
            "meaning": .string(one.message.meaning), "explained": .bool(one.isExplained),
            "findings": .array(one.findings.map { $0.json(remedy: check?.remedy(of: $0) ?? "") }),
            "problems": .array(
                one.problems.map {
                    [
                        "code": .string($0.code), "message": .string($0.message),
                        "hint": JSONValue($0.hint?.text(check?.given ?? .none)),
                    ]
                }),
            "openBy": .array(one.holders.map { .string($0.description) }),
            "elsewhere": JSONValue(one.message.elsewhere),
        ]
    }

    var document: Document { Document((text == nil ? overview : answer) + [.notes(notes.map { .note($0) })]) }

    // MARK: - The answer to a message

    private var answer: [Block] {
        if messages.isEmpty {
            let rest =
                findings.isEmpty ? "The checks found no problems." : "The store has findings: \(Self.otherFindings)"
            return [.paragraph("chatdb does not know this message. \(rest)")] + namedRows
        }
        return messages.flatMap(blocks) + namedRows
    }

    private static let otherFindings = "without a message, diagnose lists them."

    private func blocks(of one: Explained) -> [Block] {
        var blocks: [Block] = [.heading(one.message.shown), .paragraph(one.message.meaning)]
        if one.isExplained {
            blocks.append(.fields(causes(of: one)))
        } else {
            let rest = findings.isEmpty ? "" : " It has other findings: \(Self.otherFindings)"
            blocks.append(.paragraph("The store does not explain this message.\(rest)"))
        }
        if !one.message.elsewhere.isEmpty {
            let causes = one.message.elsewhere.joined(separator: "; ")
            blocks.append(.paragraph("\(one.isExplained ? "Other" : "Possible") causes: \(causes)."))
        }
        return blocks
    }

    private func causes(of one: Explained) -> [Field] {
        one.problems.map { problem in
            let hint = problem.hint.map { " Hint: " + $0.text(check?.given ?? .none) + "." } ?? ""
            return Field(problem.code, .text(problem.message + "." + hint))
        }
            + one.holders.map { Field("openBy", .text("\($0) has the store open.")) }
            + one.findings.map { finding in
                Field(finding.id, .text("Found \(finding.count). " + (check?.explanation(of: finding) ?? "")))
            }
    }

    private var namedRows: [Block] {
        if rows.isEmpty { return [] }
        return [
            .heading("Rows that the message names"),
            .table(
                Table(
                    [Column("Table"), Column("Row", alignment: .right), Column("In the store")],
                    rows: rows.map { [.text($0.table), .number($0.number), .text($0.shownState)] }, whenEmpty: "none")),
        ]
    }

    // MARK: - All messages

    private var overview: [Block] {
        if findings.isEmpty { return [.paragraph("The checks found nothing that explains a message of the app.")] }
        let table = Table(
            [
                Column("Finding"), Column("Count", alignment: .right),
                Column("Messages that it may explain", shrinking: .wrapped),
            ],
            rows: findings.map { finding in
                let shown = messages.filter { $0.findings.contains(finding) }.map(\.message.shown)
                return [.text(finding.id), .count(finding.count), .text(shown.joined(separator: ", "))]
            }, whenEmpty: "nothing")
        return [
            .table(table), .heading("Findings"),
            .fields(findings.map { Field($0.id, .text(check?.explanation(of: $0) ?? "")) }),
        ]
    }

    var csvTable: Table {
        Table(
            ["message", "cause", "count", "explanation"].map { Column($0, key: $0) },
            rows: messages.flatMap { one in
                one.problems.map { [.text(one.message.id), .text($0.code), .count(nil as Int?), .text($0.message)] }
                    + one.findings.map {
                        [
                            .text(one.message.id), .text($0.id), .count($0.count),
                            .text(check?.explanation(of: $0) ?? ""),
                        ]
                    }
            }, whenEmpty: "")
    }
}

extension NamedRow {
    fileprivate var json: JSONValue {
        let user: JSONValue = if case .ofProfile(let number) = state { .integer(number) } else { .null }
        return ["table": .string(table), "row": .integer(number), "exists": .bool(state != .missing), "user": user]
    }

    fileprivate var shownState: String {
        switch state {
        case .missing: "missing"
        case .ofProfile(let number): "exists, of the profile with id \(number)"
        }
    }
}
