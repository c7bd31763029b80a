import ChatDBEngine
import ChatDBSchema

/// Completes a copy that ended between its two commits: the target is complete, and the source has no mark.
///
/// The target is that copy if it has the id of the source and the next generation, and both have equal rows: then no
/// program has written one of them since.
struct CopyCompletion {
    private let source: StoreContext
    private let target: StoreContext
    private let options: CopyOptions

    init(from source: StoreContext, to target: StoreContext, _ options: CopyOptions) {
        self.source = source
        self.target = target
        self.options = options
    }

    /// Whether the target can be the copy, by its identity. Without a mark to set, nothing has to be completed.
    func isPossible() throws -> Bool {
        guard !options.keepsBoth, let own = try identity(of: source), let copy = try identity(of: target) else {
            return false
        }
        return copy == own.raised
    }

    /// Whether the record is of an interrupted copy of the source, whose address may be written in another way now.
    func isOfSource(_ record: IntentRecord) throws -> Bool {
        try identity(of: source)?.storeID == record.storeID
    }

    /// The identity of a complete store; nil for anything else that can be there.
    private func identity(of context: StoreContext) throws -> StoreIdentity? {
        do {
            let found = try FoundStore.read(context)
            return found.fitsTogether && found.parts.count == 2 ? found.parts[.chat]?.identity : nil
        } catch let error as any ChatDBError {
            if error.info.kind == .unavailable { throw error }
            return nil
        }
    }

    /// Compares all rows, and sets the mark. The caller has the lock of the target.
    ///
    /// Throws `changedSince` with the first table that differs.
    /// - Parameter marks: whether the mark is set; otherwise nothing is changed.
    func run(marks: Bool = true) throws -> CopyReport {
        let taken = try CopySource(source, marks ? .move : .look)
        try CopyCheck(taken, options, source).run()
        let copy = try StoreSnapshot(
            of: target.databases, at: target.location, engine: target.engine, patience: max(target.lockTimeout, 1),
            cancellation: target.cancellation)
        guard copy.identity == taken.identity.raised else { throw CopyError.targetExists(target.location.prefix) }
        var (tables, replaced): ([CopyReport.Table], Int) = ([], 0)
        for part in copy.parts {
            let rows = try taken.rows(of: part.database)
            guard let there = part.connection as? any TableSource & SnapshotConnection else {
                throw StoreError(.denied, "the rows of the copy cannot be read")
            }
            try MigrationError.naming(part.database, part.path) {
                try target.cancellation.whileRegistered(part.interrupt) {
                    tables += try compare(part.database, rows, there, &replaced)
                }
            }
        }
        if marks {
            try taken.mark(movedTo: target.location)
            try taken.commitMark(after: target.location)
        }
        return CopyReport(
            from: source.location, to: target.location, identity: taken.identity.raised, tables: tables,
            replacedTexts: replaced, hasMoved: marks, wasThere: true)
    }

    private func compare(
        _ database: DatabaseName, _ here: any TableSource & SnapshotConnection,
        _ there: any TableSource & SnapshotConnection, _ replaced: inout Int
    ) throws -> [CopyReport.Table] {
        let names = try reading(database) { try here.copied(here.ordinaryTables()) }
        let others = try Set(names).symmetricDifference(there.copied(there.ordinaryTables()))
        guard others.isEmpty else { throw CopyError.otherTables(database, others.sorted()) }
        var tables: [CopyReport.Table] = []
        for table in names {
            source.progress(.copying(database, .verifying(table: table)))
            guard let columns = try there.forms(of: table) ?? here.forms(of: table) else {
                throw StoreError(.denied, "neither the store nor its copy is on a server")
            }
            var rows = CopiedRowStream(columns, replacesBadText: options.replacesBadText)
            try reading(database) { try read(table, columns, of: here, into: &rows) }
            var copied = CopiedRowStream(columns)
            try read(table, columns, of: there, into: &copied)
            guard rows.sum == copied.sum else {
                let (own, last) = (try reading(database) { try here.lastNumbers() }, try there.lastNumbers())
                throw CopyError.changedSince(
                    database, table: table, copy: target.location.prefix, written: written(own[table], last[table]))
            }
            replaced += rows.replacedTexts
            tables.append(
                CopyReport.Table(database: database, name: table, rows: rows.sum.rows, sum: rows.sum.text))
        }
        // A row that was inserted and deleted since has left its number, which the copy would give again.
        let known = try there.lastNumbers()
        let own = try reading(database) { try here.lastNumbers() }
        for (table, number) in own.sorted(by: { $0.key < $1.key }) {
            guard let last = known[table], last < number else { continue }
            throw CopyError.changedSince(
                database, table: table, copy: target.location.prefix, written: .store)
        }
        return tables
    }

    /// Reads the source. An error of it has its path, and not that of the copy.
    private func reading<T>(_ database: DatabaseName, _ body: () throws -> T) throws -> T {
        try MigrationError.naming(database, source.location.path(of: database), body)
    }

    /// Which of the two was written to, by the last numbers of a table. The copy began with the number of the store, or
    /// with that of the last row: on a server, a row may have a larger number than its table has given.
    private func written(_ own: Int64?, _ last: Int64?) -> CopyError.Written? {
        guard let own, let last, own != last else { return nil }
        if own > last { return .store }
        return source.location.server == nil ? .copy : nil
    }

    private func read(
        _ table: String, _ columns: [CopiedColumn], of database: any TableSource, into rows: inout CopiedRowStream
    ) throws {
        try database.forEachStoredRow(of: table, columns: columns.map(\.name)) { values in
            do {
                try rows.pass(values) { _ in }
            } catch let unfit as UnfitRow {
                throw unfit.error
            }
            if rows.sum.rows.isMultiple(of: Self.step) { try target.cancellation.check() }
        }
    }

    /// How many rows are between two looks for a request to stop.
    private static let step = 1_000
}

extension StoreIdentity {
    /// The identity of the next generation.
    var raised: StoreIdentity { StoreIdentity(storeID: storeID, generation: generation &+ 1) }
}
