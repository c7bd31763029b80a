package import ChatDBEngine
import ChatDBPOSIX
package import ChatDBSalvage
import GRDBSQLite

/// What the salvage of one database needs: the files, the known definitions, and how it reports progress and stops.
package struct SalvageRequest {
    /// The mark of the databases of a program: an application id, and the tables by which such a database shows that
    /// it is one.
    package struct Mark: Sendable {
        let applicationID: Int32
        let tables: Set<String>

        package init(applicationID: Int32, tables: Set<String>) {
            (self.applicationID, self.tables) = (applicationID, tables)
        }
    }

    /// The longest value and the longest row that are written, in bytes. Writing a value copies it several times.
    package static let longestValue: Int32 = 256 << 20

    /// The damaged database.
    package let source: String
    /// The new database, which must not exist.
    package let target: String
    /// The database of lost rows, which have no place in the new one. It is created only if there are such rows.
    package let lostRows: String
    /// The definitions that replace those that the file has lost, for a database with this rest of a schema.
    package let known: (SchemaRemains) throws -> [SchemaObject]
    /// The mark of this build's databases. It is nil if a lost one is not to be set again.
    package let mark: Mark?
    package let longestValue: Int32
    package let cancellation: Cancellation
    /// Called with the number of pages that are done, and the number of pages in the file.
    package let progress: (_ done: Int64, _ total: Int64) -> Void

    package init(
        source: String, target: String, lostRows: String, known: @escaping (SchemaRemains) throws -> [SchemaObject],
        mark: Mark? = nil, longestValue: Int32 = longestValue, cancellation: Cancellation = Cancellation(),
        progress: @escaping (Int64, Int64) -> Void = { _, _ in }
    ) {
        (self.source, self.target, self.lostRows, self.known) = (source, target, lostRows, known)
        (self.mark, self.longestValue, self.cancellation, self.progress) = (mark, longestValue, cancellation, progress)
    }
}

extension SQLiteEngine {
    /// Saves what can be read of a damaged database into a new one. The damaged one is not changed. If this throws, it
    /// removes the new files that it has created.
    package func salvage(_ request: SalvageRequest) throws -> SalvagedDatabase {
        let source = try SalvageSource.open(request.source, request.cancellation)
        let salvage = try DatabaseSalvage(source, request)
        do {
            let result = try request.cancellation.whileRegistered(salvage.interrupt) { try salvage.run() }
            try source.requireUnchanged()
            return result
        } catch {
            SideFiles.removeDatabase(at: request.target)
            if salvage.lost.wasCreated { SideFiles.removeDatabase(at: request.lostRows) }
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
    /// The names of all tables that the program of this build makes, in lower case; empty if the schema is whole.
    var tablesOfProgram: Set<String> = []
    /// The shapes of the tables in ``known``. It is nil until they are needed.
    var shapes: [(SchemaObject, NewTable)]?
    /// Tables of the file that could not be created, by their names in lower case.
    var unmade: [String: SchemaObject] = [:]
    /// The names of the objects of the file, in lower case.
    private let names: Set<String>
    /// The numbers of the trees, which are the places of their objects in ``objects``, by kind and name.
    let trees: [String: Int]
    /// The names of all tables that were left out, in lower case, with their places in the list of the result.
    private var leftOutTables: [String: Int] = [:]
    /// The names of the tables that virtual tables create, in lower case.
    private let shadowNames: Set<String>
    /// Whether a sort of the entries of an index in memory could need more memory than the process has.
    private let isLarge: Bool
    /// What was saved of virtual tables, and of tables that could not be created.
    var otherTables: [SalvagedTable] = []
    private let request: SalvageRequest
    private var done: Int64 = 0

    init(_ source: SalvageSource, _ request: SalvageRequest) throws {
        self.request = request
        layout = source.file.layout
        usage = PageUsage(source.file)
        result.notes = source.notes
        result.sideFile = source.sideFile
        result.pages = source.file.pageCount
        if layout.isGuessed {
            result.notes.append("the header is damaged; chatdb found the page size and the text encoding by trial")
        }
        let cancellation = request.cancellation
        schema = try SchemaTable(usage) { try cancellation.check() }
        result.isSchemaWhole = schema.isWhole
        objects = schema.objects.map(SchemaStatement.named)
        names = Set(objects.map { $0.name.lowercased() })
        trees = Dictionary(
            objects.enumerated().map { (Self.treeName($0.element), $0.offset) }, uniquingKeysWith: { first, _ in first }
        )
        let virtual = objects.filter { $0.kind == .table && SchemaStatement.isVirtual($0.sql) }.map(\.name)
        shadowNames = Set(
            virtual.flatMap { name in Self.shadowEndings.map { "\(name)_\($0)".lowercased() } })
        bytes = Int64(source.file.pageCount) * Int64(layout.pageSize)
        isLarge = bytes > Self.mostInMemory
        lost = LostRows(at: request.lostRows, layout, longestValue: request.longestValue)
        target = try NewDatabase(
            at: request.target, layout, longestValue: request.longestValue, hasDefinitions: true)
    }

    /// The size of the file.
    let bytes: Int64
    private static let mostInMemory: Int64 = 128 << 20

    private static func treeName(_ object: SchemaObject) -> String { "\(object.kind) \(object.name.lowercased())" }

    /// The number of the tree of an object.
    func tree(of object: SchemaObject) -> Int? { trees[Self.treeName(object)] }

    var interrupt: @Sendable () -> Void { target.interrupt }

    /// Called for each page that is read.
    func step() throws(StoreError) {
        try request.cancellation.check()
        done += 1
        if done % 64 == 0 { request.progress(min(done, Int64(result.pages)), Int64(result.pages)) }
    }

    /// Throws if a stop was requested.
    func checkStop() throws(StoreError) { try request.cancellation.check() }

    func run() throws -> SalvagedDatabase {
        if isLarge { try target.execute("PRAGMA cache_size = -65536") }
        try makeTables()
        try settleSharedPages()
        // The entries of an index that exists before the rows need no sorting.
        try make(.index) { isLarge || SchemaStatement.isUnique($0.sql) }
        for object in objects where object.kind == .table {
            if let table = tables[object.name.lowercased()] { try readTree(of: table) }
        }
        // The schema of the file has no first page for these tables.
        for object in known where object.kind == .table && !names.contains(object.name.lowercased()) {
            if let table = tables[object.name.lowercased()] { try readTree(of: table) }
        }
        // SQLite tells the columns of an index once the index is created.
        if !isLarge { try make(.index) { !SchemaStatement.isUnique($0.sql) } }
        for table in tables.values { try table.readIndexes() }
        try readIndexes()
        try readUnknownTrees()
        try readOrphans()
        try makeEmptyTables()
        try readRowsOfIndexes()
        try countReferred()
        try readFreePages()
        try setSequences()
        // A full-text index may have its texts from a view.
        try make(.view) { _ in true }
        try makeVirtualTables()
        try make(.trigger) { _ in true }
        for table in tables.values { table.finish() }
        result.tables = (tables.values.map(\.result) + otherTables).sorted { $0.name < $1.name }
        try target.finish(newHeader())
        try lost.finish()
        addNotes()
        return result
    }

    /// The facts for the header of the new database. If the file's header is lost, the schema shows whether the
    /// database is one of this build's.
    private func newHeader() -> FileLayout {
        var header = layout
        if let mark = request.mark, layout.isGuessed, header.applicationID != mark.applicationID || !header.hasMarks,
            mark.tables.allSatisfy({ tables[$0.lowercased()] != nil })
        {
            header.setMarks(applicationID: mark.applicationID)
        }
        result.isHeaderWhole = header.hasMarks
        return header
    }

    private func addNotes() {
        if !result.isHeaderWhole {
            result.notes.append(
                "the application id, the user version and the journal mode of the database were in the lost header")
        }
        if !usage.isFreeListWhole, tables.values.contains(where: { $0.result.fromPages > 0 }) {
            result.notes.append(
                "the list of free pages is damaged, so rows from pages may be rows that were deleted")
        }
        addNotesOnSize()
        if lost.shortened > 0 {
            result.notes.append(
                "rows longer than \(FileSpace.text(Int64(request.longestValue))) were not written; the database of lost "
                    + "rows has them without their longest values (rows: \(lost.shortened))")
        }
        if target.ignoresChecks {
            result.notes.append("chatdb did not evaluate CHECK constraints that call functions it does not permit")
        }
        if usage.file.unreadablePages > 0 {
            let pages = usage.file.unreadablePages
            result.notes.append("the system could not read \(pages == 1 ? "1 page" : "\(pages) pages") of the file")
        }
    }

    /// Adds notes on a file that has fewer or more pages than its header counts.
    private func addNotesOnSize() {
        guard !layout.isGuessed, let stated = layout.statedPages else { return }
        let whole = usage.file.wholePageCount
        if whole < stated {
            result.notes.append(
                "the file is truncated: it has \(whole) whole pages of \(stated); rows that were on the others are counted "
                    + "as lost")
        } else if usage.file.pagesWithData.contains(where: { $0 > stated && usage.isUsed($0) }) {
            result.notes.append(
                "the header counts \(stated) pages, and tables have pages behind them: parts of the file are of "
                    + "different times, as in a copy of a file that a program was writing; chatdb took the rows of both "
                    + "times (pages of the file: \(result.pages))")
        }
    }

    // MARK: Schema

    private static let shadowEndings = [
        "data", "idx", "content", "docsize", "config", "segments", "segdir", "stat",
    ]

    private func makeTables() throws {
        for object in objects where object.kind == .table && object.sql != nil {
            let isInternal = object.name.lowercased().hasPrefix("sqlite_")
            if isInternal || shadowNames.contains(object.name.lowercased()) || SchemaStatement.isVirtual(object.sql) {
                continue
            }
            try makeTable(object)
        }
        if schema.isWhole, unmade.isEmpty { return }
        let cancellation = request.cancellation
        let remains = try SchemaRemains(usage.file, schema) { try cancellation.check() }
        let known = try request.known(remains)
        tablesOfProgram = Set(known.filter { $0.kind == .table }.map { $0.name.lowercased() })
        self.known = known.filter {
            !names.contains($0.name.lowercased()) || unmade[$0.name.lowercased()] != nil
        }
        // Indexes and references still name a table whose definition is lost.
        var mentioned = Set(objects.map { $0.table.lowercased() })
        for table in tables.values { mentioned.formUnion(try table.foreignKeys().map { $0.parent.lowercased() }) }
        for object in self.known where object.kind == .table && mentioned.contains(object.name.lowercased()) {
            guard let table = try makeKnownTable(object), let lost = unmade[object.name.lowercased()] else { continue }
            (table.root, table.tree) = (root(of: lost), tree(of: lost))
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
            (table.root, table.tree) = (root(of: object), tree(of: object))
            tables[object.name.lowercased()] = table
            return table
        } catch {
            try leaveOut(object, error)
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
        table.result.damage(lost: nil)
        // Only the definition of the file is left out: the rows are in the new database.
        if let place = leftOutTables.removeValue(forKey: object.name.lowercased()) {
            result.leftOut[place] = "the definition of \(result.leftOut[place])"
            result.leftOutTables -= 1
        }
        return table
    }

    /// Creates the objects of a kind: those of the file, and those of this build for tables that have this build's
    /// definition. If the file lost a part of the program's schema, it lost indexes and triggers of other tables too.
    private func make(_ kind: SchemaObject.Kind, where isMeant: (SchemaObject) -> Bool) throws(StoreError) {
        for object in objects where object.kind == kind && object.sql != nil && isMeant(object) {
            do throws(StoreError) {
                if kind == .index, tables[object.table.lowercased()] == nil {
                    // The report has the table that was left out, and not each of its indexes.
                    let table = object.table.lowercased()
                    if leftOutTables[table] != nil || shadowNames.contains(table) { continue }
                    throw StoreError(.sql, "the schema has no table \(object.table)")
                }
                try target.make(object)
            } catch {
                try leaveOut(object, error)
            }
        }
        let ofAllTables = lostPartOfProgram
        for object in known where object.kind == kind && isMeant(object) {
            guard let table = tables[object.table.lowercased()], table.result.isKnownDefinition || ofAllTables
            else { continue }
            try makeKnown(object)
        }
    }

    /// Creates this build's objects for a table that got this build's definition later than the other tables.
    func makeKnown(_ kind: SchemaObject.Kind, of table: String) throws(StoreError) {
        for object in known where object.kind == kind && object.table.lowercased() == table.lowercased() {
            try makeKnown(object)
        }
    }

    /// Creates an object of this build, unless the database has it or cannot have it.
    private func makeKnown(_ object: SchemaObject) throws(StoreError) {
        do throws(StoreError) {
            try target.make(object)
        } catch  where !Self.endsSalvage(error) {}
    }

    /// Notes that an object of the file was not created. Throws an error that is not due to the object.
    func leaveOut(_ object: SchemaObject, _ error: StoreError) throws(StoreError) {
        if Self.endsSalvage(error) { throw error }
        if object.kind == .table {
            // Neither its own definition nor the known one could be made.
            if leftOutTables[object.name.lowercased()] != nil { return }
            leftOutTables[object.name.lowercased()] = result.leftOut.count
            result.leftOutTables += 1
        }
        result.leftOut.append("the \(object.kind.rawValue) \(object.name) (\(error.message))")
    }

    /// Whether an error is due to the disk, the memory or a request to stop, and not to the file.
    static func endsSalvage(_ error: StoreError) -> Bool {
        [.diskFull, .inputOutput, .readOnly, .outOfMemory, .interrupted].contains(error.kind)
    }
}
