extension Catalogue {
    /// What the engine itself keeps in either database. No migration makes these tables.
    static let ledger: [CatalogueTable] = [
        CatalogueTable(
            "migrations", "A migration that this database has been through.",
            [
                .public("name", "the migration's name; names sort in the order of application"),
                .public("ts", "when it was applied, UTC"),
                .public("down", "the SQL that undoes it, or NULL when it cannot be undone"),
                .public("checksum", "SHA-256 of the text that was applied, in hex"),
            ]),
        CatalogueTable(
            "store", "The one row that says which store the database belongs to.",
            [
                .public("store_id", "random id made with the store, the same in both databases"),
                .public("generation", "raised in both databases by every migration run and restore"),
            ]),
    ]
}
