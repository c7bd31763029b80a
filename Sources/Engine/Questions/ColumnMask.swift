public import ChatDBSchema

/// A column that is not shown.
public struct MaskedColumn: Sendable, Hashable {
    /// Its table.
    public let table: String
    /// Its name.
    public let column: String
    /// Who may see it.
    public let columnClass: ColumnClass

    /// A column that is not shown.
    public init(table: String, column: String, columnClass: ColumnClass) {
        self.table = table
        self.column = column
        self.columnClass = columnClass
    }
}

/// Decides which columns of a database are shown. Rule: docs/query.md, "What is masked".
public struct ColumnMask: Sendable, Hashable {
    /// The database whose catalogue has the classes of columns: those of this build, and those of SimpleX Chat.
    public let database: DatabaseName
    /// Whether columns about people are shown.
    public let showsPersonal: Bool
    /// Whether columns that the catalogue does not describe are shown.
    public let showsUnknown: Bool
    /// Whether the database has tables of other migrations, which the catalogue does not describe.
    public let hasOtherTables: Bool

    /// A mask.
    public init(
        of database: DatabaseName, showsPersonal: Bool, showsUnknown: Bool = false, hasOtherTables: Bool = false
    ) {
        self.database = database
        self.showsPersonal = showsPersonal
        self.showsUnknown = showsUnknown
        self.hasOtherTables = hasOtherTables
    }

    private func entry(_ table: String) -> CatalogueTable? {
        let name = table.lowercased()
        if hasOtherTables { return Catalogue.ledger.first { $0.name == name } }
        return Catalogue.tableOfAnyProgram(name, of: database)
    }

    /// The class of a column. A column that the catalogue does not describe is secret, unless unknown columns are shown.
    public func columnClass(_ column: String, of table: String) -> ColumnClass {
        if table.lowercased() == LostRowsTable.name {
            return LostRowsTable.places.contains(column.lowercased()) ? .public : .secret
        }
        let unknown = showsUnknown ? ColumnClass.public : .secret
        guard let entry = entry(table) else { return unknown }
        // A row ID is as public as an id.
        if column.uppercased() == "ROWID" { return .public }
        return entry.column(column.lowercased())?.columnClass ?? unknown
    }

    /// The words that a column may show: it is public, and the app writes more behind some words. Nil for a column that
    /// is shown or masked whole.
    package func words(of column: String, in table: String) -> Set<String>? {
        if showsPersonal { return nil }
        return entry(table)?.column(column.lowercased())?.words
    }

    /// Whether a column of this class is shown.
    public func shows(_ columnClass: ColumnClass) -> Bool {
        switch columnClass {
        case .public: true
        case .personal: showsPersonal
        case .secret: false
        }
    }

    /// Whether the catalogue describes a column.
    public func knows(_ column: String, of table: String) -> Bool {
        entry(table)?.column(column.lowercased()) != nil || table.lowercased() == LostRowsTable.name
    }

    /// Whether every column of a table is shown: a virtual table can be searched by a column that is not read.
    public func showsAll(of table: String) -> Bool {
        guard let entry = entry(table) else { return showsUnknown }
        return entry.columns.allSatisfy { shows($0.columnClass) }
    }
}
