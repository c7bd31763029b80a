import ChatDBKit

/// An error that has a report for the user of the tool.
protocol Reportable: Error {
    var report: ErrorReport { get }
}

/// The report of an error, before formatting.
struct ErrorReport: Sendable, Hashable {
    /// The stable identifier for scripts, such as `duplicateRelayAddress` (docs/errors.md).
    let code: String
    /// One sentence: lower case, the act, the object with its name, the advice. Never the value of a row.
    let message: String
    /// The details, one item a line; programs read them in `details`.
    let lines: [String]
    /// The state after the error, if that matters: `Nothing was changed.`
    var state: String?
    /// The next step, usually a command.
    var hint: Hint?
    /// An object; empty without details for scripts.
    let details: JSONValue
    let exit: ExitStatus

    init(
        _ code: String, _ message: String, lines: [String] = [], state: String? = nil, hint: Hint? = nil,
        details: JSONValue = [:], exit: ExitStatus
    ) {
        self.code = code
        self.message = message
        self.lines = lines
        self.state = state
        self.hint = hint
        self.details = details
        self.exit = exit
    }

    /// The report of any error. An error without one is a defect; the report names its type, and omits its contents,
    /// which may hold the values of rows.
    init(_ error: any Error) {
        if let reportable = error as? any Reportable {
            self = reportable.report
        } else if let error = error as? any ChatDBError {
            self.init(library: error, hint: (error as? any RuleViolation)?.storeError?.hint)
        } else {
            self.init(
                "internalError", "unexpected error (\(type(of: error)))",
                hint: "this is a defect in chatdb; please report it with the command you ran", exit: .defect)
        }
    }
}

extension ErrorReport {
    /// The lines for people, with a newline at the end.
    func text(colour: Bool) -> String {
        var lines = [label("error", .bad, colour) + TextEscaping.line(message)]
        lines += self.lines.map { "  " + TextEscaping.line($0) }
        if let state { lines.append(TextEscaping.line(state)) }
        if let hint { lines.append(label("hint", .strong, colour) + TextEscaping.line(hint.text())) }
        return lines.map { $0 + "\n" }.joined()
    }

    /// Whether the message names a file by its path.
    var namesPath: Bool { message.contains(#/(^|\s)\//#) }

    /// The document for programs, without empty parts.
    var json: JSONValue {
        var members: [JSONValue.Member] = [.init("code", .string(code)), .init("message", .string(message))]
        if let state { members.append(.init("state", .string(state))) }
        if let hint { members.append(.init("hint", .string(hint.text()))) }
        if !details.isEmpty { members.append(.init("details", details)) }
        return ShownPaths.value(["error": .object(members)])
    }

    private func label(_ word: String, _ style: CellStyle, _ colour: Bool) -> String {
        (colour ? ANSI.styled("\(word):", style) : "\(word):") + " "
    }
}
