extension Catalogue {
    static let agent: [CatalogueTable] = []
}
