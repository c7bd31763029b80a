package import ChatDBEngine
package import ChatDBSchema

/// A transaction for lists that people read: those of `inspect`, `check` and `bundle`, and of the commands that list or
/// show rows. A list leaves out a row with a value that cannot be read, and the transaction notes the row.
///
/// All other code gets the error: exports, imports, deletions, and apps. They would lose a row that is missing in a
/// list. No code can write through this type, because it is no `WriteTransaction`.
package final class ListingTransaction: ReadTransaction {
    private let base: any ReadTransaction
    /// The rows that lists left out.
    package private(set) var leftOut = LeftOutRows()
    /// The number of rows that were read as records.
    private(set) var readings = 0

    /// Reads in a transaction.
    package init(_ base: any ReadTransaction) {
        self.base = base
    }

    package var dialect: Dialect { base.dialect }

    package func rows(_ query: Query) throws(StoreError) -> [ResultRow] { try base.rows(query) }

    package func forEach(_ query: Query, _ body: (ResultRow) throws -> Void) throws {
        try base.forEach(query, body)
    }

    package func attempt<T, Failure: Error>(_ body: () throws(Failure) -> T) throws(Failure) -> T {
        try base.attempt(body)
    }

    /// The record of a row. It is nil if a value of the row cannot be read; the transaction then notes the row.
    func record<Record: RowRecord>(of row: ResultRow) throws(StoreError) -> Record? {
        readings += 1
        do throws(StoreError) {
            return try Record.read(row)
        } catch {
            guard let value = error.value else { throw error }
            leftOut.add(UnreadableRow(row, value, by: Record.numberColumn))
            return nil
        }
    }
}

/// A row with a value that cannot be read. This type contains no value of the row.
package struct UnreadableRow: Sendable, Hashable {
    /// The table. It is nil if the columns of the result do not show which table has the row.
    package let table: String?
    /// The number of the row. It is nil if the result does not have it.
    package let number: Int64?
    /// The column of the value.
    package let column: String
    /// The reason, in a few words: `not a number`.
    package let reason: String

    /// The row of a result. A result can have columns of several tables, with the number of the row in each. The table
    /// is the first that has the column of the value.
    ///
    /// - Parameter key: the column of the number that the record names, which comes first.
    package init(_ row: ResultRow, _ value: UnexpectedValue, by key: String?) {
        let names = row.columns.names
        let ids = names.filter { $0.hasSuffix("_id") && $0 != "user_id" } + names.filter { $0 == "user_id" }
        let keys = (key.map { [$0] } ?? []) + ids
        let owner = keys.first { Self.tables[$0]?.column(value.column) != nil }
        let named = owner ?? keys.first { Self.tables[$0] != nil }
        table = named.flatMap { Self.tables[$0]?.name }
        number =
            if let named, case .integer(let number)? = try? row.stored(named) { number } else { nil }
        column = value.column
        reason = value.reason
    }

    /// `contacts 12, column created_at: not a time`.
    package var description: String {
        let row = [table, number.map(String.init)].compactMap(\.self).joined(separator: " ")
        return (row.isEmpty ? "" : "\(row), ") + "column \(column): \(reason)"
    }

    /// The row and the column alone: `contacts 12 created_at`. A profile has no number, because it may be hidden.
    package var name: String {
        let number = table == "users" ? nil : number.map(String.init)
        return [table, number, column].compactMap(\.self).joined(separator: " ")
    }

    /// `{"table", "row", "column", "reason"}`.
    package var json: JSONValue {
        ["table": JSONValue(table), "row": JSONValue(number), "column": .string(column), "reason": .string(reason)]
    }

    /// The tables by the column of their numbers, which is their first. A column that is the first of several tables
    /// stands for the one that is named after it.
    private static let tables: [String: CatalogueTable] = {
        let tables = DatabaseName.allCases.flatMap { Catalogue.tables(of: $0) }
        return Dictionary(tables.compactMap { table in table.columns.first.map { ($0.name, table) } }) {
            first, second in
            let stem = first.columns.first.map { $0.name.dropLast("_id".count) } ?? ""
            return second.name.hasPrefix(stem) && !first.name.hasPrefix(stem) ? second : first
        }
    }()
}

/// The rows that a list left out. Each counts once, however often it was read.
package struct LeftOutRows: Sendable, Hashable {
    /// The number of rows that are kept; later ones are not counted.
    package static let most = 1_000

    /// The rows, in the order in which they were read.
    package private(set) var rows: [UnreadableRow] = []
    private var known: Set<UnreadableRow> = []

    package init() {}

    package var isEmpty: Bool { rows.isEmpty }

    mutating func add(_ row: UnreadableRow) {
        if rows.count < Self.most, known.insert(row).inserted { rows.append(row) }
    }

    /// A sentence for people, with the first ten rows. It is nil if no row was left out.
    package var sentence: String? {
        if rows.isEmpty { return nil }
        let count = rows.count == 1 ? "1 row is" : "\(rows.count)\(rows.count == Self.most ? " or more" : "") rows are"
        let shown = rows.prefix(10).map(\.description).joined(separator: "; ")
        return "\(count) left out: \(shown)\(rows.count > 10 ? "; …" : "")"
    }

    /// A list for programs.
    package var json: JSONValue { .array(rows.map(\.json)) }
}
