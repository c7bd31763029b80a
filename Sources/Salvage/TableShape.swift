/// The columns of a table as its rows store them. The shape shows which rows may belong to the table.
package struct TableShape: Sendable, Hashable {
    package struct Column: Sendable, Hashable {
        /// What a column may store, by the rules of SQLite's type affinity.
        package enum Affinity: Sendable, Hashable {
            case integer, text, blob, real, numeric

            /// The affinity of a declared type.
            package init(type: String) {
                let type = type.uppercased()
                if type.contains("INT") {
                    self = .integer
                } else if ["CHAR", "CLOB", "TEXT"].contains(where: type.contains) {
                    self = .text
                } else if type.contains("BLOB") || type.isEmpty || type == "ANY" {
                    self = .blob
                } else if ["REAL", "FLOA", "DOUB"].contains(where: type.contains) {
                    self = .real
                } else {
                    self = .numeric
                }
            }
        }

        package let affinity: Affinity
        package let isRequired: Bool
        /// Whether the column is the row ID. A row stores NULL in its place.
        package let isRowID: Bool

        package init(affinity: Affinity, isRequired: Bool, isRowID: Bool) {
            self.affinity = affinity
            self.isRequired = isRequired
            self.isRowID = isRowID
        }

        /// How usual a value is in the column. It is nil for a value that the column never has.
        func fit(of value: StoredValue) -> Int? {
            if isRowID { return value == .null ? 2 : nil }
            switch (affinity, value) {
            case (_, .null): return isRequired ? nil : 1
            case (.integer, .integer), (.numeric, .integer), (.text, .text), (.blob, .blob), (.real, .real),
                (.real, .integer):
                return 2
            case (.text, .integer), (.text, .real): return nil
            case (.numeric, .text), (.numeric, .real), (.blob, _), (.text, .blob): return 1
            // SQLite allows such a value if it is a text that is no number, but hardly any store has one.
            case (.integer, _), (.numeric, .blob), (.real, _): return nil
            }
        }
    }

    package let columns: [Column]

    package init(columns: [Column]) { self.columns = columns }

    /// How well records fit the table, from 0 to 1. It is nil if more than a few records do not fit at all. Rows that
    /// were written before a column was added have fewer values.
    package func fit(of records: [StoredRecord]) -> Double? {
        var (sum, most, misfits) = (0, 0, 0)
        for record in records {
            guard record.values.count <= columns.count else { return nil }
            var own = 0
            var fits = true
            for (value, column) in zip(record.values, columns) {
                guard let points = column.fit(of: value) else {
                    fits = false
                    break
                }
                own += points
            }
            if fits { sum += own } else { misfits += 1 }
            most += 2 * columns.count
        }
        // A few rows may be damaged themselves.
        guard most > 0, misfits * 20 <= records.count else { return nil }
        return Double(sum) / Double(most)
    }
}
