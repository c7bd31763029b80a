import ChatDBEngine

/// Counts, before a run, the rows that its DELETE statements find in tables that stay.
///
/// What a statement finds depends on what those before it have done. So this is what it finds now: of rows that two
/// statements delete more than there are, and nothing of a statement that does not yet fit the schema. A run knows
/// better afterwards, and tells.
struct DeletedRows {
    /// The tables that are there and stay, by their names in lower case.
    private let tables: [String: String]
    private let deletions: [StatementFacts.Deletion]

    init(of steps: [MigrationStep], tables: [String]) throws {
        self.tables = Dictionary(tables.map { ($0.lowercased(), $0) }, uniquingKeysWith: { first, _ in first })
        // No other step may lose rows.
        deletions = try steps.filter { $0.directives.contains(.dataLoss) }.flatMap { try $0.script.facts }
            .compactMap(\.deletion)
    }

    var isEmpty: Bool { deletions.isEmpty }

    /// By table; none of a table without such rows. The statements may be of the file's making: they are asked of a
    /// connection for files that anybody may have sent.
    func losses(in transaction: any ReadTransaction) throws -> [Loss] {
        var rows: [String: Int] = [:]
        for deletion in deletions {
            guard let table = tables[deletion.table.lowercased()] else { continue }
            let all = try transaction.count("SELECT count(*) FROM \(identifier: table)")
            let found = try found(by: deletion, in: transaction) ?? all
            rows[table] = min(all, (rows[table] ?? 0) + found)
        }
        return rows.filter { $0.value > 0 }.sorted { $0.key < $1.key }
            .map { Loss(deletedFrom: $0.key, rows: $0.value) }
    }

    /// How many rows there are; nil when that takes too long to find out.
    private func found(by deletion: StatementFacts.Deletion, in transaction: any ReadTransaction) throws(StoreError)
        -> Int?
    {
        do {
            return try transaction.count(.unchecked(sql: "SELECT count(*) FROM \(deletion.rest)"))
        } catch {
            switch error.kind {
            case .sql, .denied: return 0
            case .beyondLimits: return nil
            default: throw error
            }
        }
    }
}
