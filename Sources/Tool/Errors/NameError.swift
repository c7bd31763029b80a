import ChatDBKit

/// A name that finds nothing, or several things.
enum NameError: Reportable {
    case notFound(code: String, message: String, name: String, candidates: [String], list: HintedCommand)
    case ambiguous(what: String, name: String, candidates: [String])
    /// The profile has nothing of this name, and these other profiles have.
    case inOthers(code: String, message: String, name: String, owners: [User], list: CommandName)
    /// The row of what has this name or number is lost, and other rows still refer to it.
    case lost(code: String, message: String, name: String)

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
        case .inOthers(let code, let message, let name, let owners, let list):
            ErrorReport(
                code, "\(message); \(Self.owning(owners)) one", hint: Self.naming(owners, list),
                details: ["name": .string(name)], exit: .no)
        case .lost(let code, let message, let name):
            ErrorReport(
                code, message, hint: "\(.check) shows what refers to lost rows, and says what still works",
                details: ["name": .string(name)], exit: .no)
        }
    }

    /// `the profile "alice" has`.
    private static func owning(_ owners: [User]) -> String {
        let names = owners.map { "\"\($0.name)\"" }.joined(separator: " and ")
        return owners.count == 1 ? "the profile \(names) has" : "the profiles \(names) have"
    }

    /// How to name another profile that has what was not found.
    private static func naming(_ owners: [User], _ list: CommandName) -> Hint {
        let options = owners.map { "-u \(ShellWord.quoted($0.name))" }.joined(separator: " or ")
        guard let owner = owners.first, owners.count == 1 else { return "\(options) names the profile" }
        return "\(options) names that profile; \(HintedCommand(list, ["-u", owner.name])) lists them"
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
