/// A table with its columns, as the catalogue tells them.
public struct CatalogueTable: Sendable, Hashable {
    /// The name in the database.
    public let name: String
    /// One sentence: what a row is.
    public let meaning: String
    /// In the order of the table.
    public let columns: [CatalogueColumn]

    /// A table of the catalogue.
    public init(_ name: String, _ meaning: String, _ columns: [CatalogueColumn]) {
        self.name = name
        self.meaning = meaning
        self.columns = columns
    }

    /// The column of that name, or nil.
    public func column(_ name: String) -> CatalogueColumn? {
        columns.first { $0.name == name }
    }
}
