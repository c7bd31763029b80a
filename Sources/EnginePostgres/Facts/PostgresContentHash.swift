import ChatDBEngine

/// A hash over the rows of a table. It is the one that SQLite has for the same rows.
enum PostgresContentHash {
    /// Reads all rows through a cursor, in constant memory.
    static func of(
        _ table: String, columns: [String], in transaction: any ReadTransaction
    ) throws(StoreError) -> ContentHash {
        // Each row counts too, where no column is to be read.
        let names = Query.joined(["1 AS one"] + columns.map { "\(identifier: $0)" }, by: ", ")
        let schema = try PostgresFacts.schema(in: transaction)
        let query: Query = "SELECT \(names) FROM \(identifier: schema).\(identifier: table)"
        var (sum, others): (UInt64, UInt64) = (0, 0)
        do {
            try transaction.forEach(query) { row in
                var hash = RowHash()
                for value in row.values { hash.add(value) }
                let (first, second) = hash.values
                sum &+= first
                others &+= second
            }
        } catch {
            throw error as? StoreError ?? StoreError(.other, "the rows of a table cannot be read")
        }
        return ContentHash(sum: sum, others: others)
    }
}

extension RowHash {
    fileprivate mutating func add(_ value: SQLValue) {
        switch value {
        case .null: addNull()
        case .integer(let number): add(integer: number)
        // SQLite keeps NaN as NULL, and has no negative zero.
        case .real(let number): if number.isNaN { addNull() } else { add(real: number == 0 ? 0 : number) }
        case .text(var text): text.withUTF8 { add(text: UnsafeRawBufferPointer($0)) }
        case .blob(let bytes): bytes.withUnsafeBytes { add(blob: $0) }
        }
    }
}
