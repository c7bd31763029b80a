import ChatDBEngine
import ChatDBSchema

/// Fills one new database with the rows of the source, and makes its indexes and references afterwards.
struct CopyFilling {
    let database: DatabaseName
    let target: any TableTarget
    private let connection: any MigrationConnection
    private let source: any TableSource & SnapshotConnection
    private let options: CopyOptions
    private let context: StoreContext
    /// The tables that were copied, with the sums of what was read.
    private(set) var copied: [Filled] = []
    /// The number of texts in which bytes were replaced.
    private(set) var replacedTexts = 0

    /// A table that was copied.
    struct Filled {
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
        self.target = target
        self.source = try source.rows(of: database)
        self.options = options
        self.context = context
    }

    /// The tables for the report.
    var tables: [CopyReport.Table] {
        copied.map { CopyReport.Table(database: database, name: $0.name, rows: $0.sum.rows, sum: $0.sum.text) }
    }

    mutating func run() throws {
        let names = try requireEqualTables()
        let before = try connection.structure()
        let structures = [try source.structure(), before]
        let parts = try target.setAside()
        try fill(names, structures)
        for index in try target.searchIndexes().sorted() {
            try target.fillSearchIndex(index) { try context.cancellation.check() }
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
                throw CopyError.refused(database, part: part.name, error)
            }
        }
        try target.setLastNumbers(source.lastNumbers())
        let differences = try connection.structure().differences(from: before)
        guard differences.isEmpty else { throw MigrationError.wrongResult(database, version: nil, differences) }
    }

    /// The names of the tables, which both databases have.
    private func requireEqualTables() throws -> [String] {
        let (there, here) = (
            try source.copied(source.ordinaryTables()), try target.copied(connection.ordinaryTables())
        )
        let others = Set(there).symmetricDifference(here)
        guard others.isEmpty else { throw CopyError.otherTables(database, others.sorted()) }
        return there
    }

    /// - Parameter structures: of the source, and of the target.
    private mutating func fill(_ names: [String], _ structures: [DatabaseStructure]) throws {
        let counts = try names.map { try source.rowCount(of: $0) }
        let total = counts.reduce(0, +)
        var done = 0
        for table in names {
            let columns = try columns(of: table, structures)
            var rows = CopiedRowStream(columns, replacesBadText: options.replacesBadText)
            context.progress(.copying(database, .filling(table: table, rows: done, of: total)))
            try target.fill(table, columns) { insert in
                try source.forEachStoredRow(of: table, columns: columns.map(\.name)) { values in
                    try rows.pass(values, to: insert)
                    done += 1
                    if done.isMultiple(of: Self.step) {
                        try context.cancellation.check()
                        context.progress(.copying(database, .filling(table: table, rows: done, of: total)))
                    }
                }
            }
            replacedTexts += rows.replacedTexts
            copied.append(Filled(name: table, columns: columns, sum: rows.sum))
        }
    }

    /// How many rows are between two reports of the progress.
    private static let step = 1_000

    /// The columns of a table, in the order of the server. Throws `otherColumns` unless both databases have them.
    private func columns(of table: String, _ structures: [DatabaseStructure]) throws -> [CopiedColumn] {
        guard let columns = try target.forms(of: table) ?? source.forms(of: table) else {
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

extension StoreError {
    /// Whether it is about rows, and not about the connection or the disk.
    fileprivate var isOfRows: Bool {
        [.uniqueViolation, .foreignKeyViolation, .constraintViolation, .beyondLimits].contains(kind)
    }
}
