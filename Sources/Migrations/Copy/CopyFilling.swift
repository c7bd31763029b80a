import ChatDBEngine
import ChatDBSchema

/// Fills one new database with the rows of the source, makes its indexes and references afterwards, and compares the
/// rows with those that were read: their number, and the sum over them.
///
/// A server computes a sum from what it stores, on both sides. The rows of new files are read again.
struct CopyFilling {
    private let database: DatabaseName
    private let target: any TableTarget
    private let connection: any MigrationConnection
    /// The path of the target.
    private let path: String
    private let source: any TableSource & SnapshotConnection
    private let sourcePath: String
    private let options: CopyOptions
    private let context: StoreContext
    /// The tables that were copied, with the sums of what was read.
    private var copied: [Filled] = []
    /// The number of texts in which bytes were replaced.
    private(set) var replacedTexts = 0

    /// A table that was copied.
    private struct Filled {
        let name: String
        let columns: [CopiedColumn]
        /// The sum of the rows that were sent.
        let sum: RowSum
    }

    init(
        _ made: DatabaseMigration, from source: CopySource, _ options: CopyOptions, _ context: StoreContext
    ) throws {
        guard let target = made.connection as? any TableTarget else {
            throw StoreError(.denied, "the engine of the copy cannot be filled")
        }
        database = made.database
        connection = made.connection
        path = made.path
        self.target = target
        self.source = try source.rows(of: made.database)
        sourcePath = source.path(of: made.database)
        self.options = options
        self.context = context
    }

    /// The tables for the report.
    var tables: [CopyReport.Table] {
        copied.map { CopyReport.Table(database: database, name: $0.name, rows: $0.sum.rows, sum: $0.sum.text) }
    }

    /// Fills and verifies the database.
    mutating func run() throws {
        try context.cancellation.whileRegistered(source.interrupt) { try fill() }
        try verify()
    }

    private mutating func fill() throws {
        let names = try requireEqualTables()
        let before = try connection.structure()
        let structures = [try reading { try $0.structure() }, before]
        let aside = try target.setAside()
        // An index in which no row will be costs nothing now, and a pass over its whole table later.
        let empty = try reading { try $0.emptyIndexes(of: before.indexes) }
        for part in aside where empty.contains(part.name) { try target.putBack(part) }
        let parts = aside.filter { !empty.contains($0.name) }
        try fill(names, structures)
        for index in try target.searchIndexes().sorted() {
            try target.fillSearchIndex(index, readTexts)
        }
        // The server plans the checks of references by them. SQLite makes none inside the transaction.
        if context.location.server != nil { try connection.refreshStatistics(of: Set(names)) }
        for (index, part) in parts.enumerated() {
            try context.cancellation.check()
            context.progress(.copying(database, .finishing(parts: index, of: parts.count)))
            do throws(StoreError) {
                try target.putBack(part)
            } catch {
                guard error.isOfRows else { throw error }
                let place = error.kind == .beyondLimits ? part.table.map { " of the table \($0)" } : nil
                throw CopyError.refused(database, part: part.name + (place ?? ""), error)
            }
        }
        try target.setLastNumbers(reading { try $0.lastNumbers() })
        let differences = try connection.structure().differences(from: before)
        guard differences.isEmpty else { throw MigrationError.wrongResult(database, version: nil, differences) }
    }

    /// Reads the source. An error of it has its path, and not that of the target.
    private func reading<T>(_ body: (any TableSource & SnapshotConnection) throws -> T) throws -> T {
        try MigrationError.naming(database, sourcePath) { try body(source) }
    }

    /// The names of the tables, which both databases have.
    private func requireEqualTables() throws -> [String] {
        let there = try reading { try $0.copied($0.ordinaryTables()) }
        let here = try target.copied(connection.ordinaryTables())
        let others = Set(there).symmetricDifference(here)
        guard others.isEmpty else { throw CopyError.otherTables(database, others.sorted()) }
        return there
    }

    /// The columns of a table, in the order of the server. Throws `otherColumns` unless both databases have them.
    private func columns(of table: String, _ structures: [DatabaseStructure]) throws -> [CopiedColumn] {
        guard let columns = try target.forms(of: table) ?? reading({ try $0.forms(of: table) }) else {
            throw StoreError(.denied, "neither the store nor its copy is on a server")
        }
        let names = Set(columns.map(\.name))
        for structure in structures {
            let own = structure.tables[table]?.columns.filter { $0.generated == nil }.map(\.name) ?? []
            let others = names.symmetricDifference(own)
            guard others.isEmpty else {
                throw CopyError.otherColumns(database, table: table, others.sorted())
            }
        }
        return columns
    }
}

// MARK: Rows

extension CopyFilling {
    /// - Parameter structures: of the source, and of the target.
    private mutating func fill(_ names: [String], _ structures: [DatabaseStructure]) throws {
        let counts = try reading { source in try names.map { try source.rowCount(of: $0) } }
        let total = counts.reduce(0, +)
        var done = 0
        for (table, count) in zip(names, counts) {
            let columns = try columns(of: table, structures)
            let key = structures.first?.tables[table]?.numberColumn
            let sum = try fill(table, columns, key: columns.firstIndex { $0.name == key }, &done, of: total)
            try requireAll(sum, of: table, columns, count)
            copied.append(Filled(name: table, columns: columns, sum: sum))
        }
    }

    /// Copies the rows of a table, and returns the sum of those that were sent.
    /// - Parameters:
    ///   - key: the column with the number of a row.
    ///   - done: the number of all rows so far.
    private mutating func fill(
        _ table: String, _ columns: [CopiedColumn], key: Int?, _ done: inout Int, of total: Int
    ) throws -> RowSum {
        var rows = CopiedRowStream(columns, replacesBadText: options.replacesBadText)
        context.progress(.copying(database, .filling(table: table, rows: done, of: total)))
        try target.fill(table, columns) { insert in
            try reading { source in
                try source.forEachStoredRow(of: table, columns: columns.map(\.name)) { values in
                    do {
                        try rows.pass(values) { row in
                            try MigrationError.naming(database, path) {
                                do {
                                    try insert(row)
                                } catch let error as StoreError where error.kind == .beyondLimits {
                                    throw UnfitRow(error: error)
                                }
                            }
                        }
                    } catch let unfit as UnfitRow {
                        let row = Self.row(values, columns, key: key, place: rows.sum.rows + 1)
                        throw CopyError.refused(database, part: "\(row) of the table \(table)", unfit.error)
                    }
                    done += 1
                    if done.isMultiple(of: Self.step) {
                        try context.cancellation.check()
                        context.progress(.copying(database, .filling(table: table, rows: done, of: total)))
                    }
                }
            }
        }
        replacedTexts += rows.replacedTexts
        return rows.sum
    }

    /// How many rows are between two reports of the progress.
    private static let step = 1_000

    /// A row by its number; by its place in the order of reading if it has none.
    private static func row(_ values: [CopiedValue], _ columns: [CopiedColumn], key: Int?, place: Int) -> String {
        guard let key, case .integer(let number) = values[key] else { return "row \(place)" }
        return "\(columns[key].name) \(number)"
    }

    /// Throws `differs` unless these are all rows of the source. A server computes their sum too: what was lost on the
    /// way from it would otherwise be compared with itself.
    private func requireAll(_ sum: RowSum, of table: String, _ columns: [CopiedColumn], _ count: Int) throws {
        let found = try reading { try $0.serverSum(of: table, columns) } ?? sum
        guard sum.rows == count, found == sum else {
            throw CopyError.differs(
                database, table: table, read: sum.rows, found: sum.rows == count ? found.rows : count)
        }
    }

    /// Reads texts of the source for an index of a search, as they were copied.
    private func readTexts(
        of table: String, _ columns: [String], _ body: ([CopiedValue]) throws -> Void
    ) throws {
        var done = 0
        try reading { source in
            try source.forEachStoredRow(of: table, columns: columns) { values in
                try MigrationError.naming(database, path) {
                    if options.replacesBadText {
                        try RepairedRow.with(values) { values, _ in try body(values) }
                    } else {
                        try body(values)
                    }
                }
                done += 1
                if done.isMultiple(of: Self.step) { try context.cancellation.check() }
            }
        }
    }

    // MARK: Verification

    /// Throws `differs` with the first table whose rows in the target are not those that were sent.
    private func verify() throws {
        for table in copied {
            try context.cancellation.check()
            context.progress(.copying(database, .verifying(table: table.name)))
            let found = try target.serverSum(of: table.name, table.columns) ?? sum(of: table)
            guard found == table.sum else {
                throw CopyError.differs(database, table: table.name, read: table.sum.rows, found: found.rows)
            }
        }
    }

    private func sum(of table: Filled) throws -> RowSum {
        var rows = CopiedRowStream(table.columns)
        try target.forEachStoredRow(of: table.name, columns: table.columns.map(\.name)) { values in
            try rows.add(values)
        }
        return rows.sum
    }
}

extension StoreError {
    /// Whether it is about rows, and not about the connection or the disk.
    fileprivate var isOfRows: Bool {
        [.uniqueViolation, .foreignKeyViolation, .constraintViolation, .beyondLimits].contains(kind)
    }
}
