/// The SQL in which engines differ. The engine provides it, so that no repository has to distinguish engines.
public struct Dialect: Sendable {
    /// The placeholder of a bound value.
    public let placeholders: PlaceholderStyle
    /// The expression for the current time as stored text, UTC, `YYYY-MM-DD HH:MM:SS.SSS`.
    public let now: Query
    /// The type of whole numbers of 64 bits.
    public let wholeNumber: Query
    /// What follows the columns of a table that holds values of the declared types only, with a blank before; empty where
    /// every table does.
    public let strict: Query
    /// The expression by which rows of a table sort as they were inserted; nil if the engine does not know that order.
    public let rowOrder: Query?
    /// Whether a new row may get the number of a row that is gone.
    public let givesNumbersAgain: Bool
    /// A query that returns a row when there is a table of that name.
    public let tableExists: @Sendable (_ name: String) -> Query
    /// A query for all triggers, with the columns `name` and `sql`.
    public let triggers: Query
    /// A query for the definitions that a schema is made of, in an order of its own: `type`, `name`, `tbl_name` and
    /// `sql`. Two databases with equal answers have equal structures.
    public let definitions: Query
    /// The expression for the time a number of seconds after another; number and time are expressions. Stored text like
    /// `now`.
    public let later: @Sendable (_ time: Query, _ seconds: Query) -> Query
    /// A SELECT of these numbers, for `IN (…)`. All numbers are one bound value.
    public let numbers: @Sendable (_ numbers: [Int64]) -> Query
    /// The table of the database itself, which a view of the same name may hide.
    public let ofFile: @Sendable (_ table: String) -> Query
    /// The number of a row: a column of the table, or one that the engine adds. Nil for a table whose rows have none.
    public let rowNumber: @Sendable (_ table: TableStructure) -> Query?
    /// The name of the type of a value: `integer`, `real`, `text`, `blob` or `null`. Nil if a column has only values of
    /// its own type.
    public let typeName: (@Sendable (_ value: Query) -> Query)?
    /// The value of a column of bytes. A value of another type becomes bytes.
    public let bytes: @Sendable (_ column: Query) -> Query
    /// The bytes of a text in UTF-8.
    public let utf8: @Sendable (_ text: Query) -> Query
    /// The place of the first character of a part in a text, from 1. It is 0 if the text does not have the part.
    public let position: @Sendable (_ part: Query, _ text: Query) -> Query
    /// The condition that these values can be read as texts: none of them is a text with bytes that are not UTF-8. Nil
    /// if there are no such texts.
    public let areTexts: (@Sendable (_ values: [Query]) -> Query)?
    /// The condition that a text begins with a day that exists and a time of it, `YYYY-MM-DD HH:MM:SS`. A point behind
    /// has digits behind it. The condition may fail for a few times with a fraction, and for other text behind.
    public let isTime: @Sendable (_ text: Query) -> Query
    /// The condition that a text is JSON. Nil if the engine cannot say it of every text without an error.
    public let isJSON: (@Sendable (_ text: Query) -> Query)?
    /// Full-text search.
    public let textSearch: TextSearch

    /// The dialect of an engine.
    public init(
        placeholders: PlaceholderStyle, now: Query, wholeNumber: Query, strict: Query, rowOrder: Query?,
        givesNumbersAgain: Bool,
        tableExists: @escaping @Sendable (_ name: String) -> Query,
        triggers: Query, definitions: Query,
        later: @escaping @Sendable (_ time: Query, _ seconds: Query) -> Query,
        numbers: @escaping @Sendable (_ numbers: [Int64]) -> Query,
        ofFile: @escaping @Sendable (_ table: String) -> Query,
        rowNumber: @escaping @Sendable (_ table: TableStructure) -> Query?,
        typeName: (@Sendable (_ value: Query) -> Query)?,
        bytes: @escaping @Sendable (_ column: Query) -> Query,
        utf8: @escaping @Sendable (_ text: Query) -> Query,
        position: @escaping @Sendable (_ part: Query, _ text: Query) -> Query,
        areTexts: (@Sendable (_ values: [Query]) -> Query)?,
        isTime: @escaping @Sendable (_ text: Query) -> Query,
        isJSON: (@Sendable (_ text: Query) -> Query)?, textSearch: TextSearch
    ) {
        self.placeholders = placeholders
        self.now = now
        self.wholeNumber = wholeNumber
        self.strict = strict
        self.rowOrder = rowOrder
        self.givesNumbersAgain = givesNumbersAgain
        self.tableExists = tableExists
        self.triggers = triggers
        self.definitions = definitions
        self.later = later
        self.numbers = numbers
        self.ofFile = ofFile
        self.rowNumber = rowNumber
        self.typeName = typeName
        self.bytes = bytes
        self.utf8 = utf8
        self.position = position
        self.areTexts = areTexts
        self.isTime = isTime
        self.isJSON = isJSON
        self.textSearch = textSearch
    }
}

/// Full-text search of an engine, with an index beside a table: a row of the index has the row ID of the table's row.
///
/// `index` is the name of the index.
public struct TextSearch: Sendable {
    /// The condition that a row has all words. It may find rows of other profiles too.
    public let matches: @Sendable (_ index: Query, _ question: SearchQuestion) -> Query
    /// The ORDER BY term that returns the best rows first, for a statement over the index alone or with look-ups by row
    /// ID beside it. The engine does not look up rows after the last one that is read.
    public let bestFirst: @Sendable (_ index: Query, _ question: SearchQuestion) -> Query
    /// The rank of a row, smallest for the best: for ordering a few rows that are left by other conditions.
    public let rank: @Sendable (_ index: Query, _ question: SearchQuestion) -> Query
    /// The row ID.
    public let row: @Sendable (_ index: Query) -> Query
    /// The part of a row's text around the words, each between the two marks. `text` is the column of the table.
    public let snippet: @Sendable (_ index: Query, _ text: Query, _ words: [SearchWord], _ marks: SearchMarks) -> Query
    /// The condition that a text contains a part, found without an index. The case of unaccented Latin letters does not
    /// count.
    public let contains: @Sendable (_ text: Query, _ part: String) -> Query
    /// The statement that removes the words of deleted rows from the pages of an index which otherwise keeps them
    /// there. It removes all words, or a part of them, and continues after the last call. Nil when there is nothing to
    /// do.
    public let forget: @Sendable (_ index: Query, _ part: Part) -> Query?
    /// The tables that an index consists of. The statements of `rebuild` need all of them.
    public let tables: @Sendable (_ index: String) -> [String]
    /// The statements that make an index again from the texts.
    public let rebuild: @Sendable (_ index: Query) -> [Query]

    /// The amount that `forget` removes.
    public enum Part: Sendable, Hashable {
        /// An amount that takes too little time to be noticed.
        case some
        /// Everything; the time grows with the index.
        case all
    }

    /// The search of an engine.
    public init(
        matches: @escaping @Sendable (_ index: Query, _ question: SearchQuestion) -> Query,
        bestFirst: @escaping @Sendable (_ index: Query, _ question: SearchQuestion) -> Query,
        rank: @escaping @Sendable (_ index: Query, _ question: SearchQuestion) -> Query,
        row: @escaping @Sendable (_ index: Query) -> Query,
        snippet:
            @escaping @Sendable (
                _ index: Query, _ text: Query, _ words: [SearchWord], _ marks: SearchMarks
            ) -> Query,
        contains: @escaping @Sendable (_ text: Query, _ part: String) -> Query,
        forget: @escaping @Sendable (_ index: Query, _ part: Part) -> Query?,
        tables: @escaping @Sendable (_ index: String) -> [String],
        rebuild: @escaping @Sendable (_ index: Query) -> [Query]
    ) {
        self.matches = matches
        self.bestFirst = bestFirst
        self.rank = rank
        self.row = row
        self.snippet = snippet
        self.contains = contains
        self.forget = forget
        self.tables = tables
        self.rebuild = rebuild
    }
}

/// The marks around each found word of a snippet.
public struct SearchMarks: Sendable, Hashable {
    /// The mark before the word.
    public let open: String
    /// The mark after the word.
    public let close: String

    /// Two marks, which should be in no text.
    public init(open: String, close: String) {
        self.open = open
        self.close = close
    }
}

/// The words that a profile looks for. Callers must refuse an empty list, and words without a letter or digit.
public struct SearchQuestion: Sendable, Hashable {
    /// The words, all of which a row must have.
    public let words: [SearchWord]
    /// The number of the profile.
    public let profile: Int64

    /// A question of a profile.
    public init(_ words: [SearchWord], of profile: Int64) {
        self.words = words
        self.profile = profile
    }
}

/// A word that texts are searched for.
public struct SearchWord: Sendable, Hashable {
    /// The word, unchanged. A character between letters or digits (`don't`) separates words, as it does in the text.
    public let text: String
    /// Whether the search finds words that begin with it too.
    public let isPrefix: Bool

    /// A word.
    public init(_ text: String, isPrefix: Bool) {
        self.text = text
        self.isPrefix = isPrefix
    }
}
