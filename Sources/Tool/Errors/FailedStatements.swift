import ChatDBKit

// What the hints about a statement that failed depend on.
extension FailedStatement {
    /// Whether the text is no SQL. A schema causes no such error.
    var isOfSyntax: Bool {
        ["syntax error", "unrecognized token", "incomplete input"].contains(where: cause.message.contains)
    }

    /// Whether SQLite refused an ALTER TABLE because a view or trigger needs a table that does not exist at that moment. With
    /// the directive for a rebuild, it does not look at them.
    var lacksRebuild: Bool {
        let message = cause.message
        return cause.kind == .sql && (message.hasPrefix("error in view ") || message.hasPrefix("error in trigger "))
            && message.contains(": no such table: ")
    }

    /// Whether the migrations leave a foreign key to a table that does not exist.
    var leavesReference: Bool { cause.kind == .sql && cause.message.hasSuffix(", which does not exist") }

    /// The query that lists the values that several rows have, for a statement that makes a unique index of columns and
    /// failed because of such values. Nil for all others: an index of an expression, and rows that a statement inserts,
    /// whose values may come from anywhere. An index with a condition or with a collation of its own finds other rows
    /// than this query. It is nil too if the database lacks the table or a column: the run added it.
    fileprivate func duplicates(in structure: DatabaseStructure) -> HintedCommand? {
        let failure = "UNIQUE constraint failed: "
        guard text.contains(#/(?i)^\s*CREATE\s+UNIQUE\s+INDEX\s/#), !text.contains(#/(?i)\s(WHERE|COLLATE)\s/#),
            cause.message.hasPrefix(failure)
        else { return nil }
        let names = cause.message.dropFirst(failure.count).split(separator: ", ").map { $0.split(separator: ".") }
        guard let table = names.first?.first, names.allSatisfy({ $0.count == 2 && $0.first == table }) else {
            return nil
        }
        let known = Set((structure.tables[String(table)]?.columns ?? []).map(\.name))
        guard names.allSatisfy({ known.contains(String($0[1])) }) else { return nil }
        let columns = names.map { SQLName.written(String($0[1])) }
        let query = [
            "SELECT \(columns.joined(separator: ", ")), count(*) FROM \(SQLName.written(String(table)))",
            // Rows with NULL are never equal for a unique index.
            "WHERE \(columns.map { "\($0) IS NOT NULL" }.joined(separator: " AND "))",
            "GROUP BY \(columns.joined(separator: ", ")) HAVING count(*) > 1",
        ]
        // Without the option, the columns are NULL, and so all rows would be equal.
        let options = ["--show", "unknown"] + (database == .agent ? ["--only", database.rawValue] : [])
        return HintedCommand(.query, [query.joined(separator: " ")] + options)
    }
}

extension MigrationHint {
    /// The hint for a unique index that the rows of a database do not fit, with the query that lists their values. It is
    /// nil for chatdb's own tables: a query masks their columns, and NULL is equal to nothing.
    static func equalValues(
        _ reportable: any Reportable, _ failed: FailedStatement, _ context: StoreContext
    ) -> HintedError? {
        guard (try? context.status())?.readable[failed.database]?.isOfOtherMigrations == true,
            let structure = try? context.liveStructure(of: failed.database),
            let query = failed.duplicates(in: structure)
        else { return nil }
        return HintedError(
            reportable,
            hint: """
                rows of the database do not fit what the migration requires: change these rows, or correct its file; \
                \(query) lists the values that several rows have
                """)
    }
}
