/// What was saved of a table.
package struct SalvagedTable: Sendable, Hashable {
    package let name: String
    /// Rows in the new table that are complete.
    package var saved = 0
    /// Rows in the new table that are not: values are missing, or come from an index alone.
    package var incomplete = 0
    /// Rows beside the new store: they do not fit the table, or another row has their key.
    package var setAside = 0
    /// Rows that are missing; nil when the number cannot be known.
    package var lost: Int? = 0
    /// Of the rows in the new table, those from pages that nothing refers to any more.
    package var fromPages = 0
    /// Of the rows in the new table and beside it, those of which only an index had a part.
    package var fromIndexes = 0
    /// Whether the tree of the table could not be read in full.
    package var isDamaged = false
    /// Whether the definition of the table was lost, and this build's was taken.
    package var isKnownDefinition = false

    package init(name: String) { self.name = name }

    /// Rows of which it is not certain that they are right, complete and of this table.
    package var doubtful: Int { incomplete + setAside }

    /// Whether every row was saved without a doubt.
    package var isWhole: Bool { lost == 0 && doubtful == 0 }
}

/// What was saved of a database.
package struct SalvagedDatabase: Sendable, Hashable {
    /// Sorted by name.
    package var tables: [SalvagedTable] = []
    /// Whether the whole schema was read.
    package var isSchemaWhole = true
    /// Objects of the schema that were not made again, with the reason.
    package var leftOut: [String] = []
    /// Rows beside the new store of which the table is not known.
    package var unassigned = 0
    /// Rows of free pages, which were probably deleted; they are beside the new store.
    package var freeRows = 0
    package var pages = 0
    package var notes: [String] = []

    package init() {}

    /// Whether everything was saved without a doubt. Rows of free pages are no part of the store.
    package var isWhole: Bool {
        isSchemaWhole && leftOut.isEmpty && unassigned == 0 && tables.allSatisfy(\.isWhole)
    }
}
