package import ChatDBEngine
import ChatDBPOSIX
package import ChatDBSalvage
import GRDBSQLite

/// What the salvage of one database needs: the files, the known definitions, and how it reports progress and stops.
package struct SalvageRequest {
    /// The damaged database.
    package let source: String
    /// The new database, which must not exist.
    package let target: String
    /// The database of lost rows, which have no place in the new one. It is created only if there are such rows.
    package let lostRows: String
    /// The definitions of this build, which replace those that the file has lost.
    package let known: () throws -> [SchemaObject]
    package let cancellation: Cancellation
    /// Called with the number of pages that are done, and the number of pages in the file.
    package let progress: (_ done: Int64, _ total: Int64) -> Void

    package init(
        source: String, target: String, lostRows: String, known: @escaping () throws -> [SchemaObject],
        cancellation: Cancellation = Cancellation(), progress: @escaping (Int64, Int64) -> Void = { _, _ in }
    ) {
        (self.source, self.target, self.lostRows, self.known) = (source, target, lostRows, known)
        (self.cancellation, self.progress) = (cancellation, progress)
    }
}

extension SQLiteEngine {
    /// Saves what can be read of a damaged database into a new one. The damaged one is not changed. If this throws, it
    /// removes both new files.
    package func salvage(_ request: SalvageRequest) throws -> SalvagedDatabase {
        let source = try SalvageSource.open(request.source)
        do {
            let salvage = try DatabaseSalvage(source, request)
            let result = try request.cancellation.whileRegistered(salvage.interrupt) { try salvage.run() }
            try source.requireUnchanged()
            return result
        } catch {
            for path in [request.target, request.lostRows] {
                for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
            }
            throw error
        }
    }
}

/// Saves one database. The order of the steps matters. Rows from the trees of tables are written first, so a row from
/// another place with the same key is refused.
final class DatabaseSalvage {
    let usage: PageUsage
    let layout: FileLayout
    let target: NewDatabase
    let lost: LostRows
    let schema: SchemaTable
    /// The objects of the file's schema.
    let objects: [SchemaObject]
    var result = SalvagedDatabase()
    /// The tables by their names in lower case.
    var tables: [String: NewTable] = [:]
    /// The definitions of this build that the file lacks.
    var known: [SchemaObject] = []
    /// The shapes of the tables in ``known``. It is nil until they are needed.
    var shapes: [(SchemaObject, NewTable)]?
    /// Tables of the file that could not be created, by their names in lower case.
    var unmade: [String: SchemaObject] = [:]
    /// What was saved of virtual tables, and of tables that could not be created.
    var otherTables: [SalvagedTable] = []
    private let request: SalvageRequest
    private var done: Int64 = 0

    init(_ source: SalvageSource, _ request: SalvageRequest) throws {
        self.request = request
        layout = source.file.layout
        usage = PageUsage(source.file)
        result.notes = source.notes
        result.pages = source.file.pageCount
        if layout.isGuessed { result.notes.append("the header is damaged; the size of the pages was found by trying") }
        let cancellation = request.cancellation
        schema = try SchemaTable(usage) { try cancellation.check() }
        result.isSchemaWhole = schema.isWhole
        objects = schema.objects.map(SchemaStatement.named)
        let bytes = Int64(source.file.pageCount) * Int64(layout.pageSize)
        target = try NewDatabase(at: request.target, layout, bytes: bytes)
        lost = LostRows(at: request.lostRows, layout)
    }

    var interrupt: @Sendable () -> Void { target.interrupt }

    /// Called for each page that is read.
    func step() throws {
        try request.cancellation.check()
        done += 1
        if done % 64 == 0 { request.progress(min(done, Int64(result.pages)), Int64(result.pages)) }
    }

    func run() throws -> SalvagedDatabase {
        try makeTables()
        make(.index) { SchemaStatement.isUnique($0.sql) }
        for object in objects where object.kind == .table {
            if let table = tables[object.name.lowercased()] { try readTree(of: table) }
        }
        // SQLite tells the columns of an index once the index is created.
        make(.index) { !SchemaStatement.isUnique($0.sql) }
        for table in tables.values { try table.readIndexes() }
        try readIndexes()
        try readUnknownTrees()
        try readOrphans()
        try readRowsOfIndexes()
        try readFreePages()
        try setSequences()
        try makeVirtualTables()
        make(.view) { _ in true }
        make(.trigger) { _ in true }
        for table in tables.values { table.finish() }
        result.tables = (tables.values.map(\.result) + otherTables).sorted { $0.name < $1.name }
        try target.finish(layout)
        try lost.finish()
        if usage.file.unreadablePages > 0 {
            result.notes.append("the system could not read \(usage.file.unreadablePages) pages of the file")
        }
        return result
    }

    // MARK: Schema

    private var virtualNames: [String] {
        objects.filter { $0.kind == .table && SchemaStatement.isVirtual($0.sql) }.map(\.name)
    }

    /// Whether a table is a shadow table of a virtual table. The virtual table creates it.
    private func isShadow(_ name: String) -> Bool {
        virtualNames.contains { virtual in
            Self.shadowEndings.contains { "\(virtual)_\($0)".lowercased() == name.lowercased() }
        }
    }

    private static let shadowEndings = [
        "data", "idx", "content", "docsize", "config", "segments", "segdir", "stat",
    ]

    private func makeTables() throws {
        for object in objects where object.kind == .table && object.sql != nil {
            let isInternal = object.name.lowercased().hasPrefix("sqlite_")
            if isInternal || isShadow(object.name) || SchemaStatement.isVirtual(object.sql) { continue }
            try makeTable(object)
        }
        if schema.isWhole, unmade.isEmpty { return }
        let names = Set(objects.map { $0.name.lowercased() }).subtracting(unmade.keys)
        known = try request.known().filter { !names.contains($0.name.lowercased()) }
        // Indexes and references still name a table whose definition is lost.
        var mentioned = Set(objects.map { $0.table.lowercased() })
        for table in tables.values { mentioned.formUnion(try table.parents().map { $0.lowercased() }) }
        for object in known where object.kind == .table && mentioned.contains(object.name.lowercased()) {
            guard let table = try makeKnownTable(object), let lost = unmade[object.name.lowercased()] else { continue }
            table.root = root(of: lost)
            unmade[object.name.lowercased()] = nil
        }
    }

    /// The first page of the tree of an object. It is nil if the schema has page 0 or 1, or a page that the file does
    /// not have.
    func root(of object: SchemaObject) -> Int? {
        object.root > 1 && usage.file.contains(object.root) ? object.root : nil
    }

    @discardableResult
    func makeTable(_ object: SchemaObject) throws -> NewTable? {
        do throws(StoreError) {
            try target.make(object)
            let table = try NewTable(object.name, in: target, layout.encoding)
            table.root = root(of: object)
            tables[object.name.lowercased()] = table
            return table
        } catch {
            leaveOut(object, error)
            if root(of: object) != nil { unmade[object.name.lowercased()] = object }
            return nil
        }
    }

    /// Creates a table with this build's definition. Answers nil for a virtual table, and if the table cannot be
    /// created.
    @discardableResult
    func makeKnownTable(_ object: SchemaObject) throws -> NewTable? {
        if let table = tables[object.name.lowercased()] { return table }
        guard !SchemaStatement.isVirtual(object.sql), let table = try makeTable(object) else { return nil }
        table.result.isKnownDefinition = true
        table.result.isDamaged = true
        table.result.lost = nil
        return table
    }

    /// Creates the objects of a kind: those of the file, and those of this build for tables that have this build's
    /// definition.
    private func make(_ kind: SchemaObject.Kind, where isMeant: (SchemaObject) -> Bool) {
        for object in objects where object.kind == kind && object.sql != nil && isMeant(object) {
            // The report has the table that was left out, and not each of its indexes.
            if kind == .index, tables[object.table.lowercased()] == nil { continue }
            do throws(StoreError) {
                try target.make(object)
            } catch {
                leaveOut(object, error)
            }
        }
        for object in known where object.kind == kind && isMeant(object) {
            guard tables[object.table.lowercased()]?.result.isKnownDefinition == true else { continue }
            try? target.make(object)
        }
    }

    /// Creates this build's objects for a table that got this build's definition later than the other tables.
    func makeKnown(_ kind: SchemaObject.Kind, of table: String) {
        for object in known where object.kind == kind && object.table.lowercased() == table.lowercased() {
            try? target.make(object)
        }
    }

    private func leaveOut(_ object: SchemaObject, _ error: StoreError) {
        result.leftOut.append("the \(object.kind.rawValue) \(object.name) (\(error.message))")
    }

    private func makeVirtualTables() throws {
        for object in objects where object.kind == .table && virtualNames.contains(object.name) {
            do throws(StoreError) {
                try target.make(object)
                try fill(object.name)
            } catch {
                leaveOut(object, error)
            }
        }
    }

    /// Fills a virtual table with its own rows. A table that only indexes another table is rebuilt from that table.
    private func fill(_ name: String) throws(StoreError) {
        let quoted = SQLName.quoted(name)
        let content = objects.first { $0.kind == .table && $0.name.lowercased() == "\(name)_content".lowercased() }
        guard let content, usage.file.contains(content.root) else {
            return try target.execute("INSERT INTO \(quoted) (\(quoted)) VALUES ('rebuild')")
        }
        let info = try target.prepare("PRAGMA table_xinfo(\(quoted))")
        var columns: [String] = []
        while info.step() == SQLITE_ROW { if info.number(6) == 0 { columns.append(info.text(1)) } }
        let names = (["rowid"] + columns.map(SQLName.quoted)).joined(separator: ", ")
        let places = (["?"] + columns.map { _ in "?" }).joined(separator: ", ")
        let insert = try target.prepare("INSERT OR IGNORE INTO \(quoted) (\(names)) VALUES (\(places))")
        var table = SalvagedTable(name: name)
        do {
            let outcome = try TreeScan(usage, step).walk(from: content.root, isTable: true) { row in
                guard let rowID = row.rowID, row.record.isSound, row.isInRange else {
                    table.setAside += 1
                    return try lost.add(row, of: name, .table)
                }
                insert.reset()
                insert.bind(.integer(rowID), at: 1, layout.encoding)
                // The first value is the row ID.
                for (index, value) in row.record.values.dropFirst().prefix(columns.count).enumerated() {
                    insert.bind(value, at: index + 2, layout.encoding)
                }
                if insert.step() == SQLITE_DONE {
                    if row.record.isCut { table.incomplete += 1 } else { table.saved += 1 }
                } else {
                    table.setAside += 1
                    try lost.add(row, of: name, .table)
                }
            }
            if !outcome.isWhole {
                table.isDamaged = true
                table.lost = outcome.lostPages == 0 && outcome.damagedPages == 0 ? outcome.lostCells : nil
            }
        } catch {
            throw (error as? StoreError) ?? StoreError(.other, "its rows cannot be read")
        }
        otherTables.append(table)
    }

    /// Sets the next numbers of tables with AUTOINCREMENT.
    private func setSequences() throws {
        guard let object = objects.first(where: { $0.kind == .table && $0.name == "sqlite_sequence" }),
            usage.file.contains(object.root)
        else { return }
        guard let update = try? target.prepare("UPDATE sqlite_sequence SET seq = max(seq, ?1) WHERE name = ?2"),
            let insert = try? target.prepare("INSERT INTO sqlite_sequence (name, seq) VALUES (?2, ?1)")
        else { return }
        _ = try TreeScan(usage, step).walk(from: object.root, isTable: true) { row in
            let values = row.record.values
            guard row.record.isSound, values.count == 2, case .integer = values[1],
                let name = SchemaTable.text(values[0], layout.encoding), tables[name.lowercased()] != nil
            else { return }
            for statement in [update, insert] {
                statement.reset()
                statement.bind(values[1], at: 1, layout.encoding)
                statement.bind(values[0], at: 2, layout.encoding)
                guard statement.step() == SQLITE_DONE else { return }
                let isDone = sqlite3_changes(target.connection) > 0
                statement.reset()
                if isDone { return }
            }
        }
    }
}
