import ChatDBKit

/// A store that is open for writing, and the permission to write it.
struct OpenedStore {
    let store: Store
    /// While this object exists, other programs may write the store, but not migrate it.
    private let pass: StorePass

    /// Opens the store with this prefix: `<prefix>_chat.db` and `<prefix>_agent.db`. Creates the store if it does not
    /// exist, and migrates an older one to this build's version.
    init(at prefix: String) throws {
        let engine = SQLiteEngine()
        let location = try StoreLocation(prefix: prefix)

        // A migration needs consent, and consent is a value. This app migrates up without a question, and never down,
        // because that may lose data. The migrator backs up an existing store before it changes it.
        var migrator = Migrator(engine: engine, location: location, build: try MigrationSource.build.load())
        migrator.options.confirmation = .yesUp
        let report = try migrator.run()
        switch (report.created, report.plan.isEmpty) {
        case (true, _): print("A new store was created.")
        case (_, true): print("The store is of this version.")
        case (_, false): print("The store was migrated; its backup is \(report.backup ?? "missing").")
        }

        // The gate refuses a store between two versions, or newer than this build.
        pass = try StoreGate(migrator.context).enter()
        store = try Store.openForWriting(location, with: engine)
    }

    func close() {
        try? store.close()
        withExtendedLifetime(pass) {}
    }
}
