import ChatDBEngine
import ChatDBSalvage
import GRDBSQLite

extension DatabaseSalvage {
    // MARK: Trees

    /// Writes the rows of the tree of a table.
    func readTree(of table: NewTable) throws {
        guard let root = table.root else {
            table.missing = [.all]
            table.result.isDamaged = true
            table.result.lost = nil
            return
        }
        let outcome = try TreeScan(usage, step).walk(from: root, isTable: table.hasRowID) { row in
            try write(row, to: table, .table)
        }
        table.missing = outcome.missing
        if outcome.isWhole { return }
        table.result.isDamaged = true
        let isCounted = outcome.lostPages == 0 && outcome.damagedPages == 0
        table.result.lost = isCounted ? outcome.lostCells : nil
    }

    /// Writes a row into its table, or into the database of lost rows if the table refuses the row.
    func write(_ row: ScannedRow, to table: NewTable, _ source: LostRows.Source) throws {
        // The values of a record that is not sound may be anything. A row ID that the page cannot have belongs to
        // another table.
        let written = row.record.isSound && row.isInRange ? try table.write(row) : .refused
        switch written {
        case .inserted:
            if row.record.isCut { table.result.incomplete += 1 } else { table.result.saved += 1 }
            if source == .page { table.result.fromPages += 1 }
        case .isThere: break
        case .refused:
            table.result.setAside += 1
            try lost.add(row, of: table.name, source)
        }
    }

    /// Counts the entries of each index. An index without damage has as many entries as its table had rows.
    func readIndexes() throws {
        for object in objects where object.kind == .index && usage.file.contains(object.root) && object.root > 1 {
            let outcome = try TreeScan(usage, step).walk(from: object.root, isTable: false) { _ in }
            guard outcome.isWhole, let table = tables[object.table.lowercased()],
                table.indexNames[object.name.lowercased()]?.isPartial == false
            else { continue }
            table.expected = max(table.expected ?? 0, outcome.rows)
        }
        for table in tables.values {
            guard let expected = table.expected, expected > table.result.saved + table.result.incomplete else {
                continue
            }
            table.result.isDamaged = true
        }
    }

    /// Walks the trees of all other tables, such as SQLite's own, so that their pages are not mistaken for lost ones.
    /// The rows of tables that could not be created go into the database of lost rows.
    func readUnknownTrees() throws {
        for object in objects where object.kind == .table && tables[object.name.lowercased()] == nil {
            guard object.root > 1, let page = usage.file.treePage(object.root) else { continue }
            let isUnmade = unmade[object.name.lowercased()] != nil
            var table = SalvagedTable(name: object.name)
            let outcome = try TreeScan(usage, step).walk(from: object.root, isTable: page.kind.isTable) { row in
                guard isUnmade else { return }
                table.setAside += 1
                try lost.add(row, of: object.name, .table)
            }
            if !isUnmade { continue }
            (table.isDamaged, table.lost) = (true, outcome.isWhole ? 0 : nil)
            otherTables.append(table)
        }
    }

    // MARK: Pages

    /// Writes the rows of orphan pages, to which nothing refers any more, into the tables that the rows fit.
    func readOrphans() throws {
        let trees = try OrphanTrees(usage, step)
        for root in trees.roots { try readOrphan(root.page, isTable: root.isTable) }
        // Pages whose pointers form a circle have no root.
        for page in trees.found where usage.isOrphan(page) {
            guard let kind = usage.file.treePage(page)?.kind else { continue }
            try readOrphan(page, isTable: kind.isTable)
        }
    }

    private func readOrphan(_ page: Int, isTable: Bool) throws {
        guard usage.isOrphan(page) else { return }
        let sample = usage.sample(from: page, isTable: isTable).filter { $0.record.isSound && !$0.record.isCut }
        let table = sample.isEmpty ? nil : try owner(of: sample, isTable: isTable)
        // An index has the same kind of pages as a table without row IDs. Without a table that fits, the pages are
        // those of an index, and have no rows.
        guard isTable || table != nil else {
            _ = try TreeScan(usage, onlyOrphans: true, step).walk(from: page, isTable: false) { _ in }
            return
        }
        _ = try TreeScan(usage, onlyOrphans: true, step).walk(from: page, isTable: isTable) { row in
            if let table { return try write(row, to: table, .page) }
            guard row.record.isSound else { return }
            result.unassigned += 1
            try lost.add(row, of: nil, .page)
        }
    }

    private struct Candidate {
        let table: NewTable?
        let object: SchemaObject?
        let isBounded: Bool
        let fit: Double
    }

    /// Finds the table to which the rows of a tree without an owner belong. The columns of the table fit the rows, and
    /// the table has lost pages with such row IDs, or its first page is unknown. Answers nil if no table fits, or if
    /// several tables fit equally well.
    private func owner(of sample: [ScannedRow], isTable: Bool) throws -> NewTable? {
        let records = sample.map(\.record)
        let rowIDs = sample.compactMap(\.rowID)
        var candidates: [Candidate] = []
        for table in tables.values where table.hasRowID == isTable && !table.missing.isEmpty {
            let ranges = table.missing.filter { range in rowIDs.allSatisfy(range.contains) }
            guard !ranges.isEmpty, let fit = table.shape.fit(of: records) else { continue }
            let isBounded = isTable && ranges.contains { $0 != .all }
            candidates.append(Candidate(table: table, object: nil, isBounded: isBounded, fit: fit))
        }
        for (object, shape) in try knownShapes() where shape.hasRowID == isTable {
            guard tables[object.name.lowercased()] == nil, let fit = shape.shape.fit(of: records) else { continue }
            candidates.append(Candidate(table: nil, object: object, isBounded: false, fit: fit))
        }
        let sorted = candidates.sorted { ($0.isBounded ? 1 : 0, $0.fit) > ($1.isBounded ? 1 : 0, $1.fit) }
        guard let best = sorted.first else { return nil }
        if let next = sorted.dropFirst().first, next.isBounded == best.isBounded, best.fit - next.fit < 0.02 {
            return nil
        }
        return try best.table
            ?? best.object.flatMap { object in
                let table = try makeKnownTable(object)
                table?.missing = [.all]
                makeKnown(.index, of: object.name)
                return table
            }
    }

    /// The shapes of tables whose definitions the file lost.
    private func knownShapes() throws -> [(SchemaObject, NewTable)] {
        if let shapes { return shapes }
        var found: [(SchemaObject, NewTable)] = []
        let objects = known.filter { $0.kind == .table && !SchemaStatement.isVirtual($0.sql) }
        if !objects.isEmpty {
            let scratch = try NewDatabase(inMemory: layout)
            for object in objects {
                guard (try? scratch.make(object)) != nil else { continue }
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

    // MARK: Indexes

    /// Adds the rows that only indexes have, with the columns of the indexes, and counts the rows that are lost.
    func readRowsOfIndexes() throws {
        for table in tables.values.sorted(by: { $0.name < $1.name }) where table.result.isDamaged {
            for object in objects where object.kind == .index && usage.file.contains(object.root) {
                guard object.root > 1, object.table.lowercased() == table.name.lowercased(),
                    let index = table.indexNames[object.name.lowercased()]
                else { continue }
                try readEntries(of: index, from: object.root, table)
            }
            let (moved, stay) = try lost.move(of: table.name) { values, rowID throws(StoreError) in
                let known = values.enumerated().filter { $0.element != .null && $0.offset < table.stored.count }
                return try table.write(
                    known.map { (column: table.stored[$0.offset], value: $0.element) }, rowID: rowID)
            }
            table.result.incomplete += moved
            table.result.setAside += stay
            table.result.fromIndexes += moved + stay
            guard let expected = table.expected else { continue }
            let found = table.result.saved + table.result.incomplete + stay + table.asideFromIndexes
            table.result.lost = max(0, expected - found)
        }
    }

    private func readEntries(of index: NewTable.Index, from root: Int, _ table: NewTable) throws {
        let keyPlaces = table.keyColumns.map { index.columns.firstIndex(of: $0) }
        _ = try TreeScan(usage, step).walk(from: root, isTable: false) { entry in
            let values = entry.record.values
            guard entry.record.isSound, !entry.record.isCut, values.count == index.columns.count else { return }
            let parts = zip(index.columns, values).filter { $0.0 >= 0 }
            if table.hasRowID {
                guard case .integer(let rowID) = values.last, table.mayMiss(rowID),
                    try !table.hasRow(rowID, key: [])
                else { return }
                let places = parts.compactMap { column, value in
                    table.stored.firstIndex(of: column).map { (place: $0, value: value) }
                }
                try lost.add(part: places, rowID: rowID, of: table.name)
            } else {
                guard !keyPlaces.contains(nil) else { return }
                let key = keyPlaces.compactMap { $0 }.map { values[$0] }
                guard try !table.hasRow(nil, key: key) else { return }
                table.result.fromIndexes += 1
                if try table.write(parts.map { (column: $0.0, value: $0.1) }, rowID: nil) {
                    table.result.incomplete += 1
                } else if table.asideKeys.insert(key).inserted {
                    table.result.setAside += 1
                    table.asideFromIndexes += 1
                    try lost.add(
                        table.stored.map { column in parts.first { $0.0 == column }?.1 ?? .null }, page: nil,
                        rowID: nil, of: table.name, .index)
                }
            }
        }
    }
}
