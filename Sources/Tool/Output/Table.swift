/// Rows of cells under titles.
struct Table: Sendable, Hashable {
    let columns: [Column]
    let rows: [[Cell]]
    /// The sentence shown in place of a table without rows, except in CSV.
    let whenEmpty: String

    init(_ columns: [Column], rows: [[Cell]], whenEmpty: String) {
        self.columns = columns
        self.rows = rows
        self.whenEmpty = whenEmpty
    }

    /// The cell under each column; nothing where the row is too short.
    func cells(of row: [Cell]) -> [Cell] {
        columns.indices.map { row.indices.contains($0) ? row[$0] : .nothing }
    }
}

/// A column of a table.
struct Column: Sendable, Hashable {
    enum Alignment: Sendable, Hashable {
        case left
        case right
    }

    /// What happens to a value when the terminal is too narrow.
    enum Shrinking: Sendable, Hashable {
        /// Nothing: ids, states, counts.
        case whole
        /// The middle is left out: addresses, paths.
        case middle
        /// The end is left out: names, texts.
        case end
        /// Nothing is left out, it goes on in further lines: what a question asks consent to.
        case wrapped
    }

    let title: String
    /// Its name for machines: the header of CSV.
    let key: String
    let alignment: Alignment
    let shrinking: Shrinking

    /// The key is the title in lower camel case, unless it is given.
    init(
        _ title: String, key: String? = nil, alignment: Alignment = .left, shrinking: Shrinking = .whole
    ) {
        self.title = title
        self.key = key ?? Keys.key(from: title)
        self.alignment = alignment
        self.shrinking = shrinking
    }
}
