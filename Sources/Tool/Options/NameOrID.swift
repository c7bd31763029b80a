import ChatDBKit

/// A thing named on the command line: `name:2`, `id:2`, or a text that is a name first and an id otherwise.
struct NameOrID {
    /// The text for errors: the name, or the id as it was given.
    let text: String
    /// The id; nil when the text is not a number, or says that it is a name.
    let id: Int64?
    /// The name; nil when the text is marked as an id.
    let name: String?
    /// The text for other ways to find the thing, such as an address or a host; nil when it is marked as a name or an
    /// id.
    let other: String?

    init(_ given: String) {
        if given.hasPrefix("id:") {
            let number = String(given.dropFirst(3))
            id = Int64(number)
            text = id == nil ? number : given
            name = nil
            other = nil
        } else if given.hasPrefix("name:") {
            text = String(given.dropFirst(5))
            id = nil
            name = text
            other = nil
        } else {
            text = given
            id = Int64(given)
            name = given
            other = given
        }
    }

    /// Whether one of these names begins with the text, without case. Never for a single character, and for a text that
    /// is marked as a name or an id. A word that stands for a name in printed commands is only a whole name.
    func isBeginning(of names: [String]) -> Bool {
        guard let other, other.count > 1 else { return false }
        let beginning = NameRule.key(other)
        let isWhole = NameError.thing(placedBy: other) != nil
        return names.map(NameRule.key).contains { isWhole ? $0 == beginning : $0.hasPrefix(beginning) }
    }

    /// The names that begin with the text, for the error of a command that takes only whole names; none for others.
    func begun(by naming: NamedBy, _ names: [String]) -> [String] {
        var seen: Set<String> = []
        return naming == .beginning ? [] : names.filter { isBeginning(of: [$0]) && seen.insert($0).inserted }
    }

    /// Whether the text is a single character with which one of these names begins, for a command that takes beginnings.
    func isTooShort(by naming: NamedBy, _ names: [String]) -> Bool {
        guard naming == .beginning, let other, other.count == 1 else { return false }
        let beginning = NameRule.key(other)
        return names.map(NameRule.key).contains { $0.hasPrefix(beginning) }
    }
}

/// How much of a name finds a thing.
enum NamedBy {
    /// The whole name: for commands that remove what they find. A script that runs again must not remove another thing.
    case wholeName
    /// A beginning too, if only one thing has it.
    case beginning
}

/// Finds the thing that a name means among several.
enum NameMatcher {
    /// The thing found by the first way of naming that finds any; nil when none does. Throws `ambiguousName` when it
    /// finds several.
    static func one<Thing: Candidate>(
        _ things: [Thing], by ways: [(Thing) -> Bool], what: String, _ given: String
    ) throws -> Thing? {
        for isMeant in ways {
            let found = things.filter(isMeant)
            if found.count > 1 {
                throw NameError.ambiguous(what: what, name: given, candidates: found.map(\.candidate))
            }
            if let thing = found.first { return thing }
        }
        return nil
    }
}

/// A thing that may have the same name as another one.
protocol Candidate {
    /// An unambiguous name, with a description: `id:7 (mine)`.
    var candidate: String { get }
}

extension NameError {
    /// The same error with a hint about beginnings. For a command that takes only whole names, it has the names that
    /// begin with the given one. For other commands, it says that a single character is no beginning.
    func suggesting(_ named: NameOrID, by naming: NamedBy, among names: [String]) -> any Reportable {
        if case .notFound(_, _, _, _, let list) = self, named.isTooShort(by: naming, names) {
            return HintedError(
                self, hint: "the beginning of a name has two characters or more; \(list) lists the names")
        }
        let begun = named.begun(by: naming, names)
        if begun.isEmpty { return self }
        let shown = begun.prefix(Self.mostNames).map { "\"\($0)\"" }.joined(separator: " or ")
        return HintedError(self, hint: "a command that removes something takes only a whole name: \(shown)")
    }

    private static let mostNames = 3
}
