/// What a migration's file asks of the run, in a line `-- chatdb: …` before its first statement.
public enum MigrationDirective: String, Sendable, Hashable, CaseIterable {
    /// SQLite's table rebuild in twelve steps: `legacy_alter_table` is on for this direction of this migration.
    case rebuild
    /// This direction throws data away.
    case dataLoss = "data-loss"
}

extension MigrationDirective {
    /// What a comment says to the run.
    enum Reading: Hashable {
        /// It is for people.
        case nothing
        case directive(MigrationDirective)
        /// It looks like a directive and is none: what was meant would silently not happen. The line is counted
        /// from 0, in the comment.
        case unknown(line: Int)
    }

    static func read(_ comment: String) -> Reading {
        // By scalars: a line that ends in CRLF is one character, not two, to Swift.
        let lines = comment.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        for (number, line) in lines.enumerated() where looksLikeDirective(line) {
            guard comment.hasPrefix("--") else { return .unknown(line: number) }
            let words = line.dropFirst(2).split { $0 == " " || $0 == "\t" || $0 == "\r" }.map(String.init)
            let known = allCases.first { words == ["chatdb:", $0.rawValue] || words == ["chatdb:" + $0.rawValue] }
            return known.map { .directive($0) } ?? .unknown(line: number)
        }
        return .nothing
    }

    /// Generous on purpose: other case, blanks before the colon, no colon, a block comment. None of them is understood.
    /// Without a colon it is what begins with the word of a directive: `chatdb is a tool` is for people.
    private static func looksLikeDirective(_ line: Substring.UnicodeScalarView) -> Bool {
        let text = String(line.drop { " \t\r-*/".unicodeScalars.contains($0) }).lowercased()
        guard text.hasPrefix("chatdb") else { return false }
        let rest = text.dropFirst("chatdb".count)
        if rest.drop(while: { $0 == " " || $0 == "\t" }).first == ":" { return true }
        guard let first = rest.first, !first.isLetter, !first.isNumber else { return false }
        let letters = rest.filter(\.isLetter)
        return allCases.contains { letters.hasPrefix($0.rawValue.filter(\.isLetter)) }
    }
}
