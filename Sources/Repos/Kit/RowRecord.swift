package import ChatDBEngine
package import ChatDBSchema

/// A record that one row of an answer holds.
package protocol RowRecord {
    init(row: ResultRow) throws(StoreError)
}

extension ResultRow {
    /// A stored time. Text that is none is an error: it would otherwise sort and show as something it is not.
    package func time(_ column: String) throws(StoreError) -> StoredTime {
        guard let time = StoredTime(text: try get(column)) else {
            throw .unexpectedValue(column: column, expected: "a time", found: "another text")
        }
        return time
    }

    /// A stored time, or nil for NULL.
    package func optionalTime(_ column: String) throws(StoreError) -> StoredTime? {
        try stored(column) == .null ? nil : .some(time(column))
    }
}
