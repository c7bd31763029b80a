import ChatDBSchema

/// The actual losses of a run in one database, under the names from before it.
struct ActualLosses: Hashable {
    struct Column: Hashable, Comparable {
        let table: String
        let column: String

        static func < (one: Column, other: Column) -> Bool {
            (one.table, one.column) < (other.table, other.column)
        }
    }

    /// Dropped tables with the rows that they had.
    var tables: [String: Int] = [:]
    /// Columns dropped from tables with rows.
    var columns: Set<Column> = []
    /// The numbers of rows that the remaining tables have less.
    var deleted: [String: Int] = [:]
    /// The same without rows that a declared rebuild left out, which no plan can count.
    var countable: [String: Int] = [:]

    /// Throws `lostMore` for a loss that the approved plan does not list, or lists with fewer rows.
    /// - Parameter counts: whether numbers of rows are compared too, because the plan showed them.
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

    /// The losses in a report: tables and columns with the data found in them before, then the deleted rows.
    func reported(_ found: [Loss]) -> [Loss] {
        let gone = found.filter { $0.kind != .rows }
        let tables = Set(gone.filter { $0.kind == .table }.map(\.table))
        return gone
            + deleted.filter { !tables.contains($0.key) }.sorted { $0.key < $1.key }
            .map { Loss(deletedFrom: $0.key, rows: $0.value) }
    }
}

extension [Loss] {
    /// Whether this plan loses more than another one.
    func exceeds(_ shown: [Loss]) -> Bool {
        contains { loss in
            let same = shown.first { $0.kind == loss.kind && $0.table == loss.table && $0.column == loss.column }
            return loss.rows > same?.rows ?? -1
        }
    }
}
