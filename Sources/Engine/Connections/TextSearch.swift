/// How an engine finds texts by their words: an index beside a table, whose rows have the numbers of the table's.
///
/// `index` is the name of the index.
public struct TextSearch: Sendable {
    /// The condition that a row has all words. No words, or a word without a letter or digit, is for callers to refuse.
    public let matches: @Sendable (_ index: Query, _ words: [SearchWord]) -> Query
    /// What a statement over the index alone, or with look-ups by number beside it, is ordered by to give the best rows
    /// first. The engine need not look up what comes after the last row that is read.
    public let bestFirst: @Sendable (_ index: Query) -> Query
    /// How well a row matches, the least best: for ordering rows of which conditions leave few.
    public let rank: @Sendable (_ index: Query) -> Query
    /// The number of a row.
    public let row: @Sendable (_ index: Query) -> Query
    /// The part of a row's text around the words, which stand between the two marks.
    public let snippet: @Sendable (_ index: Query, _ open: String, _ close: String) -> Query
    /// The condition that a text has a part anywhere, without an index and without regard to the case of unaccented Latin
    /// letters.
    public let contains: @Sendable (_ text: Query, _ part: String) -> Query
    /// The statement that takes out of the index's pages what rows that are gone left there, for an index in which such
    /// words only are not found any more: in part, where the last one left off, or wholly. Nil when there is nothing to
    /// do.
    public let forget: @Sendable (_ index: Query, _ part: Part) -> Query?

    /// How much is done at once.
    public enum Part: Sendable, Hashable {
        /// So much that nobody waits for it.
        case some
        /// Everything, in a time that grows with the index.
        case all
    }

    /// The search of an engine.
    public init(
        matches: @escaping @Sendable (_ index: Query, _ words: [SearchWord]) -> Query,
        bestFirst: @escaping @Sendable (_ index: Query) -> Query,
        rank: @escaping @Sendable (_ index: Query) -> Query,
        row: @escaping @Sendable (_ index: Query) -> Query,
        snippet: @escaping @Sendable (_ index: Query, _ open: String, _ close: String) -> Query,
        contains: @escaping @Sendable (_ text: Query, _ part: String) -> Query,
        forget: @escaping @Sendable (_ index: Query, _ part: Part) -> Query?
    ) {
        self.matches = matches
        self.bestFirst = bestFirst
        self.rank = rank
        self.row = row
        self.snippet = snippet
        self.contains = contains
        self.forget = forget
    }
}

/// A word that texts are searched for.
public struct SearchWord: Sendable, Hashable {
    /// As it was given. What stands between letters or digits in it (`don't`) stands between words in the text too.
    public let text: String
    /// Whether words that begin with it are found as well.
    public let isPrefix: Bool

    /// A word.
    public init(_ text: String, isPrefix: Bool) {
        self.text = text
        self.isPrefix = isPrefix
    }
}
