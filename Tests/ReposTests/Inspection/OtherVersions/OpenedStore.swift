import ChatDBKit
import TestKit

/// A store of another version, open for reading as this build's.
struct OpenedStore: ~Copyable {
    let store: Store

    init(_ location: StoreLocation) throws {
        store = try Store.openForReading(location, with: SQLiteEngine(), through: Self.plans.get())
    }

    init(_ simplex: SimplexStore) throws { try self.init(simplex.location) }

    deinit { try? store.close() }

    /// How this build shows databases of other versions, made once.
    static let plans = Result { () throws -> [DatabaseName: ViewPlan] in
        var plans: [DatabaseName: ViewPlan] = [:]
        for (database, migrations) in try MigrationSource.build.load() {
            let schema = try SchemaText.structure(of: migrations, engine: SQLiteEngine())
            plans[database] = VersionViews.plan(of: database, as: schema)
        }
        return plans
    }
}
