import ChatDBKit

/// What was saved of a store.
struct SalvagedStore {
    struct Part {
        enum Method: String {
            /// The database was in order, and was copied as it is.
            case copied
            case salvaged
            /// The database was not in order, and `--only` names the other one.
            case leftOut
        }

        let method: Method
        /// What was saved. It has no tables unless the database was salvaged.
        var database = SalvagedDatabase()
        /// The path of the database of lost rows. It is nil if every row that was read is in the new database.
        var lostRows: String?
        /// The program whose definitions replace lost ones. It is nil if no definition is lost.
        var program: FoundDatabase.Kind?
        /// The migration whose definitions replace lost ones. It is nil for those of SimpleX Chat.
        var version: String?

        init(_ method: Method) { self.method = method }

        /// Whether everything was saved without a doubt.
        var isWhole: Bool {
            switch method {
            case .copied: true
            case .salvaged: database.isWhole
            case .leftOut: false
            }
        }
    }

    let target: StoreLocation
    var parts: [DatabaseName: Part] = [:]
    /// The check of the new store, or the reason why it failed. It is nil until the check has run.
    var check: Result<CheckResult, ErrorReport>?
    var notes: [String] = []
    /// The connections that still work. It is nil if no rows of a database are lost, if one of the databases is missing,
    /// and if the connections cannot be read.
    var connections: CompleteConnections?
    /// The databases that are missing.
    var missing: [DatabaseName] = []
    /// The databases that are missing, and whose write-ahead logs have changes.
    var orphanLogs: [DatabaseName] = []

    init(target: StoreLocation) { self.target = target }

    /// Whether everything was saved without a doubt.
    var isWhole: Bool {
        parts.values.allSatisfy(\.isWhole) && missing.isEmpty && orphanLogs.isEmpty && !hasDamagedValues
    }

    /// Whether a database was damaged, and the new one has values that cannot be read: the damage may have changed them.
    var hasDamagedValues: Bool {
        parts.values.contains { $0.method == .salvaged }
            && findings.contains { ["unreadableValue", "unreadableContent"].contains($0.id) }
    }

    private var findings: [Finding] {
        guard case .success(let result) = check else { return [] }
        return result.findings
    }

    /// The first sentences of the report: what was saved, and what was not.
    var summary: String {
        let tables = parts.values.flatMap(\.database.tables)
        let isEmpty = !parts.values.contains { $0.method == .copied } && tables.allSatisfy { $0.written == 0 }
        let errors = findings.filter { $0.severity == .error }.map(\.id)
        let found = errors.isEmpty ? "" : " The check of the new store found errors: \(errors.joined(separator: ", "))."
        if isWhole { return "Everything in the store was saved." + found }
        if isEmpty { return "No row of the store could be saved." + found }
        let others = missingOthers.isEmpty ? "" : ", without \(missingOthers.joined(separator: " and "))"
        let clauses = missingRows.isEmpty ? "" : ": \(missingRows.joined(separator: "; "))"
        // A lost definition may be that of a table of which nothing else is left.
        let rows = parts.values.allSatisfy(\.database.isSchemaWhole) ? "of the database files" : "that chatdb found"
        let saved = clauses.isEmpty ? "All rows \(rows) were saved" : "The store was saved in part"
        return "\(saved)\(others)\(clauses).\(found)"
    }

    /// The clauses that say which rows were not saved, or are not certain. Empty if all rows of the files were saved.
    private var missingRows: [String] {
        let found = parts.values.map(\.database)
        let tables = found.flatMap(\.tables)
        let lost = tables.reduce(0) { $0 + $1.lostAtLeast }
        var clauses: [String] = []
        if tables.contains(where: { $0.lost == nil }) {
            clauses.append(lost == 0 ? "an unknown number of rows may be lost" : "at least \(Self.are(lost)) lost")
        } else if lost > 0 {
            clauses.append("\(Self.are(lost)) lost")
        }
        let counts = [
            ("doubtful", tables.reduce(0) { $0 + $1.doubtful }), ("set aside", tables.reduce(0) { $0 + $1.setAside }),
            ("of an unknown table", found.reduce(0) { $0 + $1.unassigned }),
        ]
        clauses += counts.filter { $0.1 > 0 }.map { "\(Self.are($0.1)) \($0.0)" }
        for (database, part) in inOrder {
            if part.method == .leftOut { clauses.append("the \(database) database was left out") }
            let tables = part.database.leftOutTables
            if tables > 0 {
                let named = tables == 1 ? "a table" : "\(tables) tables"
                clauses.append("\(named) of the \(database) database \(tables == 1 ? "was" : "were") left out")
            }
        }
        clauses += missing.filter { !orphanLogs.contains($0) }.map { "the \($0) database is missing" }
        clauses += orphanLogs.map { "the \($0) database is missing, and its log was not read" }
        if hasDamagedValues { clauses.append("values of the new store cannot be read") }
        return clauses
    }

    /// The names of what else was not saved.
    private var missingOthers: [String] {
        inOrder.flatMap { database, part in
            let found = part.database
            var names: [String] = []
            if found.sideFile == .leftOut { names.append("the log or the journal of the \(database) database") }
            if !found.isSchemaWhole { names.append("a part of the schema of the \(database) database") }
            let definitions = found.leftOut.count - found.leftOutTables
            if definitions > 0 {
                let count = definitions == 1 ? "a definition" : "\(definitions) definitions"
                names.append("\(count) in the schema of the \(database) database")
            }
            if !found.isHeaderWhole { names.append("a part of the header of the \(database) database") }
            return names
        }
    }

    private var inOrder: [(database: DatabaseName, part: Part)] {
        DatabaseName.allCases.compactMap { database in parts[database].map { (database, $0) } }
    }

    private static func are(_ count: Int) -> String { count == 1 ? "1 row is" : "\(count) rows are" }

    /// Whether rows of a database are lost or uncertain. False for a database that was copied, or that is missing, and
    /// for one that lost only definitions of its schema.
    func hasLosses(_ database: DatabaseName) -> Bool {
        guard let part = parts[database], part.method == .salvaged else { return false }
        return !part.database.hasAllRows
    }

    /// The same for some of its tables. Rows of an unknown table may be theirs.
    func hasLosses(_ database: DatabaseName, in tables: Set<String>) -> Bool {
        guard let part = parts[database], part.method == .salvaged else { return false }
        let found = part.database
        return found.unassigned > 0 || found.leftOutTables > 0
            || found.tables.contains { tables.contains($0.name) && !$0.isWhole }
    }

    /// Whether definitions of the schema of a database are lost.
    func hasLostDefinitions(_ database: DatabaseName) -> Bool {
        guard let part = parts[database], part.method == .salvaged else { return false }
        return !part.database.isSchemaWhole || !part.database.leftOut.isEmpty
    }
}

extension SalvagedDatabase {
    /// Whether every row that was found was saved without a doubt. Definitions of the schema may be lost.
    var hasAllRows: Bool { unassigned == 0 && leftOutTables == 0 && tables.allSatisfy(\.isWhole) }
}
