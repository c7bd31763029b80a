import ChatDBEngine
import ChatDBSchema

/// Compares the rows of a new database with those that were read from the source: their number, and the sum over them.
///
/// A server computes the sum from what it stores. From files, the rows are read again.
struct CopyVerification {
    private let filling: CopyFilling
    private let context: StoreContext

    init(_ filling: CopyFilling, _ context: StoreContext) {
        self.filling = filling
        self.context = context
    }

    /// Throws `differs` with the first table that differs.
    func run() throws {
        for table in filling.copied {
            try context.cancellation.check()
            context.progress(.copying(filling.database, .verifying(table: table.name)))
            let found = try filling.target.serverSum(of: table.name, table.columns) ?? sum(of: table)
            guard found == table.sum else {
                throw CopyError.differs(
                    filling.database, table: table.name, read: table.sum.rows, found: found.rows)
            }
        }
    }

    private func sum(of table: CopyFilling.Filled) throws -> RowSum {
        var rows = CopiedRowStream(table.columns)
        try filling.target.forEachStoredRow(of: table.name, columns: table.columns.map(\.name)) { values in
            try rows.add(values)
        }
        return rows.sum
    }
}
