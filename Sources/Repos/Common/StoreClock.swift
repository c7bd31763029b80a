import Engine
public import Schema

/// Where the times of new and changed rows come from.
public enum StoreClock: Sendable, Hashable {
    /// The database's own clock, at the moment of the statement.
    case system
    /// One moment for everything, so that the same work gives the same rows.
    case fixed(StoredTime)

    func now(in transaction: any ReadTransaction) -> Query {
        switch self {
        case .system: transaction.dialect.now
        case .fixed(let time): "\(time.text)"
        }
    }
}
