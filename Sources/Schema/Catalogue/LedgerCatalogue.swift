extension Catalogue {
    /// The engine's own tables, in both databases.
    static let ledger: [CatalogueTable] = []
}
