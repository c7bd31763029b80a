import ChatDBKit

/// A name that finds nothing, or several things.
enum NameError: Reportable {
    case notFound(code: String, message: String, name: String, candidates: [String], list: HintedCommand)
    case ambiguous(what: String, name: String, candidates: [String])

    static func notFound(
        code: String, what: String, name: String, candidates: [String], list: HintedCommand
    ) -> NameError {
        .notFound(
            code: code, message: "there is no \(what) \"\(name)\"", name: name, candidates: candidates, list: list)
    }

    var report: ErrorReport {
        switch self {
        case .notFound(let code, let message, let name, let candidates, let list):
            ErrorReport(
                code, message,
                hint: Self.hint(for: name, among: candidates, list),
                details: ["name": .string(name)], exit: .no)
        case .ambiguous(let what, let name, let candidates):
            ErrorReport(
                "ambiguousName", "\"\(name)\" matches more than one \(what): \(candidates.joined(separator: ", "))",
                hint: Self.numbering(candidates),
                details: ["name": .string(name), "candidates": JSONValue(candidates)], exit: .no)
        }
    }

    /// How to name one of several candidates.
    private static func numbering(_ candidates: [String]) -> Hint {
        candidates.allSatisfy { $0.hasPrefix("row:") } ? "use its row: row:N" : "use its id: id:N"
    }

    /// What a word in capitals stands for in the commands of hints: `a relay` for `RELAY`; nil for any other text.
    static func thing(placedBy word: String) -> String? {
        switch word {
        case "CONTACT": "a contact"
        case "GROUP": "a group"
        case "OPERATOR": "an operator"
        case "PROFILE", "USER": "a profile"
        case "RELAY": "a relay"
        case "ROW": "a row"
        case "SERVER": "a server"
        default: nil
        }
    }

    /// What to do about a name that finds nothing. A word of a printed command has to be replaced; for other names, the
    /// hint has similar names, or the command that lists all.
    private static func hint(for name: String, among candidates: [String], _ list: HintedCommand) -> Hint {
        if name == "ROW" { return "put a row, such as row:3, in the place of ROW; \(list) lists the rows" }
        if let thing = thing(placedBy: name) {
            return "put the name or id of \(thing) in the place of \(name); \(list) lists them"
        }
        return DidYouMean.hint(for: name, among: candidates).map(Hint.init(text:)) ?? "\(list) lists them"
    }
}
