package import ChatDBEngine
public import ChatDBSchema

/// The source of the times of new and changed rows.
public enum StoreClock: Sendable, Hashable {
    /// The database's own clock, at the moment of the statement.
    case system
    /// One moment for everything, so that the same work gives the same rows.
    case fixed(StoredTime)

    package func now(in transaction: any ReadTransaction) -> Query {
        switch self {
        case .system: transaction.dialect.now
        case .fixed(let time): "\(time.text)"
        }
    }

    /// The same clock, stopped at this moment, so that one operation writes one time.
    package func stopped(in transaction: any ReadTransaction) throws(StoreError) -> StoreClock {
        guard self == .system else { return self }
        let text: String? = try transaction.first("SELECT \(transaction.dialect.now) AS now")?.get("now")
        return .fixed(text.flatMap { StoredTime(text: $0) } ?? .now())
    }
}
