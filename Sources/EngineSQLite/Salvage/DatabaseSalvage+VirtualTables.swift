import ChatDBEngine
import ChatDBSalvage
import GRDBSQLite

extension DatabaseSalvage {
    func makeVirtualTables() throws(StoreError) {
        for object in objects where object.kind == .table && SchemaStatement.isVirtual(object.sql) {
            do throws(StoreError) {
                try target.make(object)
                try fill(object.name)
            } catch {
                try leaveOut(object, error)
            }
        }
        guard lostPartOfProgram else { return }
        for object in known where object.kind == .table && SchemaStatement.isVirtual(object.sql) {
            do throws(StoreError) {
                try target.make(object)
                try rebuild(object.name)
                var table = SalvagedTable(name: object.name)
                table.isKnownDefinition = true
                otherTables.append(table)
            } catch {
                try leaveOut(object, error)
            }
        }
    }

    /// Fills a virtual table with its own rows. A table that only indexes another table is rebuilt from that table.
    private func fill(_ name: String) throws(StoreError) {
        let content = objects.first { $0.kind == .table && $0.name.lowercased() == "\(name)_content".lowercased() }
        guard let content, let root = root(of: content) else { return try rebuild(name) }
        let quoted = SQLName.quoted(name)
        let info = try target.prepare("PRAGMA table_xinfo(\(quoted))")
        var columns: [String] = []
        while info.step() == SQLITE_ROW { if info.number(6) == 0 { columns.append(info.text(1)) } }
        let names = (["rowid"] + columns.map(SQLName.quoted)).joined(separator: ", ")
        let places = (["?"] + columns.map { _ in "?" }).joined(separator: ", ")
        let insert = try target.prepare("INSERT OR IGNORE INTO \(quoted) (\(names)) VALUES (\(places))")
        var table = SalvagedTable(name: name)
        do {
            let scan = TreeScan(usage, step)
            let outcome = try scan.walk(from: root, tree: tree(of: content), isTable: true) { row in
                guard try write(row, columns.count, insert) else {
                    table.setAside += 1
                    return try lost.add(row, of: name, .table)
                }
                if row.record.isCut {
                    table.incomplete += 1
                } else if row.standing == .guessed {
                    table.guessed += 1
                } else {
                    table.saved += 1
                }
            }
            table.damage(outcome)
        } catch {
            throw (error as? StoreError) ?? StoreError(.other, "its rows cannot be read")
        }
        otherTables.append(table)
    }

    /// Writes a row into a virtual table. Returns whether the table took it.
    private func write(_ row: ScannedRow, _ columns: Int, _ insert: SalvageStatement) throws(StoreError) -> Bool {
        guard let rowID = row.rowID, row.record.isSound, row.isInRange, row.standing != .foreign else { return false }
        insert.reset()
        try insert.bind(.integer(rowID), at: 1, layout.encoding)
        // The first value is the row ID.
        for (index, value) in row.record.values.dropFirst().prefix(columns).enumerated() {
            guard try insert.bind(value, at: index + 2, layout.encoding) else { return false }
        }
        return try target.write(insert)
    }

    /// Builds an index again from the table or the view that has its texts. A query of a view may have no end.
    private func rebuild(_ name: String) throws(StoreError) {
        let quoted = SQLName.quoted(name)
        do throws(StoreError) {
            try target.execute(
                "INSERT INTO \(quoted) (\(quoted)) VALUES ('rebuild')", within: .seconds(60) + .microseconds(bytes))
        } catch  where !Self.endsSalvage(error) {
            throw StoreError(error.kind, "it is empty, because its index cannot be built again: \(error.message)")
        }
    }

    /// Sets the next numbers of tables with AUTOINCREMENT.
    func setSequences() throws {
        guard let object = objects.first(where: { $0.kind == .table && $0.name == "sqlite_sequence" }),
            let root = root(of: object),
            let update = try? target.prepare("UPDATE sqlite_sequence SET seq = max(seq, ?1) WHERE name = ?2"),
            let insert = try? target.prepare("INSERT INTO sqlite_sequence (name, seq) VALUES (?2, ?1)")
        else { return }
        _ = try TreeScan(usage, step).walk(from: root, tree: tree(of: object), isTable: true) { row in
            let values = row.record.values
            guard row.record.isSound, row.standing != .foreign, values.count == 2, case .integer = values[1],
                let name = SchemaTable.text(values[0], layout.encoding), tables[name.lowercased()] != nil
            else { return }
            for statement in [update, insert] {
                statement.reset()
                try statement.bind(values[1], at: 1, layout.encoding)
                try statement.bind(values[0], at: 2, layout.encoding)
                if try target.write(statement) { return }
            }
        }
    }
}
