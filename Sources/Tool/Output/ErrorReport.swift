import ChatDBKit

/// An error that the user of the tool is told about as it is.
protocol Reportable: Error {
    var report: ErrorReport { get }
}

/// What is said about an error, before any format.
struct ErrorReport: Sendable, Hashable {
    /// The stable identifier that scripts look at, such as `duplicateRelayAddress` (docs/errors.md).
    let code: String
    /// One sentence: lower case, the act, the object with its name, what to do. Never the value of a row.
    let message: String
    /// What there is to say in detail, a line each; programs have it in `details`.
    let lines: [String]
    /// In which state things are, when that matters: `Nothing was changed.`
    var state: String?
    /// The command to run next.
    var hint: String?
    /// An object; empty when there is nothing for scripts to know.
    let details: JSONValue
    let exit: ExitStatus

    init(
        _ code: String, _ message: String, lines: [String] = [], state: String? = nil, hint: String? = nil,
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

    /// Any error. One that nobody wrote a report for is a defect; its type is named, its contents, which may hold the
    /// values of rows, are not.
    init(_ error: any Error) {
        if let reportable = error as? any Reportable {
            self = reportable.report
        } else if let violation = error as? any RuleViolation {
            self.init(violation: violation)
        } else {
            self.init(
                "internalError", "chatdb met an error it does not know (\(type(of: error)))",
                hint: "this is a defect in chatdb; please report it with the command that was run", exit: .defect)
        }
    }
}

extension ErrorReport {
    /// The lines for people, with a newline at the end.
    func text(colour: Bool) -> String {
        var lines = [label("error", .bad, colour) + TextEscaping.line(message)]
        lines += self.lines.map { "  " + TextEscaping.line($0) }
        if let state { lines.append(TextEscaping.line(state)) }
        if let hint { lines.append(label("hint", .strong, colour) + TextEscaping.line(hint)) }
        return lines.map { $0 + "\n" }.joined()
    }

    /// The document for programs. What there is none of is left out.
    var json: JSONValue {
        var members: [JSONValue.Member] = [.init("code", .string(code)), .init("message", .string(message))]
        if let state { members.append(.init("state", .string(state))) }
        if let hint { members.append(.init("hint", .string(hint))) }
        if !details.isEmpty { members.append(.init("details", details)) }
        return ["error": .object(members)]
    }

    private func label(_ word: String, _ style: CellStyle, _ colour: Bool) -> String {
        (colour ? ANSI.styled("\(word):", style) : "\(word):") + " "
    }
}
