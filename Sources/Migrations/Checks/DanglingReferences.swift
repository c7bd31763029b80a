import ChatDBEngine

/// The tables that a migration of a run has written.
struct WrittenTables {
    let migration: String
    /// Their names. A renamed table is there under its old and its new name.
    var tables: Set<String>

    /// Adds the names that they have after renames.
    mutating func add(_ renames: Renames, _ now: Renames.Columns) {
        tables.formUnion(tables.map { renames.name(of: $0, among: now.keys) })
    }
}

extension [WrittenTables] {
    /// The names of the migrations that may have left these references: those that wrote one of their tables, or all if
    /// none did. A reference may name its table in another case.
    func migrations(leaving references: [DanglingReference]) -> [String] {
        let concerned = Set(references.flatMap { [$0.table.lowercased(), $0.parent.lowercased()] })
        let found = filter { part in part.tables.contains { concerned.contains($0.lowercased()) } }
        return (found.isEmpty ? self : found).map(\.migration)
    }
}

/// References to missing rows, with the number of equal ones.
typealias DanglingReferences = [DanglingReference: Int]

extension DanglingReferences {
    /// The same under the current names of their tables and columns.
    func renamed(_ renames: Renames, _ now: Renames.Columns) -> DanglingReferences {
        if isEmpty || renames.isEmpty { return self }
        let pairs = map { reference, count in
            let table = renames.name(of: reference.table, among: now.keys)
            let columns = reference.columns.map {
                renames.name(of: $0, in: reference.table, among: now[table] ?? [])
            }
            let parent = renames.name(of: reference.parent, among: now.keys)
            return (DanglingReference(table: table, row: reference.row, parent: parent, columns: columns), count)
        }
        return DanglingReferences(pairs, uniquingKeysWith: +)
    }

    /// Without the references of these foreign keys: if a run mends a key that the engine could not check before, its
    /// references of that time are not of the run.
    func without(_ keys: [BrokenReference]) -> DanglingReferences {
        if keys.isEmpty { return self }
        return filter { reference, _ in
            !keys.contains {
                $0.table == reference.table && $0.columns == reference.columns
                    && $0.parent.lowercased() == reference.parent.lowercased()
            }
        }
    }

    /// The references that a run left dangling, each as often as it did, in no order.
    ///
    /// A row is known by its number. A rebuild gives the rows of a table new numbers, unless they are its INTEGER
    /// PRIMARY KEY. In other tables a new dangling reference therefore replaces one that disappeared, if it leads from
    /// the same table to the same other table. The same holds for one of the same row whose columns were renamed.
    /// - Parameter numbered: tables whose rows had stable numbers, under their current names.
    func made(
        since before: DanglingReferences, numbered: Set<String>, in structure: DatabaseStructure
    ) -> [DanglingReference] {
        var gone: DanglingReferences = before.filter { self[$0.key, default: 0] < $0.value }
        for (reference, count) in gone { gone[reference] = count - self[reference, default: 0] }
        var made: [DanglingReference] = []
        for (reference, count) in self where count > before[reference, default: 0] {
            let table = structure.tables[reference.table]
            let keepsNumbers = numbered.contains(reference.table) && table?.numbersRows == true
            for _ in 0..<(count - before[reference, default: 0]) {
                let same = gone.first { old, left in
                    guard left > 0, old.table == reference.table, old.parent == reference.parent else { return false }
                    if !keepsNumbers { return true }
                    return old.row == reference.row
                        && table?.foreignKeys.contains { $0.columns == old.columns } == false
                }
                guard let same else {
                    made.append(reference)
                    continue
                }
                gone[same.key] = same.value - 1
            }
        }
        return made
    }
}

extension BrokenReference {
    /// The same under the current names of its tables and columns.
    func renamed(_ renames: Renames, _ now: Renames.Columns) -> BrokenReference {
        let (newTable, newParent) = (
            renames.name(of: table, among: now.keys), renames.name(of: parent, among: now.keys)
        )
        return BrokenReference(
            table: newTable, columns: columns.map { renames.name(of: $0, in: table, among: now[newTable] ?? []) },
            parent: newParent,
            parentColumns: parentColumns.map { renames.name(of: $0, in: parent, among: now[newParent] ?? []) },
            lacksParent: lacksParent, refersToView: refersToView)
    }
}

extension TableStructure {
    /// The types of row numbers, as each engine has them.
    private static let numbers: Set<String> = ["INTEGER", "BIGINT GENERATED BY DEFAULT AS IDENTITY"]

    /// Whether its rows have stable numbers: whether its primary key is one such column.
    var numbersRows: Bool {
        guard primaryKey.count == 1, !options.contains("WITHOUT ROWID") else { return false }
        return columns.contains { SQLName.written($0.name) == primaryKey.first && Self.numbers.contains($0.type) }
    }
}
