import ChatDBKit

/// A question in SQL that got no answer.
struct FailedQuery: Reportable {
    let error: QuestionError
    let database: DatabaseName
    let path: String
    /// Databases of the store that are not there.
    let missing: [DatabaseName]

    var report: ErrorReport {
        switch error {
        case .invalid(let reason):
            ErrorReport(
                "invalidSQL", "the statement is not valid: \(reason)", hint: hint(for: reason), exit: .invalidData)
        case .refused(let reason):
            ErrorReport(
                "refusedSQL", "the statement is not run: \(reason)",
                hint: hint(forRefusal: reason), exit: .invalidData)
        case .tooSlow(let time):
            ErrorReport(
                "beyondLimits", "the answer took longer than \(Self.seconds(time)) seconds",
                hint: "--timeout gives it more time",
                details: ["limit": "time", "seconds": .number(time / .seconds(1))],
                exit: .no)
        case .tooLarge(let bytes):
            ErrorReport(
                "beyondLimits", "the answer takes more than \(CellText.size(Int64(bytes)))",
                hint: "ask for fewer rows, or for parts with substr()",
                details: ["limit": "bytes", "bytes": JSONValue(bytes)], exit: .no)
        case .tooBig(let reason):
            ErrorReport(
                "beyondLimits", "the statement or a value of the answer is too big: \(reason)",
                hint: "ask for parts with substr()", details: ["limit": "bytes"], exit: .no)
        case .store(let error) where error.kind == .outOfMemory:
            ErrorReport(
                "beyondLimits", "the answer takes more memory than chatdb gives itself",
                hint: "ask for fewer rows, without sorting or grouping long values", details: ["limit": "memory"],
                exit: .no)
        case .store(let error):
            error.report(of: path)
        }
    }

    private static func seconds(_ time: Duration) -> String {
        let seconds = time / .seconds(1)
        return seconds == seconds.rounded() ? String(Int(seconds)) : String(seconds)
    }

    /// Where the statement itself is one that is run, its kinds are no help.
    private func hint(forRefusal reason: String) -> String {
        let isKind = reason.contains("only what reads") || reason.contains("statements, and one is run")
        return isKind
            ? "one statement is run, and only SELECT, WITH, VALUES, EXPLAIN or a PRAGMA that tells something"
            : "chatdb schema show shows the tables and columns that can be asked"
    }

    /// What was misspelt, or asked of the wrong database.
    private func hint(for reason: String) -> String? {
        if reason.hasPrefix("no such column: ") { return "chatdb schema show TABLE shows the columns" }
        let beginning = "no such table: "
        guard reason.hasPrefix(beginning) else { return nil }
        let table = String(reason.dropFirst(beginning.count)).lowercased()
        for other in DatabaseName.allCases where other != database && Catalogue.table(table, of: other) != nil {
            return missing.contains(other)
                ? "the \(other) database has one, and is not there" : "the \(other) database has one: --only \(other)"
        }
        return DidYouMean.hint(for: table, among: Catalogue.tables(of: database).map(\.name))
            ?? "chatdb schema show shows the tables"
    }
}

/// An answer of which a part was shown.
struct TooManyRows: Reportable {
    let limit: Int

    var report: ErrorReport {
        ErrorReport(
            "beyondLimits", "there are more rows than the \(limit) shown", hint: "--limit shows more, up to 1000000",
            details: ["limit": "rows", "rows": JSONValue(limit)], exit: .no)
    }
}

/// A statement on standard input that is no text.
struct UnreadableStatement: Reportable {
    let reason: String

    var report: ErrorReport {
        ErrorReport("invalidSQL", "the statement on standard input cannot be used: \(reason)", exit: .invalidData)
    }
}
