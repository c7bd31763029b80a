import ChatDBKit

/// A message of the app with its causes in a store.
struct DiagnosedMessage {
    /// What the store says about a message.
    enum Answer: String {
        /// The store has a cause of the message.
        case explained
        /// The store has something that may be the cause.
        case possible
        /// No cause was found, and checks that could find one did not run.
        case unknown
        /// All checks ran that could find a cause, and found none.
        case unexplained
    }

    let message: KnownMessage
    let causes: [Explanation.Cause]
    /// The checks that could find a cause, and did not run.
    let leftOut: [CheckResult.LeftOut]
    /// The reasons why chatdb cannot open a database that are the reasons of the app too.
    let problems: [ErrorReport]
    /// The programs that have the store open, for a message about a lock.
    let holders: [FileHolder]
    /// The rows that the text names and that the app does not find, or may not find.
    let rows: [NamedRow]
    /// What the migrations of the store say about it.
    let history: [DiagnosedHistory.Cause]

    var findings: [Finding] { causes.map(\.finding) }

    var answer: Answer {
        let isCertain = [
            !problems.isEmpty, causes.contains(where: \.isCertain), rows.contains(where: \.isCertain),
            history.contains(where: \.isCertain),
        ].contains(true)
        if isCertain { return .explained }
        if !causes.isEmpty || !holders.isEmpty || !rows.isEmpty || !history.isEmpty { return .possible }
        return leftOut.isEmpty ? .unexplained : .unknown
    }

    /// Whether a cause was found, or something that may be the cause.
    var isExplained: Bool { answer == .explained || answer == .possible }

    func json(_ check: CheckReport?) -> JSONValue {
        [
            "id": .string(message.id), "message": .string(message.shown),
            "meaning": .string(message.meaning), "answer": .string(answer.rawValue), "explained": .bool(isExplained),
            "findings": .array(causes.map { $0.json(remedy: check?.remedy(of: $0.finding) ?? "") }),
            "problems": .array(
                problems.map {
                    [
                        "code": .string($0.code), "message": .string($0.message),
                        "hint": JSONValue($0.hint?.text(check?.given ?? .none)),
                    ]
                }),
            "openBy": .array(holders.map { .string($0.description) }), "rows": .array(rows.map { .string($0.shown) }),
            "history": .array(history.map { ["text": .string($0.text), "certain": .bool($0.isCertain)] }),
            "elsewhere": JSONValue(message.elsewhere), "leftOut": leftOut.json,
        ]
    }

    func blocks(_ check: CheckReport?) -> [Block] {
        var blocks: [Block] = [.heading(message.shown), .paragraph(message.meaning)]
        if isExplained { blocks.append(.fields(fields(check))) }
        if let verdict { blocks.append(.paragraph(verdict)) }
        if !message.elsewhere.isEmpty {
            let causes = message.elsewhere.joined(separator: "; ")
            blocks.append(.paragraph("\(isExplained ? "Other" : "Possible") causes: \(causes)."))
        }
        return blocks
    }

    /// What was not found or not checked. It is nil if there is a cause and all checks ran.
    private var verdict: String? {
        let unchecked = leftOut.sentences.map { $0 + "." }.joined(separator: " ")
        return switch answer {
        case .explained, .possible: unchecked.isEmpty ? nil : unchecked
        case .unknown: "chatdb cannot say whether the store explains this message: \(unchecked)"
        case .unexplained: "The store does not explain this message."
        }
    }

    private func fields(_ check: CheckReport?) -> [Field] {
        var fields = problems.map { problem in
            let hint = problem.hint.map { " Hint: " + $0.text(check?.given ?? .none) + "." } ?? ""
            return Field(problem.code, .text(problem.message + "." + hint))
        }
        func begin(_ isCertain: Bool, _ word: String) -> String {
            isCertain ? word.prefix(1).uppercased() + word.dropFirst() : "May explain it: \(word)"
        }
        for holder in holders { fields.append(Field("openBy", .text("May explain it: \(holder) has the store open."))) }
        for row in rows {
            fields.append(Field(row.shown, .text("\(begin(row.isCertain, "the row")) \(row.sentence).")))
        }
        for cause in history { fields.append(Field("migrations", .text(begin(cause.isCertain, cause.text) + "."))) }
        for cause in causes {
            let found = "\(begin(cause.isCertain, "found")) \(cause.finding.count). "
            fields.append(
                check?.field(of: cause.finding, beginning: found) ?? Field(cause.finding.id, .text(found)))
        }
        return fields
    }

    /// The lines for spreadsheets: one for the message, and one for each cause.
    func lines(_ check: CheckReport?) -> [DiagnosisLine] {
        func line(_ kind: DiagnosisLine.Kind, _ cause: String, count: Int? = nil, _ text: String) -> DiagnosisLine {
            DiagnosisLine(kind: kind, message: message.id, cause: cause, count: count, text: text)
        }
        var lines = [line(.message, answer.rawValue, message.meaning)]
        for problem in problems { lines.append(line(.problem, problem.code, problem.message)) }
        for holder in holders { lines.append(line(.openBy, holder.description, "\(holder) has the store open")) }
        for row in rows { lines.append(line(row.isCertain ? .finding : .possible, row.shown, row.sentence)) }
        for cause in history { lines.append(line(cause.isCertain ? .finding : .possible, "migrations", cause.text)) }
        for cause in causes {
            let text = check?.explanation(of: cause.finding) ?? ""
            lines.append(
                line(cause.isCertain ? .finding : .possible, cause.finding.id, count: cause.finding.count, text))
        }
        for one in leftOut { lines.append(line(.leftOut, one.id, [one].sentences.joined())) }
        return lines
    }
}

/// A line of the answer for spreadsheets.
struct DiagnosisLine {
    /// What the line is about.
    enum Kind: String {
        /// A message of the app; the cause is the answer.
        case message
        /// A text without a known message.
        case unknown
        /// A finding, a row or the migrations, which explain the message.
        case finding
        /// A finding, a row or the migrations, which may explain the message.
        case possible
        /// The reason why chatdb cannot open a database.
        case problem
        /// A program that has the store open.
        case openBy
        /// A check that did not run.
        case leftOut
        /// A row that the text names.
        case row
        /// A migration that the text names.
        case migration
        /// A finding that explains no message. With a text, only one that a remedy of the answer refers to.
        case other
    }

    let kind: Kind
    var message = ""
    var cause = ""
    var count: Int?
    let text: String

    static let columns = ["kind", "message", "cause", "count", "explanation"].map { Column($0, key: $0) }

    var cells: [Cell] { [.text(kind.rawValue), .text(message), .text(cause), .count(count), .text(text)] }
}

extension Explanation.Cause {
    fileprivate func json(remedy: String) -> JSONValue {
        guard case .object(let members) = finding.json(remedy: remedy) else { return .null }
        return .object(members + [.init("certain", .bool(isCertain))])
    }
}

extension NamedRow {
    var json: JSONValue {
        var user: JSONValue = .null
        var reason: JSONValue = .null
        if case .ofActiveProfile(let number) = state { user = .integer(number) }
        if case .ofOtherProfile(let number) = state { user = .integer(number) }
        if case .unreadable(let text) = state { reason = .string(text) }
        return [
            "table": .string(name.table), "row": name.number.map { .integer($0) } ?? .string(name.shownNumber),
            "state": .string(key),
            "exists": JSONValue(exists), "user": user, "reason": reason,
        ]
    }

    /// `groups 5`.
    var shown: String { "\(name.table) \(name.shownNumber)" }

    /// The predicate of a sentence about the row.
    var sentence: String {
        let isProfile = name.table == "users"
        return switch state {
        case .ofActiveProfile(let number):
            isProfile ? "is the active profile" : "belongs to the active profile, with the id \(number)"
        case .ofOtherProfile(let number):
            isProfile
                ? "is a profile that is not active"
                : "belongs to the profile with the id \(number), which is not active: the app does not find the row"
        case .ofHiddenProfile: "belongs to a hidden profile"
        case .ofNoProfile: "belongs to no profile"
        case .missing: "is missing"
        case .missingOrHidden: "is missing, or is a hidden profile"
        case .unreadable(let reason): "cannot be read: \(reason)"
        }
    }

    /// Whether the store has the row. It is nil if that is unknown.
    private var exists: Bool? {
        switch state {
        case .ofActiveProfile, .ofOtherProfile, .ofHiddenProfile, .ofNoProfile: true
        case .missing: false
        case .missingOrHidden, .unreadable: nil
        }
    }

    /// The state for programs.
    private var key: String {
        switch state {
        case .ofActiveProfile: "activeProfile"
        case .ofOtherProfile: "otherProfile"
        case .ofHiddenProfile: "hiddenProfile"
        case .ofNoProfile: "noProfile"
        case .missing: "missing"
        case .missingOrHidden: "missingOrHidden"
        case .unreadable: "unreadable"
        }
    }
}
