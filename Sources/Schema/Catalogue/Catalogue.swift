/// What every table and column means, and who may see it. Complete: a test fails when a column of either database is
/// missing here, or when a column here is in neither.
public enum Catalogue {
    /// The tables of one database, by subject.
    public static func tables(of database: DatabaseName) -> [CatalogueTable] {
        switch database {
        case .chat: chat
        case .agent: agent
        }
    }

    /// The table of that name, or nil when the database has none in this version.
    public static func table(_ name: String, of database: DatabaseName) -> CatalogueTable? {
        tables(of: database).first { $0.name == name }
    }
}
