import ChatDBKit

/// A store that is open for writing, and the right to write it.
struct OpenedStore {
    let store: Store
    /// Others may write beside us, but nobody migrates the store while we hold this.
    private let pass: StorePass

    /// Opens the store with this prefix: `<prefix>_chat.db` and `<prefix>_agent.db`. What is not there is made, and what
    /// is older is brought up to this build's version.
    init(at prefix: String) throws {
        let engine = SQLiteEngine()
        let location = try StoreLocation(prefix: prefix)

        // Migrating needs consent, and consent is a value: this app goes up unasked, and never down, which may lose
        // something. An existing store is backed up before anything is changed.
        var migrator = Migrator(engine: engine, location: location, build: try MigrationSource.build.load())
        migrator.options.confirmation = .yesUp
        let report = try migrator.run()
        switch (report.created, report.plan.isEmpty) {
        case (true, _): print("A new store was created.")
        case (_, true): print("The store is of this version.")
        case (_, false): print("The store was migrated; its backup is \(report.backup ?? "missing").")
        }

        // A store between two versions, or newer than this build, does not get past the gate.
        pass = try StoreGate(migrator.context).enter()
        store = try Store.openForWriting(location, with: engine)
    }

    func close() {
        try? store.close()
        withExtendedLifetime(pass) {}
    }
}
