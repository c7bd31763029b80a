/// Rows of cells under titles.
package struct Table: Sendable, Hashable {
    package let columns: [Column]
    package let rows: [[Cell]]
    /// The sentence in place of a table without rows, except in CSV.
    package let whenEmpty: String

    package init(_ columns: [Column], rows: [[Cell]], whenEmpty: String) {
        self.columns = columns
        self.rows = rows
        self.whenEmpty = whenEmpty
    }

    /// The cell of each column; empty if the row is too short.
    package func cells(of row: [Cell]) -> [Cell] {
        columns.indices.map { row.indices.contains($0) ? row[$0] : .nothing }
    }
}

/// A column of a table.
package struct Column: Sendable, Hashable {
    package enum Alignment: Sendable, Hashable {
        case left
        case right
    }

    /// How a value shrinks if the terminal is too narrow.
    package enum Shrinking: Sendable, Hashable {
        /// Not at all: ids, states, counts.
        case whole
        /// The middle is omitted: paths, and addresses in lists.
        case middle
        /// The middle of the key is omitted, and the rest wraps between its parts: an address whose hosts have to be
        /// seen (`ShownAddress`).
        case address
        /// The same in a list whose rows have another name for the entry. It stays on one line: the further hosts are
        /// omitted next, and at last all but the host, which is always whole.
        case listedAddress
        /// The end is omitted: names, texts.
        case end
        /// It wraps to further lines: text that a question asks consent to, and causes of problems.
        case wrapped
    }

    package let title: String
    /// Its name in the header of CSV.
    package let key: String
    package let alignment: Alignment
    package let shrinking: Shrinking

    /// The key defaults to the title in lower camel case.
    package init(
        _ title: String, key: String? = nil, alignment: Alignment = .left, shrinking: Shrinking = .whole
    ) {
        self.title = title
        self.key = key ?? Keys.key(from: title)
        self.alignment = alignment
        self.shrinking = shrinking
    }
}
