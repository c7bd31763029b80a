import ChatDBKit

/// A query that failed.
struct FailedQuery: Reportable {
    let error: QuestionError
    let database: DatabaseName
    let path: String
    /// The missing databases of the store.
    let missing: [DatabaseName]
    /// The tables of the other database in lower case, if a table is missing in a store of another program; nil for a store
    /// with chatdb's tables.
    var tablesOfOther: Set<String>?

    var report: ErrorReport {
        switch error {
        case .invalid(let reason): ErrorReport(library: error, hint: hint(for: reason))
        case .refused(let reason): ErrorReport(library: error, hint: hint(forRefusal: reason))
        case .tooSlow: ErrorReport(library: error, hint: "--timeout sets another limit")
        case .tooLarge(let bytes):
            ErrorReport(
                error.code, "the result takes more than \(CellText.size(Int64(bytes)))",
                hint: "select fewer rows, or parts of values with substr()", details: error.details, exit: .no)
        case .tooBig: ErrorReport(library: error, hint: "select parts of values with substr()")
        case .store(let error) where error.kind == .outOfMemory:
            ErrorReport(
                "beyondLimits", "the result takes more memory than chatdb allows",
                hint: "select fewer rows, and do not sort or group long values", details: ["limit": "memory"],
                exit: .no)
        case .store(let error): Self.report(of: error, at: path)
        }
    }

    /// An error of the file itself names the commands that go on with it. A server has no file to salvage, and a file of
    /// lost rows is no store.
    static func report(of error: StoreError, at path: String) -> ErrorReport {
        var report = error.report(of: path)
        guard report.hint == nil, !ServerStore.isNamed(by: path), !path.hasSuffix("_lost_and_found.db") else {
            return report
        }
        switch error.kind {
        case .damaged, .truncated, .notADatabase:
            report.hint = """
                \(.check) shows what is wrong with the file; \(.salvage, "--output", "NEW") writes what can be read \
                into a new store
                """
        default: break
        }
        return report
    }

    /// If the statement itself is of a permitted kind, the list of kinds is no help.
    private func hint(forRefusal reason: String) -> Hint {
        let isKind = reason.contains("only what reads") || reason.contains("statements, and one is run")
        return isKind
            ? "chatdb runs one statement: SELECT, WITH, VALUES, EXPLAIN or a PRAGMA that only reads"
            : "\(.schemaShow) shows the tables and columns that can be queried"
    }

    /// Suggestions for a misspelt name, or for the other database.
    private func hint(for reason: String) -> Hint? {
        if reason.hasPrefix("no such column: ") { return "\(.schemaShow, "TABLE") shows the columns" }
        guard reason.hasPrefix(QuestionError.missingTable) else { return nil }
        let table = String(reason.dropFirst(QuestionError.missingTable.count)).lowercased()
        if let tablesOfOther {
            let other = database == .chat ? DatabaseName.agent : .chat
            return tablesOfOther.contains(table)
                ? "the table is in the \(other) database: --only \(other)" : "\(.schemaShow) shows the tables"
        }
        for other in DatabaseName.allCases where other != database && Catalogue.table(table, of: other) != nil {
            return missing.contains(other)
                ? "the table is in the \(other) database, which is missing"
                : "the table is in the \(other) database: --only \(other)"
        }
        if Catalogue.table(table, of: database) != nil {
            return "the store does not have this table: \(.migrateStatus) shows its version, \(.schemaDump) its tables"
        }
        return DidYouMean.hint(for: table, among: Catalogue.tables(of: database).map(\.name)).map(Hint.init(text:))
            ?? "\(.schemaShow) shows the tables"
    }
}

extension QuestionError {
    /// The beginning of SQLite's message about a table that the database does not have.
    fileprivate static let missingTable = "no such table: "

    /// Whether the database lacks a table of the statement.
    var isOfMissingTable: Bool {
        if case .invalid(let reason) = self { reason.hasPrefix(Self.missingTable) } else { false }
    }
}

/// A part of an answer was shown.
struct TooManyRows: Reportable {
    let limit: Int

    var report: ErrorReport {
        ErrorReport(
            "beyondLimits", "there are more rows than the \(limit) shown", hint: "--limit shows more, up to 1000000",
            details: ["limit": "rows", "rows": JSONValue(limit)], exit: .no)
    }
}

/// A statement on standard input is not UTF-8.
struct UnreadableStatement: Reportable {
    let reason: String

    var report: ErrorReport {
        ErrorReport("invalidSQL", "the statement on standard input cannot be used: \(reason)", exit: .invalidData)
    }
}
