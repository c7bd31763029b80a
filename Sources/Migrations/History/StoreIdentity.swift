public import ChatDBEngine
package import ChatDBSchema

/// The identity that makes two databases one store: an id created with the store, and a counter that every migration
/// run raises in both.
public struct StoreIdentity: Sendable, Hashable {
    /// A random id.
    public let storeID: String
    /// The number of times that the store was migrated or restored.
    public let generation: Int64

    /// An identity.
    public init(storeID: String, generation: Int64) {
        self.storeID = storeID
        self.generation = generation
    }

    /// The identity in a database; nil without one.
    public static func read(in transaction: any ReadTransaction) throws(StoreError) -> StoreIdentity? {
        guard try transaction.first(transaction.dialect.tableExists("store")) != nil,
            let row = try transaction.first("SELECT store_id, generation FROM store")
        else { return nil }
        return StoreIdentity(storeID: try row.get("store_id"), generation: try row.get("generation"))
    }

    /// Writes the identity into a new database.
    func insert(in transaction: any WriteTransaction) throws(StoreError) {
        try transaction.run("INSERT INTO store(store_id, generation) VALUES (\(storeID), \(generation))")
    }

    /// Writes the generation.
    static func set(generation: Int64, in transaction: any WriteTransaction) throws(StoreError) {
        try transaction.run("UPDATE store SET generation = \(generation)")
    }
}

/// The application id in a database's header that marks chatdb's databases: `chtC` and `chtA` in ASCII.
package enum StoreMark {
    /// The mark of one of the two databases.
    package static func of(_ database: DatabaseName) -> Int64 {
        switch database {
        case .chat: 0x6368_7443
        case .agent: 0x6368_7441
        }
    }
}
