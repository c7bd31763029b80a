import ChatDBKit

extension ErrorReport {
    /// A rule of a repository that was broken, or the failure of the database below it.
    init(violation: any RuleViolation) {
        if let error = violation.storeError {
            self = error.report
            return
        }
        // What was given is not valid, as against: it is, and a rule forbids it.
        let isInvalid = violation.code.hasPrefix("invalid")
        self.init(
            violation.code, violation.message, lines: violation.lines, state: "Nothing was changed.",
            hint: violation.hint, details: violation.details, exit: isInvalid ? .invalidData : .no)
    }
}

/// A name that leads to nothing, or to several things.
enum NameError: Reportable {
    case notFound(code: String, message: String, name: String, candidates: [String], list: String)
    case ambiguous(what: String, name: String, candidates: [String])

    static func notFound(code: String, what: String, name: String, candidates: [String], list: String) -> NameError {
        .notFound(
            code: code, message: "there is no \(what) \"\(name)\"", name: name, candidates: candidates, list: list)
    }

    var report: ErrorReport {
        switch self {
        case .notFound(let code, let message, let name, let candidates, let list):
            ErrorReport(
                code, message, hint: DidYouMean.hint(for: name, among: candidates) ?? "\(list) shows those there are",
                details: ["name": .string(name)], exit: .no)
        case .ambiguous(let what, let name, let candidates):
            ErrorReport(
                "ambiguousName", "\"\(name)\" is more than one \(what): \(candidates.joined(separator: ", "))",
                hint: "name it by its id: id:N",
                details: ["name": .string(name), "candidates": JSONValue(candidates)], exit: .no)
        }
    }
}
