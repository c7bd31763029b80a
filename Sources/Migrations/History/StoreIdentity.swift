public import ChatDBEngine
package import ChatDBSchema
import Foundation

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

    /// The identity of a new store.
    static func new() -> StoreIdentity { StoreIdentity(storeID: UUID().uuidString.lowercased(), generation: 1) }

    /// The identity in a database; nil without one.
    public static func read(in transaction: any ReadTransaction) throws(StoreError) -> StoreIdentity? {
        try readAll(in: transaction)?.identity
    }

    /// What a database records about its store.
    struct Record {
        let identity: StoreIdentity
        /// The file name that the other database had when both were adopted; nil for a database that was created or
        /// adopted alone, and for those of chatdb's own names.
        let partner: String?
        /// The store to which this one was moved; nil if it was not.
        let movedTo: String?
    }

    /// The record in a database; nil without one.
    static func readAll(in transaction: any ReadTransaction) throws(StoreError) -> Record? {
        guard try transaction.first(transaction.dialect.tableExists("store")) != nil,
            let row = try transaction.first("SELECT * FROM store"),
            // Otherwise it is a table of another program.
            row.columns.names.contains("store_id"), row.columns.names.contains("generation")
        else { return nil }
        let identity = StoreIdentity(storeID: try row.get("store_id"), generation: try row.get("generation"))
        let names = row.columns.names
        return Record(
            identity: identity, partner: names.contains("partner") ? try row.get("partner") : nil,
            movedTo: names.contains("moved_to") ? try row.get("moved_to") : nil)
    }

    /// Writes the identity into a new database.
    /// - Parameter partner: the file name of the other database of an adopted pair.
    func insert(partner: String? = nil, in transaction: any WriteTransaction) throws(StoreError) {
        try transaction.run("INSERT INTO store(store_id, generation) VALUES (\(storeID), \(generation))")
        guard let partner else { return }
        try transaction.run("ALTER TABLE store ADD COLUMN partner TEXT")
        try transaction.run("UPDATE store SET partner = \(partner)")
    }

    /// Writes that the store was moved to another place: from now on, chatdb only reads it.
    static func setMoved(to place: String, in transaction: any WriteTransaction) throws(StoreError) {
        if try transaction.first("SELECT * FROM store")?.columns.names.contains("moved_to") == false {
            try transaction.run("ALTER TABLE store ADD COLUMN moved_to TEXT")
        }
        try transaction.run("UPDATE store SET moved_to = \(place)")
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
