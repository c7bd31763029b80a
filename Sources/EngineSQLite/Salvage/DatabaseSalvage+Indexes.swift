import ChatDBEngine
import ChatDBSalvage

extension DatabaseSalvage {
    /// Counts the entries of each index. An index without damage has as many entries as its table had rows.
    func readIndexes() throws {
        for object in objects where object.kind == .index {
            guard let root = root(of: object) else { continue }
            let outcome = try TreeScan(usage, step).walk(from: root, tree: tree(of: object), isTable: false) { _ in }
            guard outcome.isWhole, let table = tables[object.table.lowercased()],
                table.indexNames[object.name.lowercased()]?.isPartial == false
            else { continue }
            table.expected = max(table.expected ?? 0, outcome.rows)
        }
        for table in tables.values {
            if let expected = table.expected, expected > table.result.written { table.result.isDamaged = true }
        }
    }

    /// Notes the rows that an index without damage has and the tree of its table does not have. Pages to which nothing
    /// refers may have them.
    func nameMissingRows() throws {
        var done: Set<String> = []
        for object in objects where object.kind == .index {
            guard let root = root(of: object), let table = tables[object.table.lowercased()], table.hasRowID,
                let expected = table.expected, expected > table.result.written, !done.contains(table.name),
                table.indexNames[object.name.lowercased()]?.isPartial == false
            else { continue }
            var found: Set<Int64> = []
            let outcome = try TreeScan(usage, step).walk(from: root, tree: tree(of: object), isTable: false) { entry in
                guard entry.record.isSound, case .integer(let rowID)? = entry.record.values.last,
                    !table.refusedIDs.contains(rowID), !table.unsoundIDs.contains(rowID),
                    try !table.hasRow(rowID, key: [])
                else { return }
                found.insert(rowID)
            }
            guard outcome.isWhole, outcome.rows == expected else { continue }
            table.named = found
            done.insert(table.name)
        }
    }

    /// Adds the rows that only indexes have, with the columns of the indexes, and counts the rows that are lost.
    func readRowsOfIndexes() throws {
        for table in tables.values.sorted(by: { $0.name < $1.name }) where table.result.isDamaged {
            let names = table.indexNames
            for object in objects where object.kind == .index {
                guard let root = root(of: object), object.table.lowercased() == table.name.lowercased(),
                    let index = names[object.name.lowercased()]
                else { continue }
                _ = try TreeScan(usage, step).walk(from: root, tree: tree(of: object), isTable: false) { entry in
                    let values = entry.record.values
                    guard entry.record.isSound, !entry.record.isCut, entry.standing != .foreign,
                        values.count == index.columns.count
                    else { return }
                    if table.hasRowID {
                        try add(entry: values, of: index, table)
                    } else {
                        try write(entry: values, of: index, table)
                    }
                }
            }
            if table.hasRowID { try moveRowsOfIndexes(to: table) }
            // A damaged index may have rows that an index without damage does not have, because it is of a later time.
            if let missing = table.missingRows { table.result.lost = max(missing, table.result.traces) }
        }
    }

    /// Adds the values that an entry of an index has of a missing row to the database of lost rows. Other indexes may
    /// have other values of the row.
    private func add(entry values: [StoredValue], of index: NewTable.Index, _ table: NewTable) throws {
        guard case .integer(let rowID) = values.last, !table.refusedIDs.contains(rowID),
            table.mayMiss(rowID) || table.unsoundIDs.contains(rowID), try !table.hasRow(rowID, key: [])
        else { return }
        let places = zip(index.columns, values).compactMap { column, value in
            table.stored.firstIndex(of: column).map { (place: $0, value: value) }
        }
        try lost.add(part: places, rowID: rowID, of: table.name)
    }

    /// Writes the rows into the table of which all indexes have added their values. A row that the table refused when
    /// its page was read counts once.
    private func moveRowsOfIndexes(to table: NewTable) throws {
        try lost.move(of: table.name) { values, rowID throws(StoreError) in
            try step()
            let known = values.enumerated().filter { $0.element != .null && $0.offset < table.stored.count }
            let isWritten = try table.write(
                known.map { (column: table.stored[$0.offset], value: $0.element) }, rowID: rowID)
            if isWritten {
                table.result.fromIndexes += 1
                table.result.incomplete += 1
                if table.unsoundIDs.remove(rowID) != nil { table.result.setAside -= 1 }
            } else if !table.unsoundIDs.contains(rowID) {
                table.result.traces += 1
            }
            return isWritten
        }
    }

    /// Writes the row of an entry of an index into a table without row IDs. Such an entry has the whole primary key.
    private func write(entry values: [StoredValue], of index: NewTable.Index, _ table: NewTable) throws {
        let places = table.keyColumns.map { index.columns.firstIndex(of: $0) }
        guard !places.contains(nil) else { return }
        let key = places.compactMap { $0 }.map { values[$0] }
        guard !table.refusedKeys.contains(key), try !table.hasRow(nil, key: key) else { return }
        let parts = zip(index.columns, values).filter { $0.0 >= 0 }
        if try table.write(parts.map { (column: $0.0, value: $0.1) }, rowID: nil) {
            table.result.fromIndexes += 1
            table.result.incomplete += 1
            if table.tracedKeys.remove(key) != nil { table.result.traces -= 1 }
        } else if table.tracedKeys.insert(key).inserted {
            table.result.traces += 1
            let row = table.stored.map { column in parts.first { $0.0 == column }?.1 ?? .null }
            try lost.add(row, page: nil, rowID: nil, of: table.name, .index)
        }
    }
}
