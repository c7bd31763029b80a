extension Catalogue {
    static let chat: [CatalogueTable] = []
}
