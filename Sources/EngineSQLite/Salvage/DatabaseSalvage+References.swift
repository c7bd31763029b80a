import ChatDBEngine
import ChatDBSalvage
import GRDBSQLite

extension DatabaseSalvage {
    /// Counts the rows to which rows of other tables refer and which no page has, for each table of which the number of
    /// lost rows is unknown. At least so many rows of it are lost.
    func countReferred() throws {
        for child in tables.values {
            for reference in try child.references() {
                guard let parent = tables[reference.parent.lowercased()], parent.result.lost == nil,
                    let key = parent.keyName(reference.parentColumn)
                else { continue }
                let (column, table) = (SQLName.quoted(reference.column), SQLName.quoted(child.name))
                // The authorizer permits no `count`.
                let missing = try target.prepare(
                    """
                    SELECT DISTINCT \(column) FROM \(table) AS child WHERE \(column) IS NOT NULL
                        AND NOT EXISTS (SELECT 1 FROM \(SQLName.quoted(parent.name)) WHERE \(key) = child.\(column))
                    """)
                var count = 0
                while missing.step() == SQLITE_ROW {
                    try checkStop()
                    count += 1
                }
                parent.result.referred = max(parent.result.referred, count)
            }
        }
    }
}

extension NewTable {
    /// A foreign key of one column.
    struct Reference {
        let column: String
        let parent: String
        /// It is nil for the primary key of the parent.
        let parentColumn: String?
    }

    /// The foreign keys of one column.
    func references() throws(StoreError) -> [Reference] {
        var found: [Int: [Reference]] = [:]
        for row in try foreignKeys() {
            found[row.number, default: []].append(
                Reference(column: row.column, parent: row.parent, parentColumn: row.parentColumn))
        }
        return found.values.filter { $0.count == 1 }.flatMap { $0 }
    }

    /// The quoted name of the primary key, if it is one column with this name. Answers nil otherwise, because a search by
    /// another column may read the whole table for each row.
    fileprivate func keyName(_ column: String?) -> String? {
        guard keyColumns.count == 1 else { return nil }
        let name = columns[keyColumns[0]].name
        return column.map { $0.lowercased() == name.lowercased() } ?? true ? SQLName.quoted(name) : nil
    }
}
