import ChatDBEngine
import ChatDBSchema
import Synchronization

/// Reads both databases of a store through the views of their plans.
final class PostgresReading: SharedTransactions {
    private let pair: PostgresPair
    private let opened = Mutex<[DatabaseName: PostgresViews]>([:])

    init(_ pair: PostgresPair) {
        self.pair = pair
    }

    /// Makes the views of a database.
    func open(_ name: DatabaseName, schema: String, through plan: ViewPlan) throws -> PostgresViews {
        let views = try pair.read { chat, agent in
            try PostgresViews(plan, schema: schema, in: name == .chat ? chat : agent)
        }
        opened.withLock { $0[name] = views }
        return views
    }

    func readBoth<T>(
        _ body: (_ chat: any ReadTransaction, _ agent: any ReadTransaction) throws -> T
    ) throws -> T {
        try pair.read(through: opened.withLock(\.self), body)
    }

    func writeBoth<T>(
        _ body: (_ chat: any WriteTransaction, _ agent: any WriteTransaction) throws -> T
    ) throws -> T {
        throw StoreError(.readOnly, "the store is open for reading")
    }
}
