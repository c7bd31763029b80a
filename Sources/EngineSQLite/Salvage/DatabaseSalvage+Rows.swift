import ChatDBEngine
import ChatDBSalvage
import GRDBSQLite

extension DatabaseSalvage {
    // MARK: Trees

    /// Writes the rows of the tree of a table.
    func readTree(of table: NewTable) throws {
        guard let root = table.root else {
            table.missing = KeyRanges([.all])
            return table.result.damage(lost: nil)
        }
        let outcome = try TreeScan(usage, step).walk(from: root, tree: table.tree, isTable: table.hasRowID) { row in
            try write(row, to: table, .table, isGuess: row.standing == .guessed)
        }
        table.missing = KeyRanges(outcome.missing)
        table.result.damage(outcome)
    }

    /// Writes a row into its table, or into the database of lost rows if the table refuses the row.
    ///
    /// - Parameter isGuess: whether the row may belong to another table.
    func write(_ row: ScannedRow, to table: NewTable, _ source: LostRows.Source, isGuess: Bool) throws {
        // The values of a record that is not sound may be anything. A row ID that the page cannot have belongs to
        // another table.
        let isOwn = row.isInRange && row.standing != .foreign
        let written = row.record.isSound && isOwn ? try table.write(row) : .refused
        switch written {
        case .inserted:
            if row.record.isCut {
                table.result.incomplete += 1
            } else if isGuess {
                table.result.guessed += 1
            } else {
                table.result.saved += 1
            }
            if source == .page { table.result.fromPages += 1 }
        case .isThere: break
        case .refused:
            table.result.setAside += 1
            // An index may have the same row.
            if isOwn { table.noteRefused(row) }
            try lost.add(row, of: table.name, source)
        }
    }

    /// Walks the trees of all other tables, such as SQLite's own, so that their pages are not mistaken for lost ones.
    /// The rows of tables that could not be created go into the database of lost rows.
    func readUnknownTrees() throws {
        for object in objects where object.kind == .table && tables[object.name.lowercased()] == nil {
            guard let root = root(of: object), let page = usage.file.treePage(root) else { continue }
            let isUnmade = unmade[object.name.lowercased()] != nil
            var table = SalvagedTable(name: object.name)
            let scan = TreeScan(usage, step)
            let outcome = try scan.walk(from: root, tree: tree(of: object), isTable: page.kind.isTable) { row in
                guard isUnmade else { return }
                table.setAside += 1
                try lost.add(row, of: object.name, .table)
            }
            if !isUnmade { continue }
            table.damage(lost: outcome.isWhole ? 0 : nil)
            otherTables.append(table)
        }
    }

    // MARK: Pages

    /// Writes the rows of orphan pages, to which nothing refers any more, into the tables that the rows fit.
    func readOrphans() throws {
        let trees = try OrphanTrees(usage, step)
        if trees.found.isEmpty { return }
        try nameMissingRows()
        for table in tables.values { try table.readLastOfTree() }
        for root in trees.roots { try readOrphan(root.page, isTable: root.isTable) }
        // Pages whose pointers form a circle have no root.
        for page in trees.found where usage.isOrphan(page) {
            guard let kind = usage.file.treePage(page)?.kind else { continue }
            try readOrphan(page, isTable: kind.isTable)
        }
    }

    private func readOrphan(_ page: Int, isTable: Bool) throws {
        try step()
        guard usage.isOrphan(page) else { return }
        let sample = usage.sample(from: page, isTable: isTable).filter { $0.record.isSound && !$0.record.isCut }
        let owner = sample.isEmpty ? nil : try owner(of: sample, isTable: isTable)
        let scan = TreeScan(usage, onlyOrphans: true, step)
        // An index has the same kind of pages as a table without row IDs. Without a table that fits, the pages are
        // those of an index, and have no rows.
        guard isTable || owner != nil else {
            _ = try scan.walk(from: page, tree: nil, isTable: false) { _ in }
            return
        }
        if owner?.isBehindEnd == true {
            // The tree and the indexes of the table are of an earlier time, and do not count the later rows.
            owner?.table.expected = nil
            owner?.table.result.damage(lost: nil)
        }
        _ = try scan.walk(from: page, tree: nil, isTable: isTable) { row in
            if let owner { return try write(row, ofPageOf: owner) }
            guard row.record.isSound else { return }
            result.unassigned += 1
            try lost.add(row, of: nil, .page)
        }
    }

    /// The table to which the rows of a tree without an owner belong.
    private struct Owner {
        let table: NewTable
        /// Whether the rows may belong to another table, or were deleted.
        let isGuess: Bool
        /// Whether an index without damage has the rows, and the tree of the table does not.
        let isNamed: Bool
        /// Whether the table has lost no page, and the rows follow its last one.
        let isBehindEnd: Bool
    }

    private func write(_ row: ScannedRow, ofPageOf owner: Owner) throws {
        let table = owner.table
        let isUnnamed = owner.isNamed && row.rowID.map(table.named.contains) != true
        let before = table.result.written
        try write(row, to: table, .page, isGuess: owner.isGuess || isUnnamed)
        if isUnnamed { table.unexpected += table.result.written - before }
    }

    private struct Candidate {
        let table: NewTable?
        let object: SchemaObject?
        let isBounded: Bool
        /// Whether rows have exactly as many values as the table has columns. A row that was written before a column was
        /// added has fewer.
        let isExact: Bool
        let fit: Double
        var isNamed = false

        private var rank: Int { (isBounded ? 2 : 0) + (isExact ? 1 : 0) }

        func isBetter(than other: Candidate) -> Bool { (rank, fit) > (other.rank, other.fit) }

        func isEqual(to other: Candidate) -> Bool {
            rank == other.rank && abs(fit - other.fit) < DatabaseSalvage.leastDifference
        }
    }

    /// Finds the table to which the rows of a tree without an owner belong. The columns of the table fit the rows, and
    /// one of these holds: an index without damage has the row IDs, and the table lacks them; or the table has lost
    /// pages with such row IDs, or its first page is unknown. A table whose definition is not the file's must have
    /// exactly as many columns as the rows have values. Answers nil if no table fits, or if several tables fit equally
    /// well. The answer is a guess if another table fits less well, if the rows may be deleted ones, or if the table has
    /// an uncertain page.
    private func owner(of sample: [ScannedRow], isTable: Bool) throws -> Owner? {
        let records = sample.map(\.record)
        let rowIDs = sample.compactMap(\.rowID)
        let width = records.map(\.values.count).max() ?? 0
        var candidates: [Candidate] = []
        for table in tables.values where table.hasRowID == isTable {
            let isNamed = !rowIDs.isEmpty && rowIDs.allSatisfy(table.named.contains)
            if !isNamed, table.missing.isEmpty { continue }
            let range = rowIDs.isEmpty ? KeyRange.all : table.missing.range(of: rowIDs[0])
            let isInRange = range.map { range in rowIDs.allSatisfy(range.contains) } ?? false
            guard isNamed || isInRange, let fit = table.shape.fit(of: records) else { continue }
            let isExact = width == table.shape.columns.count
            if table.result.isKnownDefinition, table.root == nil, !isExact { continue }
            let isBounded = isNamed || isTable && range != .all
            candidates.append(
                Candidate(
                    table: table, object: nil, isBounded: isBounded, isExact: isExact, fit: fit, isNamed: isNamed))
        }
        for (object, shape) in try knownShapes() where shape.hasRowID == isTable {
            // The definition may forbid all of the rows.
            guard tables[object.name.lowercased()] == nil, width == shape.shape.columns.count,
                let fit = shape.shape.fit(of: records),
                try sample.contains(where: { try shape.write($0) != .refused })
            else { continue }
            candidates.append(Candidate(table: nil, object: object, isBounded: false, isExact: true, fit: fit))
        }
        if candidates.isEmpty { return try ownerBehindEnd(of: records, rowIDs) }
        guard let best = Self.best(of: candidates),
            let table = try best.table ?? best.object.flatMap(makeTable(lostDefinition:))
        else { return nil }
        // A free page may have deleted rows, and also earlier forms of rows that an index has.
        return Owner(
            table: table, isGuess: candidates.count > 1 || !usage.isFreeListWhole || table.isContested,
            isNamed: best.isNamed, isBehindEnd: false)
    }

    /// The best of several candidates. It is nil if another one is as good.
    private static func best(of candidates: [Candidate]) -> Candidate? {
        let sorted = candidates.sorted { $0.isBetter(than: $1) }
        guard let best = sorted.first else { return nil }
        if let next = sorted.dropFirst().first, best.isEqual(to: next) { return nil }
        return best
    }

    /// Finds the table whose last row has a smaller ID than these rows. If a file is copied while a program writes it,
    /// the tree of a table may be of an earlier time, and its newest pages of a later one. The rows are a guess, because
    /// they may also be deleted ones. Answers nil if no table fits exactly, if several tables fit equally well, and if
    /// the freelist is damaged, because then most such pages are free ones.
    private func ownerBehindEnd(of records: [StoredRecord], _ rowIDs: [Int64]) throws -> Owner? {
        guard usage.isFreeListWhole, let first = rowIDs.min() else { return nil }
        let width = records.map(\.values.count).max() ?? 0
        let candidates = tables.values.compactMap { table -> Candidate? in
            guard table.hasRowID, let last = table.lastOfTree, first > last, width == table.shape.columns.count,
                let fit = table.shape.fit(of: records)
            else { return nil }
            return Candidate(table: table, object: nil, isBounded: false, isExact: true, fit: fit)
        }
        return Self.best(of: candidates)?.table.map {
            Owner(table: $0, isGuess: true, isNamed: false, isBehindEnd: true)
        }
    }

    /// Creates a table of this build of which the file has only rows. Answers nil if it cannot be created.
    private func makeTable(lostDefinition object: SchemaObject) throws -> NewTable? {
        let table = try makeKnownTable(object)
        table?.missing = KeyRanges([.all])
        try makeKnown(.index, of: object.name)
        return table
    }

    /// Whether a part of the schema is lost, and the file has most tables of the program: they show that the lost part
    /// was the program's too.
    var lostPartOfProgram: Bool {
        let isThere = { [tables] (name: String) in tables[name] != nil }
        return !schema.isWhole && tablesOfProgram.count(where: isThere) * 2 > tablesOfProgram.count
    }

    /// Creates the tables of the program that the file lost with their definitions, and of which no row was found.
    func makeEmptyTables() throws {
        guard lostPartOfProgram else { return }
        for object in known where object.kind == .table && !SchemaStatement.isVirtual(object.sql) {
            let name = object.name.lowercased()
            if tables[name] == nil, unmade[name] == nil { _ = try makeTable(lostDefinition: object) }
        }
    }

    /// The shapes of tables whose definitions the file lost. A table may have two known definitions.
    private func knownShapes() throws -> [(SchemaObject, NewTable)] {
        if let shapes { return shapes }
        var found: [(SchemaObject, NewTable)] = []
        let objects = known.filter { $0.kind == .table && !SchemaStatement.isVirtual($0.sql) }
        if !objects.isEmpty {
            let (first, second) = (try NewDatabase(inMemory: layout), try NewDatabase(inMemory: layout))
            for object in objects {
                // The first database has no place for another table of the same name.
                guard let scratch = [first, second].first(where: { (try? $0.make(object)) != nil }) else { continue }
                found.append((object, try NewTable(object.name, in: scratch, layout.encoding)))
            }
        }
        shapes = found
        return found
    }

    /// Writes the rows of free pages, which were probably deleted, into the database of lost rows.
    func readFreePages() throws {
        for page in usage.freePages where usage.isFree(page) {
            try step()
            for row in usage.rows(ofPage: page) where row.record.isSound && !row.record.isCut {
                result.freeRows += 1
                try lost.add(row, of: nil, .free)
            }
        }
    }
}
