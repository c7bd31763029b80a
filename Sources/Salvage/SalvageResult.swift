/// What was saved of a table.
package struct SalvagedTable: Sendable, Hashable {
    package let name: String
    /// Rows in the new table that are complete.
    package var saved = 0
    /// Rows in the new table that are not complete: some of their values were lost, or only an index had the row.
    package var incomplete = 0
    /// Rows in the new table that are complete, and may belong to another table: several tables fit them.
    package var guessed = 0
    /// Rows in the database of lost rows: they do not fit the table, or another row has their key.
    package var setAside = 0
    /// The number of rows that are missing. It is nil if pages of the table are lost or its first page is unknown, and
    /// no index without damage counts the rows.
    package var lost: Int? = 0
    /// Missing rows of which an index has some columns, and which the table refused for want of the others. The database
    /// of lost rows has these columns.
    package var traces = 0
    /// Missing rows to which rows of other tables refer, for a table of which ``lost`` is nil.
    package var referred = 0
    /// The rows in the new table that come from pages to which nothing refers any more.
    package var fromPages = 0
    /// The rows in the new table that only an index had. They are a part of ``incomplete``.
    package var fromIndexes = 0
    /// Whether a part of the table's tree could not be read.
    package var isDamaged = false
    /// Whether the definition of the table was lost and replaced by this build's.
    package var isKnownDefinition = false

    package init(name: String) { self.name = name }

    /// The number of rows that are missing at least.
    package var lostAtLeast: Int { lost ?? max(traces, referred) }

    /// Rows in the new table that are incomplete, or that may belong to another table.
    package var doubtful: Int { incomplete + guessed }

    /// Rows in the new table.
    package var written: Int { saved + incomplete + guessed }

    /// Notes that the tree of the table is damaged.
    ///
    /// - Parameter lost: the number of rows that are missing; nil if it is unknown.
    package mutating func damage(lost: Int?) { (isDamaged, self.lost) = (true, lost) }

    /// Notes what could not be read of the tree of the table.
    package mutating func damage(_ outcome: TreeOutcome) {
        if outcome.isWhole { return }
        damage(lost: outcome.lostPages == 0 && outcome.damagedPages == 0 ? outcome.lostCells : nil)
    }

    /// Whether every row was saved without a doubt.
    package var isWhole: Bool { lost == 0 && traces == 0 && doubtful == 0 && setAside == 0 }
}

/// What was saved of a database.
package struct SalvagedDatabase: Sendable, Hashable {
    /// The use made of the log or the journal beside the database.
    package enum SideFile: String, Sendable {
        /// The rows are those that the database has with it.
        case applied
        /// The rows are those of the database alone: the file belongs to another database, or SQLite cannot apply it.
        case leftOut
    }

    /// Sorted by name.
    package var tables: [SalvagedTable] = []
    /// Whether the whole schema was read.
    package var isSchemaWhole = true
    /// Whether the facts of the header that no page shows are known, such as the application id.
    package var isHeaderWhole = true
    /// Objects of the schema that were not made again, with the reason.
    package var leftOut: [String] = []
    /// The number of tables among them, whose rows may be lost.
    package var leftOutTables = 0
    /// Rows in the database of lost rows whose table is unknown.
    package var unassigned = 0
    /// Rows of free pages, which were probably deleted. They are in the database of lost rows.
    package var freeRows = 0
    package var pages = 0
    /// It is nil if there is no log or journal with changes beside the database.
    package var sideFile: SideFile?
    package var notes: [String] = []

    package init() {}

    /// Whether everything was saved without a doubt. Rows of free pages are no part of the store.
    package var isWhole: Bool {
        isSchemaWhole && isHeaderWhole && sideFile != .leftOut && leftOut.isEmpty && unassigned == 0
            && tables.allSatisfy(\.isWhole)
    }
}
