/// A piece of SQL in a schema. Two are equal when they are the same to SQL: blanks, comments and the case of words and
/// names do not tell them apart. They are shown as they were written.
public struct SQLText: Sendable, Hashable, Comparable {
    /// The form that is compared: blanks and comments are gone, words and names are upper case.
    package let folded: String
    /// As people read it: keywords upper case, names as they were written.
    package let shown: String

    package init(folded: String, shown: String) {
        self.folded = folded
        self.shown = shown
    }

    /// Names in a schema may hold anything: they are shown escaped, not refused.
    package init(_ text: String) throws(SQLTextError) {
        folded = try SQLLexer.folded(text, refusesControls: false)
        shown = try SQLLexer.readable(text, refusesControls: false)
    }

    /// Equal when the folded forms are.
    public static func == (first: SQLText, second: SQLText) -> Bool { first.folded == second.folded }

    /// By the folded form.
    public func hash(into hasher: inout Hasher) { hasher.combine(folded) }

    /// By the folded form.
    public static func < (first: SQLText, second: SQLText) -> Bool { first.folded < second.folded }
}

extension SQLText: ExpressibleByStringLiteral {
    /// A text in its folded form already.
    public init(stringLiteral text: String) {
        self.init(folded: text, shown: SQLLexer.shown(text))
    }
}
