import ChatDBSchema

/// What a run has really thrown away in one database, under the names from before it.
struct ActualLosses: Hashable {
    struct Column: Hashable, Comparable {
        let table: String
        let column: String

        static func < (one: Column, other: Column) -> Bool {
            (one.table, one.column) < (other.table, other.column)
        }
    }

    /// Tables that went, with the rows they had.
    var tables: [String: Int] = [:]
    /// Columns that went from tables with rows.
    var columns: Set<Column> = []
    /// By how many rows tables that stayed got shorter.
    var deleted: [String: Int] = [:]
    /// The same without what a declared rebuild left out, which no plan can count.
    var countable: [String: Int] = [:]

    /// Throws `lostMore` for something that is not in the plan that was consented to, or is more than there.
    /// - Parameter counts: whether numbers of rows are compared too: they were shown.
    func requireIn(_ plan: [Loss], counts: Bool, of database: DatabaseName) throws(MigrationError) {
        let planned = Dictionary(grouping: plan, by: \.kind)
        let whole = Dictionary(
            (planned[.table] ?? []).map { ($0.table, $0.rows) }, uniquingKeysWith: { first, _ in first })
        for (table, rows) in tables.sorted(by: { $0.key < $1.key }) {
            let consented = whole[table]
            if consented == nil || counts && rows > consented ?? 0 {
                throw .lostMore(database, Loss(table: table, column: nil, rows: rows), planned: consented ?? 0)
            }
        }
        for lost in columns.sorted() where whole[lost.table] == nil {
            if planned[.column]?.contains(where: { $0.table == lost.table && $0.column == lost.column }) == true {
                continue
            }
            throw .lostMore(database, Loss(table: lost.table, column: lost.column, rows: 0), planned: 0)
        }
        guard counts else { return }
        for (table, rows) in countable.sorted(by: { $0.key < $1.key }) where whole[table] == nil {
            let consented = planned[.rows]?.first { $0.table == table }?.rows ?? 0
            if rows > consented {
                throw .lostMore(database, Loss(deletedFrom: table, rows: rows), planned: consented)
            }
        }
    }

    /// What a report tells: tables and columns with what was found in them before, then the rows that were deleted.
    func reported(_ found: [Loss]) -> [Loss] {
        let gone = found.filter { $0.kind != .rows }
        let tables = Set(gone.filter { $0.kind == .table }.map(\.table))
        return gone
            + deleted.filter { !tables.contains($0.key) }.sorted { $0.key < $1.key }
            .map { Loss(deletedFrom: $0.key, rows: $0.value) }
    }
}

extension [Loss] {
    /// Whether something is lost that another plan does not have, or has less of.
    func exceeds(_ shown: [Loss]) -> Bool {
        contains { loss in
            let same = shown.first { $0.kind == loss.kind && $0.table == loss.table && $0.column == loss.column }
            return loss.rows > same?.rows ?? -1
        }
    }
}
